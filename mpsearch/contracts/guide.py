"""Guide: a game's rules and its notation in half a page, as a plugin brings them."""

from __future__ import annotations

from importlib import resources

import attrs

from mpsearch.errors import ContractError

#: The line that heads the part on how moves are written.
MOVES_HEADING = "Moves"
#: What a guide has room for: half a page, and a terminal of 80 columns and 24 lines.
MOST_LINES, MOST_COLUMNS = 22, 79


@attrs.frozen(kw_only=True)
class Guide:
    """What a person needs to know before the first move."""

    #: All of it.
    text: str
    #: The part on how moves are written.
    notation: str


def read_guide(where: str) -> Guide:
    """The guide in a file of a package, `package:file`; ContractError says what is wrong."""
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
