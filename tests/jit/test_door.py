"""The way from Python to compiled rules: records in arrays, and rooms that are used again."""

import threading
from typing import Any

import numpy as np
import pytest

from mpsearch.contracts import compiled
from mpsearch.contracts.compiled_rules import StateRecord
from mpsearch.errors import ContractError
from mpsearch.jit.bounds_checking import guarded
from mpsearch.jit.guarded_memory import take_room
from mpsearch.plugins.catalog import load_catalog

POINT = np.dtype([("x", "i8"), ("row", "i8", 3)], align=True)


@compiled
def shifted(s: Any, by: int, out: Any) -> int:
    s.x += by
    out[0] = s.row[s.x]
    return int(s.x)


def points(x: int) -> Any:
    found = np.zeros(1, np.dtype((StateRecord, POINT)))
    found[0].x = x
    found[0].row[:] = [5, 6, 7]
    return found


def test_a_record_in_an_array_is_the_record_itself() -> None:
    for native in (True, False):
        records, out = points(1), np.zeros(1, np.int64)
        call = shifted.on if native else lambda r, *a: shifted.plain(r[0], *a)
        assert call(records, 1, out) == 2
        assert (records["x"][0], out[0]) == (2, 7)


def test_guards_stand_behind_the_door_too() -> None:
    with guarded(), pytest.raises(IndexError, match="index 4 is outside of 'row'"):
        shifted.on(points(1), 3, np.zeros(1, np.int64))


def test_fields_that_are_not_there_are_no_attributes() -> None:
    s = points(1)[0]
    assert (s.x, s.row.tolist(), hasattr(s, "y")) == (1, [5, 6, 7], False)
    with pytest.raises(AttributeError, match="no field 'y'"):
        s.y = 3
    with pytest.raises(ValueError, match="could not broadcast"):
        s.row = [1, 2]


def test_a_room_is_used_again_once_it_has_listed_and_never_after_a_breach() -> None:
    first = take_room(7)
    other = take_room(7)
    assert first is not other
    first.out[:2] = [3, 4]
    assert first.listed(2, shifted) == [3, 4]
    assert take_room(7) is first
    with pytest.raises(ContractError, match="listed 8 moves"):
        first.listed(8, shifted)
    assert take_room(7) is not first


def test_threads_list_moves_of_one_game_side_by_side() -> None:
    game = load_catalog().game("scramble")
    states = [game.new()]
    while len(states) < 40:
        states.append(game.play(states[-1], game.moves(states[-1])[0]))
    true = [game.moves(state) for state in states]
    wrong: list[Any] = []

    def look() -> None:
        for _ in range(50):
            wrong.extend(s for s, moves in zip(states, true, strict=True) if game.moves(s) != moves)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
