"""tune: make the numbers of an agent better by playing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from mpsearch.cli.common import (
    GameName,
    Json,
    Options,
    Players,
    Processes,
    Seed,
    choose_table,
    print_json,
)
from mpsearch.cli.completion import complete_agent
from mpsearch.cli.interrupt import interruptible
from mpsearch.cli.measuring import cut_short
from mpsearch.cli.progress import Progress, ProgressLines
from mpsearch.cli.running import EngineName, Opening, StoreFile
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments import gather
from mpsearch.experiments.engines import make_engine
from mpsearch.experiments.inference import few_distinct
from mpsearch.experiments.keeping import keeping
from mpsearch.tune import Generation, make_task, measure_gain, tune
from mpsearch.tune.methods import METHODS


def tune_agent(
    game: GameName,
    agent: Annotated[
        str, typer.Option("--agent", help="Whose numbers are tuned.", autocompletion=complete_agent)
    ] = "maxn:depth=2",
    evaluator: Annotated[
        str | None, typer.Option("--evaluator", help="The evaluator, if not named in the agent.")
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option("--key", help="A number to tune; repeat it. All weights if not given."),
    ] = None,
    players: Players = None,
    option: Options = None,
    method: Annotated[str, typer.Option("--method", help=" or ".join(METHODS))] = "genetic",
    generations: Annotated[int, typer.Option("--generations", min=1)] = 100,
    games: Annotated[
        int, typer.Option("--games", min=2, help="Games of each generation's run-off.")
    ] = 20,
    final: Annotated[
        int, typer.Option("--final", min=0, help="Games that measure the result at the end.")
    ] = 100,
    opening: Opening = None,
    store: StoreFile = None,
    engine: EngineName = "local",
    processes: Processes = 1,
    log: Annotated[
        Path | None,
        typer.Option("--log", help="Keep every generation here, and go on from it."),
    ] = None,
    progress: ProgressLines = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Tune numbers of an agent: weights of its evaluator, or thresholds of MP-Mix."""
    if method not in METHODS:
        raise UsageError(f"--method '{method}' is not one of {', '.join(METHODS)}")
    if evaluator is not None:
        agent += ("," if ":" in agent else ":") + f"evaluator={evaluator}"
    task = make_task(
        choose_table(game, players, option), agent, keys=key or (), seed=seed, opening=opening
    )
    crew = make_engine(engine, processes=processes)
    about = {"tune": {"method": method, "games": games, **attrs.asdict(task)}}
    cut: KeyboardInterrupt | MpsearchError | None
    with keeping(store, about) as kept, Progress(lines=progress) as shown, interruptible():
        run, cut = gather(
            tune(
                task,
                method=method,
                generations=generations,
                games=games,
                log=log,
                store=kept,
                engine=crew,
            ),
            lambda _, generation: shown.show(_line(generation, generations)),
        )
        best = run[-1].answer
        found: dict[str, Any] = {
            "agent": task.text(best),
            "weights": best,
            "generations": len(run),
        }
        if final and cut is None:
            shown.show(f"{final} games against the start")
            try:
                result = measure_gain(task, task.start, best, games=final, store=kept, engine=crew)
                share = result.share
                found |= {"share": share.mean, "low": share.low, "high": share.high}
                found |= {"games": final, "distinct": result.distinct}
            except (KeyboardInterrupt, MpsearchError) as error:
                cut = error
    done = f"{len(run)} of {generations} generations" + ", not measured" * ("share" not in found)
    if log is not None:
        done += f"; run it again to go on from {log}"
    with cut_short(cut, done) as code:
        if as_json:
            print_json({**found, "partial": cut is not None})
        else:
            print(task.text(best))
            if "share" in found:
                print(
                    f"wins {found['share']:.1%} of {final} fresh games against "
                    f"{task.text(task.start)} (95 % interval {found['low']:.1%} to "
                    f"{found['high']:.1%})"
                )
                note = few_distinct(found["distinct"], final, what="the measurement")
                if note:
                    print(f"note: {note}")
    return code


def _line(generation: Generation, generations: int) -> str:
    changed = {
        name: f"{generation.champion[name]:.4g} -> {value:.4g}"
        for name, value in generation.challenger.items()
        if value != generation.champion[name]
    }
    tried = ", ".join(f"{name} {change}" for name, change in changed.items())
    return (
        f"generation {generation.number + 1}/{generations}  challenger won "
        f"{generation.share:.0%} of {generation.games}  {tried}"
    )
