"""The rules, sentence by sentence, on positions set by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpsearch_calibration.bingo.game import Position as Boards
from mpsearch_calibration.go_fish import Position
from mpsearch_calibration.two_phase.game import Position as Race

from mpsearch.catalog import load_catalog
from mpsearch.contracts import CHANCE, OVER

CATALOG = load_catalog()


def new_game(name: str, players: int = 3, **options: Any) -> Any:
    return CATALOG.game_offer(name).new_game(players=players, options=options)


def walk(game: Any, seed: int) -> Any:
    """A random game, state by state."""
    rng = np.random.default_rng(seed)
    state = game.new()
    while (mover := game.mover(state)) != OVER:
        yield state
        if mover == CHANCE:
            state = game.play(state, game.draw(state, rng))
        else:
            moves = list(game.moves(state))
            state = game.play(state, moves[int(rng.integers(len(moves)))])
    yield state


def test_bingo_marks_in_turn_and_full_boards_win_together() -> None:
    game = new_game("bingo", cells=2, numbers=9)
    state = Boards(boards=((1, 2), (2, 3), (2, 4)), called=(1, 4), answered=3)
    assert game.mover(state) == CHANCE
    assert [number for number, _ in game.chance(state)] == [2, 3, 5, 6, 7, 8, 9]
    state = game.play(state, 2)
    assert [game.marked(state, seat) for seat in range(3)] == [1, 0, 1]
    assert list(game.moves(state)) == ["red", "blue"]
    for seat in range(3):
        assert game.mover(state) == seat
        assert game.play(state, "red") == game.play(state, "blue")
        state = game.play(state, "red")
    assert game.mover(state) == OVER
    assert game.payoff(state).tolist() == [1, 0, 1]


def test_a_number_that_is_not_on_the_board_is_passed() -> None:
    game = new_game("bingo", cells=2, numbers=9)
    state = Boards(boards=((1, 2), (2, 3), (2, 4)), called=(9,), answered=0)
    assert list(game.moves(state)) == ["pass"]


def test_a_pawn_on_the_road_is_thrown_back_and_one_in_a_lane_is_not() -> None:
    game = new_game("two_phase", road=8, lane=8)
    state = Race(pawns=((5, 1), (7, 3), (7, 0)), seat=0, die=2)
    assert game.play(state, "front") == Race(pawns=((7, 1), (3, 0), (0, 0)), seat=1)
    assert game.play(state, "rear") == Race(pawns=((5, 3), (7, 0), (7, 0)), seat=1)
    lane = Race(pawns=((8, 1), (10, 3), (7, 0)), seat=0, die=2)
    assert game.play(lane, "front").pawns == ((10, 1), (10, 3), (7, 0))


def test_what_a_pawn_does_not_need_the_other_walks_and_the_first_at_home_wins() -> None:
    game = new_game("two_phase", road=8, lane=8)
    state = Race(pawns=((15, 6), (8, 3), (2, 0)), seat=0, die=3)
    assert game.play(state, "front").pawns == ((16, 8), (3, 0), (2, 0))
    home = game.play(Race(pawns=((16, 14), (8, 3), (2, 0)), seat=0, die=3), "rear")
    assert game.mover(home) == OVER
    assert game.payoff(home).tolist() == [1, 0, 0]


def fish(hands: Any, stock: Any, **fields: Any) -> Position:
    none = ((0,) * len(stock),) * len(hands)
    defaults = {"shown": none, "books": (0,) * len(hands), "asks_left": 9, "dealt": True}
    return Position(hands=hands, stock=stock, **{**defaults, **fields})


def test_who_has_the_rank_hands_over_all_and_the_mover_asks_again() -> None:
    game = new_game("go_fish", ranks=3, ask="held")
    state = fish(((1, 1, 0), (2, 0, 1), (0, 1, 1)), (1, 2, 2))
    assert list(game.moves(state)) == [(1, 0), (1, 1), (2, 0), (2, 1)]
    after = game.play(state, (1, 0))
    assert after.hands == ((3, 1, 0), (0, 0, 1), (0, 1, 1))
    assert after.shown == ((3, 0, 0), (0, 0, 0), (0, 0, 0))
    assert (game.mover(after), after.asks_left) == (0, 8)


def test_who_asks_in_vain_draws_and_the_turn_passes() -> None:
    game = new_game("go_fish", ranks=3)
    state = fish(((1, 1, 0), (2, 0, 1), (0, 1, 1)), (1, 2, 2))
    assert len(game.moves(state)) == 6
    after = game.play(state, (1, 1))
    assert game.mover(after) == CHANCE
    assert after.shown == state.shown
    drawn = game.play(after, 2)
    assert drawn.hands[0] == (1, 1, 1)
    assert drawn.stock == (1, 2, 1)
    assert game.mover(drawn) == 1


def test_four_cards_are_a_book_at_once_and_an_empty_hand_draws_first() -> None:
    game = new_game("go_fish", ranks=2)
    state = fish(((2, 0), (2, 0), (0, 1)), (0, 3))
    after = game.play(state, (1, 0))
    assert (after.books, after.gone) == ((1, 0, 0), (0,))
    assert (game.mover(after), after.seat) == (CHANCE, 0)
    drawn = game.play(after, 1)
    assert (drawn.hands[0], game.mover(drawn)) == ((0, 1), 0)


def test_asking_in_vain_for_ever_ends_after_so_many_questions() -> None:
    game = new_game("go_fish", ranks=2, asks=7)
    state = fish(((0, 2), (4 - 1, 0), (1, 2)), (0, 0), asks_left=7)
    questions = 0
    while game.mover(state) != OVER:
        vain = [(s, r) for s, r in game.moves(state) if state.hands[s][r] == 0]
        state = game.play(state, vain[0])
        questions += 1
    assert questions == 7


@pytest.mark.parametrize("ask", ["any", "held"])
@pytest.mark.parametrize("seed", range(4))
def test_no_card_is_lost_and_what_is_shown_is_held(ask: str, seed: int) -> None:
    game = new_game("go_fish", players=2 + seed % 3, ranks=6, hand=4, ask=ask)
    for state in walk(game, seed):
        total = sum(map(sum, state.hands)) + sum(state.stock) + 4 * sum(state.books)
        assert total == 24
        for hand, shown in zip(state.hands, state.shown, strict=True):
            assert max(hand) < 4
            assert all(known <= held for known, held in zip(shown, hand, strict=True))
