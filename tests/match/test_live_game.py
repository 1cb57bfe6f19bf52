"""A live game: what is recorded, in which order, and what those see who look on."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpsearch.api.game_table import table
from mpsearch.contracts import Decision, Memory, Player, Turn
from mpsearch.errors import MpsearchError
from mpsearch.match import (
    HINT,
    RESUME,
    UNDO,
    LiveGame,
    RecordWriter,
    TakenBackError,
    mark_entry,
    read_record,
    rerun,
    standing_marks,
)

PLACE = table("scramble", players=3)
SETTING = PLACE.setting("human", "random", "maxn:depth=2", seed=7)


class Script(Player):
    """A person who at each of their turns does what comes next: undo, or the first move."""

    def __init__(self, *undo_to: int | None) -> None:
        self.undo_to = list(undo_to)

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        ply = self.undo_to.pop(0) if self.undo_to else None
        if ply is not None:
            raise TakenBackError(ply, seat=turn.seat)
        return Decision(move=turn.moves[0])


class LeftError(Exception):
    """The person is gone."""


class Leaves(Script):
    """Moves so often, and is gone."""

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        if not self.undo_to:
            raise LeftError
        return super().choose(turn, memory, rng)


def seated(person: Player) -> list[Player]:
    return [person, *map(PLACE.agent, SETTING.agents[1:])]


def new_game(**settings: Any) -> LiveGame:
    return LiveGame(PLACE.game, SETTING, **settings)


def test_every_line_is_in_the_file_before_anybody_hears_of_it(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    told: list[tuple[int, int]] = []

    def changed() -> None:
        told.append((len(path.read_text().splitlines()) - 1, len(live.lines)))

    live = new_game(changed=changed)
    live.record_to(path)
    for ply in live.play(seated(Script(None, 0, None))):
        if ply.number == 1:
            live.mark(HINT, 0)
    assert all(written == lines for written, lines in told)
    assert len(told) == len(live.lines)
    found = read_record(path)
    assert (found.plies, found.lines) == (tuple(live.entries), tuple(live.lines))
    assert found.payoff is not None
    assert found.payoff.tolist() == (live.result or {})["payoff"]
    assert live.over
    assert live.recorded == len(live.plies)
    assert path.read_text() == live.history().record_text()
    rerun(PLACE.game, [None, *map(PLACE.agent, SETTING.agents[1:])], found)


def test_a_history_stays_as_it_is_when_moves_are_taken_back() -> None:
    live = new_game()
    histories = [live.history() for _ in live.play(seated(Script(None, 0, None)))]
    lengths = [len(history.plies) for history in histories]
    assert lengths[:4] == [1, 2, 3, 1]
    assert [history.undos for history in histories][:4] == [0, 0, 0, 1]
    assert [mark["mark"] for mark in standing_marks(live.lines)] == ["undo"]
    before = histories[2]
    assert before.state(3) == before.plies[2].state != before.state(0) == before.first
    assert before.entries == before.lines == tuple(live.lines[:3])
    assert not before.over
    assert histories[-1].over


def test_a_game_that_was_left_goes_on_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    live = new_game()
    live.record_to(path)
    with pytest.raises(LeftError), contextlib.closing(live):
        list(live.play(seated(Leaves(None, None))))
    live.mark(HINT, 0)  # too late
    assert len(live.lines) == live.recorded == 6
    again = new_game(past=read_record(path))
    assert again.history().plies[-1].state == live.state
    again.resume_in(path)
    again.mark(RESUME)
    list(again.play(seated(Script())))
    found = read_record(path)
    assert [line.get("mark") for line in found.lines[5:8]] == [None, RESUME, None]
    assert found.payoff is not None
    rerun(PLACE.game, [None, *map(PLACE.agent, SETTING.agents[1:])], found)


@pytest.mark.parametrize("goes_on", [False, True])
def test_without_room_on_the_disk_a_game_stops_or_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, goes_on: bool
) -> None:
    write: Callable[..., None] = RecordWriter.write

    def full(writer: RecordWriter, entry: dict[str, Any]) -> None:
        if entry.get("ply") == 2:
            raise MpsearchError("full")
        write(writer, entry)

    monkeypatch.setattr(RecordWriter, "write", full)
    said: list[str] = []
    live = new_game(unwritten=(lambda error: said.append(str(error))) if goes_on else None)
    live.record_to(tmp_path / "game.jsonl")
    with contextlib.nullcontext() if goes_on else pytest.raises(MpsearchError, match="full"):
        list(live.play(seated(Script())))
    assert said == ["full"] * goes_on
    assert live.recorded == 2
    assert live.over is goes_on
    assert live.whole is not goes_on
    live.close()
    assert len(read_record(tmp_path / "game.jsonl").plies) == 2


def slow_standing_marks(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Mark by mark, as the words say it."""
    marks: list[dict[str, Any]] = []
    for line in lines:
        if line["mark"] == UNDO:
            marks = [mark for mark in marks if mark["ply"] <= line["ply"]]
        marks.append(line)
    return marks


@given(st.lists(st.tuples(st.sampled_from([HINT, UNDO]), st.integers(0, 9))))
def test_marks_stand_unless_their_ply_was_taken_back(marks: list[tuple[str, int]]) -> None:
    lines = [mark_entry(mark, ply=ply) for mark, ply in marks]
    assert standing_marks(lines) == slow_standing_marks(lines)
