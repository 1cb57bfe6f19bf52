"""Report: the result of a search."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mpsearch._util import Array, array_field
from mpsearch.contracts.game import Move
from mpsearch.contracts.propagator import Stance


@attrs.frozen(kw_only=True)
class RootMove:
    """The result of the search for one root move."""

    move: Move
    #: Mean value over worlds. Shape (P,).
    value: Array = array_field()
    #: False if the value is only a bound, because the move is known not to be the best.
    exact: bool = True
    #: The expected continuation in the first world.
    line: tuple[Move, ...] = ()
    #: Number of worlds in which it was the choice.
    votes: int = 0


@attrs.frozen(kw_only=True, slots=False)  # every decision makes one: slots take longer to fill
class Report:
    """The result of a search: the chosen move, its values and the search statistics."""

    move: Move
    #: Value of the chosen move. Shape (P,).
    value: Array = array_field()
    #: False if that is only a bound: in some world the move was not the best, and time ran out.
    exact: bool = True
    #: Whether values are sample means, neither exact nor bounds.
    sampled: bool = False
    #: Every root move in the branching's order.
    moves: Sequence[RootMove]
    #: The principal variation up to the first chance node, the chosen move first.
    line: tuple[Move, ...]
    stance: Stance
    #: The kind of pruning: none, shallow or deep.
    pruning: str
    #: Root, inner, chance and leaf nodes of all worlds, including searches for exact values.
    nodes: int
    #: The depth completed in every world; 0 if time was over before and not every move was tried.
    depth: int
    worlds: int
    #: Seconds of the search, and of the compiler before it.
    seconds: float = attrs.field(eq=False)
    compiling: float = attrs.field(default=0.0, eq=False)
