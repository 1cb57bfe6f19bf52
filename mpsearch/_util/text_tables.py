"""Tables as aligned text for terminals and as HTML for notebooks."""

from __future__ import annotations

import html
from collections.abc import Sequence

from mpsearch._util.text import printable


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns of plain text."""
    lines = [[printable(cell) for cell in line] for line in (head, *rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def html_table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str = "",
    picture: str | None = None,
) -> str:
    """The same as escaped HTML, with an SVG `picture` above it: notebooks show only one of both."""
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    body = "".join(_row(row, "td") for row in rows)
    table = f"<table>{title}<thead>{_row(head, 'th')}</thead><tbody>{body}</tbody></table>"
    return f"<div>{picture}</div>{table}" if picture else table


def _row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
