"""Branchings against their definitions in words, on random positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pytest
from mpsearch_quoridor.branchings import (
    make_near,
    make_near_killer,
    make_near_no_opponent_walls,
    make_walls_touching,
)

from mpsearch.contracts import CompiledBranching

if TYPE_CHECKING:
    from .conftest import NewGame, RandomStates, SlowQuoridor, Square, Wall


def is_near(other: SlowQuoridor, wall: Wall, radius: int) -> bool:
    """Whether a wall bars a step between squares that are both within king's moves of a pawn."""

    def close(pawn: Square, square: Square) -> bool:
        return max(abs(pawn[0] - square[0]), abs(pawn[1] - square[1])) <= radius

    return any(
        all(close(pawn, square) for square in step)
        for pawn in other.pawns
        for step in other.barred_by(wall)
    )


def is_touching(other: SlowQuoridor, wall: Wall) -> bool:
    def points(kind: str, x: int, y: int) -> set[Square]:
        # Points on the border belong to no other wall, except where walls end there too.
        return {(x + k, y) if kind == "h" else (x, y + k) for k in (-1, 0, 1)}

    inside = range(other.size - 1)
    taken = {point for old in other.walls for point in points(*old)}
    return any(p in taken for p in points(*wall) if p[0] in inside and p[1] in inside)


def parts(other: SlowQuoridor, names: Iterable[str]) -> tuple[set[Wall], set[str]]:
    walls = {(name[2], *other.square(name[:2])) for name in names if len(name) == 3}
    return walls, {name for name in names if len(name) == 2}


@pytest.mark.parametrize(("players", "size", "radius"), [(2, 9, 1), (3, 7, 2), (4, 5, 1)])
def test_branchings_list_the_walls_that_they_promise(
    new_game: NewGame,
    slow: type[SlowQuoridor],
    random_states: RandomStates,
    players: int,
    size: int,
    radius: int,
) -> None:
    game = new_game(players, size=size)
    near = make_near(game, radius=radius)
    killer = make_near_killer(game, radius=radius)
    touching = make_walls_touching(game, radius=radius)
    one_sided = make_near_no_opponent_walls(game, radius=radius).for_root(1)
    compared = 0
    for state in random_states(game, games=2, seed=size + radius):
        if game.mover(state) < 0:
            continue
        other = slow.at(game, state)
        legal = [game.write(move) for move in game.moves(state)]
        legal_walls, steps = parts(other, legal)
        if not steps:
            continue
        wanted = {wall for wall in legal_walls if is_near(other, wall, radius)}
        found = [game.write(move) for move in near.moves(state)]
        assert parts(other, found) == (wanted, steps)
        assert found == [move for move in legal if move in found]
        assert sorted(killer.moves(state)) == sorted(near.moves(state))
        more = wanted | {wall for wall in legal_walls if is_touching(other, wall)}
        assert parts(other, [game.write(move) for move in touching.moves(state)]) == (more, steps)
        own = wanted if other.mover == 1 else set()
        assert parts(other, [game.write(move) for move in one_sided.moves(state)]) == (own, steps)
        compared += 1
    assert compared > 20


def test_two_players_have_at_most_forty_moves_within_radius_one(
    new_game: NewGame, random_states: RandomStates
) -> None:
    game = new_game()
    near = make_near(game, radius=1)
    most = max(
        len(near.moves(state))
        for state in random_states(game, games=5, seed=1, walls=0.1)
        if game.mover(state) >= 0
    )
    assert 30 < most <= 40


@pytest.mark.parametrize(
    ("position", "first"),
    [
        ("e4,e7 5,5 - 0", "e5 d6h e6h"),
        ("e4,e7 5,5 - 1", "e6 d4h e4h"),
        ("e4,e5 5,5 - 0", "e6 d4h e4h"),  # the forward step is a jump
    ],
)
def test_killer_order_is_forward_then_walls_before_the_opponent(
    new_game: NewGame, position: str, first: str
) -> None:
    game = new_game()
    moves = make_near_killer(game, radius=1).moves(game.from_position(position))
    assert [game.write(move) for move in moves[:3]] == first.split()


def test_killer_order_knows_all_four_directions(new_game: NewGame) -> None:
    game = new_game(4)
    state = game.from_position("e4,c6,e7,g5 5,5,5,5 - 0")
    killer = make_near_killer(game, radius=1)
    found = [game.write(move) for move in killer.moves(state)]
    # Seat 1 goes right, seat 2 down, seat 3 left.
    assert found[:7] == ["e5", "d6h", "e6h", "f4v", "c5v", "f5v", "c6v"]


@pytest.mark.parametrize("make", [make_near, make_near_killer])
def test_a_boxed_in_pawn_may_build_far_away(
    new_game: NewGame, make: Callable[..., CompiledBranching]
) -> None:
    game = new_game(3, size=9)
    boxed = "a1,a2,a3 {},5,5 a1v,b1h,b2h,a4h 0"
    nothing = game.from_position(boxed.format(0))
    assert [game.write(m) for m in make(game, radius=1).moves(nothing)] == ["pass"]
    near = [game.write(m) for m in make(game, radius=1).moves(game.from_position(boxed.format(1)))]
    assert near
    assert "pass" not in near


def test_a_boxed_in_pawn_whose_opponents_may_not_build_falls_back_on_all_moves(
    new_game: NewGame,
) -> None:
    game = new_game(3)
    state = game.from_position("a1,a2,a3 1,5,5 a1v 0")
    branching = make_near_no_opponent_walls(game, radius=1).for_root(2)
    assert list(branching.moves(state)) == list(game.moves(state))
