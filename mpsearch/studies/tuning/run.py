"""A tuning run: generation by generation, each logged before the next begins."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from mpsearch import experiments
from mpsearch.errors import UsageError
from mpsearch.experiments import Engine, Estimate, GameResult, Job, Local, Store
from mpsearch.studies.tuning.log import Log
from mpsearch.studies.tuning.methods import METHODS, Numbers
from mpsearch.studies.tuning.task import Task

#: The format of a log. Logs of format 1 have other seeds.
FORMAT = 2


@attrs.frozen(kw_only=True)
class Generation:
    """One run-off and the share of games that the challenger won."""

    number: int
    champion: Numbers
    challenger: Numbers
    share: float
    games: int
    #: The result if the run ended here.
    answer: Numbers


def tune(
    task: Task,
    *,
    method: str = "genetic",
    generations: int,
    games: int,
    log: Path | None = None,
    store: Store | None = None,
    engine: Engine | None = None,
) -> Iterator[Generation]:
    """Run generations; those in the log are not played again."""
    steps = METHODS[method](task)
    head = {"tune": FORMAT, "method": method, "games": games, **task.document()}
    with Log(log, head) as kept:
        proposal = next(steps)
        for number in range(generations):
            first, second = proposal.champion, proposal.challenger
            known = number < len(kept.shares)
            if known:
                share = kept.shares[number]
            else:
                results = run_off(
                    task, first, second, games=games, block=number + 1, store=store, engine=engine
                )
                share = _share(task.text(second), results).mean
            proposal = steps.send(share)
            found = Generation(
                number=number,
                champion=first,
                challenger=second,
                share=share,
                games=games,
                answer=proposal.answer,
            )
            if not known:
                kept.add(attrs.asdict(found))
            yield found


def measure_gain(
    task: Task,
    first: Numbers,
    second: Numbers,
    *,
    games: int,
    store: Store | None = None,
    engine: Engine | None = None,
) -> tuple[Estimate, int]:
    """The share of games that `second` wins against `first`, with seeds of no generation.

    And how many of them are distinct.
    """
    results = run_off(task, first, second, games=games, block=0, store=store, engine=engine)
    return _share(task.text(second), results), len({result.identity for result in results})


def run_off(
    task: Task,
    first: Numbers,
    second: Numbers,
    *,
    games: int,
    block: int,
    store: Store | None,
    engine: Engine | None,
) -> list[GameResult]:
    """The games of two candidates; those in the store are not played again."""
    if task.text(first) == task.text(second):
        return []
    settings = task.run_off(first, second, games=games, block=block)
    jobs = [Job(arm=f"block {block}", number=n, setting=s) for n, s in enumerate(settings)]
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(Store(None)) if store is None else store
        answers = experiments.ordered_answers(
            _play, jobs, store=kept, engine=engine or Local(), write=_document, read=_result
        )
        return list(answers)


def _share(agent: str, results: list[GameResult]) -> Estimate:
    """The agent's share of the games that anybody won."""
    decided = [result for result in results if sum(result.shares()) > 0]
    if not decided:
        return Estimate(mean=0.5, low=0.0, high=1.0)
    won = [result.won(agent) for result in decided]
    return experiments.distinct_share(won, [result.identity for result in decided])


def _play(job: Job) -> GameResult:
    return experiments.play_job(job)[0]


def _document(result: GameResult) -> dict[str, Any]:
    return {
        "payoff": result.payoff.tolist(),
        "plies": result.plies,
        "identity": result.identity,
        "agents": list(result.roles),
    }


def _result(job: Job, document: dict[str, Any]) -> GameResult:
    if list(job.roles) != document["agents"]:
        raise UsageError("the store holds games of another run of tune; choose another file")
    return GameResult(
        arm=job.arm,
        number=job.number,
        roles=job.roles,
        payoff=document["payoff"],
        plies=document["plies"],
        identity=document["identity"],
    )
