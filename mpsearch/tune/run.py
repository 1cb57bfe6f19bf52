"""The run: generation after generation, each in the log before the next begins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs

from mpsearch.experiments import play_series, win_shares
from mpsearch.tune.log import Log
from mpsearch.tune.methods import METHODS, Numbers
from mpsearch.tune.task import Task

#: The format of a log. Logs of format 1 have other seeds.
FORMAT = 2


@attrs.frozen(kw_only=True)
class Generation:
    """One run-off: who played, and what share of the games the challenger won."""

    number: int
    champion: Numbers
    challenger: Numbers
    share: float
    games: int
    #: The numbers the run would end with here.
    answer: Numbers


def tune(
    task: Task,
    *,
    method: str = "genetic",
    generations: int,
    games: int,
    log: Path | None = None,
    processes: int = 1,
) -> Iterator[Generation]:
    """Run generations, those in the log first, without playing them again."""
    steps = METHODS[method](task)
    head = {"tune": FORMAT, "method": method, "games": games, **attrs.asdict(task)}
    with Log(log, head) as kept:
        proposal = next(steps)
        for number in range(generations):
            first, second = proposal.champion, proposal.challenger
            known = number < len(kept.shares)
            if known:
                share = kept.shares[number]
            else:
                share = _share(
                    task, first, second, games=games, block=number + 1, processes=processes
                )
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


def measure(
    task: Task, first: Numbers, second: Numbers, *, games: int, processes: int = 1
) -> float:
    """The share of games the second wins against the first, with seeds no generation has seen."""
    return _share(task, first, second, games=games, block=0, processes=processes)


def _share(
    task: Task, first: Numbers, second: Numbers, *, games: int, block: int, processes: int
) -> float:
    if task.text(first) == task.text(second):
        return 0.5
    settings = task.run_off(first, second, games=games, block=block)
    shares = win_shares(play_series(settings, processes=processes))
    won = [shares[task.text(numbers)][0] for numbers in (first, second)]
    return won[1] / sum(won) if sum(won) else 0.5
