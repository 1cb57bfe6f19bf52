"""Moves taken back, and games taken up again."""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.api.game_table import table
from mpsearch.contracts import Decision, Memory, Player, Turn
from mpsearch.errors import DifferenceError, MpsearchError, UsageError
from mpsearch.match import (
    Ply,
    Record,
    RecordWriter,
    read_record,
    recalled,
    rerun,
    unasked,
    undo_point,
)
from mpsearch.match.record.format import HINT, HURRY, RESUME, SEATED, UNDO, mark_entry, ply_entry


def test_a_past_is_played_again_and_nobody_is_asked_for_it() -> None:
    place = table("scramble", players=3)
    match = place.play("sos:depth=2", "random", "maxn", seed=4)
    past = [ply.move for ply in match.plies[:7]]
    rest = list(place.plies(match.setting, past=past))
    assert [ply.number for ply in rest][:3] == [7, 8, 9]
    assert rest[0].before == match.plies[7].before
    # Chance goes on as if there had been no break.
    dealt = table("plunder")
    game = dealt.play("maxn:worlds=1,ties=first", seed=4)
    again = list(dealt.plies(game.setting, past=[ply.move for ply in game.plies[:3]]))
    assert again[0].number == 3
    later = [ply.move for ply in again if ply.seat < 0]
    assert later == [ply.move for ply in game.plies[3:] if ply.seat < 0]


def test_marks_are_read_and_what_was_taken_back_is_gone(tmp_path: Path) -> None:
    place = table("scramble", players=2)
    match = place.play("random", seed=1)
    path = tmp_path / "game.jsonl"
    entries = match.record.plies
    with RecordWriter(path, match.setting) as record:
        for entry in entries[:4]:
            record.write(entry)
        record.write(mark_entry(UNDO, ply=2))
        for entry in entries[2:5]:
            record.write(entry)
    with path.open("ab") as file:
        file.write(b'{"ply": 5, "se')  # a process was killed here
    with RecordWriter.resume(path) as record:
        record.write(mark_entry(RESUME, ply=5))
        record.write(entries[5])
    found = read_record(path)
    assert found.plies == entries[:6]
    assert [(mark["mark"], mark["ply"]) for mark in found.marks] == [("undo", 2), ("resume", 5)]
    assert [ply.state for ply in recalled(place.game, found)] == [
        ply.state for ply in match.plies[:6]
    ]


class Pupil(Player):
    """A person as far as a record knows: plays the first move, whatever it is."""

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        return Decision(move=turn.moves[0])


#: A person, an agent that uses random numbers, and one that searches.
PLAYED = table("scramble", players=3).setting("human", "random", "maxn:depth=2", seed=7)


def in_stages(*stages: tuple[Sequence[Player | str], int, dict[str, Any] | None]) -> Record:
    """A game: who played at each stage, for how many plies, and the mark behind it."""
    place = table("scramble", players=3)
    lines: list[dict[str, Any]] = []
    plies: list[Ply] = []
    for players, count, mark in stages:
        seated = [place.agent(player) for player in players]
        past = [ply.move for ply in plies]
        for ply in itertools.islice(place.plies(PLAYED, seated, past=past), count):
            plies.append(ply)
            lines.append(ply_entry(place.game, ply))
        if mark is not None:
            lines.append(mark)
            del plies[mark["ply"] :]
    return Record(setting=PLAYED, lines=tuple(lines))


def check(record: Record) -> None:
    place = table("scramble", players=3)
    rerun(place.game, [None, *map(place.agent, PLAYED.agents[1:])], record)


def test_agents_play_again_what_was_taken_back_and_taken_up_with_a_person() -> None:
    players: list[Player | str] = [Pupil(), *PLAYED.agents[1:]]
    undo, resume = mark_entry(UNDO, ply=3, seat=0), mark_entry(RESUME, ply=5)
    hint = mark_entry(HINT, ply=3, seat=0)
    record = in_stages(
        (players, 6, undo), (players, 0, hint), (players, 2, resume), (players, 4, None)
    )
    assert unasked(record) == {0: "is a person"}
    assert len(record.plies) == 9
    check(record)
    for number, line in enumerate(record.lines):
        if line.get("seat") == 2 and "mark" not in line:
            lines = list(record.lines)
            lines[number] = {**line, "nodes": 1}
            wrong = attrs.evolve(record, lines=tuple(lines))
            with pytest.raises(DifferenceError, match=f"ply {line['ply']}: nodes is recorded as 1"):
                check(wrong)
    unmarked = attrs.evolve(record, lines=record.plies)
    with pytest.raises(DifferenceError, match="but rerun as"):
        check(unmarked)


def test_what_others_played_before_they_left_is_taken_as_recorded() -> None:
    players: list[Player | str] = [Pupil(), *PLAYED.agents[1:]]
    others: list[Player | str] = [Pupil(), "maxn:depth=1", "maxn:depth=1"]
    check(in_stages((others, 5, mark_entry(SEATED, ply=5)), (players, 4, None)))
    with pytest.raises(DifferenceError, match="but rerun as"):
        check(in_stages((others, 5, mark_entry(RESUME, ply=5)), (players, 4, None)))


def test_what_is_played_after_others_left_is_compared() -> None:
    players: list[Player | str] = [Pupil(), *PLAYED.agents[1:]]
    record = in_stages((players, 1, mark_entry(SEATED, ply=1)), (players, 8, None))
    lines = list(record.lines)
    first = next(k for k, line in enumerate(lines) if line["seat"] == 2)
    lines[first] = {**lines[first], "nodes": 1}
    with pytest.raises(DifferenceError, match="nodes is recorded as 1"):
        check(attrs.evolve(record, lines=tuple(lines)))


def test_an_agent_that_was_hurried_is_not_asked_again() -> None:
    hurried: list[Player | str] = [Pupil(), "random", "maxn:depth=1"]
    marked = in_stages((hurried, 2, mark_entry(HURRY, ply=2, seat=2)), (hurried, 4, None))
    one_game = in_stages((hurried, 6, None))
    lines = (*one_game.lines[:2], marked.lines[2], *one_game.lines[2:])
    assert unasked(marked) == {0: "is a person", 2: "was hurried"}
    check(attrs.evolve(one_game, lines=lines))
    with pytest.raises(DifferenceError, match=r"ply 2: .*but rerun as"):
        check(one_game)


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (
            {"mark": "cheat", "ply": 0},
            'mark is "cheat", not one of undo, resume, seated, ',
        ),
        ({"mark": "undo", "ply": 3}, "ply is 3, not a ply from 0 to 1"),
        ({"mark": "undo"}, "ply is missing"),
        ({"mark": "resign", "ply": 1, "seat": 7}, "seat is 7, not a seat from 0 to 1"),
    ],
)
def test_a_wrong_mark_is_refused(tmp_path: Path, mark: dict[str, object], message: str) -> None:
    match = table("scramble", players=2).play("random", seed=1)
    path = tmp_path / "game.jsonl"
    with RecordWriter(path, match.setting) as record:
        record.write(match.record.plies[0])
    with path.open("a") as file:
        file.write(json.dumps(mark) + "\n")
    with pytest.raises(MpsearchError) as caught:
        read_record(path)
    assert message in str(caught.value)


def test_nothing_is_taken_back_that_would_tell_something() -> None:
    race = table("scramble", players=3)
    movers = [ply.seat for ply in race.play("random", seed=1).plies]
    assert undo_point(race.game, movers[:5], 1) == 4
    assert undo_point(race.game, movers[:5], 0) == 3
    with pytest.raises(UsageError, match="you have not moved yet"):
        undo_point(race.game, movers[:1], 1)
    cards = table("plunder")
    with pytest.raises(UsageError, match="hidden cards"):
        undo_point(cards.game, [0, 1, 2], 0)


def test_nothing_is_taken_back_once_dice_were_thrown() -> None:
    pytest.importorskip("mpsearch_calibration", reason="the core has no open game with dice")
    dice = table("two_phase")
    thrown = [ply.seat for ply in dice.play("random", seed=1).plies[:4]]
    with pytest.raises(UsageError, match="dice have been rolled since"):
        undo_point(dice.game, thrown[: 1 + max(n for n, seat in enumerate(thrown) if seat < 0)], 0)


def test_everything_may_be_taken_back(tmp_path: Path) -> None:
    place, path = table("scramble", players=3), tmp_path / "game.jsonl"
    match = place.play("random", seed=3)
    with RecordWriter(path, match.setting) as record:
        record.write(ply_entry(place.game, match.plies[0]))
        record.write(mark_entry(UNDO, ply=0))
        record.write(ply_entry(place.game, match.plies[0]))
    assert len(read_record(path).plies) == 1


def test_a_move_of_a_person_that_cannot_be_read_is_a_difference() -> None:
    players: list[Player | str] = [Pupil(), *PLAYED.agents[1:]]
    record = in_stages((players, 4, None))
    assert [line["seat"] for line in record.lines] == [0, 1, 2, 0]
    wrong = (*record.lines[:3], {**record.lines[3], "move": "nonsense"})
    with pytest.raises(DifferenceError, match=r"^ply 3: move 'nonsense' is neither a run"):
        check(attrs.evolve(record, lines=wrong))
