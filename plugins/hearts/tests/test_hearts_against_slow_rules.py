"""Whole games and counts of lines, against the slow rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mpsearch.contracts import CHANCE, OVER
from mpsearch.search import count_leaves

if TYPE_CHECKING:
    from .conftest import Make, Slow

VARIANTS: list[dict[str, Any]] = [
    {},
    {"preset": "standard"},
    {"preset": "standard", "jack": "yes", "moon": "subtract", "passing": "across"},
    {"breaking": "yes", "jack": "yes"},
    {"safe_first": "yes", "moon": "add", "passing": "right", "limit": 60},
    {"single": "yes", "passing": "left"},
    {"end": "trick"},
    {"preset": "standard", "end": "trick", "jack": "yes", "limit": 40},
    {"end": "trick", "moon": "add", "limit": 20},
    {"end": "trick", "single": "yes", "limit": 9},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_random_tournaments_go_as_by_the_slow_rules(
    make: Make, slow: type[Slow], options: dict[str, Any]
) -> None:
    game = make(**options)
    variant = game.variant
    for seed in range(4):
        rng = np.random.default_rng(seed)
        state = game.new()
        totals = [0, 0, 0, 0]
        while game.mover(state) == CHANCE:
            state = game.play(state, game.draw(state, rng))
            while game.record(state).count < 0:
                state = game.play(state, int(rng.choice(game.moves(state))))
            hands = [slow.cards_of(game, hand) for hand in game.record(state).hands]
            deal = slow.Deal(
                hands,
                breaking=variant.breaking == "yes",
                safe_first=variant.safe_first == "yes",
            )
            jack = variant.jack == "yes"
            for _ in range(52):
                assert game.mover(state) == deal.mover
                assert slow.legal(game, state) == deal.legal()
                move = int(rng.choice(game.moves(state)))
                deal.play(game.write(move))
                state = game.play(state, move)
                so_far = [a + b for a, b in zip(totals, deal.scores(jack=jack), strict=True)]
                if variant.end == "trick" and not deal.tricks[-1] and max(so_far) >= game.limit:
                    break
            # Nobody has shot the moon before the last trick.
            moon = "none" if any(deal.hands) else variant.moon
            scores = deal.scores(moon=moon, jack=jack)
            totals = [a + b for a, b in zip(totals, scores, strict=True)]
            assert game.record(state).scores.tolist() == totals
        assert game.mover(state) == OVER
        assert game.payoff(state).tolist() == [-total for total in totals]


@pytest.mark.parametrize("preset", ["papers", "standard"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_lines_of_open_deals_are_as_many_as_by_the_slow_rules(
    make: Make, slow: type[Slow], seed: int, preset: str
) -> None:
    """From 0, 4, ... 48 cards into a deal, all lines of a few cards."""
    game = make(preset=preset, passing="none")
    strict = preset == "standard"
    for until in (0, 6, 21, 40):
        state, history = slow.random_deal(game, seed, until=until)
        start, _ = slow.random_deal(game, seed, until=0)
        hands = [slow.cards_of(game, hand) for hand in game.record(start).hands]
        deal = slow.Deal(hands, breaking=strict, safe_first=strict)
        for _, card in history:
            deal.play(card)
        depth = 5 if until < 40 else 6
        for plies in range(1, depth + 1):
            assert count_leaves(game, state, plies) == slow.count_lines(deal, plies)


FIXED = (
    "3c,5c,8c,ac,4d,9d,jd,2s,6s,qs,3h,7h,kh"
    "|4c,9c,jc,3d,5d,kd,4s,8s,as,2h,6h,10h,qh"
    "|2c,7c,10c,qc,2d,6d,qd,3s,9s,ks,5h,8h,jh"
    "|6c,kc,7d,8d,10d,ad,5s,7s,10s,js,4h,9h,ah"
)


#: Lines of 1 to 8 cards from it, found by the slow rules and written down.
FIXED_COUNTS = {
    "papers": [1, 2, 8, 24, 288, 864, 2694, 8208],
    "standard": [1, 2, 8, 24, 210, 609, 1830, 5616],
}


@pytest.mark.parametrize("preset", FIXED_COUNTS)
def test_counts_of_a_fixed_deal(make: Make, preset: str) -> None:
    counts = FIXED_COUNTS[preset]
    game = make(preset=preset, passing="none")
    state = game.play(game.new(), game.read(FIXED))
    assert [count_leaves(game, state, plies + 1) for plies in range(len(counts))] == counts
