"""The rules, sentence by sentence, on positions set by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpsearch_calibration.bingo.game import Position as Boards
from mpsearch_calibration.two_phase.game import Position as Race

from mpsearch.contracts import CHANCE, OVER
from mpsearch.errors import MoveError
from mpsearch.plugins.catalog import load_catalog

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


def fish(game: Any, hands: Any, stock: Any, **fields: Any) -> bytes:
    """A state of Go Fish in which seat 0 asks; all cards in the hands were drawn unseen."""
    s = game.record(game.new())
    s.hands[: len(hands), : len(stock)] = hands
    s.stock[: len(stock)] = stock
    s.sizes[: len(hands)] = s.taken[: len(hands)] = [sum(hand) for hand in hands]
    s.rest = sum(stock)
    s.dealt = 1
    for name, value in fields.items():
        s[name] = value
    return bytes(s.tobytes())


def hands(game: Any, state: bytes) -> list[list[int]]:
    found: list[list[int]] = game.record(state).hands[: game.players, : game.ranks].tolist()
    return found


def test_who_has_the_rank_hands_over_all_and_the_mover_asks_again() -> None:
    game = new_game("go_fish", ranks=3, ask="held")
    state = fish(game, ((1, 1, 0), (2, 0, 1), (0, 1, 1)), (1, 2, 2), asks_left=9)
    assert [game.write(move) for move in game.moves(state)] == ["1:1", "1:2", "2:1", "2:2"]
    after = game.play(state, game.read("1:1"))
    assert hands(game, after) == [[3, 1, 0], [0, 0, 1], [0, 1, 1]]
    s = game.record(after)
    assert s.known[:3, :3].tolist() == [[2, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert (game.mover(after), s.asks_left) == (0, 8)


def test_who_asks_in_vain_draws_and_the_turn_passes() -> None:
    game = new_game("go_fish", ranks=3)
    state = fish(game, ((1, 1, 0), (2, 0, 1), (0, 1, 1)), (1, 2, 2))
    assert len(game.moves(state)) == 6
    after = game.play(state, game.read("1:2"))
    assert game.mover(after) == CHANCE
    assert not game.record(after).known.any()
    drawn = game.play(after, game.read("draw 3"))
    assert hands(game, drawn)[0] == [1, 1, 1]
    assert game.record(drawn).stock[:3].tolist() == [1, 2, 1]
    assert game.mover(drawn) == 1


def test_four_cards_are_a_book_at_once_and_an_empty_hand_draws_first() -> None:
    game = new_game("go_fish", ranks=2)
    state = fish(game, ((2, 0), (2, 0), (0, 1)), (0, 3))
    after = game.play(state, game.read("1:1"))
    s = game.record(after)
    assert (s.books[:3].tolist(), s.gone[:2].tolist()) == ([1, 0, 0], [1, 0])
    assert (game.mover(after), s.seat) == (CHANCE, 0)
    drawn = game.play(after, game.read("draw 2"))
    assert (hands(game, drawn)[0], game.mover(drawn)) == ([0, 1], 0)


def test_asking_in_vain_for_ever_ends_after_so_many_questions() -> None:
    game = new_game("go_fish", ranks=2, asks=7)
    state = fish(game, ((0, 2), (4 - 1, 0), (1, 2)), (0, 0))
    questions = 0
    while game.mover(state) != OVER:
        cards = hands(game, state)
        asked = [tuple(map(int, game.write(move).split(":"))) for move in game.moves(state)]
        vain = [f"{seat}:{rank}" for seat, rank in asked if cards[seat][rank - 1] == 0]
        state = game.play(state, game.read(vain[0]))
        questions += 1
    assert questions == 7


@pytest.mark.parametrize("text", ["3:1", "0:9", "1", "draw 0", "draw x", "-1:1", "1:0"])
def test_a_text_that_is_no_question_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a seat and a rank"):
        new_game("go_fish", ranks=8).read(text)


def test_cards_are_dealt_only_once() -> None:
    game = new_game("go_fish", ranks=3)
    deal = game.draw(game.new(), np.random.default_rng(1))
    with pytest.raises(MoveError, match="dealt only once"):
        game.play(game.play(game.new(), deal), deal)


@pytest.mark.parametrize("ask", ["any", "held"])
@pytest.mark.parametrize("seed", range(4))
def test_no_card_is_lost_and_what_is_known_is_held(ask: str, seed: int) -> None:
    game = new_game("go_fish", players=2 + seed % 3, ranks=6, hand=4, ask=ask)
    for state in walk(game, seed):
        s = game.record(state)
        assert s.hands.sum() + s.stock.sum() + 4 * s.books.sum() == 24
        assert (s.hands < 4).all()
        assert (s.known <= s.hands).all()
        assert s.sizes.tolist() == s.hands.sum(axis=1).tolist()
        assert s.rest == s.stock.sum()
