"""The run: generation after generation, each in the log before the next begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from mpsearch.errors import RecordError
from mpsearch.match.record import write_line
from mpsearch.match.series import play_series, win_shares
from mpsearch.tune.methods import METHODS, Weights
from mpsearch.tune.problem import Problem

FORMAT = 1


@attrs.frozen(kw_only=True)
class Generation:
    """One run-off: who played, and what share of the games the challenger won."""

    number: int
    champion: Weights
    challenger: Weights
    share: float
    games: int
    #: The numbers the run would end with here.
    answer: Weights


def tune(
    problem: Problem,
    *,
    method: str = "genetic",
    generations: int,
    games: int,
    log: Path | None = None,
    processes: int = 1,
) -> Iterator[Generation]:
    """Run generations, those in the log first, without playing them again."""
    steps = METHODS[method](problem)
    head = {"tune": FORMAT, "method": method, "games": games, **attrs.asdict(problem)}
    done = _read_log(log, json.loads(json.dumps(head))) if log is not None else []
    proposal = next(steps)
    for number in range(generations):
        first, second = proposal.champion, proposal.challenger
        if number < len(done):
            share = done[number]
        else:
            share = _share(
                problem, first, second, games=games, block=number + 1, processes=processes
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
        if log is not None and number >= len(done):
            with log.open("a", encoding="utf-8") as file:
                if number == 0:
                    write_line(file, head)
                write_line(file, attrs.asdict(found))
        yield found


def measure(
    problem: Problem, first: Weights, second: Weights, *, games: int, processes: int = 1
) -> float:
    """The share of games the second wins against the first, with seeds no generation has seen."""
    return _share(problem, first, second, games=games, block=0, processes=processes)


def _share(
    problem: Problem,
    first: Weights,
    second: Weights,
    *,
    games: int,
    block: int,
    processes: int,
) -> float:
    if problem.text(first) == problem.text(second):
        return 0.5
    settings = problem.run_off(first, second, games=games, block=block)
    shares = win_shares(play_series(settings, processes=processes))
    won = [shares[problem.text(weights)][0] for weights in (first, second)]
    return won[1] / sum(won) if sum(won) else 0.5


def _read_log(path: Path, head: dict[str, Any]) -> list[float]:
    """The shares of the generations in a log of the same run; none if there is no log yet."""
    if not path.exists():
        return []
    entries = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            entries.append(json.loads(line))
        except ValueError:
            raise RecordError(f"{path}: line {number} is not JSON") from None
    if not entries or entries[0] != head:
        raise RecordError(f"{path} is the log of another run; choose another file")
    return [float(entry["share"]) for entry in entries[1:]]
