"""When a search ends."""

from __future__ import annotations

from typing import Any

import attrs

#: The greatest depth. Every level of the tree is a call within a call: the stack of a thread
#: holds some thousands, and Python itself allows 1,000.
GREATEST_DEPTH = 400
#: The most levels of one search: room for the root and an outcome of chance after every ply.
MOST_LEVELS = 2 * GREATEST_DEPTH + 1
#: The most nodes that can be asked for; a year of searching.
MOST_NODES = 10**15
#: The longest time that can be asked for, in seconds: eleven days.
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
    """When a search ends; any combination. With nodes or seconds it deepens step by step."""

    #: Depth in plies; chance does not count.
    depth: int | None = attrs.field(default=None, validator=_upto(GREATEST_DEPTH))
    #: Nodes of every kind, over all depths of one search (of one world).
    nodes: int | None = attrs.field(default=None, validator=_upto(MOST_NODES))
    #: Seconds for the whole decision, shared evenly by its worlds.
    seconds: float | None = attrs.field(default=None, validator=_upto(MOST_SECONDS))

    def __attrs_post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise ValueError("limits: give a depth, a number of nodes or a time")

    @property
    def deepens(self) -> bool:
        """Whether the search goes to depth 1, 2, ... until a limit is met."""
        return self.nodes is not None or self.seconds is not None
