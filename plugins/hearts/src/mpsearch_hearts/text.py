"""Cards and deals as text: 'qs', '10h', and four hands for a deal."""

from __future__ import annotations

from mpsearch.errors import MoveError
from mpsearch.gamekit import read_hands, write_hands
from mpsearch_hearts.cards import DECK, HAND, LANE, SEATS, SUIT_SHIFT

SUIT_LETTERS = "cdsh"
SUIT_NAMES = ("clubs", "diamonds", "spades", "hearts")
SUIT_SYMBOLS = "♣♦♠♥"
#: Suits as people and keyboards write them; the last sign asks for a picture of the one before.
_PLAIN = str.maketrans("♣♦♠♥♧♢♤♡", 2 * SUIT_LETTERS, "\ufe0f\ufe0e")
RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a")
#: A deal: four sets of cards; as a seat sees it, those of the others are empty.
Deal = tuple[int, ...]


def suit_of(card: int) -> int:
    return card >> SUIT_SHIFT


def rank_of(card: int) -> int:
    return card % LANE


def cards_in(cards: int) -> list[int]:
    """The cards of a set in rising order."""
    return [card for card in range(SEATS * LANE) if cards >> card & 1]


def write_card(card: int) -> str:
    return RANK_NAMES[rank_of(card)] + SUIT_LETTERS[suit_of(card)]


def read_card(text: str) -> int:
    """The card that 'qs', 'QS', 'Q♠', '♠Q', '10h' or 'th' stands for."""
    plain = "".join(text.split()).lower().translate(_PLAIN)
    rank, suit = plain[:-1], plain[-1:]
    if suit not in SUIT_LETTERS:
        rank, suit = plain[1:], plain[:1]
    if rank == "t":
        rank = "10"
    if rank not in RANK_NAMES or suit not in SUIT_LETTERS or not suit:
        raise MoveError(f"move '{text}' is not a card such as 'qs', '10h' or '2c'")
    return LANE * SUIT_LETTERS.index(suit) + RANK_NAMES.index(rank)


def write_deal(deal: Deal) -> str:
    return write_hands(map(cards_in, deal), write_card)


def read_deal(text: str) -> Deal:
    """A whole deal, or one as a seat sees it."""
    hands = read_hands(text, read_card)
    deal = tuple(sum(1 << card for card in set(hand)) for hand in hands)
    sizes = [len(set(hand)) for hand in hands]
    whole = sizes == [HAND] * SEATS and deal[0] | deal[1] | deal[2] | deal[3] == DECK
    seen = sorted(sizes) == [0] * (SEATS - 1) + [HAND]
    if not (whole or seen):
        raise MoveError(f"deal '{text}' does not give each of {SEATS} seats {HAND} cards")
    return deal
