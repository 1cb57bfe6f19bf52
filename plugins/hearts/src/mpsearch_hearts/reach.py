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
def most_to_fall(s: Any, first: int, behind: int) -> Any:
    """The most points of the next `first` cards, all of one trick, and `behind` cards after it."""
    on_table = s.count & 3
    rounds = min(behind // SEATS, HAND)
    extra = behind % SEATS
    total = 0
    ones = 0
    queen = 0
    for k in range(SEATS):
        # Seats in the order of play from the mover on; those behind `first` have played.
        seat = (s.mover + k) & 3
        hand = s.hands[seat]
        now = -1
        if k < first:
            now = dearest_to_trick(s, seat) if on_table else dearest(hand, 1)
        points = dearest_behind(hand, now, rounds)
        total += points
        more = dearest_behind(hand, now, rounds + 1) - points
        if more == QUEEN_POINTS:
            queen = 1
        else:
            ones += more
    if extra > 0:
        # Some seats, whoever they are, play one card more.
        total += QUEEN_POINTS * queen + min(ones, extra - queen)
    return min(total, penalty(s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]))


@compiled
def may_take(s: Any, seat: int, depth: int) -> Any:
    """Whether a seat can be taking the trick on the table after `depth` cards, all in it."""
    if seat == s.winner:
        return True
    behind = (seat - s.mover) & 3
    if behind >= min(depth, SEATS - (s.count & 3)):
        return False
    suit = s.best >> SUIT_SHIFT
    follows = s.hands[seat] & (RANKS << (suit * LANE))
    return follows >> s.best > 1


@compiled
def is_taken_by(s: Any, seat: int, depth: int) -> bool:
    """Whether the trick on the table is a seat's for certain."""
    if s.count & 3 == 0 or seat != s.winner:
        return False
    certain = True
    for other in range(SEATS):
        certain &= other == seat or not may_take(s, other, depth)
    return certain


@compiled
def may_shoot(s: Any, seat: int) -> Any:
    """Whether nobody else has taken a point in this deal."""
    others = 0
    for other in range(SEATS):
        others += s.points[other] if other != seat else 0
    return others == 0


@compiled
def least_total(s: Any, seat: int, depth: int, deal_ends: bool) -> Any:
    """The best score with the points of this deal that a seat can come to."""
    taken = s.points[seat]
    if is_taken_by(s, seat, depth):
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
def greatest_total(s: Any, seat: int, depth: int, falls: int, later: int, deal_ends: bool) -> Any:
    """The worst score with the points of this deal that a seat can come to.

    `falls` are the most points that fall, `later` the most behind the trick on the table.
    """
    taken = s.points[seat]
    if s.count & 3 == 0:
        taken += falls
    elif may_take(s, seat, depth):
        taken += falls + penalty(s.pile)
    else:
        taken += later
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
    first = min(depth, SEATS - (s.count & 3))
    falls = most_to_fall(s, first, depth - first)
    later = most_to_fall(s, 0, depth - first)
    most, lowest = 0, 1 << 30
    for seat in range(SEATS):
        worst = greatest_total(s, seat, depth, falls, later, deal_ends)
        most = max(most, worst)
        lowest = min(lowest, worst)
        low[seat] = standing(float(worst), parameters)
        high[seat] = standing(float(least_total(s, seat, depth, deal_ends)), parameters)
    game_ends = deal_ends and (s.variant & SINGLE != 0 or most >= s.limit)
    if game_ends or (s.variant & TRICK_ENDS and most >= s.limit):
        for seat in range(SEATS):
            # Of a finished game only the winners have the greatest value.
            low[seat] = min(low[seat], standing(parameters[0] + 1.0, parameters))
            if least_total(s, seat, depth, deal_ends) <= lowest:
                high[seat] = 100.0
    elif not deal_ends and s.variant & JACK == 0:
        narrow_total(s, falls, parameters, low, high)


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
