"""Moves taken back, and games taken up again."""

import json
from pathlib import Path

import pytest

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match import RecordWriter, read_record, recalled, rerun, undo_point
from mpsearch.match.record import RESUME, UNDO, mark_entry
from mpsearch.table import table


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
    with pytest.raises(UsageError, match="a mark 'undo' at ply 2: agents began anew there"):
        rerun(place.game, place.seat(["random"]), found)


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ({"mark": "cheat", "ply": 0}, 'mark is "cheat", not one of undo, resume, resign'),
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
    plies = race.play("random", seed=1).plies
    assert undo_point(race.game, plies[:5], 1) == 4
    assert undo_point(race.game, plies[:5], 0) == 3
    with pytest.raises(UsageError, match="you have not moved yet"):
        undo_point(race.game, plies[:1], 1)
    cards = table("plunder")
    with pytest.raises(UsageError, match="hidden cards"):
        undo_point(cards.game, cards.play("random", seed=1).plies, 0)


def test_nothing_is_taken_back_once_dice_were_thrown() -> None:
    pytest.importorskip("mpsearch_calibration", reason="the core has no open game with dice")
    dice = table("two_phase")
    thrown = dice.play("random", seed=1).plies[:4]
    with pytest.raises(UsageError, match="the dice have been thrown since"):
        undo_point(dice.game, thrown[: 1 + max(p.number for p in thrown if p.seat < 0)], 0)
