"""A policy that knows about moons: it stops one, and shoots one if the hand is there.

Made for the play-outs of Monte-Carlo search.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch.gamekit import population
from mpsearch_hearts.cards import (
    DECK,
    HEARTS,
    LANE,
    QUEEN_BIT,
    QUEEN_OF_SPADES,
    RANKS,
    SEATS,
    SPADES,
    SUIT_SHIFT,
)
from mpsearch_hearts.rules import penalty
from mpsearch_hearts.state import MOON_ADD, MOON_SUBTRACT

#: What a hand is played for.
DUCK, STOP, SHOOT = range(3)
#: From so many points on, whoever has them all is to be stopped.
THREAT = 10
#: Who goes for all the points has at most so many cards that others can beat: before any points
#: are taken, and with all that are.
MOST_LOSERS = (1, 2)
#: What outweighs any rank.
FAR = 20


@compiled
def higher(cards: Any, than: Any, suit: int) -> Any:
    """The cards of a suit that are above all of another set."""
    lane = RANKS << (suit * LANE)
    below = than & lane
    for shift in (1, 2, 4, 8):
        below |= below >> shift
    return cards & lane & ~below


@compiled
def losers(hand: Any, unseen: Any) -> int:
    """How many cards others may beat after the highest ones have drawn some of theirs."""
    count = 0
    for suit in range(4):
        lane = RANKS << (suit * LANE)
        tops = population(higher(hand, unseen, suit))
        if population(unseen & lane) > 2 * tops:
            count += population(hand & lane) - tops
    return count


@compiled
def aim(s: Any, unseen: Any) -> int:
    """What the mover plays for."""
    if s.variant & (MOON_ADD | MOON_SUBTRACT) == 0 or s.count < 0:
        return DUCK
    takers, only = 0, 0
    for seat in range(SEATS):
        if s.points[seat] > 0:
            takers += 1
            only = seat
    if takers == 1 and only != s.mover:
        return STOP if s.points[only] >= THREAT else DUCK
    if takers <= 1 and losers(s.hands[s.mover], unseen) <= MOST_LOSERS[takers]:
        return SHOOT
    return DUCK


@compiled
def lead_worth(s: Any, card: int, kind: int, unseen: Any) -> Any:
    """How good a card is to lead."""
    suit, rank = card >> SUIT_SHIFT, card % LANE
    sure = higher(1 << card, unseen, suit) != 0
    if kind == SHOOT:
        return rank + (FAR if sure else 0)
    if kind == STOP and suit == HEARTS and sure:
        return FAR + rank
    # Whoever leads a high spade may be given the queen.
    risky = suit == SPADES and card >= QUEEN_OF_SPADES and (unseen | 1 << card) & QUEEN_BIT
    return -rank - (FAR if risky else 0)


@compiled
def follow_worth(s: Any, card: int, kind: int) -> Any:
    """How good a card of the suit that was led is."""
    rank, takes = card % LANE, card > s.best
    if kind == SHOOT:
        return FAR + rank if takes else -rank
    if kind == STOP and penalty(s.pile) and s.points[s.winner] > 0:
        return FAR + rank if takes else -rank
    if not takes:
        return (3 * FAR if card == QUEEN_OF_SPADES else FAR) + rank
    last = s.count & 3 == 3
    return (rank if last else -rank) - (2 * FAR if card == QUEEN_OF_SPADES else 0)


@compiled
def throw_worth(s: Any, card: int, kind: int, unseen: Any) -> Any:
    """How good it is to be rid of a card, passed on or thrown off."""
    suit, rank = card >> SUIT_SHIFT, card % LANE
    costs = penalty(1 << card)
    if kind == SHOOT:
        return -rank - (FAR if costs else 0)
    if kind == STOP and s.points[s.winner] > 0:
        return rank - (FAR if costs else 0)
    if card == QUEEN_OF_SPADES:
        return 4 * FAR
    if suit == SPADES and card > QUEEN_OF_SPADES and unseen & QUEEN_BIT:
        return 3 * FAR + rank
    return rank + (FAR if costs and s.count >= 0 else 0)


@compiled
def careful(s: Any, moves: Any, count: int, stream: Any) -> int:
    """Careful's choice as its policy."""
    played = s.played[0] | s.played[1] | s.played[2] | s.played[3]
    unseen = DECK & ~(s.hands[s.mover] | played)
    kind = aim(s, unseen)
    follows = moves[0] >> SUIT_SHIFT == s.best >> SUIT_SHIFT
    best, most = 0, -5.0 * FAR
    for i in range(count):
        if s.count >= 0 and s.count & 3 == 0:
            worth = lead_worth(s, moves[i], kind, unseen)
        elif s.count > 0 and follows:
            worth = follow_worth(s, moves[i], kind)
        else:
            worth = throw_worth(s, moves[i], kind, unseen)
        if worth > most:
            best, most = i, float(worth)
    return best
