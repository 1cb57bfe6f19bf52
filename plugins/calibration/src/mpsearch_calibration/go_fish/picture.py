"""The table as lines of text."""

from __future__ import annotations

from typing import Any


def draw_table(s: Any, *, seat: int | None) -> str:
    """The table as a seat sees it; with every hand open where `seat` is None."""
    lines = [f"stock: {s.rest} cards   questions left: {s.asks_left}"]
    for owner in range(s.players):
        hidden = seat is not None and owner != seat
        counts = (s.known if hidden else s.hands)[owner]
        cards = " ".join(str(rank + 1) for rank, n in enumerate(counts) for _ in range(n))
        label = "shown" if hidden else "hand"
        lines.append(
            f"  seat {owner}  {s.books[owner]} books  {s.sizes[owner]} cards  {label}: {cards}"
        )
    return "\n".join(lines)
