"""Evaluators: `points` counts points, `paper` also rates the hands.

`chance` turns the same totals into chances of winning the tournament.
"""

from __future__ import annotations

import math
from typing import Any

from mpsearch.contracts import Bounds, CompiledEvaluator, compiled
from mpsearch.gamekit import population
from mpsearch_hearts.cards import (
    DEAL_POINTS,
    DECK,
    HAND,
    JACK_POINTS,
    LANE,
    ONES,
    QUEEN_OF_SPADES,
    RANKS,
    SEATS,
    SPADES,
)
from mpsearch_hearts.game import Hearts
from mpsearch_hearts.options import CHANCE_WEIGHTS, PAPER_WEIGHTS
from mpsearch_hearts.points import crown_winner, points, standing, write_chances
from mpsearch_hearts.reach import points_reach
from mpsearch_hearts.rules import deal_points, penalty

#: A bit above every lane's thirteen, to borrow from.
_GUARDS = ONES << HAND
_LOW_12 = (RANKS >> 1) * ONES
_LOW_11 = (RANKS >> 2) * ONES
_LOW_9 = (RANKS >> 4) * ONES
_LOW_5 = (RANKS >> 8) * ONES
#: The cards whose rank (0 to 12) has bit 0, 1, 2, 3.
_RANK_BITS = [sum(1 << r for r in range(HAND) if r >> bit & 1) * ONES for bit in range(4)]
_RANK_1, _RANK_2, _RANK_4, _RANK_8 = _RANK_BITS
MIDDLE_RANK = 6
#: How wide the bend is, in points, between hands that take nothing and hands that take.
ROUNDING = 4.0
_ABOVE_QUEEN = 0b11 << (LANE * SPADES + 11)


@compiled
def held_lanes(cards: Any) -> Any:
    """The lowest bit of every suit of which there is a card."""
    return ((cards + DECK) >> HAND) & ONES


@compiled
def danger(hand: Any, others: Any, parameters: Any) -> Any:
    """Expected points of a hand up to a constant, all four suits at once.

    Cards that duck are below every card of the suit outside the hand, cards that take are
    above; a suit that nobody else holds is neither.
    """
    shared = held_lanes(others)
    mine = hand & (shared * RANKS)
    ducks = mine & ((others | _GUARDS) - ONES) & ~others
    reach = others | (others >> 1 & _LOW_12)
    reach |= reach >> 2 & _LOW_11
    reach |= reach >> 4 & _LOW_9
    reach |= reach >> 8 & _LOW_5
    takes = mine & ~reach
    empty = shared & ~held_lanes(hand)
    # Ranks count from the middle one, so that a card more or less does not matter in itself.
    ranks = (
        population(hand & _RANK_1)
        + 2 * population(hand & _RANK_2)
        + 4 * population(hand & _RANK_4)
        + 8 * population(hand & _RANK_8)
        - MIDDLE_RANK * population(hand)
    )
    queen = hand >> QUEEN_OF_SPADES & 1
    over_queen = (others >> QUEEN_OF_SPADES & 1) * population(hand & _ABOVE_QUEEN)
    return (
        parameters[2] * population(takes)
        + parameters[3] * population(ducks)
        + parameters[4] * queen
        + parameters[5] * over_queen
        + parameters[6] * population(empty)
        + parameters[7] * ranks
    )


@compiled
def expected_totals(s: Any, parameters: Any, out: Any) -> None:
    """Points so far, and those still to come in this deal shared out by how the hands look.

    A hand's share grows with its danger x like x + sqrt(x**2 + ROUNDING**2): linear for a bad
    hand, but never below nothing for a good one, so that good hands still differ.
    """
    held = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]
    mean = 0.0
    for seat in range(SEATS):
        out[seat] = danger(s.hands[seat], held & ~s.hands[seat], parameters)
        mean += 0.25 * out[seat]
    total = 0.0
    for seat in range(SEATS):
        x = DEAL_POINTS / SEATS + out[seat] - mean
        out[seat] = x + math.sqrt(x * x + ROUNDING * ROUNDING)
        total += out[seat]
    per_share = penalty(held) / total
    for seat in range(SEATS):
        out[seat] = float(s.scores[seat] + deal_points(s, seat)) + per_share * out[seat]


@compiled
def paper(s: Any, parameters: Any, out: Any) -> None:
    """The expected totals on a linear scale."""
    expected_totals(s, parameters, out)
    for seat in range(SEATS):
        out[seat] = standing(out[seat], parameters)
    crown_winner(s, parameters, out)


@compiled
def chance(s: Any, parameters: Any, out: Any) -> None:
    """The chance of winning the tournament from the expected totals."""
    expected_totals(s, parameters, out)
    write_chances(s, parameters, 8, out)


def totals(game: Hearts) -> tuple[float, float]:
    """The best and the worst total of points that a deal can end with.

    Scores may leave this range only where many deals give points below zero.
    """
    best = JACK_POINTS if game.variant.jack == "yes" else 0
    best -= DEAL_POINTS if game.variant.moon == "subtract" else 0
    before = 0 if game.variant.single == "yes" else game.limit - 1
    return float(best), float(before + DEAL_POINTS)


def make_points(game: Hearts) -> CompiledEvaluator:
    best, worst = totals(game)
    plain = game.variant.single == "yes" and game.variant.moon == "none" and best == 0
    # Of the 26 points of a single deal each is taken at most once.
    bounds = Bounds(step=100 / (worst - best), total=(300.0, 400.0) if plain else None)
    return CompiledEvaluator(
        game,
        points,
        bounds=bounds,
        parameters=[best, worst],
        reach=points_reach,
        own_affairs=True,
        short_wins=False,
    )


def make_paper(game: Hearts, **weights: float) -> CompiledEvaluator:
    chosen = [weights.get(name, default) for name, default in PAPER_WEIGHTS.items()]
    return CompiledEvaluator(game, paper, bounds=Bounds(), parameters=[*totals(game), *chosen])


def make_chance(game: Hearts, **weights: float) -> CompiledEvaluator:
    given = {**PAPER_WEIGHTS, **CHANCE_WEIGHTS, **weights}
    made = CompiledEvaluator(
        game,
        chance,
        bounds=Bounds(total=(100.0, 100.0)),
        parameters=[*totals(game), *given.values()],
    )
    made.decisive = False  # several winners share the 100
    return made
