"""Search limits: depth, nodes and time."""

from __future__ import annotations

from typing import Any

import attrs

#: The greatest depth. The search is recursive, and Python allows 1,000 nested calls.
GREATEST_DEPTH = 400
#: The most levels of a tree: the root, and a chance node after every ply.
MOST_LEVELS = 2 * GREATEST_DEPTH + 1
#: The greatest node limit: a year of searching.
MOST_NODES = 10**15
#: The greatest time limit in seconds: eleven days.
MOST_SECONDS = 10**6


def _upto(most: float) -> Any:
    def check(instance: Any, attribute: Any, value: float | None) -> None:
        if value is not None and not value > 0:
            raise ValueError(f"limits: {attribute.name} is {value}, not above zero")
        if value is not None and not value <= most:
            raise ValueError(f"limits: {attribute.name} is {value}; the most is {most}")

    return check


@attrs.frozen(kw_only=True)
class Limits:
    """Limits of a search, in any combination. With nodes or seconds it deepens iteratively."""

    #: Depth in plies, not counting chance.
    depth: int | None = attrs.field(default=None, validator=_upto(GREATEST_DEPTH))
    #: Nodes of all kinds and iterations in the search of one world.
    nodes: int | None = attrs.field(default=None, validator=_upto(MOST_NODES))
    #: Seconds for the whole decision, shared evenly between worlds.
    seconds: float | None = attrs.field(default=None, validator=_upto(MOST_SECONDS))

    def __attrs_post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise ValueError("limits: give a depth, a number of nodes or a time")

    @property
    def deepens(self) -> bool:
        """Whether the search deepens iteratively until a limit is reached."""
        return self.nodes is not None or self.seconds is not None
