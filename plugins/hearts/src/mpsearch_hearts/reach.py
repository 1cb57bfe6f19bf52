"""How far `points` can move within a few plies: the box that lets a search skip most of a deal.

A seat keeps the points it has taken and can, at worst, take all that lie on the table and all
that can fall. What can fall follows from the hands: so many cards each, and in the trick on the
table a seat that can follow suit must.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch.kit import population
from mpsearch_hearts.cards import (
    ALL_HEARTS,
    DEAL_POINTS,
    HAND,
    HEARTS,
    JACK_BIT,
    JACK_POINTS,
    LANE,
    QUEEN_OF_SPADES,
    QUEEN_POINTS,
    RANKS,
    SEATS,
    SPADES,
    SUIT_SHIFT,
)
from mpsearch_hearts.points import points, standing
from mpsearch_hearts.rules import penalty
from mpsearch_hearts.state import (
    JACK,
    MOON_ADD,
    MOON_SUBTRACT,
    NOBODY,
    SINGLE,
    TRICK_ENDS,
)


@compiled
def dearest(hand: Any, cards: int) -> Any:
    """The most points that so many cards of a hand can be worth."""
    if cards <= 0:
        return 0
    if hand >> QUEEN_OF_SPADES & 1:
        return QUEEN_POINTS + min(population(hand & ALL_HEARTS), cards - 1)
    return min(population(hand & ALL_HEARTS), cards)


@compiled
def dearest_to_trick(s: Any, seat: int) -> Any:
    """The most points that a seat can add to the trick on the table."""
    suit = s.best >> SUIT_SHIFT
    hand = s.hands[seat]
    follows = hand & (RANKS << (suit * LANE))
    if not follows:
        return dearest(hand, 1)
    if suit == SPADES:
        return QUEEN_POINTS * (hand >> QUEEN_OF_SPADES & 1)
    return 1 if suit == HEARTS else 0


@compiled
def dearest_behind(hand: Any, now: int, cards: int) -> Any:
    """The most points of so many cards, and of one before them that is worth `now` at most.

    No card before them if `now` is negative.
    """
    if now < 0:
        return dearest(hand, cards)
    return min(now + dearest(hand, cards), dearest(hand, cards + 1))


@compiled
def takers(s: Any, first: int) -> int:
    """The seats that can be taking the trick on the table after `first` cards more, as a set."""
    above = (RANKS << ((s.best >> SUIT_SHIFT) * LANE)) & (-2 << s.best)
    found = 1 << s.winner
    for k in range(first):
        seat = (s.mover + k) & 3
        if s.hands[seat] & above:
            found |= 1 << seat
    return found


@compiled
def last_trick(more: int, seat: int, extra: int, leaders: int) -> int:
    """The most that a seat can be taking with `extra` cards of a trick, and what they can be worth.

    `more` has what each seat's card is worth at most, in lanes of 8 bits, twice over.
    """
    most = 0
    for back in range(extra):
        leader = (seat - back) & 3
        if leaders >> leader & 1:
            most = max(most, trick_worth(more, leader, extra))
    return most


@compiled
def trick_worth(more: int, leader: int, extra: int) -> int:
    return ((((more >> 8 * leader) & ((1 << 8 * extra) - 1)) * 0x01010101) >> 24) & 0xFF


@compiled
def may_shoot(s: Any, seat: int) -> Any:
    """Whether nobody else has taken a point in this deal."""
    others = 0
    for other in range(SEATS):
        others += s.points[other] if other != seat else 0
    return others == 0


@compiled
def least_total(s: Any, seat: int, taking: int, deal_ends: bool) -> Any:
    """The best score with the points of this deal that a seat can come to."""
    taken = s.points[seat]
    if taking == 1 << seat:
        taken += penalty(s.pile)
    if deal_ends and may_shoot(s, seat):
        if s.variant & MOON_SUBTRACT:
            taken = -DEAL_POINTS
        elif s.variant & MOON_ADD:
            taken = 0
    if s.variant & JACK:
        held = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3] | (s.pile if s.count & 3 else 0)
        if s.jack == seat or (s.jack == NOBODY and held & JACK_BIT):
            taken += JACK_POINTS
    return s.scores[seat] + taken


@compiled
def greatest_total(s: Any, seat: int, falls: int, deal_ends: bool) -> Any:
    """The worst score with the points of this deal that a seat can come to.

    `falls` are the most points that it can take.
    """
    taken = s.points[seat] + falls
    if deal_ends and s.variant & MOON_ADD:
        for other in range(SEATS):
            if other != seat and may_shoot(s, other):
                taken = max(taken, DEAL_POINTS)
    if s.variant & JACK and s.jack == seat:
        taken += JACK_POINTS
    return s.scores[seat] + taken


@compiled
def points_reach(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
    if s.mover < 0 or depth + min(s.count, 0) <= 0:
        # Nothing falls before the next deal, and while cards are passed.
        points(s, parameters, low)
        for seat in range(SEATS):
            high[seat] = low[seat]
        return
    if s.count < 0:
        return
    deal_ends = depth >= SEATS * HAND - s.count
    depth = min(depth, SEATS * HAND - s.count)
    on_table = s.count & 3
    first = min(depth, SEATS - on_table) if on_table else 0
    rounds = (depth - first) // SEATS
    extra = (depth - first) & 3
    pile = penalty(s.pile) if on_table else 0
    taking = takers(s, first) if on_table else 1 << s.mover
    falls, later, more_now, more = 0, 0, 0, 0
    for k in range(SEATS):
        seat = (s.mover + k) & 3
        hand = s.hands[seat]
        few, many = dearest(hand, rounds), dearest(hand, rounds + 1)
        later += few
        more |= (many - few) << 8 * seat
        if k < first:
            now = dearest_to_trick(s, seat)
            few, many = min(now + few, many), min(now + many, dearest(hand, rounds + 2))
        falls += few
        more_now |= (many - few) << 8 * seat
    more |= more << 32
    more_now |= more_now << 32
    most, lowest = 0, 1 << 30
    for seat in range(SEATS):
        leaders = 15 if rounds else taking & ~(1 << seat)
        takes = later + last_trick(more, seat, extra, leaders if on_table else (15 if rounds else taking))
        if on_table and taking >> seat & 1:
            leaders = 15 if rounds else 1 << seat
            takes = max(takes, pile + falls + last_trick(more_now, seat, extra, leaders))
        worst = greatest_total(s, seat, takes, deal_ends)
        most = max(most, worst)
        lowest = min(lowest, worst)
        low[seat] = standing(float(worst), parameters)
        high[seat] = standing(
            float(least_total(s, seat, taking if on_table else 0, deal_ends)), parameters
        )
    game_ends = deal_ends and (s.variant & SINGLE != 0 or most >= s.limit)
    if game_ends or (s.variant & TRICK_ENDS and most >= s.limit):
        for seat in range(SEATS):
            # Of a finished game only the winners have the greatest value.
            low[seat] = min(low[seat], standing(parameters[0] + 1.0, parameters))
            if least_total(s, seat, taking if on_table else 0, deal_ends) <= lowest:
                high[seat] = 100.0
    elif not deal_ends and s.variant & JACK == 0:
        best = 0
        for leader in range(SEATS):
            if rounds or taking >> leader & 1:
                best = max(best, trick_worth(more_now, leader, extra))
        narrow_total(s, falls + best, parameters, low, high)


@compiled
def narrow_total(s: Any, falls: int, parameters: Any, low: Any, high: Any) -> None:
    """All seats together take what falls, and no more; where no score leaves the scale."""
    now = penalty(s.pile) if s.count & 3 else 0
    inside = True
    for seat in range(SEATS):
        now += s.scores[seat] + s.points[seat]
        inside = inside and s.scores[seat] + s.points[seat] >= parameters[0] and low[seat] > 0.0
    if inside:
        best, worst = parameters[0], parameters[1]
        scale = 100.0 / (worst - best)
        high[SEATS] = min(high[SEATS], scale * (SEATS * worst - now))
        low[SEATS] = max(low[SEATS], scale * (SEATS * worst - now - falls))
