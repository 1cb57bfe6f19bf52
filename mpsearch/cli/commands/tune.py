"""tune: tune an agent's parameters by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from mpsearch.cli.options import GameName, Options, Players, Seed, agent_option, choose_table
from mpsearch.cli.study import Opening, Report, StoreFile, Study, measures
from mpsearch.cli.terminal.progress import Progress
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments import Cut, Engine, Store, collect, few_distinct
from mpsearch.studies.tuning import METHODS, Generation, make_task, measure_gain, tune


@measures()
def tune_agent(
    game: GameName,
    agent: Annotated[str, agent_option("The agent to tune.")] = "maxn:depth=2",
    evaluator: Annotated[
        str | None, typer.Option(help="The evaluator, unless the agent names one.")
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="A parameter to tune; repeatable (default: all weights)."),
    ] = None,
    players: Players = None,
    option: Options = None,
    method: Annotated[str, typer.Option(help=f"Optimiser: {' or '.join(METHODS)}.")] = "genetic",
    generations: Annotated[int, typer.Option(min=1, help="Number of generations.")] = 100,
    games: Annotated[int, typer.Option(min=2, help="Games per run-off of a generation.")] = 20,
    final: Annotated[
        int, typer.Option(min=0, help="Games that measure the result at the end.")
    ] = 100,
    opening: Opening = None,
    store: StoreFile = None,
    log: Annotated[
        Path | None, typer.Option(help="Save every generation to this file and resume from it.")
    ] = None,
    seed: Seed = 0,
    *,
    study: Study,
) -> int:
    """Tune an agent's parameters by self-play.

    These are the weights of its evaluator or the thresholds of MP-Mix.
    """
    if method not in METHODS:
        raise UsageError(f"--method '{method}' is not one of {', '.join(METHODS)}")
    if evaluator is not None:
        agent += ("," if ":" in agent else ":") + f"evaluator={evaluator}"
    task = make_task(
        choose_table(game, players, option), agent, keys=key or (), seed=seed, opening=opening
    )

    def measured(engine: Engine, shown: Progress) -> tuple[dict[str, Any], Cut]:
        generated = tune(
            task,
            method=method,
            generations=generations,
            games=games,
            log=log,
            store=kept,
            engine=engine,
        )
        run, cut = collect(generated, lambda _, last: shown.show(_line(last, generations)))
        best = run[-1].answer
        found = {"agent": task.text(best), "weights": best, "generations": len(run)}
        if not final or cut is not None:
            return found, cut
        shown.show(f"{final} games against the start")
        try:
            share, distinct = measure_gain(
                task, task.start, best, games=final, store=kept, engine=engine
            )
        except (KeyboardInterrupt, MpsearchError) as error:
            return found, error
        found |= {"share": share.mean, "low": share.low, "high": share.high}
        return found | {"games": final, "distinct": distinct}, None

    def done(found: dict[str, Any]) -> str:
        missing = ", not measured" * ("share" not in found)
        again = "" if log is None else f"; run the command again to continue from {log}"
        return f"{found['generations']} of {generations} generations{missing}{again}"

    def report(found: dict[str, Any], cut: Cut) -> Report:
        return Report(
            json=lambda: {**found, "partial": cut is not None},
            text=lambda: _text(found, start=task.text(task.start)),
        )

    with Store(store) as kept:
        kept.bind({"tune": {"method": method, "games": games, **task.document()}})
        return study.run(measured, report, done)


def _text(found: dict[str, Any], *, start: str) -> str:
    if "share" not in found:
        return str(found["agent"])
    note = few_distinct(found["distinct"], found["games"], what="the measurement")
    return (
        f"{found['agent']}\nwins {found['share']:.1%} of {found['games']} fresh games against "
        f"{start} (95 % interval {found['low']:.1%} to {found['high']:.1%})"
        + (f"\nnote: {note}" if note else "")
    )


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
