"""What is asked of a search, and what it answers."""

from __future__ import annotations

from typing import Any

import attrs

from mpsearch.contracts.arrays import Array, array_field
from mpsearch.contracts.game import Move
from mpsearch.contracts.propagator import Stance


def _positive(instance: Any, attribute: Any, value: float | None) -> None:
    if value is not None and not value > 0:
        raise ValueError(f"limits: {attribute.name} is {value}, not above zero")


@attrs.frozen(kw_only=True)
class Limits:
    """When a search ends; any combination. With nodes or seconds it deepens step by step."""

    #: Depth in plies; chance does not count.
    depth: int | None = attrs.field(default=None, validator=_positive)
    #: Nodes of every kind, over all depths of one search (of one world).
    nodes: int | None = attrs.field(default=None, validator=_positive)
    #: Seconds for the whole decision, shared evenly by its worlds.
    seconds: float | None = attrs.field(default=None, validator=_positive)

    def __attrs_post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise ValueError("limits: a depth, a number of nodes or a time is needed")

    @property
    def deepens(self) -> bool:
        """Whether the search goes to depth 1, 2, ... until a limit is met."""
        return self.nodes is not None or self.seconds is not None


@attrs.frozen(kw_only=True)
class RootMove:
    """One move of the root and what was found behind it."""

    move: Move
    #: Shape (P,); the mean over worlds.
    value: Array = array_field()
    #: False if the value is only a bound, because the move was seen not to be the best.
    exact: bool = True
    #: The moves expected after it, in the first world.
    line: tuple[Move, ...] = ()
    #: In how many worlds it was the choice.
    votes: int = 0


@attrs.frozen(kw_only=True)
class Report:
    """A decision: the move, what it is worth to each seat, and all that was looked at."""

    move: Move
    #: Value of the chosen move. Shape (P,).
    value: Array = array_field()
    #: Every move of the root, in the branching's order.
    moves: tuple[RootMove, ...]
    #: The moves expected from here, the chosen one first, up to the first chance.
    line: tuple[Move, ...]
    stance: Stance
    #: The pruning that was possible: none, shallow or deep.
    pruning: str
    #: Nodes of all worlds: root, inner, chance and leaf.
    nodes: int
    #: The depth that was completed (in every world).
    depth: int
    worlds: int
    seconds: float = attrs.field(eq=False)
