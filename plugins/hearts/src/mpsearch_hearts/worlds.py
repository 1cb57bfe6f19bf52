"""Worlds by rank: every deal of the unseen cards has a number; uniform numbers give uniform worlds.

The unseen cards fall into groups by who may hold them. For each way of splitting the groups
between the three other seats the number of deals is a product of binomials; their sum is the
number of worlds (at most 39! / 13!^3 < 2**57, so it is exact). A number below that sum is turned
into its deal, without rejection.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from mpsearch.contracts import compiled
from mpsearch.gamekit import below, go_on, native_luck, population, record_array, stream_of
from mpsearch_hearts.cards import DECK, HAND, SEATS, TWO_OF_CLUBS
from mpsearch_hearts.state import PASSED, PASSING_STARTS, STATE

UNSEEN_MOST = HAND * (SEATS - 1)
#: CHOOSE[n, k]: ways to choose k of n cards.
CHOOSE = np.array(
    [[math.comb(n, k) for k in range(HAND + 1)] for n in range(UNSEEN_MOST + 1)], dtype=np.int64
)


@compiled
def allowed_cards(s: Any, seat: int, out: Any) -> None:
    """The cards that each of the three other seats may hold, as far as `seat` knows."""
    unseen = DECK & ~(s.hands[seat] | s.played[0] | s.played[1] | s.played[2] | s.played[3])
    for k in range(3):
        out[k] = unseen & ~s.cannot[(seat + 1 + k) & 3]
    if s.count < 0:
        return
    for k in range(3):
        other = (seat + 1 + k) & 3
        sure = 0
        if s.direction != 0 and other == (seat + s.direction) & 3:
            sure = s.passed[seat] & unseen
        if s.count == 0 and other == s.mover:
            sure |= 1 << TWO_OF_CLUBS
        for j in range(3):
            if j != k:
                out[j] &= ~sure


@compiled
def ways(groups: Any, need: Any, a: int, b: int, c: int) -> Any:
    """Deals in which `a` of the cards for 0 or 1 go to 0, `b` of 0 or 2 to 0, `c` of 1 or 2 to 1.

    `groups`: how many cards only 0 and 1, 0 and 2, 1 and 2, and all three may hold.
    """
    first = need[0] - a - b
    second = need[1] - (groups[0] - a) - c
    third = need[2] - (groups[1] - b) - (groups[2] - c)
    if first < 0 or second < 0 or third < 0:
        return 0
    some = CHOOSE[groups[0], a] * CHOOSE[groups[1], b] * CHOOSE[groups[2], c]
    return some * CHOOSE[groups[3], first] * CHOOSE[groups[3] - first, second]


@compiled
def group_cards(s: Any, seat: int, sets: Any, groups: Any, need: Any) -> None:
    """The four groups as sets of cards and sizes, and how many of them each seat needs.

    sets[4:7] are the cards that only seat 0, 1 or 2 of the others may hold.
    """
    may = np.empty(3, np.int64)
    allowed_cards(s, seat, may)
    sets[0] = may[0] & may[1] & ~may[2]
    sets[1] = may[0] & may[2] & ~may[1]
    sets[2] = may[1] & may[2] & ~may[0]
    sets[3] = may[0] & may[1] & may[2]
    sets[4] = may[0] & ~may[1] & ~may[2]
    sets[5] = may[1] & ~may[0] & ~may[2]
    sets[6] = may[2] & ~may[0] & ~may[1]
    for k in range(4):
        groups[k] = population(sets[k])
    for k in range(3):
        need[k] = HAND - population(s.played[(seat + 1 + k) & 3]) - population(sets[4 + k])


@compiled
def count_worlds(s: Any, seat: int) -> int:
    """The number of deals of the unseen cards that agree with what `seat` knows."""
    sets, groups, need = np.empty(7, np.int64), np.empty(4, np.int64), np.empty(3, np.int64)
    group_cards(s, seat, sets, groups, need)
    total = 0
    for a in range(min(groups[0], need[0]) + 1):
        for b in range(min(groups[1], need[0] - a) + 1):
            for c in range(min(groups[2], need[1]) + 1):
                total += ways(groups, need, a, b, c)
    return total


@compiled
def choose(cards: Any, size: int, rank: int) -> int:
    """Subset number `rank` among those with `size` cards."""
    chosen = 0
    left = population(cards)
    while size > 0:
        card = cards & -cards
        cards &= cards - 1
        left -= 1
        with_it = CHOOSE[left, size - 1]
        if rank < with_it:
            chosen |= card
            size -= 1
        else:
            rank -= with_it
    return chosen


@compiled
def fill_world(s: Any, seat: int, rank: int) -> None:
    """Give the other seats the hands of world number `rank`."""
    sets, groups, need = np.empty(7, np.int64), np.empty(4, np.int64), np.empty(3, np.int64)
    group_cards(s, seat, sets, groups, need)
    for a in range(min(groups[0], need[0]) + 1):
        for b in range(min(groups[1], need[0] - a) + 1):
            for c in range(min(groups[2], need[1]) + 1):
                here = ways(groups, need, a, b, c)
                if rank < here:
                    split(s, seat, sets, groups, need, a, b, c, rank)
                    return
                rank -= here


@compiled
def split(
    s: Any, seat: int, sets: Any, groups: Any, need: Any, a: int, b: int, c: int, rank: int
) -> None:
    """Hands in which the groups are divided as `a`, `b`, `c` say; `rank` is below `ways`."""
    first = need[0] - a - b
    second = need[1] - (groups[0] - a) - c
    x = choose(sets[0], a, rank % CHOOSE[groups[0], a])
    rank //= CHOOSE[groups[0], a]
    y = choose(sets[1], b, rank % CHOOSE[groups[1], b])
    rank //= CHOOSE[groups[1], b]
    z = choose(sets[2], c, rank % CHOOSE[groups[2], c])
    rank //= CHOOSE[groups[2], c]
    u = choose(sets[3], first, rank % CHOOSE[groups[3], first])
    rank //= CHOOSE[groups[3], first]
    v = choose(sets[3] & ~u, second, rank)
    s.hands[(seat + 1) & 3] = sets[4] | x | y | u
    s.hands[(seat + 2) & 3] = sets[5] | (sets[0] & ~x) | z | v
    s.hands[(seat + 3) & 3] = sets[6] | (sets[1] & ~y) | (sets[2] & ~z) | (sets[3] & ~u & ~v)


@compiled
def passed_by(s: Any, seat: int) -> int:
    """The number of cards a seat has chosen to pass so far, which is public."""
    if s.direction == 0:
        return 0
    return PASSED if s.count >= 0 else min(max(s.count - PASSING_STARTS - PASSED * seat, 0), PASSED)


@compiled
def count_passes(s: Any, seat: int) -> int:
    """The number of choices of passed cards that `seat` does not know."""
    total = 1
    for giver in range(SEATS):
        if hides_pass(s, seat, giver):
            total *= CHOOSE[HAND, passed_by(s, giver)]
    return total


@compiled
def hides_pass(s: Any, seat: int, giver: int) -> bool:
    """Whether `seat` does not know what `giver` passed."""
    received = s.count >= 0 and (giver + s.direction) & 3 == seat
    return giver != seat and not received


@compiled
def hide(s: Any, seat: int) -> None:
    """Clear what `seat` does not know: the others' hands, and the cards they passed unseen."""
    for other in range(SEATS):
        if other != seat:
            s.hands[other] = 0
        if hides_pass(s, seat, other):
            s.passed[other] = 0


@compiled
def fill_passes(s: Any, seat: int, rank: int) -> None:
    """Passed cards number `rank`, once the hands are filled in.

    Every deal has equally many histories of passing, so this does not disturb the deals.
    """
    for giver in range(SEATS):
        if hides_pass(s, seat, giver):
            size = passed_by(s, giver)
            holder = giver if s.count < 0 else (giver + s.direction) & 3
            options = CHOOSE[HAND, size]
            s.passed[giver] = choose(s.hands[holder] | s.played[holder], size, rank % options)
            rank //= options


@compiled
def count_all(known: Any, seat: int, out: Any) -> None:
    """How many deals, and ways of passing, agree with the view in known[0]; 0 between deals."""
    s = known[0]
    out[0] = count_worlds(s, seat) if s.mover >= 0 else 0
    out[1] = count_passes(s, seat)


@compiled
def fill_all(known: Any, seat: int, deal: int, passes: int) -> None:
    """Make known[0] the world of these numbers."""
    s = known[0]
    fill_world(s, seat, deal)
    fill_passes(s, seat, passes)


@compiled
def world(s: Any, seat: int, stream: Any) -> None:
    """As `draw_world`, for policies: turn the view `s` of `seat` into a world."""
    deal = below(stream, count_worlds(s, seat))
    fill_world(s, seat, deal)
    fill_passes(s, seat, below(stream, count_passes(s, seat)))


@compiled
def worlds_alike(worlds: Any, seat: int, stream: Any) -> None:
    """Turn each of the records, all the same view of `seat`, into a world."""
    deals, passes = count_worlds(worlds[0], seat), count_passes(worlds[0], seat)
    for k in range(len(worlds)):
        fill_world(worlds[k], seat, below(stream, deals))
        fill_passes(worlds[k], seat, below(stream, passes))


@functools.lru_cache(maxsize=64)
def _counts(known: bytes, seat: int) -> tuple[int, int]:
    # Counted once, because an agent draws many worlds from one view.
    out = np.empty(2, np.int64)
    count_all(record_array(known, STATE), seat, out)
    return int(out[0]), int(out[1])


def draw_world(known: bytes, seat: int, rng: np.random.Generator) -> bytes:
    """A world of the view of `seat`, uniformly at random."""
    deals, passes = _counts(known, seat)
    if deals == 0:
        return known
    world = record_array(known, STATE)
    fill_all(world, seat, rng.integers(deals), rng.integers(passes))
    content: bytes = world.tobytes()
    return content


def draw_worlds(known: bytes, seat: int, count: int, rng: np.random.Generator) -> list[bytes]:
    """The same worlds as repeated `draw_world`, in one native call if possible."""
    if not native_luck(rng) or _counts(known, seat)[0] == 0:
        return [draw_world(known, seat, rng) for _ in range(count)]
    worlds = record_array(known * count, STATE)
    stream = stream_of(rng)
    worlds_alike(worlds, seat, stream)
    go_on(rng, stream)
    content, size = worlds.tobytes(), STATE.itemsize
    return [content[at : at + size] for at in range(0, len(content), size)]
