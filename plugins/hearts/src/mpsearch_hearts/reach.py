"""Bounds on `points` within a few plies, which let a search prune most of a deal.

A seat keeps the points it has taken and can, at worst, take all that lie on the table and all
that can fall. What can fall follows from the hands: so many cards each, and in the trick on the
table a seat that can follow suit must.

A trick that the depth breaks off counts for who is taking it. Who leads it takes what those can
add that play to it. Who does not lead it has not taken the trick before it, and so takes the cards
of no more tricks than are complete.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import compiled
from mpsearch.gamekit import population
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
    """The most points of any `cards` cards of a hand."""
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
def most_to_fall(s: Any, first: int, rounds: int) -> Any:
    """The most points of the next `first` cards, all of one trick, and `rounds` tricks behind it.

    And what one card more of each seat can add to them, in one number with a lane per seat.
    """
    falls = 0
    adds = 0
    for k in range(SEATS):
        # Seats in the order of play from the mover on; those behind `first` have played.
        seat = (s.mover + k) & 3
        hand = s.hands[seat]
        now = dearest_to_trick(s, seat) if k < first else -1
        points = dearest_behind(hand, now, rounds)
        falls += points
        adds |= (dearest_behind(hand, now, rounds + 1) - points) << LANE * seat
    return falls, adds


@compiled
def most_in_trick(adds: int, leader: int, cards: int) -> Any:
    """The most points of so many cards from a leader on, by what each seat can add."""
    most = 0
    for k in range(cards):
        most += adds >> LANE * ((leader + k) & 3) & RANKS
    return most


@compiled
def most_led_by(leaders: int, adds: int, seat: int, cards: int) -> Any:
    """The same of a trick that a seat can be taking and that one of a set of others leads."""
    most = 0
    for back in range(1, cards):
        leader = (seat - back) & 3
        if leaders >> leader & 1:
            most = max(most, most_in_trick(adds, leader, cards))
    return most


@compiled
def takers(s: Any, first: int) -> Any:
    """The seats that can be taking the trick on the table after `first` cards more, as a set."""
    above = (RANKS << ((s.best >> SUIT_SHIFT) * LANE)) & (-2 << s.best)
    found = 1 << s.winner
    for k in range(first):
        seat = (s.mover + k) & 3
        if s.hands[seat] & above:
            found |= 1 << seat
    return found


@compiled
def may_shoot(s: Any, seat: int) -> Any:
    """Whether nobody else has taken a point in this deal."""
    others = 0
    for other in range(SEATS):
        others += s.points[other] if other != seat else 0
    return others == 0


@compiled
def least_total(s: Any, seat: int, surely: int, deal_ends: bool) -> Any:
    """The best score with the points of this deal that a seat can come to.

    `surely` are the points that it is taking for certain.
    """
    taken = s.points[seat] + surely
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
def greatest_total(s: Any, seat: int, takes: int, deal_ends: bool) -> Any:
    """The worst score with the points of this deal that a seat can come to.

    `takes` are the most points that it can still take.
    """
    taken = s.points[seat] + takes
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
    cards = min(depth, SEATS * HAND - s.count)
    deal_ends = cards == SEATS * HAND - s.count
    # The trick on the table, whole tricks, and the cards of one that is broken off. Whoever can
    # take the first one can lead the next; where there is none, the mover leads.
    first, pile, leaders = 0, 0, 1 << s.mover
    if s.count & 3:
        first = min(cards, SEATS - (s.count & 3))
        pile = penalty(s.pile)
        leaders = takers(s, first)
    rounds = (cards - first) // SEATS
    extra = (cards - first) % SEATS
    later, later_adds = most_to_fall(s, 0, rounds)
    falls, adds = later, later_adds
    if first > 0:
        falls, adds = most_to_fall(s, first, rounds)
    most, lowest = 0, 1 << 30
    for seat in range(SEATS):
        me = 1 << seat
        takes = 0
        if leaders & me:
            takes = pile + falls + most_in_trick(adds, seat, extra)
        elif rounds:
            takes = later + most_in_trick(later_adds, seat, extra)
        if not rounds:
            takes = max(takes, most_led_by(leaders & ~me, later_adds, seat, extra))
        worst = greatest_total(s, seat, takes, deal_ends)
        most = max(most, worst)
        lowest = min(lowest, worst)
        low[seat] = standing(float(worst), parameters)
        best = least_total(s, seat, pile if leaders == me else 0, deal_ends)
        high[seat] = standing(float(best), parameters)
    game_ends = deal_ends and (s.variant & SINGLE != 0 or most >= s.limit)
    if game_ends or (s.variant & TRICK_ENDS and most >= s.limit):
        for seat in range(SEATS):
            # Of a finished game only the winners have the greatest value.
            low[seat] = min(low[seat], standing(parameters[0] + 1.0, parameters))
            if least_total(s, seat, pile if leaders == 1 << seat else 0, deal_ends) <= lowest:
                high[seat] = 100.0
    elif not deal_ends and s.variant & JACK == 0:
        shared = 0
        for leader in range(SEATS):
            if rounds or leaders >> leader & 1:
                shared = max(shared, most_in_trick(adds, leader, extra))
        narrow_total(s, falls + shared, parameters, low, high)


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
