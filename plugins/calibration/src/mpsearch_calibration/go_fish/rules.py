"""The rules of Go Fish, compiled: asking, drawing, books, and what all have seen."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import CHANCE, OVER, Rules, compiled
from mpsearch_calibration.go_fish.state import (
    ASKED,
    BOOK,
    CARDS,
    DRAWN,
    MOST_RANKS,
    MOST_SEATS,
    RANK,
    SEAT,
    SINCE,
    STATE,
    UNTIL,
)


@compiled
def mover(s: Any) -> int:
    if s.dealt == 0:
        return CHANCE
    if s.asks_left == 0 or s.made == s.ranks:
        return OVER
    return CHANCE if s.draws else int(s.seat)


@compiled
def moves(s: Any, out: Any) -> int:
    """A question to every other seat that has cards, for every rank that may be asked for."""
    count = 0
    for seat in range(s.players):
        if seat == s.seat or s.sizes[seat] == 0:
            continue
        for rank in range(s.ranks):
            if s.hands[s.seat, rank] > 0 if s.strict else s.gone[rank] == 0:
                out[count] = seat * MOST_RANKS + rank
                count += 1
    return count


@compiled
def play(s: Any, move: int) -> None:
    if move >= DRAWN:
        draw_card(s, move - DRAWN)
    else:
        ask(s, move // MOST_RANKS, move % MOST_RANKS)


@compiled
def draw_card(s: Any, rank: int) -> None:
    me = s.seat
    s.stock[rank] -= 1
    s.rest -= 1
    s.hands[me, rank] += 1
    s.sizes[me] += 1
    if s.hands[me, rank] == BOOK:
        # All see which card it was.
        s.known[me, rank] += 1
        lay_down(s, me, rank)
    else:
        s.taken[me] += 1
    begin_turn(s, (me + 1) % s.players if s.passes else me)


@compiled
def ask(s: Any, other: int, rank: int) -> None:
    me = s.seat
    given = s.hands[other, rank]
    s.asks_left -= 1
    if s.strict and s.known[me, rank] == 0 and s.asked[me, rank] == 0:
        s.asked[me, rank] = s.taken[me]
    part(s, other, rank)
    if given > 0:
        s.hands[me, rank] += given
        s.sizes[me] += given
        s.known[me, rank] += given
        if s.hands[me, rank] == BOOK:
            lay_down(s, me, rank)
        begin_turn(s, me)
    elif s.rest > 0:
        s.draws = 1
        s.passes = 1
    else:
        begin_turn(s, (me + 1) % s.players)


@compiled
def lay_down(s: Any, seat: int, rank: int) -> None:
    """Lay down a book."""
    part(s, seat, rank)
    s.books[seat] += 1
    s.gone[rank] = 1
    s.made += 1


@compiled
def part(s: Any, seat: int, rank: int) -> None:
    """A seat parts with all its cards of a rank, and everybody sees how many they are."""
    unseen = s.hands[seat, rank] - s.known[seat, rank]
    if unseen > 0:
        entry = s.parted[s.partings]
        entry[SEAT] = seat
        entry[RANK] = rank
        entry[SINCE] = s.since[seat, rank]
        entry[ASKED] = s.asked[seat, rank]
        entry[UNTIL] = s.taken[seat]
        entry[CARDS] = unseen
        s.partings += 1
    s.sizes[seat] -= s.hands[seat, rank]
    s.hands[seat, rank] = 0
    s.known[seat, rank] = 0
    s.asked[seat, rank] = 0
    s.since[seat, rank] = s.taken[seat]


@compiled
def begin_turn(s: Any, seat: int) -> None:
    """The turn of `seat`, or of the next who has cards or may draw one."""
    held = 0
    for who in range(s.players):
        held += s.sizes[who]
    s.draws = 0
    s.passes = 0
    for step in range(s.players):
        who = (seat + step) % s.players
        if 0 < s.sizes[who] < held:
            s.seat = who
            return
        if s.rest > 0:
            s.seat = who
            s.draws = 1
            s.passes = 1 if s.sizes[who] > 0 else 0
            return
    s.seat = seat


@compiled
def payoff(s: Any, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = s.books[seat]


RULES = Rules(
    state=STATE,
    mover=mover,
    moves=moves,
    play=play,
    payoff=payoff,
    most_moves=(MOST_SEATS - 1) * MOST_RANKS,
)
