"""Questions, drawn cards and deals as text, both ways."""

from __future__ import annotations

from typing import TypeAlias

from mpsearch.errors import MoveError
from mpsearch.gamekit import read_hands, write_hands
from mpsearch_calibration.go_fish.state import DRAWN, MOST_RANKS

#: The hands that are dealt: cards of each rank, by seat.
Deal: TypeAlias = tuple[tuple[int, ...], ...]


def write_move(move: int | Deal) -> str:
    """`1:7` asks seat 1 for a 7, `draw 7` is a card from the stock, `0,2|1,1` a deal."""
    if isinstance(move, tuple):
        return write_hands(move)
    if move >= DRAWN:
        return f"draw {move - DRAWN + 1}"
    seat, rank = divmod(move, MOST_RANKS)
    return f"{seat}:{rank + 1}"


def read_move(text: str, *, players: int, ranks: int) -> int | Deal:
    """What `write_move` wrote; MoveError if it is nothing of the kind."""
    try:
        if text.startswith("draw "):
            return DRAWN + _read_rank(text.removeprefix("draw "), ranks)
        if "|" in text:
            return tuple(map(tuple, read_hands(text, int)))
        seat, rank = text.split(":")
        if not 0 <= int(seat) < players:
            raise ValueError(seat)
        return int(seat) * MOST_RANKS + _read_rank(rank, ranks)
    except ValueError:
        raise MoveError(
            f"move '{text}' is not a seat and a rank, such as '1:7' to ask seat 1 for a 7"
        ) from None


def _read_rank(text: str, ranks: int) -> int:
    if not 1 <= int(text) <= ranks:
        raise ValueError(text)
    return int(text) - 1
