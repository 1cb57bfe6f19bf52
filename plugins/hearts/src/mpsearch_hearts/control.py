"""Which seats control the suits, and who will take the trick on the table, with all hands known.

Learned evaluators look at worlds. What is found here is the same for all seats and is found once
for a position.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch.gamekit import population
from mpsearch_hearts.cards import (
    ALL_HEARTS,
    CLUBS,
    HEARTS,
    LANE,
    QUEEN_BIT,
    QUEEN_POINTS,
    RANKS,
    SEATS,
    SUIT_SHIFT,
)
from mpsearch_hearts.rules import hearts_broken, penalty
from mpsearch_hearts.state import BREAKING, SAFE_FIRST

SUITS = 4

# Where what `survey` finds begins. By suit: who takes a trick to which everybody plays the lowest
# card. By seat: hands, and sure tricks for one who is on lead. For the trick on the table, or the
# one that the mover leads: who takes it, and what it costs.
TAKERS = 0
HANDS = TAKERS + SUITS
TRICKS = HANDS + SEATS
TAKER = TRICKS + SEATS
COST = TAKER + 1
FINDINGS = COST + 1
#: In place of a seat: no card of the suit is left, or cards are still passed.
NOBODY = -1


@compiled
def hand_of(s: Any, seat: int) -> Any:
    """A hand as it will be once the cards that are passed have changed hands."""
    if s.count >= 0:
        return s.hands[seat]
    giver = (seat - s.direction) & 3
    return (s.hands[seat] & ~s.passed[seat]) | s.passed[giver]


@compiled
def survey(s: Any, found: Any) -> None:
    """Write everything that is found. Shape of found: (FINDINGS,), whole numbers."""
    for seat in range(SEATS):
        found[HANDS + seat] = hand_of(s, seat)
        found[TRICKS + seat] = 0
    for suit in range(SUITS):
        survey_suit(suit, found)
    survey_trick(s, found)


@compiled
def survey_suit(suit: int, found: Any) -> None:
    """Who holds the highest cards of a suit, and who has to take it if everybody ducks."""
    highest, second, highest_low = 0, 0, 0
    holder, taker = NOBODY, NOBODY
    for seat in range(SEATS):
        cards = found[HANDS + seat] >> (suit * LANE) & RANKS
        # As a number, who has the highest card has the most.
        if cards > highest:
            second = highest
            highest, holder = cards, seat
        elif cards > second:
            second = cards
        if cards & -cards > highest_low:
            highest_low, taker = cards & -cards, seat
    found[TAKERS + suit] = taker
    if holder == NOBODY:
        return
    below = second
    for shift in (1, 2, 4, 8):
        below |= below >> shift
    tops = population(highest & ~below)
    longest = 0
    for seat in range(SEATS):
        if seat != holder:
            cards = found[HANDS + seat] >> (suit * LANE) & RANKS
            longest = max(longest, population(cards))
    # Once the others have none left, every card takes a trick.
    found[TRICKS + holder] += population(highest) if tops >= longest else tops


@compiled
def survey_trick(s: Any, found: Any) -> None:
    """Who takes the trick on the table, or the one that the mover leads."""
    found[TAKER], found[COST] = NOBODY, 0
    if s.count < 0:
        return
    if s.count & 3:
        expect_trick(s, found, s.best >> SUIT_SHIFT, 1 << s.best, s.winner, penalty(s.pile))
    else:
        survey_lead(s, found)


@compiled
def survey_lead(s: Any, found: Any) -> None:
    """The trick of the lead that costs the mover least, or others most."""
    hand = found[HANDS + s.mover]
    closed = s.variant & BREAKING and not hearts_broken(s) and hand & ~ALL_HEARTS
    least, chosen_taker, chosen_cost = 0, NOBODY, 0
    for suit in range(SUITS):
        cards = hand & (RANKS << (suit * LANE))
        if cards == 0 or (suit == HEARTS and closed) or (suit != CLUBS and s.count == 0):
            continue
        lead = cards & -cards
        expect_trick(s, found, suit, lead, s.mover, penalty(lead))
        # Half a point for the lead.
        loss = 2 * found[COST] + 1
        if found[TAKER] != s.mover:
            loss = -loss
        if chosen_taker == NOBODY or loss < least:
            least, chosen_taker, chosen_cost = loss, found[TAKER], found[COST]
    found[TAKER], found[COST] = chosen_taker, chosen_cost


@compiled
def expect_trick(s: Any, found: Any, led: int, best: Any, taker: int, cost: int) -> None:
    """The taker and the points of a trick if those who wait play low and throw what costs.

    `best` is the card, as a set, that takes it so far. A lead is expected of the mover, who then
    does not wait.
    """
    laid = s.count & 3
    safe = s.variant & SAFE_FIRST != 0 and s.count < SEATS
    lane = RANKS << (led * LANE)
    for k in range(0 if laid else 1, SEATS - laid):
        seat = (s.mover + k) & 3
        hand = found[HANDS + seat]
        follows = hand & lane
        queen = follows & QUEEN_BIT
        if follows == 0:
            if hand & QUEEN_BIT and not safe:
                cost += QUEEN_POINTS
            elif hand & ALL_HEARTS and not safe:
                cost += 1
        elif led == HEARTS:
            cost += 1
        elif queen and (queen < best or follows == queen):
            cost += QUEEN_POINTS
        if follows and follows & (best - 1) == 0:
            best, taker = follows & -follows, seat
    found[TAKER], found[COST] = taker, cost
