"""Guide: a game's rules and notation in half a page."""

from __future__ import annotations

from importlib import resources

import attrs

from mpsearch.errors import ContractError

#: The heading of the section on notation.
MOVES_HEADING = "Moves"
#: The greatest size of a guide, which must fit a terminal of 80 columns and 24 lines.
MOST_LINES, MOST_COLUMNS = 22, 79


@attrs.frozen(kw_only=True)
class Guide:
    """The rules for a person: the whole text, and its section on notation."""

    text: str
    notation: str


def read_guide(where: str) -> Guide:
    """Read the guide `package:file`; ContractError says what is wrong."""
    package, _, name = where.partition(":")
    try:
        text = resources.files(package).joinpath(name).read_text(encoding="utf-8").rstrip()
    except (OSError, ImportError, ValueError, TypeError) as error:
        raise ContractError(f"guide '{where}' cannot be read: {error}") from None
    lines = text.splitlines()
    if MOVES_HEADING not in lines:
        raise ContractError(f"guide '{where}' has no line '{MOVES_HEADING}' above the notation")
    notation = "\n".join(lines[lines.index(MOVES_HEADING) + 1 :]).strip("\n")
    return Guide(text=text, notation=notation)
