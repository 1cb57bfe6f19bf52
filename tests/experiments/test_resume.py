"""Resuming: what the store holds is not done again, and equal games count as one draw."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mpsearch.api.game_table import Table
from mpsearch.cli import run
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments import Job, Local, Store, collect, ordered_answers
from mpsearch.experiments.resume import run_jobs
from mpsearch.match import Setting

OI = ["oi", "--game", "scramble", "--option", "length=10", "--players", "3", "--depths", "1"]


def document(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def timeless(document: object) -> object:
    """Without what depends on the machine's speed."""
    if isinstance(document, dict):
        return {k: timeless(v) for k, v in document.items() if k != "states_per_second"}
    return [timeless(entry) for entry in document] if isinstance(document, list) else document


COMMANDS = {
    "oi": [*OI, "--games", "4"],
    "models": [
        "models", "--game", "scramble", "--players", "3", "--option", "length=8",
        "--agent", "sos:depth=1", "--games", "2", "--scenario", "fixed", "--model", "recent",
        "--model", "selfish",
    ],
    "tune": [
        "tune", "--game", "scramble", "--players", "3", "--option", "length=8",
        "--evaluator", "share", "--agent", "maxn:depth=1", "--generations", "2", "--games", "2",
        "--final", "4",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_in_the_store_is_not_played_again(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [*COMMANDS[name], "--store", str(tmp_path / "s.db")]
    plain = document(COMMANDS[name], capsys)
    kept = document(command, capsys)
    assert timeless(kept) == timeless(plain)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr(Table, "plies", refuse)
    assert timeless(document(command, capsys)) == timeless(plain)


def test_a_partial_store_is_completed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "s.db"
    few = [*OI, "--games", "2", "--store", str(store)]
    document(few, capsys)
    with Store(store, read_only=True) as kept:
        assert len(kept) == 2
    more = document([*OI, "--games", "4", "--store", str(store)], capsys)
    assert timeless(more) == timeless(document([*OI, "--games", "4"], capsys))


def test_another_measurement_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = ["--store", str(tmp_path / "s.db")]
    assert run([*OI, "--games", "1", *store]) == 0
    capsys.readouterr()
    assert run([*OI, "--games", "1", "--seed", "3", *store]) == 2
    assert (
        "holds a different experiment: oi.0.seed is 0 there and 3 here" in capsys.readouterr().err
    )


def test_equal_games_are_one_draw_and_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """The issue's case: all games of greedy players in a game without chance are one."""
    equal = [*OI, "--agent", "greedy:ties=first"]
    assert run([*equal, "--games", "20", "--opening", "0"]) == 0
    assert "note: only 1 of 20 games of scramble are distinct" in capsys.readouterr().out
    one = document([*equal, "--games", "1", "--opening", "0"], capsys)
    many = document([*equal, "--games", "20", "--opening", "0"], capsys)
    for few, row in zip(one, many, strict=True):
        assert row["distinct"] == 1
        assert (row["low"], row["high"]) == pytest.approx((few["low"], few["high"]))
    usual = document([*equal, "--games", "20"], capsys)
    assert usual[0]["distinct"] > 15


def half(job: Job) -> int:
    if job.number == 3:
        raise UsageError("it is odd")
    time.sleep(0.002 * (job.number % 3))
    return job.number


JOBS = [
    Job(arm="a", number=n, setting=Setting(game="g", players=2, agents=("x", "y"), seed=n))
    for n in range(6)
]


@pytest.mark.parametrize("processes", [1, 2])
def test_answers_come_in_order_and_a_failed_job_raises_at_its_turn(processes: int) -> None:
    def answers() -> Iterator[int]:
        return ordered_answers(
            half,
            JOBS,
            store=store,
            engine=Local(processes),
            write=lambda answer: [answer],
            read=lambda job, document: 10 * document[0],
        )

    with Store(None) as store:
        found, cut = collect(answers())
        assert (found, str(cut)) == ([0, 1, 2], "it is odd")
        assert isinstance(cut, UsageError)
        again, _ = collect(answers())
        assert again == [0, 10, 20]


def test_failed_jobs_are_named_when_the_others_are_done() -> None:
    with Store(None) as store:
        with pytest.raises(MpsearchError, match=r"^arm 'a', game 3 \(seed 3\): it is odd$"):
            run_jobs(half, JOBS, store=store, engine=Local(), keep=lambda answer: (answer, None))
        assert [number for _, number, _ in store.rows()] == [0, 1, 2, 4, 5]
