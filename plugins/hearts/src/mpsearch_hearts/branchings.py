"""Branchings: passed cards in one order only, and one of several equivalent cards."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import CompiledBranching, compiled
from mpsearch.gamekit import population
from mpsearch_hearts.cards import HAND, JACK_BIT, ONES, QUEEN_BIT
from mpsearch_hearts.game import Hearts
from mpsearch_hearts.rules import legal_cards, list_cards
from mpsearch_hearts.state import JACK, PASSED

#: The bit above the ace of every suit.
_SUIT_ENDS = ONES << HAND


@compiled
def rising_passes(s: Any, legal: Any) -> Any:
    """The cards above those already chosen that leave enough above them for the rest.

    All of them where somebody chose in another order and too few are left above.
    """
    chosen = s.passed[s.mover]
    above = legal
    while chosen:
        above &= ~((chosen & -chosen) - 1)
        chosen &= chosen - 1
    spare = population(above) - (PASSED - 1 - population(s.passed[s.mover]))
    if spare <= 0:
        return legal
    kept = 0
    for _ in range(spare):
        kept |= above & -above
        above &= above - 1
    return kept


@compiled
def distinct_cards(s: Any, legal: Any) -> int:
    """The lowest of every run of cards that no other player's card separates.

    The queen of spades and the jack of diamonds (where it counts) are runs of their own, and
    so is the best card on the table: the cards above it are not those below.
    """
    held = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]
    others = held & ~s.hands[s.mover]
    if s.count & 3 != 0:
        others |= 1 << s.best
    special = QUEEN_BIT
    if s.variant & JACK:
        special |= JACK_BIT
    kept = 0
    running = False
    card = 1
    for _ in range(61):
        if card & legal:
            if not running or card & special:
                kept |= card
            running = card & special == 0
        elif card & (others | _SUIT_ENDS):
            running = False
        card <<= 1
    return kept


@compiled
def once(s: Any, parameters: Any, out: Any) -> Any:
    legal = legal_cards(s)
    return list_cards(rising_passes(s, legal) if s.count < 0 else legal, out)


@compiled
def distinct(s: Any, parameters: Any, out: Any) -> Any:
    legal = legal_cards(s)
    return list_cards(rising_passes(s, legal) if s.count < 0 else distinct_cards(s, legal), out)


def make_once(game: Hearts) -> CompiledBranching:
    return CompiledBranching(game, once)


def make_distinct(game: Hearts) -> CompiledBranching:
    return CompiledBranching(game, distinct)
