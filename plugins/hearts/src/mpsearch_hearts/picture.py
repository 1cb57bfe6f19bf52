"""The table as lines of text: plain ASCII, or symbols in colour."""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import CHANCE, OVER
from mpsearch.gamekit import painted
from mpsearch_hearts.cards import HAND, HEARTS, SEATS
from mpsearch_hearts.rules import taken_points
from mpsearch_hearts.state import PASSED, PASSING_STARTS
from mpsearch_hearts.text import RANK_NAMES, SUIT_SYMBOLS, cards_in, rank_of, suit_of, write_card

_COLOURS = ("green", "blue", "white", "red")
_DIRECTIONS = ("to nobody", "to the left", "across", "to the right")
_SUITS = range(HEARTS + 1)


def draw_table(s: Any, *, seat: int | None, legal: int, colour: bool) -> str:
    """Scores, the trick and the hand of `seat`; every hand where `seat` is None.

    Legal cards are marked: with `*` in plain text, bold in colour.
    """
    lines = [f"{headline(s, you=seat)}; score + deal points", *_passed(s, seat, colour=colour)]
    for owner in range(SEATS):
        lines.append(_seat_line(s, owner, seat=seat, colour=colour))
        if seat is None or owner == seat:
            lines.append("      " + _hand(s, owner, legal=legal, colour=colour))
    return "\n".join(lines)


def headline(s: Any, you: int | None = None) -> str:
    """The stage of the tournament, for a seat or for everybody."""
    number = int(s.deals) + 1
    if s.mover == OVER:
        return f"the game is over after {int(s.deals)} {'deal' if s.deals == 1 else 'deals'}"
    if s.mover == CHANCE:
        return f"deal {number} is about to begin"
    if s.count < 0:
        left = PASSED - (int(s.count) - PASSING_STARTS) % PASSED
        where = _DIRECTIONS[int(s.direction)]
        chooses = "you choose" if s.mover == you else f"seat {int(s.mover)} chooses"
        return f"deal {number}: passing {where}, {chooses} {left} more"
    line = f"deal {number}, trick {min(int(s.count) // SEATS + 1, HAND)} of {HAND}"
    if s.count == 0 or s.count % SEATS:
        return line
    taker = "you" if s.winner == you else f"seat {int(s.winner)}"
    return f"{line}; {taker} took the last one"


def stage(s: Any) -> str:
    """Which trick of which deal this is, or that cards are passed."""
    deal = f"deal {int(s.deals) + 1}"
    if s.mover < 0:
        return deal
    return f"{deal}, " + ("passing" if s.count < 0 else f"trick {int(s.count) // SEATS + 1}")


def _passed(s: Any, seat: int | None, *, colour: bool) -> list[str]:
    """What `seat` passed and received, until the first trick is taken."""
    if seat is None or not s.direction or not 0 <= s.count < SEATS:
        return []
    giver, taker = (seat - int(s.direction)) % SEATS, (seat + int(s.direction)) % SEATS
    gave, got = (
        " ".join(_card(card, colour=colour) for card in cards_in(int(s.passed[owner])))
        for owner in (seat, giver)
    )
    return [f"  you gave {gave} to seat {taker} and got {got} from seat {giver}"]


def _seat_line(s: Any, owner: int, *, seat: int | None, colour: bool) -> str:
    table = cards_in(int(s.pile & s.played[owner]))
    mark = ">" if owner == s.mover else " "
    name = "you   " if owner == seat else f"seat {owner}"
    # An unfinished trick belongs to nobody yet.
    line = f"{mark} {name} {int(s.scores[owner]):4} +{int(taken_points(s, owner)):3}  "
    played = " ".join(_card(card, colour=colour) for card in table) or "-"
    voids = "".join(_suit(suit, colour=colour) for suit in _SUITS if is_void(s, owner, suit))
    return f"{line} table {played}" + (f"   has no {voids}" if voids else "")


def is_void(s: Any, owner: int, suit: int) -> bool:
    """Whether a seat is publicly known to be void in a suit."""
    lane = (1 << HAND) - 1
    return int(s.cannot[owner]) >> (16 * suit) & lane == lane


def _hand(s: Any, owner: int, *, legal: int, colour: bool) -> str:
    """The hand sorted by suit; while passing, chosen cards in brackets."""
    mine = legal if owner == s.mover else 0
    chosen = int(s.passed[owner]) if s.count < 0 else 0
    suits = []
    for suit in _SUITS:
        cards = [card for card in cards_in(int(s.hands[owner])) if suit_of(card) == suit]
        texts = [_in_hand(card, legal=mine, chosen=chosen, colour=colour) for card in cards]
        if texts:
            suits.append(" ".join(texts))
    return "   ".join(suits) or "no cards"


def _in_hand(card: int, *, legal: int, chosen: int, colour: bool) -> str:
    text = _card(card, colour=colour)
    if chosen >> card & 1:
        return f"({text})"
    if not legal >> card & 1:
        return painted(text, "dim", colour=colour and legal != 0)
    return painted(text, "bold underline") if colour else f"{text}*"


def _card(card: int, *, colour: bool) -> str:
    if not colour:
        return write_card(card)
    suit = suit_of(card)
    rank = RANK_NAMES[rank_of(card)].upper()
    return painted(rank + SUIT_SYMBOLS[suit], _COLOURS[suit])


def _suit(suit: int, *, colour: bool) -> str:
    return SUIT_SYMBOLS[suit] if colour else "cdsh"[suit]
