"""The box of `points`: it holds whatever can come, and is narrow where a trick is broken off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mpsearch_hearts.game import Hearts

from mpsearch import load_catalog
from mpsearch.contracts import Array, Evaluator, State

if TYPE_CHECKING:
    from .conftest import Make, Slow

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"single": "yes"},
    {"jack": "yes", "limit": 30},
    {"moon": "add", "limit": 40},
    {"moon": "subtract", "single": "yes"},
    {"end": "trick", "limit": 12},
    {"preset": "standard", "jack": "yes", "end": "trick", "limit": 20},
)
#: A tree with more states is not looked at.
MOST_STATES = 300


def points(game: Hearts) -> Evaluator:
    return load_catalog().evaluator_offer("hearts", "points").make(game)


def within(game: Hearts, state: State, depth: int) -> Iterator[State]:
    """Every state within so many cards, in this deal."""
    yield state
    if depth > 0 and game.mover(state) >= 0:
        for move in game.moves(state):
            yield from within(game, game.play(state, move), depth - 1)


def span(
    game: Hearts, evaluator: Evaluator, state: State, depth: int
) -> tuple[Array, Array] | None:
    """The least and the greatest of each value and of their sum; None if there are too many."""
    values: list[list[float]] = []
    for seen in within(game, state, depth):
        if len(values) == MOST_STATES:
            return None
        value = evaluator.values(seen)
        values.append([*value, value.sum()])
    return np.min(values, axis=0), np.max(values, axis=0)


def states(game: Hearts, seed: int) -> list[State]:
    """Where somebody has to play a card, in one random deal."""
    rng = np.random.default_rng(seed)
    state = game.play(game.new(), game.draw(game.new(), rng))
    found: list[State] = []
    while game.mover(state) >= 0:
        if game.record(state).count >= 0:
            found.append(state)
        state = game.play(state, int(rng.choice(game.moves(state))))
    return found


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_nothing_within_the_depth_leaves_the_box(variant: dict[str, Any], make: Make) -> None:
    game = make(**variant)
    evaluator = points(game)
    exact = looked = 0
    for state in [*states(game, 1)[::3], *states(game, 2)[1::3], *states(game, 3)[2::3]]:
        for depth in range(1, 9):
            found = span(game, evaluator, state, depth)
            if found is None:
                break
            for asked in (depth, 1_000_000):
                low, high = evaluator.box(state, asked)
                assert (low <= found[0] + 1e-9).all(), (game.record(state).count, asked)
                assert (high >= found[1] - 1e-9).all(), (game.record(state).count, asked)
            low, _ = evaluator.box(state, depth)
            exact += int((np.abs(low - found[0])[:4] < 1e-9).sum())
            looked += 4
    assert exact > looked / 2


def most_points(game: Hearts, state: State, depth: int) -> list[int]:
    """The most points that each seat can come to by the box, where 125 are worth 100."""
    low, _ = points(game).box(state, depth)
    return [round(125 - 1.25 * value) for value in low[:4]]


def test_a_trick_that_is_broken_off_gives_a_seat_no_more_than_is_played_there(
    make: Make, slow: type[Slow]
) -> None:
    game = make()
    hands = slow.fill("2c", "3c qs", "4c", "ac")
    last = slow.dealt(game, hands, "2c", "3c", "4c", "ac")
    # Seat 3 leads, then seats 0 and 1 play. One of those who have played takes what they can add.
    assert most_points(game, last, 1) == [0, 0, 0, 1]
    assert most_points(game, last, 2) == [2, 0, 0, 2]
    assert most_points(game, last, 3) == [15, 15, 0, 15]
    assert most_points(game, last, 4) == [16, 16, 16, 16]
    # One card before, seat 2 or 3 takes the trick and leads.
    before = slow.dealt(game, hands, "2c", "3c", "4c")
    assert most_points(game, before, 1) == [0, 0, 0, 0]
    assert most_points(game, before, 2) == [0, 0, 1, 1]
    assert most_points(game, before, 3) == [2, 0, 2, 2]


def test_who_lets_another_lead_may_take_more_than_who_leads(make: Make, slow: type[Slow]) -> None:
    game = make()
    s = game.record(slow.dealt(game, slow.fill("2c")))
    hands = [{"6c", "3c", "qs"}, {"7c", "2c", "ks"}, {"2d", "3d", "4d"}, {"5d", "6d"}]
    s.hands[:] = slow.to_deal(game, hands)
    led = game.read("5c")
    assert isinstance(led, int)
    s.count, s.mover, s.winner, s.best, s.pile = 41, 0, 3, led, 1 << led
    state = s.tobytes()
    # Seat 1 can take the trick, but gets the queen only if seat 0 does and leads it.
    assert most_points(game, state, 3) == [0, 0, 0, 0]
    assert most_points(game, state, 5)[1] == 13
    found = span(game, points(game), state, 5)
    assert found is not None
    assert round(125 - 1.25 * found[0][1]) == 13
