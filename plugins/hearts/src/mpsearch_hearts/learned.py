"""Features of a deal for learned evaluators, and the shipped ones.

Seats count from the one that looks, so that one network serves all. It learns from single deals
what each seat's points will be, less the mean; in a tournament these are added to the scores, and
the chance to win follows as in `chance`.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

import numpy as np

from mpsearch.contracts import Bounds, CompiledEvaluator, Evaluator, Features, compiled
from mpsearch.gamekit import learned_evaluator, logit_of, population, read_network, share_out
from mpsearch_hearts.cards import (
    DEAL_POINTS,
    HAND,
    LANE,
    QUEEN_BIT,
    QUEEN_OF_SPADES,
    QUEEN_POINTS,
    RANKS,
    SEATS,
    SPADES,
    SUIT_SHIFT,
)
from mpsearch_hearts.control import (
    COST,
    FINDINGS,
    HANDS,
    NOBODY,
    SUITS,
    TAKER,
    TAKERS,
    TRICKS,
    survey,
)
from mpsearch_hearts.options import CHANCE_WEIGHTS
from mpsearch_hearts.points import write_chances
from mpsearch_hearts.rules import penalty

#: More cards of others above or below a card, of a suit, or beside the queen, are seen as these.
MOST_APART = 7
MOST_HELD = 6
#: Another's suit is seen if it is no longer than this.
SHORT = 2
MOST_GUARDS = 5
MOST_DUCKS = 3
#: Hands are of up to 16 cards while some have passed and others have not.
LARGEST_HAND = 16
#: Steps of points for who alone has taken any.
MOON_STEPS = 5

# Where the inputs begin: own cards by suit and by how many cards of the others are above, and
# below; how many of each suit one holds; short suits of the others; where the queen of spades is,
# and what guards it.
ABOVE = 0
BELOW = ABOVE + SUITS * (MOST_APART + 1)
HELD = BELOW + SUITS * (MOST_APART + 1)
SHORT_SUITS = HELD + SUITS * (MOST_HELD + 1)
QUEEN = SHORT_SUITS + (SEATS - 1) * SUITS * (SHORT + 1)
GUARDS = QUEEN + SEATS + 2
# Points of the seats, and points on the table by who is taking them; who alone has points and how
# many, or nobody, or several; how many points are still to come.
POINTS = GUARDS + MOST_GUARDS + 1
TABLE = POINTS + SEATS
MOON = TABLE + SEATS
NO_POINTS = MOON + SEATS * MOON_STEPS
PARTED = NO_POINTS + 1
TO_COME = PARTED + 1
# Whose turn it is by the cards on the table, or while passing; the suit that was led, before and
# after one's own card; cards with which one can stay below; how many cards one holds.
TURN = TO_COME + 1
PASSING = TURN + SEATS * 4
LED = PASSING + SEATS
DUCKS = LED + 2 * SUITS
CARDS = DUCKS + MOST_DUCKS + 2
# Suits by who takes a trick to which all play their lowest; sure tricks of those on lead, whether
# these are all that is left, and so the moon; who will take the trick on the table or the next one,
# what it will cost, and the queen in it.
DUCKED = CARDS + LARGEST_HAND + 1
SURE = DUCKED + SUITS * SEATS
SURE_ALL = SURE + SEATS
SURE_MOON = SURE_ALL + SEATS
TAKES = SURE_MOON + SEATS
TAKES_POINTS = TAKES + SEATS
TAKES_QUEEN = TAKES_POINTS + SEATS
INPUTS = TAKES_QUEEN + SEATS
#: Own cards twice, suits twice, others' suits, seats five times, and one each of the others.
MOST = 2 * LARGEST_HAND + 2 * SUITS + (SEATS - 1) * SUITS + 2 + 5 * SEATS + 11


@compiled
def put(out: Any, count: int, number: int, value: float) -> Any:
    """Write an input; the new number of inputs."""
    out[count, 0] = number
    out[count, 1] = value
    return count + 1


@compiled
def put_suit(own: Any, others: Any, suit: int, out: Any, count: int) -> Any:
    """The cards of one suit by what is above and below each. Equal ones are next to each other."""
    base = suit * (MOST_APART + 1)
    rivals = population(others)
    last_above, last_below = -1, -1
    above_at, below_at = count, count
    left = own
    while left:
        card = left & -left
        left ^= card
        lower = population(others & (card - 1))
        below = min(lower, MOST_APART)
        above = min(rivals - lower, MOST_APART)
        if below == last_below:
            out[below_at, 1] += 1.0
        else:
            below_at, last_below = count, below
            count = put(out, count, BELOW + base + below, 1.0)
        if above == last_above:
            out[above_at, 1] += 1.0
        else:
            above_at, last_above = count, above
            count = put(out, count, ABOVE + base + above, 1.0)
    return count


@compiled
def put_hands(s: Any, found: Any, seat: int, out: Any, count: int) -> Any:
    """One's own cards beside those of the others, and how long everybody's suits are."""
    hand, left = found[HANDS + seat], found[HANDS + (seat + 1 & 3)]
    across, right = found[HANDS + (seat + 2 & 3)], found[HANDS + (seat + 3 & 3)]
    others = left | across | right
    for suit in range(SUITS):
        lane = RANKS << (suit * LANE)
        own = hand & lane
        length = min(population(own), MOST_HELD)
        count = put(out, count, HELD + suit * (MOST_HELD + 1) + length, 1.0)
        if others & lane == 0:
            continue
        count = put_suit(own, others & lane, suit, out, count)
        for k in range(SEATS - 1):
            other = left if k == 0 else (across if k == 1 else right)
            theirs = population(other & lane)
            if theirs <= SHORT:
                number = SHORT_SUITS + (k * SUITS + suit) * (SHORT + 1) + theirs
                count = put(out, count, number, 1.0)
    if hand & QUEEN_BIT:
        spades = population(hand & (RANKS << (SPADES * LANE))) - 1
        count = put(out, count, GUARDS + min(spades, MOST_GUARDS), 1.0)
        place = 0
    elif left & QUEEN_BIT:
        place = 1
    elif across & QUEEN_BIT:
        place = 2
    elif right & QUEEN_BIT:
        place = 3
    else:
        on_table = s.count & 3 != 0 and s.pile >> QUEEN_OF_SPADES & 1
        place = SEATS if on_table else SEATS + 1
    count = put(out, count, QUEEN + place, 1.0)
    held = penalty(hand | others)
    if held:
        count = put(out, count, TO_COME, held / DEAL_POINTS)
    return put(out, count, CARDS + population(hand), 1.0)


@compiled
def put_points(s: Any, seat: int, out: Any, count: int) -> Any:
    """Points taken, and who could still take all of them."""
    takers, only = 0, 0
    for k in range(SEATS):
        points = s.points[(seat + k) & 3]
        if points:
            count = put(out, count, POINTS + k, points / DEAL_POINTS)
            takers += 1
            only = k
    if takers == 0:
        return put(out, count, NO_POINTS, 1.0)
    if takers > 1:
        return put(out, count, PARTED, 1.0)
    step = min((s.points[(seat + only) & 3] - 1) // 6, MOON_STEPS - 1)
    return put(out, count, MOON + only * MOON_STEPS + step, 1.0)


@compiled
def put_trick(s: Any, seat: int, out: Any, count: int) -> Any:
    """Whose turn it is, and what lies on the table."""
    turn = (s.mover - seat) & 3
    if s.count < 0:
        return put(out, count, PASSING + turn, 1.0)
    laid = s.count & 3
    count = put(out, count, TURN + 4 * turn + laid, 1.0)
    if laid == 0:
        return count
    taker = (s.winner - seat) & 3
    cost = penalty(s.pile)
    if cost:
        count = put(out, count, TABLE + taker, cost / DEAL_POINTS)
    suit = s.best >> SUIT_SHIFT
    # The seats from the mover to the one before who led have yet to play.
    waits = (seat - s.mover) & 3 < SEATS - laid
    count = put(out, count, LED + (SUITS if waits else 0) + suit, 1.0)
    if waits:
        follows = s.hands[seat] & (RANKS << (suit * LANE))
        below = population(follows & ((1 << s.best) - 1))
        number = min(below, MOST_DUCKS) if follows else MOST_DUCKS + 1
        count = put(out, count, DUCKS + number, 1.0)
    return count


@compiled
def put_control(s: Any, found: Any, seat: int, out: Any, count: int) -> Any:
    """Who is sure to take tricks, and who has to take them."""
    for suit in range(SUITS):
        taker = found[TAKERS + suit]
        if taker != NOBODY:
            count = put(out, count, DUCKED + suit * SEATS + ((taker - seat) & 3), 1.0)
    points = s.points[0] + s.points[1] + s.points[2] + s.points[3]
    for k in range(SEATS):
        other = (seat + k) & 3
        sure = found[TRICKS + other]
        if sure:
            count = put(out, count, SURE + k, sure / HAND)
            if sure == population(found[HANDS + other]):
                count = put(out, count, SURE_ALL + k, 1.0)
                if s.points[other] == points:
                    count = put(out, count, SURE_MOON + k, 1.0)
    if found[TAKER] == NOBODY:
        return count
    taker = (found[TAKER] - seat) & 3
    count = put(out, count, TAKES + taker, 1.0)
    if found[COST]:
        count = put(out, count, TAKES_POINTS + taker, found[COST] / DEAL_POINTS)
        if found[COST] >= QUEEN_POINTS:
            count = put(out, count, TAKES_QUEEN + taker, 1.0)
    return count


@compiled
def look_with(s: Any, found: Any, seat: int, out: Any) -> Any:
    """The deal as a seat sees it, with what `survey` found."""
    count = put_hands(s, found, seat, out, 0)
    count = put_points(s, seat, out, count)
    count = put_trick(s, seat, out, count)
    return put_control(s, found, seat, out, count)


@compiled
def look(s: Any, seat: int, out: Any) -> Any:
    """The deal as a seat sees it; nothing between deals."""
    if s.mover < 0:
        return 0
    found = np.empty(FINDINGS, np.int64)
    survey(s, found)
    return look_with(s, found, seat, out)


@compiled
def look_all(s: Any, out: Any, counts: Any) -> None:
    """The deal as each seat sees it."""
    found = np.empty(FINDINGS, np.int64)
    if s.mover >= 0:
        survey(s, found)
    for seat in range(SEATS):
        counts[seat] = look_with(s, found, seat, out[seat]) if s.mover >= 0 else 0


FEATURES = Features(write=look, write_all=look_all, inputs=INPUTS, most=MOST)
#: Parameters behind those of the network: the weights of `write_chances`.
HEATS = len(CHANCE_WEIGHTS)


@compiled
def put_deal(s: Any, parameters: Any, out: Any) -> None:
    """Expected points of each seat in this deal minus their mean. Shape of out: (4,)."""
    seen = np.empty((SEATS, MOST, 2))
    sums = np.empty(int(parameters[0]) + 1)
    look_all(s, seen, out)
    for seat in range(SEATS):
        out[seat] = logit_of(seen[seat], int(out[seat]), parameters, sums)
    share_out(out, SEATS)
    for seat in range(SEATS):
        out[seat] = (1.0 / SEATS - out[seat] / 100.0) * (SEATS - 1) * parameters[1]


@compiled
def tournament(s: Any, parameters: Any, out: Any) -> None:
    """Chances of winning the tournament from the scores and expected points of this deal."""
    mean = 0.0
    for seat in range(SEATS):
        out[seat] = 0.0
    if s.mover >= 0:
        put_deal(s, parameters, out)
        mean = DEAL_POINTS / SEATS
    for seat in range(SEATS):
        out[seat] += mean + s.scores[seat]
    write_chances(s, parameters, len(parameters) - HEATS, out)


def make_learned(game: Any) -> Evaluator:
    """The evaluator with the weights for these rules."""
    folder = resources.files("mpsearch_hearts") / "weights"
    network = read_network(folder / f"{game.preset}.npz")
    deal = learned_evaluator(game, network)  # which notices weights for other inputs
    if game.variant.single == "yes":
        return deal
    made = CompiledEvaluator(
        game,
        tournament,
        bounds=Bounds(total=(100, 100)),
        parameters=[*network.parameters.tolist(), *CHANCE_WEIGHTS.values()],
    )
    made.decisive = False  # several winners share the 100
    return made
