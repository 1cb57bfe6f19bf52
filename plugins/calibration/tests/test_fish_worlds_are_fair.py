"""Worlds of Go Fish are uniform over the deals that fit, counted one by one."""

from __future__ import annotations

import collections
import itertools

import numpy as np
import pytest
from mpsearch_calibration.fish_worlds import DealWorlds

CASES = {
    "nothing shown": ((2, 2, 3), (2, 2), ((0, 0, 0), (0, 0, 0))),
    "cards shown": ((3, 2, 3), (3, 2), ((1, 0, 0), (0, 0, 2))),
    "no stock left": ((4, 3), (4, 3), ((1, 0), (0, 0))),
}


def count_deals(unseen, sizes, least):
    """How many deals of single cards give each world, by trying all."""
    cards = [rank for rank, count in enumerate(unseen) for _ in range(count)]
    owners = [*range(len(sizes)), len(sizes)]
    found = collections.Counter()
    for deal in itertools.product(owners, repeat=len(cards)):
        piles = [[0] * len(unseen) for _ in owners]
        for card, owner in zip(cards, deal, strict=True):
            piles[owner][card] += 1
        hands = piles[:-1]
        fits = all(
            sum(hand) == size and max(hand) < 4 and all(np.array(hand) >= shown)
            for hand, size, shown in zip(hands, sizes, least, strict=True)
        )
        if fits:
            found[tuple(map(tuple, piles))] += 1
    return found


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_worlds_are_drawn_as_often_as_they_can_be_dealt(case) -> None:
    unseen, sizes, least = case
    deals = count_deals(unseen, sizes, least)
    worlds = DealWorlds(unseen, sizes, least)
    assert worlds.ways(0, sizes) == sum(deals.values())
    rng = np.random.default_rng(8)
    draws = 3000
    drawn = collections.Counter()
    for _ in range(draws):
        hands, stock = worlds.draw(rng)
        drawn[(*hands, stock)] += 1
    assert set(drawn) <= set(deals)
    expected = {world: draws * ways / sum(deals.values()) for world, ways in deals.items()}
    chi = sum((drawn[world] - wanted) ** 2 / wanted for world, wanted in expected.items())
    # Mean and spread of the distribution: n - 1 and sqrt(2 (n - 1)); four spreads above.
    freedom = len(deals) - 1
    assert chi < freedom + 4 * np.sqrt(2 * freedom)
