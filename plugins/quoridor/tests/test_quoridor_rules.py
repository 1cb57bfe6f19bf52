"""The rules against the published counts and against the slow second implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_quoridor.game import Quoridor

from mpsearch.contracts import State
from mpsearch.search import count_leaves

if TYPE_CHECKING:
    from .conftest import NewGame, RandomStates, SlowQuoridor


def texts(game: Quoridor, state: State) -> list[str]:
    return [game.write(move) for move in game.moves(state)]


@pytest.mark.parametrize(("depth", "leaves"), [(1, 131), (2, 16_677), (3, 2_062_264)])
def test_two_players_have_the_published_number_of_lines(
    new_game: NewGame, depth: int, leaves: int
) -> None:
    game = new_game()
    assert count_leaves(game, game.new(), depth) == leaves


@pytest.mark.slow
def test_two_players_have_the_published_number_of_lines_of_four_moves(new_game: NewGame) -> None:
    game = new_game()
    assert count_leaves(game, game.new(), 4) == 247_569_030


@pytest.mark.parametrize(
    ("players", "size", "walls", "depth"),
    [(2, 3, 2, 5), (3, 3, 2, 4), (4, 3, 1, 4), (2, 5, 1, 3), (3, 5, 1, 2), (4, 5, 2, 2)],
)
@pytest.mark.parametrize("behind", ["side", "none"])
def test_small_boards_have_as_many_lines_as_the_slow_rules_count(
    new_game: NewGame,
    slow: type[SlowQuoridor],
    players: int,
    size: int,
    walls: int,
    depth: int,
    behind: str,
) -> None:
    game = new_game(players, size=size, walls=walls, behind=behind)
    expected = slow(players, size, walls, behind).count_leaves(depth)
    assert count_leaves(game, game.new(), depth) == expected


@pytest.mark.parametrize(
    ("players", "size", "behind", "games"),
    [
        (2, 3, "side", 10),
        (3, 3, "none", 10),
        (4, 3, "side", 10),
        (4, 3, "none", 10),
        (3, 5, "side", 4),
        (4, 5, "none", 4),
        (4, 7, "side", 1),
        pytest.param(2, 9, "side", 1, marks=pytest.mark.slow),
        pytest.param(4, 9, "none", 1, marks=pytest.mark.slow),
    ],
)
def test_random_games_have_the_moves_of_the_slow_rules(
    new_game: NewGame,
    slow: type[SlowQuoridor],
    random_states: RandomStates,
    players: int,
    size: int,
    behind: str,
    games: int,
) -> None:
    game = new_game(players, size=size, behind=behind, plies=40)
    for state in random_states(game, games=games, seed=players * size):
        other = slow.at(game, state)
        assert game.record(state).winner == (-1 if other.winner is None else other.winner)
        if game.mover(state) >= 0:
            found = texts(game, state)
            assert len(found) == len(set(found))
            assert set(found) == other.moves(), game.position(state)


@pytest.mark.parametrize(
    ("players", "position", "behind", "steps"),
    [
        # Straight over a pawn; beside the board's edge; before a wall; one side barred.
        (2, "e4,e5 0,0 - 0", "side", "d4 e3 e6 f4"),
        (2, "e8,e9 0,0 - 0", "side", "d8 d9 e7 f8 f9"),
        (2, "e4,e5 0,0 e5h 0", "side", "d4 d5 e3 f4 f5"),
        (2, "e4,e5 0,0 e5h,d5v 0", "side", "d4 e3 f4 f5"),
        # A wall between the two pawns: no jump at all.
        (2, "e4,e5 0,0 e4h 0", "side", "d4 e3 f4"),
        # A second pawn behind the first.
        (3, "e4,e6,e5 0,0,0 - 0", "side", "d4 d5 e3 f4 f5"),
        (3, "e4,e6,e5 0,0,0 - 0", "none", "d4 e3 f4"),
        # A second pawn behind a wall: it is the wall that counts.
        (3, "e4,e6,e5 0,0,0 e5h 0", "none", "d4 d5 e3 f4 f5"),
        # Two neighbours with a common side-step: it is one move.
        (3, "e4,f4,e5 0,0,0 e5h,f4v 0", "side", "d4 d5 e3 f3 f5"),
        # A side-step never ends on a pawn.
        (4, "e4,e6,e5,d5 0,0,0,0 - 0", "side", "d4 e3 f4 f5"),
    ],
)
def test_jumps_and_side_steps(
    new_game: NewGame,
    slow: type[SlowQuoridor],
    players: int,
    position: str,
    behind: str,
    steps: str,
) -> None:
    game = new_game(players, behind=behind)
    state = game.from_position(position)
    assert sorted(texts(game, state)) == steps.split()
    assert slow.at(game, state).moves() == set(steps.split())


@pytest.mark.parametrize("behind", ["side", "none"])
def test_a_boxed_in_pawn_without_walls_passes(
    new_game: NewGame, slow: type[SlowQuoridor], behind: str
) -> None:
    game = new_game(3, behind=behind)
    # In the corner: a wall on its right, two pawns in a row above it.
    state = game.from_position("a1,a2,a3 0,5,5 a1v 0")
    assert slow.at(game, state).moves() == {"pass"}
    assert texts(game, state) == ["pass"]
    assert count_leaves(game, state, 2) == slow.at(game, state).count_leaves(2)
    after = game.play(state, game.read("pass"))
    assert game.mover(after) == 1
    assert game.position(after).split()[:3] == game.position(state).split()[:3]


def test_a_boxed_in_pawn_with_walls_must_build(new_game: NewGame, slow: type[SlowQuoridor]) -> None:
    game = new_game(3)
    state = game.from_position("a1,a2,a3 1,5,5 a1v 0")
    assert {text[-1] for text in texts(game, state)} == {"h", "v"}
    assert set(texts(game, state)) == slow.at(game, state).moves()


def test_a_boxed_in_pawn_with_walls_but_no_room_for_one_passes(
    new_game: NewGame, slow: type[SlowQuoridor]
) -> None:
    game = new_game(3, size=3)
    state = game.from_position("a1,a2,a3 5,5,5 a1v,b2v 0")
    assert slow.at(game, state).moves() == {"pass"}
    assert texts(game, state) == ["pass"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_winner_is_the_seat_that_reached_its_goal(
    new_game: NewGame, random_states: RandomStates, players: int
) -> None:
    game = new_game(players, size=5)
    seen = set()
    for state in random_states(game, games=40, seed=5):
        s = game.record(state)
        if game.mover(state) < 0:
            last = (int(s.mover) - 1) % players
            assert game.payoff(state).tolist() == [float(seat == last) for seat in range(players)]
            seen.add(last)
    assert seen == set(range(players))


def test_goals_are_opposite_and_seats_go_clockwise(new_game: NewGame) -> None:
    game = new_game(4)
    assert game.position(game.new()).startswith("e1,a5,e9,i5 5,5,5,5 ")
    for position, winner in [
        ("d9,a5,e9,i5 5,5,5,5 - 0", 0),
        ("e1,i6,e9,i5 5,5,5,5 - 0", 1),
        ("e2,a5,e1,i5 5,5,5,5 - 0", 2),
        ("e1,a5,e9,a4 5,5,5,5 - 0", 3),
    ]:
        assert game.payoff(game.from_position(position)).argmax() == winner


@pytest.mark.parametrize(("players", "walls"), [(2, 10), (3, 7), (4, 5)])
def test_the_usual_walls_depend_on_the_number_of_players(
    new_game: NewGame, players: int, walls: int
) -> None:
    game = new_game(players)
    assert game.record(game.new()).walls[:players].tolist() == [walls] * players


def test_after_the_last_ply_nobody_has_won(new_game: NewGame) -> None:
    game = new_game(plies=3)
    state = game.new()
    for move in ("e2", "e8", "e3"):
        assert game.mover(state) >= 0
        state = game.play(state, game.read(move))
    assert game.mover(state) < 0
    assert game.payoff(state).tolist() == [0, 0]


def test_positions_reached_in_another_order_are_equal_without_a_trace(new_game: NewGame) -> None:
    orders = [("e3h", "e8", "c5v", "e7"), ("c5v", "e8", "e3h", "e7")]
    by_trace = {}
    for trace in (False, True):
        game = new_game(trace=trace)
        ends = []
        for order in [*orders, ("e3h", "c5v", "e2", "e8"), ("c5v", "e3h", "e2", "e8")]:
            state = game.new()
            for move in order:
                state = game.play(state, game.read(move))
            ends.append(state)
        by_trace[trace] = ends
    assert by_trace[False][0] == by_trace[False][1]
    assert by_trace[False][2] == by_trace[False][3]
    # With a trace, a seat's own walls may be swapped, but not those of two seats.
    assert by_trace[True][0] == by_trace[True][1]
    assert by_trace[True][2] != by_trace[True][3]


def test_play_leaves_the_state_before_it_alone(new_game: NewGame) -> None:
    game = new_game()
    state = game.new()
    before = bytes(state)
    game.play(state, game.read("e2"))
    assert state == before
    assert np.frombuffer(state, game.rules.state)["mover"][0] == 0
