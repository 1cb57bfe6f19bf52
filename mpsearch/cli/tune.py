"""tune: make the numbers of an agent better by playing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.common import GameName, Json, Options, Players, Seed, print_json, set_table
from mpsearch.cli.interrupt import interruptible
from mpsearch.errors import UsageError
from mpsearch.match.series import wilson
from mpsearch.tune import Generation, make_problem, measure, tune
from mpsearch.tune.methods import METHODS


def tune_agent(
    game: GameName,
    agent: Annotated[
        str, typer.Option("--agent", help="Whose numbers are tuned.")
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
    processes: Annotated[int, typer.Option("--processes", min=1)] = 1,
    log: Annotated[
        Path | None,
        typer.Option("--log", help="Keep every generation here, and go on from it."),
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Tune numbers of an agent: weights of its evaluator, or thresholds of MP-Mix."""
    if method not in METHODS:
        raise UsageError(f"--method '{method}' is not one of {', '.join(METHODS)}")
    table = set_table(game, players, option)
    if evaluator is not None:
        agent += ("," if ":" in agent else ":") + f"evaluator={evaluator}"
    problem = make_problem(
        table.catalog,
        game=game,
        players=table.game.players,
        options=table.options,
        agent=agent,
        keys=key or (),
        seed=seed,
    )
    last: Generation | None = None
    run = tune(
        problem, method=method, generations=generations, games=games, log=log, processes=processes
    )
    try:
        with interruptible():
            for last in run:
                print(_line(last, generations), file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        if last is None:
            raise
        where = f"; run it again to go on from {log}" if log is not None else ""
        print(f"mpsearch: interrupted after generation {last.number}{where}", file=sys.stderr)
    assert last is not None
    best = last.answer
    found = {"agent": problem.text(best), "weights": best, "generations": last.number + 1}
    if final:
        share = measure(problem, problem.start, best, games=final, processes=processes)
        low, high = wilson(share * final, final)
        found |= {"share": share, "low": low, "high": high, "games": final}
    if as_json:
        print_json(found)
        return
    print(problem.text(best))
    if final:
        print(
            f"wins {share:.1%} of {final} fresh games against {problem.text(problem.start)} "
            f"(95 % interval {low:.1%} to {high:.1%})"
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
