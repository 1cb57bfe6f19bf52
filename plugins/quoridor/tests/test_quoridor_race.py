"""The race without walls, against retrograde analysis by the slow rules."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import numpy as np
import pytest
from mpsearch_quoridor.evaluators import make_margin
from mpsearch_quoridor.layout import WIDTH

from mpsearch.contracts import OVER, Limits, SearchSpace, Stance, State
from mpsearch.search import search
from mpsearch.social import identity, paranoid

if TYPE_CHECKING:
    from mpsearch_quoridor.game import Quoridor

    from .conftest import NewGame, SlowQuoridor, Square

#: Both pawns and the mover.
Place: TypeAlias = "tuple[Square, Square, int]"

#: Boards without walls in hand: open, with corridors, and with a detour for both.
BOARDS = {
    3: ["b1,b3 0,0 - 0", "b1,b3 0,0 a1h/b2h 0"],
    5: ["c1,c5 0,0 - 0", "c1,c5 0,0 b2v,c2v/b4h,d3h 0", "c1,c5 0,0 a3h,c3h/d2v 1"],
}


def plies_by_place(slow: SlowQuoridor) -> dict[Place, int]:
    """Plies to the end from all places of the pawns, negative where the mover loses; 0: a draw."""
    squares = [(column, row) for column in range(slow.size) for row in range(slow.size)]
    behind: dict[Place, list[Place | None]] = {}
    for first, second, mover in itertools.product(squares, squares, (0, 1)):
        if first == second or slow.home(0, first) or slow.home(1, second):
            continue
        slow.pawns, slow.mover = [first, second], mover
        behind[first, second, mover] = [
            None if slow.home(mover, to) else ((to, second, 1) if mover == 0 else (first, to, 0))
            for to in slow.steps()
        ]
    plies: dict[Place, int] = {}
    for ply in itertools.count(1):
        found = {}
        for place, after in behind.items():
            if place in plies:
                continue
            if ply % 2 == 1 and any(to is None or plies.get(to, 0) < 0 for to in after):
                found[place] = ply
            if ply % 2 == 0 and all(to is not None and plies.get(to, 0) > 0 for to in after):
                found[place] = -ply
        if not found and ply > 1:
            return dict.fromkeys(behind, 0) | plies
        plies |= found
    raise AssertionError


def placed(game: Quoridor, state: State, place: Place, **fields: int) -> State:
    """The state with its pawns elsewhere."""
    s = game.record(state)
    s.pawn[:2] = [WIDTH * row + column for column, row in place[:2]]
    s.mover = place[2]
    for name, value in fields.items():
        setattr(s, name, value)
    moved: State = s.tobytes()
    return moved


def plies_of(game: Quoridor, state: State) -> int:
    """As in `plies_by_place`, by the game itself."""
    ending = game.solve(state)
    if ending is None:
        return 0
    end, plies = ending
    assert game.mover(end) == OVER
    winner = int(np.argmax(game.payoff(end)))
    return plies if winner == game.mover(state) else -plies


@pytest.mark.parametrize("size", BOARDS)
def test_every_race_on_small_boards_ends_as_the_slow_rules_say(
    new_game: NewGame, slow: type[SlowQuoridor], size: int
) -> None:
    game = new_game(2, size=size)
    for text in BOARDS[size]:
        state = game.from_position(text)
        for place, expected in plies_by_place(slow.at(game, state)).items():
            assert plies_of(game, placed(game, state, place)) == expected, (text, place)


def without_walls_in_hand(game: Quoridor, rng: np.random.Generator) -> State:
    """The walls as two players build them at random."""
    state = game.new()
    while game.record(state).walls.any():
        walls = [move for move in game.moves(state) if move >= 100]
        state = game.play(state, int(rng.choice(walls or game.moves(state))))
    return state


def test_races_between_random_walls_end_as_the_slow_rules_say(
    new_game: NewGame, slow: type[SlowQuoridor]
) -> None:
    """All places of the pawns from which both have a way, as the rules see to."""
    game = new_game(2, size=5, walls=4)
    rng = np.random.default_rng(5)
    tried = 0
    for _ in range(8):
        state = without_walls_in_hand(game, rng)
        book = slow.at(game, state)
        for place, expected in plies_by_place(book).items():
            book.pawns = list(place[:2])
            if book.distance(0) is None or book.distance(1) is None:
                continue
            assert plies_of(game, placed(game, state, place)) == expected, (state, place)
            tried += 1
    assert tried > 3000


def test_races_on_the_full_board_end_as_the_slow_rules_say(
    new_game: NewGame, slow: type[SlowQuoridor]
) -> None:
    """A sample of the places of the pawns."""
    game = new_game(2)
    rng = np.random.default_rng(3)
    state = without_walls_in_hand(game, rng)
    expected = plies_by_place(slow.at(game, state))
    places = list(expected)
    seen = set()
    for index in rng.choice(len(places), 300, replace=False):
        found = plies_of(game, placed(game, state, places[index]))
        assert found == expected[places[index]]
        seen.add(np.sign(found))
    assert {-1, 1} <= seen


def test_a_race_is_solved_only_if_it_ends_in_time(new_game: NewGame) -> None:
    game = new_game(2, size=5)
    state = game.from_position("c1,c5 0,0 - 0")
    plies = abs(plies_of(game, state))
    place = (2, 0), (2, 4), 0
    assert game.solve(placed(game, state, place, plies_left=plies)) is not None
    assert game.solve(placed(game, state, place, plies_left=plies - 1)) is None


def test_there_is_no_race_while_walls_are_left_or_others_play(new_game: NewGame) -> None:
    game = new_game(2, size=5)
    assert game.solve(game.from_position("c1,c5 1,0 - 0")) is None
    assert game.solve(game.from_position("c1,c5 0,1 - 0")) is None
    four = new_game(4, size=5)
    assert not four.solves
    assert four.solve(four.from_position("c1,a3,c5,e3 0,0,0,0 - 0")) is None


@pytest.mark.parametrize("matrix", [identity(2), paranoid(2, 0), paranoid(2, 1)], ids=str)
def test_one_ply_finds_what_a_search_to_the_end_finds(new_game: NewGame, matrix: Any) -> None:
    game = new_game(2, size=3)
    space = SearchSpace(game=game, evaluator=make_margin(game))
    stance = Stance(matrix=matrix, label="any")
    for text in BOARDS[3]:
        for place in some_places(game):
            state = placed(game, game.from_position(text), place, plies_left=8)
            if plies_of(game, state) == 0:
                continue
            report, whole = (
                search(one, [state], stance, Limits(depth=depth), exact=True)
                for one, depth in ((space, 1), (attrs.evolve(space, exact_ends=False), 8))
            )
            assert report.move == whole.move
            assert report.value.tolist() == whole.value.tolist()


def some_places(game: Quoridor) -> list[Place]:
    """Some places of the pawns on a small board."""
    squares = [(column, row) for column in range(game.size) for row in range(game.size)]
    far = game.size - 1
    return [
        (first, second, mover)
        for first, second, mover in itertools.product(squares, squares, (0, 1))
        if first != second and first[1] != far and second[1] != 0
    ][::7]
