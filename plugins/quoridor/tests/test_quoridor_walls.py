"""Wall legality and distances against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.paths import UNREACHABLE, distance
from mpsearch_quoridor.position import members
from mpsearch_quoridor.scene import make_scene
from mpsearch_quoridor.walls import anchored_walls, free_walls

from mpsearch.contracts import State

if TYPE_CHECKING:
    from .conftest import NewGame, SlowQuoridor, Square, Wall


def wall_names(slow: type[SlowQuoridor], words: tuple[int, int, int, int]) -> set[str]:
    found = set()
    for kind, pair in (("h", words[:2]), ("v", words[2:])):
        for square in members(*pair):
            row, column = divmod(square, 9)
            found.add(slow.name((column, row)) + kind)
    return found


def touching_points(other: SlowQuoridor, wall: Wall) -> int:
    """How many of a wall's three lattice points are on the border or on another wall."""

    def points(kind: str, x: int, y: int) -> set[Square]:
        return {(x + k, y) if kind == "h" else (x, y + k) for k in (-1, 0, 1)}

    taken = {point for old in other.walls for point in points(*old)}
    edge = (-1, other.size - 1)
    return sum(x in edge or y in edge or (x, y) in taken for x, y in points(*wall))


def crowded_states(
    game: Quoridor, slow: type[SlowQuoridor], *, count: int, seed: int
) -> Iterator[tuple[State, SlowQuoridor]]:
    """Positions with many walls and pawns anywhere, as games rarely make them."""
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        other = slow(game.players, game.size, 5)
        squares = rng.permutation(game.size**2)[: game.players]
        other.pawns = [(int(q) % game.size, int(q) // game.size) for q in squares]
        if any(other.home(seat, pawn) for seat, pawn in enumerate(other.pawns)):
            continue
        walls = other.all_walls()
        for k in rng.permutation(len(walls))[: int(rng.integers(1, len(walls)))]:
            if other.has_room(walls[k]) and not other.cuts(walls[k]):
                other.walls.add(walls[k])
        pawns = ",".join(other.name(pawn) for pawn in other.pawns)
        left = ",".join(["5"] * game.players)
        placed = ",".join(other.wall_name(wall) for wall in other.walls)
        yield game.from_position(f"{pawns} {left} {placed} 0"), other
        made += 1


@pytest.mark.parametrize(("players", "size", "count"), [(2, 5, 40), (4, 5, 40), (3, 9, 6)])
def test_every_wall_that_cuts_a_path_is_anchored(
    new_game: NewGame, slow: type[SlowQuoridor], players: int, size: int, count: int
) -> None:
    game = new_game(players, size=size)
    spared = cutting = 0
    for state, other in crowded_states(game, slow, count=count, seed=size):
        s = game.record(state)
        free, anchored = wall_names(slow, free_walls(s)), wall_names(slow, anchored_walls(s))
        room = [wall for wall in other.all_walls() if other.has_room(wall)]
        assert free == {other.wall_name(wall) for wall in room}
        for wall in room:
            name = other.wall_name(wall)
            assert (name in anchored) == (touching_points(other, wall) >= 2), name
            if other.cuts(wall):
                assert name in anchored, game.position(state)
                cutting += 1
            spared += name not in anchored
    assert cutting > 0
    assert spared > 0


@pytest.mark.parametrize(("players", "size", "count"), [(2, 5, 30), (4, 5, 30), (3, 9, 6)])
def test_crowded_boards_have_the_moves_of_the_slow_rules(
    new_game: NewGame, slow: type[SlowQuoridor], players: int, size: int, count: int
) -> None:
    game = new_game(players, size=size)
    for state, other in crowded_states(game, slow, count=count, seed=100 + size):
        assert {game.write(move) for move in game.moves(state)} == other.moves()


@pytest.mark.parametrize(("players", "size"), [(2, 3), (3, 5), (4, 7), (4, 9)])
def test_distances_and_paths_are_those_of_a_plain_search(
    new_game: NewGame, slow: type[SlowQuoridor], players: int, size: int
) -> None:
    game = new_game(players, size=size)
    for state, other in crowded_states(game, slow, count=15, seed=200 + size):
        s = game.record(state)
        scene = make_scene(s, paths=True)
        barred = other.barred(other.walls)
        for seat in range(players):
            expected = other.distance(seat)
            assert distance(s, seat) == expected
            path = scene.paths[seat]
            assert len(path) == expected
            for (row, column), (to_row, to_column) in path:
                step = frozenset({(column, row), (to_column, to_row)})
                assert step not in barred
            if path:
                ends = [square for step in path for square in step]
                odd = {q for q in ends if ends.count(q) == 1}
                column, row = other.pawns[seat]
                assert (row, column) in odd
                (goal,) = odd - {(row, column)}
                assert other.home(seat, (goal[1], goal[0]))


def test_a_goal_behind_walls_is_unreachable(new_game: NewGame) -> None:
    game = new_game()
    s = game.record(game.new())
    s.north[0] &= ~511  # nothing leaves the first row
    assert distance(s, 0) == UNREACHABLE
    assert distance(s, 1) == UNREACHABLE
