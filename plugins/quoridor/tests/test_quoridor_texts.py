"""Moves and positions as text, and what is said about wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mpsearch.contracts import legal_move
from mpsearch.errors import MoveError, UsageError

if TYPE_CHECKING:
    from .conftest import NewGame, RandomStates


@pytest.mark.parametrize("size", [3, 9])
def test_every_move_reads_back_as_itself(
    new_game: NewGame, random_states: RandomStates, size: int
) -> None:
    game = new_game(4, size=size)
    for state in random_states(game, games=2, seed=1):
        if game.mover(state) >= 0:
            for move in game.moves(state):
                assert game.read(game.write(move)) == move


def test_walls_are_named_by_their_lower_left_square(new_game: NewGame) -> None:
    game = new_game()
    state = game.play(game.new(), game.read("e1h"))
    # e1h lies on top of e1 and f1; a pawn on e1 can no longer go up.
    assert "e2" not in [game.write(m) for m in game.moves(game.play(state, game.read("e8")))]
    state = game.play(game.new(), game.read("e1v"))
    steps = [game.write(m) for m in game.moves(game.play(state, game.read("e8")))]
    assert "f1" not in steps
    assert "d1" in steps


@pytest.mark.parametrize("text", ["", "e", "e10", "j1", "e0", "e3x", "e3hh", "passes"])
def test_what_is_no_move_is_refused(new_game: NewGame, text: str) -> None:
    with pytest.raises(MoveError, match="neither a step such as 'e2', nor a wall"):
        new_game().read(text)


def test_squares_beyond_a_small_board_are_refused(new_game: NewGame) -> None:
    with pytest.raises(MoveError, match="squares are a1 to e5"):
        new_game(size=5).read("f1")


@pytest.mark.parametrize(
    ("position", "text", "why"),
    [
        ("e4,e7 5,5 c3h 0", "c3v", "the wall would cross the wall c3h"),
        ("e4,e7 5,5 c3v 0", "c3h", "the wall would cross the wall c3v"),
        ("e4,e7 5,5 c3h 0", "c3h", "the wall would overlap another"),
        ("e4,e7 5,5 c3h 0", "d3h", "the wall would overlap another"),
        ("e4,e7 5,5 c3v 0", "c2v", "the wall would overlap another"),
        ("e4,e7 5,5 c3v 0", "c4v", "the wall would overlap another"),
        ("e4,e7 0,5 - 0", "c3v", "it has no walls left"),
        ("e4,e7 5,5 - 0", "i3v", "the wall would stick out of the board"),
        ("a1,e7 5,5 a1v 0", "a2h", "the wall would cut seat 0 off from the goal"),
        ("e4,a3 5,5 a2h 0", "e4", "the pawn stands there already"),
        ("e4,e5 5,5 - 0", "e5", "the pawn of seat 1 stands there"),
        ("e4,e7 5,5 e4h 0", "e5", "a wall is between e4 and e5"),
        ("e4,e7 5,5 - 0", "e7", "the pawn of seat 1 stands there"),
        ("e4,e7 5,5 - 0", "e6", "it is not adjacent to e4, and no pawn is there to jump over"),
        ("e4,e7 5,5 - 0", "a9", "it is not adjacent to e4"),
        ("e4,e5 5,5 e5h 0", "e6", "a wall is behind the pawn on e5"),
        ("e4,e5 5,5 - 0", "f5", "a side-step needs a wall or pawn behind e5 and an open way"),
        ("e4,e7 5,5 - 0", "pass", "only a seat without any other move may pass"),
    ],
)
def test_an_illegal_move_says_why(new_game: NewGame, position: str, text: str, why: str) -> None:
    game = new_game()
    state = game.from_position(position)
    with pytest.raises(MoveError) as problem:
        legal_move(game, state, text)
    assert str(problem.value) == f"move '{text}' is not legal for seat 0: {why}"


def test_a_wall_that_cuts_several_seats_off_names_them(new_game: NewGame) -> None:
    game = new_game(4)
    # Everything crosses row 4 at i4; the new wall would close the lane above it.
    state = game.from_position("e2,a5,e8,i5 5,5,5,5 a4h,c4h,e4h,g4h,h5v 0")
    why = game.objection(state, game.read("h6h"))
    assert why == "the wall would cut seat 0 and seat 2 off from the goal"
    assert game.read("h6h") not in game.moves(state)


@pytest.mark.parametrize(("players", "size"), [(2, 9), (3, 5), (4, 7)])
@pytest.mark.parametrize("trace", [True, False])
def test_every_position_reads_back_as_itself(
    new_game: NewGame, random_states: RandomStates, players: int, size: int, trace: bool
) -> None:
    game = new_game(players, size=size, trace=trace)
    for state in random_states(game, games=3, seed=2):
        assert game.from_position(game.position(state)) == state


def test_a_position_is_written_as_documented(new_game: NewGame) -> None:
    game = new_game()
    state = game.new()
    for move in ("e2", "e8", "e3h"):
        state = game.play(state, game.read(move))
    assert game.position(state) == "e2,e8 9,10 e3h/- 1 397 e1/e9 e3h"
    plain = new_game(trace=False)
    short = plain.from_position("e2,e8 9,10 e3h 1 397")
    assert plain.position(short) == "e2,e8 9,10 e3h 1 397"


def test_a_position_without_plies_has_all_of_them(new_game: NewGame) -> None:
    game = new_game(plies=77)
    assert game.record(game.from_position("e2,e8 9,10 - 1")).plies_left == 77


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("e2,e8 9,10 -", "3 fields; a position has 4 to 7"),
        ("e2,e8,e3 9,10 - 0", "3 pawns for 2 players"),
        ("e2,k8 9,10 - 0", "'k8' is not a square of this board"),
        ("e2,e2 9,10 - 0", "two pawns on e2"),
        ("e2,e8 9 - 0", "1 numbers of walls for 2 players"),
        ("e2,e8 9,x - 0", "'x' is not a number of walls (0 or more)"),
        ("e2,e8 9,9 e3 0", "'e3' is not a wall"),
        ("e2,e8 9,9 e3h,f3h 0", "there is no room for the wall f3h"),
        ("e2,e8 9,9 e3h,e3v 0", "there is no room for the wall e3v"),
        ("e2,e8 9,9 e9h 0", "there is no room for the wall e9h"),
        ("e2,e8 9,9 -/-/- 0", "3 lists of walls for 2 players"),
        ("e2,e8 9,9 - 2", "'2' is not a seat to move (0 to 1)"),
        ("e2,e8 9,9 - 0 many", "'many' is not a number of plies left (0 or more)"),
        ("a1,e8 9,9 a2h,a1v 0", "seat 0 has no way to its goal"),
        ("e9,e1 9,9 - 0", "seats 0 and 1 have both won"),
    ],
)
def test_a_wrong_position_says_why(new_game: NewGame, text: str, why: str) -> None:
    with pytest.raises(UsageError) as problem:
        new_game().from_position(text)
    assert str(problem.value) == f"position '{text}': {why}"


def test_moves_are_read_in_any_case_and_with_spaces(new_game: NewGame) -> None:
    game = new_game()
    assert game.read("E3") == game.read("e3")
    assert game.read("E3 H") == game.read("e3h")
    assert game.read("Pass") == game.read("pass")
