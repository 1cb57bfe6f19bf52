"""What a search answers."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mpsearch._util import Array, array_field
from mpsearch.contracts.game import Move
from mpsearch.contracts.propagator import Stance


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
    #: False if that is only a bound: in some world the move was seen not to be the best, and
    #: there was no time left to look further.
    exact: bool = True
    #: Whether values are means of what was sampled, neither exact nor bounds.
    sampled: bool = False
    #: Every move of the root, in the branching's order.
    moves: Sequence[RootMove]
    #: The moves expected from here, the chosen one first, up to the first chance.
    line: tuple[Move, ...]
    stance: Stance
    #: The pruning that was possible: none, shallow or deep.
    pruning: str
    #: Nodes of all worlds: root, inner, chance and leaf, those behind the chosen move in worlds
    #: that were searched again for its exact value included.
    nodes: int
    #: The depth that was completed (in every world).
    depth: int
    worlds: int
    #: How long the search took, and before it the compiler.
    seconds: float = attrs.field(eq=False)
    compiling: float = attrs.field(default=0.0, eq=False)
