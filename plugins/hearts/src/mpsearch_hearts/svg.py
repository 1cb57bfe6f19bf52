"""The table as an SVG document: cards, the trick in the middle, the viewer at the bottom."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from mpsearch.gamekit import population, svg_text
from mpsearch_hearts.cards import (
    ALL_HEARTS,
    HAND,
    HEARTS,
    JACK_OF_DIAMONDS,
    JACK_POINTS,
    QUEEN_OF_SPADES,
    SEATS,
)
from mpsearch_hearts.picture import headline, is_void
from mpsearch_hearts.state import JACK
from mpsearch_hearts.text import (
    RANK_NAMES,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    cards_in,
    rank_of,
    suit_of,
    write_card,
)

_WIDTH, _HEIGHT = 600, 560
#: Cards of the hand at the bottom and of the trick, and those of the other hands.
_CARD = (58, 84)
_SMALL = (36, 52)
#: How much higher a card lies that may be played, and one that is passed.
_LIFT, _RAISED = 14, 20
#: From one card to the next: at the bottom, in the row on top, in the columns at the sides; the
#: last two for hands that are open and for such as lie face down.
_STEP = 41
_ROW_STEP = {True: 38, False: 14}
_COLUMN_STEP = {True: 22, False: 14}
_ROW_TOP, _COLUMN_TOP = 32, 128
#: Where the plates of the seats and their cards in the trick are, from the bottom on, clockwise.
_PLATES = ((300, 428), (90, 106), (300, 106), (510, 106))
#: Where the last trick lies, aside, and from one of its cards to the next.
_ASIDE, _ASIDE_STEP = (70, 382), 34
_TRICK = ((271, 296), (186, 244), (271, 192), (356, 244))
_INK = ("#1c5d3a", "#b3541e", "#1b1b1b", "#b3122f")
_FACE, _DULL, _EDGE, _GOLD = "#fffdf7", "#c9d2c6", "#41584d", "#ffd54a"
_BROWN = "#7a3e00"
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANKS = (*_NUMBERS, "jack", "queen", "king", "ace")


def draw(s: Any, *, seat: int | None, moves: Collection[int] = ()) -> str:
    """The table as `seat` sees it; every hand is open where `seat` is None."""
    bottom = 0 if seat is None else seat
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="14">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="10" fill="#2f6b4f"/>',
        '<ellipse cx="300" cy="288" rx="170" ry="126" fill="#377a5b"/>',
        svg_text(_WIDTH // 2, 24, headline(s), fill="#ffffff", size=15),
        svg_text(16, 24, "score + this deal", fill="#d9efe3", size=12, anchor="start"),
    ]
    for place in range(SEATS):
        owner = (bottom + place) % SEATS
        parts += _plate(s, owner, place, seat)
        parts += _trick_card(s, owner, place)
        legal = moves if owner == s.mover else ()
        if place == 0:
            parts += _hand(s, owner, legal)
        else:
            parts += _other_hand(s, owner, place, legal, is_open=seat is None)
    parts += _last_trick(s, seat)
    return "\n".join([*parts, "</svg>"])


def _plate(s: Any, owner: int, place: int, seat: int | None) -> Iterator[str]:
    """Name, score, points of this deal, and known voids."""
    x, y = _PLATES[place]
    moves = owner == s.mover
    name = "you" if owner == seat else f"seat {owner}"
    taken = int(s.points[owner]) + (JACK_POINTS if s.variant & JACK and s.jack == owner else 0)
    edge = f' stroke="{_GOLD}" stroke-width="3"' if moves else ""
    yield f'<rect x="{x - 72}" y="{y - 18}" width="144" height="26" rx="13" fill="#1f4a37"{edge}/>'
    mark = "▶ " if moves else ""
    yield svg_text(x, y, f"{mark}{name}: {int(s.scores[owner])} + {taken}", fill="#ffffff")
    voids = " ".join(SUIT_SYMBOLS[suit] for suit in range(HEARTS + 1) if is_void(s, owner, suit))
    told = [f"took {text}" for text in [_costs(int(s.taken[owner]), s)] if text]
    told += [f"no {voids}"] if voids else []
    if told:
        # Under the plate at the bottom is the hand.
        down = -24 if place == 0 else 22
        yield svg_text(x, y + down, ", ".join(told), fill="#d9efe3", size=13)


def _costs(cards: int, s: Any) -> str:
    """The scoring cards among these: number of hearts, queen, and jack if it counts."""
    hearts = int(population(cards & ALL_HEARTS))
    counts = [f"{hearts}{SUIT_SYMBOLS[HEARTS]}"] if hearts else []
    single = (QUEEN_OF_SPADES, JACK_OF_DIAMONDS) if s.variant & JACK else (QUEEN_OF_SPADES,)
    counts += [_short(card) for card in single if cards >> card & 1]
    return " ".join(counts)


def _short(card: int) -> str:
    return RANK_NAMES[rank_of(card)].upper() + SUIT_SYMBOLS[suit_of(card)]


def _last_trick(s: Any, seat: int | None) -> Iterator[str]:
    """The trick before the one on the table, in the order of the seats, and who took it."""
    if not s.last:
        return
    taker = next(owner for owner in range(SEATS) if s.taken[owner] & s.last)
    name = "you" if taker == seat else f"seat {taker}"
    x, y = _ASIDE
    yield f'<g role="img" aria-label="last trick, taken by {name}">'
    yield svg_text(x, y - 6, f"last trick: {name}", fill="#ffffff", size=13, anchor="start")
    for owner in range(SEATS):
        at = x + _ASIDE_STEP * owner
        for card in cards_in(int(s.last & s.played[owner])):
            yield _card(at, y, card, size=_SMALL)
        yield svg_text(at + _SMALL[0] / 2, y + _SMALL[1] - 6, f"{owner}", fill="#41584d", size=12)
    yield "</g>"


def _card(
    x: float,
    y: float,
    card: int,
    *,
    size: tuple[int, int] = _CARD,
    face: str = _FACE,
    edge: str = _EDGE,
) -> str:
    """A card face up: rank and suit in its corner, and the suit once more where there is room."""
    width, height = size
    ink, suit = _INK[suit_of(card)], SUIT_SYMBOLS[suit_of(card)]
    corner = 16 if size == _CARD else 13
    drawn = (
        f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="6" fill="{face}" '
        f'stroke="{edge}" stroke-width="{1 if edge == _EDGE else 4}"/>'
        f'<text x="{x + 4:g}" y="{y + corner + 2:g}" font-size="{corner}" font-weight="bold" '
        f'fill="{ink}">{_short(card)}</text>'
    )
    if size == _CARD:
        drawn += svg_text(x + width / 2, y + height - 20, suit, fill=ink, size=34)
    return drawn


def _trick_card(s: Any, owner: int, place: int) -> Iterator[str]:
    """What a seat has played to the trick; the card that takes it has a golden edge."""
    for card in cards_in(int(s.pile & s.played[owner])):
        x, y = _TRICK[place]
        drawn = _card(x, y, card, edge=_GOLD if card == s.best else _EDGE)
        piece = f'{_piece(card)} data-from="hand {owner}"'
        yield f'<g {piece} role="img" aria-label="{_name(card)} by seat {owner}">{drawn}</g>'


def _piece(card: int) -> str:
    """The identity of a card, by which the page animates it."""
    return f'data-piece="{write_card(card)}"'


def _name(card: int) -> str:
    return f"{_RANKS[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"


def _hand(s: Any, owner: int, moves: Collection[int]) -> Iterator[str]:
    """The hand at the bottom: playable cards stand out, cards to pass lie higher."""
    cards = cards_in(int(s.hands[owner]))
    chosen = int(s.passed[owner]) if s.count < 0 else 0
    left = (_WIDTH - _STEP * (len(cards) - 1) - _CARD[0]) / 2
    top = _HEIGHT - _CARD[1] - 12
    for k, card in enumerate(cards):
        x = left + _STEP * k
        if card in moves:
            yield _playable(card, _card(x, top - _LIFT, card))
        elif chosen >> card & 1:
            drawn = _card(x, top - _RAISED, card, face=_DULL)
            yield f'<g {_piece(card)} role="img" aria-label="{_name(card)}, passed">{drawn}</g>'
            yield svg_text(x + 4, top + 16, "pass", fill=_BROWN, size=13, anchor="start")
        else:
            drawn = _card(x, top, card, face=_DULL if moves else _FACE)
            yield f'<g {_piece(card)} role="img" aria-label="{_name(card)}">{drawn}</g>'


def _playable(card: int, drawn: str) -> str:
    label = f'data-move="{write_card(card)}" {_piece(card)} data-label="{_name(card)}"'
    return f'<g class="lift" {label}>{drawn}</g>'


def _other_hand(
    s: Any, owner: int, place: int, moves: Collection[int], *, is_open: bool
) -> Iterator[str]:
    """Another seat's hand, face down unless open."""
    held = HAND - int(population(int(s.played[owner]))) if s.mover >= 0 else 0
    cards = cards_in(int(s.hands[owner])) if is_open else [-1] * held
    width, height = _SMALL
    yield f'<g data-home="hand {owner}">'
    for k, card in enumerate(cards):
        if place == 2:
            step = _ROW_STEP[is_open]
            x, y = (_WIDTH - step * (len(cards) - 1) - width) / 2 + step * k, _ROW_TOP
        else:
            x = 16 if place == 1 else _WIDTH - 16 - width
            y = _COLUMN_TOP + _COLUMN_STEP[is_open] * k
        if is_open and card in moves:
            yield _playable(card, _card(x, y, card, size=_SMALL))
        elif is_open:
            drawn = _card(x, y, card, size=_SMALL, face=_DULL if moves else _FACE)
            yield f"<g {_piece(card)}>{drawn}</g>"
        else:
            yield (
                f'<rect x="{x:g}" y="{y}" width="{width}" height="{height}" rx="5" '
                'fill="#7a3b46" stroke="#f3e9dc"/>'
            )
    yield "</g>"
