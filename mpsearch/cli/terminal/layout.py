"""Lines that fit a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterable

from mpsearch._util import WIDTH, filled


def cut(text: str, width: int = WIDTH) -> str:
    """One line, truncated after a whole word."""
    if len(text) <= width:
        return text
    return text[: width - 3].rpartition(" ")[0] + " ..."


def wrapped(text: str, indent: str = "  ") -> str:
    """A text in lines, broken between words only."""
    return filled(text, first=indent, rest=indent)


def in_columns(parts: Iterable[str], indent: str) -> str:
    """Parts side by side; one that does not fit starts a new line."""
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]}  {part}" if lines[-1] else part
        if len(longer) <= WIDTH or not lines[-1]:
            lines[-1] = longer
        else:
            alone = f"{indent}{part}"
            lines += [alone] if len(alone) <= WIDTH else wrapped(part, indent).splitlines()
    return "\n".join(lines)
