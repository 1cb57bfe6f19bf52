"""Text for people: on one line, cut, or filled into lines."""

from __future__ import annotations

import textwrap

#: Columns of a terminal that are used.
WIDTH = 79


def printable(text: object) -> str:
    """A text on one line without control sequences, safe for a terminal."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode()
        for sign in str(text)
    )


def cut(text: str, most: int) -> str:
    """A text cut to so many characters, such as a move that is a whole deal."""
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def filled(text: str, *, first: str = "", rest: str = "") -> str:
    """A paragraph for a terminal, broken between words only, with these indentations."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )
