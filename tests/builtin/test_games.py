"""The two small games: every sentence of their rules."""

import collections
import itertools

import numpy as np
import pytest

from mpsearch.builtin.games.plunder import STAKES, Position
from mpsearch.contracts import CHANCE, OVER, CompiledGame, Game, legal_move
from mpsearch.errors import MoveError
from mpsearch.plugins.catalog import load_catalog


def scramble(
    squares: list[int], stamina: list[int], mover: int = 0, **options: int
) -> tuple[CompiledGame, bytes]:
    game = load_catalog().game("scramble", players=len(squares), **options)
    assert isinstance(game, CompiledGame)
    s = game.record(game.new())
    s.square[: len(squares)] = squares
    s.stamina[: len(squares)] = stamina
    s.mover = mover
    return game, s.tobytes()


def after(
    squares: list[int], stamina: list[int], text: str, **options: int
) -> tuple[list[int], list[int]]:
    game, state = scramble(squares, stamina, **options)
    s = game.record(game.play(state, legal_move(game, state, text)))
    return s.square[: len(squares)].tolist(), s.stamina[: len(squares)].tolist()


def texts(squares: list[int], stamina: list[int]) -> list[str]:
    game, state = scramble(squares, stamina)
    return [game.write(move) for move in game.moves(state)]


def test_scramble_running_costs_and_restores_stamina() -> None:
    assert after([0, 0], [3, 3], "+1") == ([1, 0], [4, 3])
    assert after([0, 0], [6, 3], "+1") == ([1, 0], [6, 3])
    assert after([0, 0], [3, 3], "+2") == ([2, 0], [2, 3])
    assert after([0, 0], [3, 3], "+3") == ([3, 0], [1, 3])


def test_scramble_tired_runners_have_fewer_moves() -> None:
    assert texts([5, 0], [0, 3]) == ["+1"]
    assert texts([5, 0], [1, 3]) == ["+1", "+2"]
    assert texts([5, 0], [2, 3]) == ["+1", "+2", "+3"]


def test_scramble_runners_near_enough_and_off_the_start_can_be_tripped() -> None:
    assert texts([5, 9, 10, 1, 0], [2] * 5) == ["+1", "+2", "+3", "x1", "x3"]
    assert after([5, 9, 1], [3, 3, 3], "x1") == ([5, 7, 1], [1, 3, 3])
    assert after([5, 9, 1], [3, 3, 3], "x2") == ([5, 9, 0], [1, 3, 3])


def test_scramble_runners_bump_whoever_they_meet() -> None:
    assert after([5, 7, 7], [3, 3, 3], "+2")[0] == [7, 4, 4]
    assert after([0, 1, 9], [3, 3, 3], "+1")[0] == [1, 0, 9]


def test_scramble_how_far_one_falls_back_is_an_option() -> None:
    for back, tripped, bumped in ((0, 9, 7), (1, 8, 5), (4, 5, 2)):
        assert after([5, 9], [3, 3], "x1", back=back)[0] == [5, tripped]
        assert after([5, 7], [3, 3], "+2", back=back)[0] == [7, bumped]


def test_scramble_the_first_on_the_last_square_wins() -> None:
    game, state = scramble([19, 18], [3, 3])
    state = game.play(state, game.read("+3"))
    assert game.mover(state) == OVER
    assert game.payoff(state).tolist() == [1, 0]


def test_scramble_nobody_wins_when_time_is_up() -> None:
    game, state = scramble([0, 5], [3, 3], plies=1)
    state = game.play(state, game.read("+1"))
    assert game.mover(state) == OVER
    assert game.payoff(state).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+3", "it costs 2 stamina and there is 1"),
        ("+4", "a run is 1 to 3 squares"),
        ("x1", "it costs 2 stamina and there is 1"),
        ("x0", "names no other runner"),
        ("x7", "names no other runner"),
        ("run", "neither a run such as"),
    ],
)
def test_scramble_says_why_a_move_is_not_legal(text: str, words: str) -> None:
    game, state = scramble([5, 6, 0], [1, 3, 3])
    with pytest.raises(MoveError, match=words):
        legal_move(game, state, text)


@pytest.mark.parametrize(("text", "words"), [("x1", "safe"), ("x2", "more than 4 squares")])
def test_scramble_says_who_cannot_be_tripped(text: str, words: str) -> None:
    game, state = scramble([5, 0, 12], [3, 3, 3])
    with pytest.raises(MoveError, match=words):
        legal_move(game, state, text)


DEAL = ((1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 12))


def plunder() -> tuple[Game, Position]:
    game = load_catalog().game("plunder")
    return game, game.play(game.new(), DEAL)


def test_plunder_the_highest_card_takes_the_stake_and_leads() -> None:
    game, state = plunder()
    assert game.mover(state) == CHANCE
    state = game.play(state, 3)
    for seat, card in ((0, 9), (1, 14), (2, 3)):
        assert game.mover(state) == seat
        state = game.play(state, card)
    assert state.scores == (0, 3, 0)
    state = game.play(state, -2)
    assert game.mover(state) == 1
    for card in (2, 12, 1):
        state = game.play(state, card)
    assert state.scores == (0, 3, -2)


def test_plunder_ends_when_the_cards_are_gone_and_pays_the_points() -> None:
    game, state = plunder()
    while game.mover(state) != OVER:
        state = game.play(state, 1 if game.mover(state) == CHANCE else game.moves(state)[0])
    assert len(state.played) == 12
    assert game.payoff(state).sum() == 4


def test_plunder_views_show_one_hand_only() -> None:
    game, state = plunder()
    assert game.view(state, 1).hands == ((0, 0, 0, 0), DEAL[1], (0, 0, 0, 0))


def test_plunder_worlds_are_uniform_over_all_deals_that_fit() -> None:
    """Chi-square against full enumeration: 6 hidden cards, two of them each for two seats."""
    game = load_catalog().game("plunder", cards=2)
    state = game.play(game.new(), ((1, 2), (3, 4), (5, 6)))
    view = game.view(state, 0)
    hidden = range(3, 9)
    possible = [
        (a, b)
        for a in itertools.combinations(hidden, 2)
        for b in itertools.combinations(sorted(set(hidden) - set(a)), 2)
    ]
    rng = np.random.default_rng(17)
    counts = collections.Counter(game.world(view, rng).hands[1:] for _ in range(9000))
    assert set(counts) == set(possible)
    expected = 9000 / len(possible)
    # 90 deals: 89 degrees of freedom; 136 is exceeded by chance once in a thousand.
    assert sum((counts[deal] - expected) ** 2 / expected for deal in possible) < 136


def test_plunder_dice_follow_their_probabilities() -> None:
    game, state = plunder()
    rng = np.random.default_rng(3)
    counts = collections.Counter(game.draw(state, rng) for _ in range(6000))
    # Three degrees of freedom; 16.3 is exceeded by chance once in a thousand.
    assert sum((counts[s] - 6000 * p) ** 2 / (6000 * p) for s, p in STAKES) < 16.3
