"""Features: what a learned evaluator sees of a state, looking from a seat.

One network then serves every seat: it looks from each of them in turn.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from mpsearch.jit import Compiled


def _permutations(_: Any, attribute: Any, mirrors: tuple[tuple[int, ...], ...]) -> None:
    for mirror in mirrors:
        if sorted(mirror) != list(range(len(mirror))):
            raise ValueError("features: a mirror must be a permutation of the inputs")


@attrs.frozen(kw_only=True, eq=False)
class Features:
    """Inputs of a learned evaluator that a game writes itself; most are zero at any time."""

    #: write(s, seat, out) -> how many rows of `out` were written: each the number of an input, from
    #: 0, and its value. No input is written twice. Shape of out: (most, 2).
    write: Compiled
    #: How many inputs there are.
    inputs: int = attrs.field(validator=attrs.validators.ge(1))
    #: No state has more inputs that are not zero.
    most: int = attrs.field(validator=attrs.validators.ge(1))
    #: Mirror images in which everybody's chances are the same: each says which input every input
    #: becomes. A learner sees a position in all of them.
    mirrors: tuple[tuple[int, ...], ...] = attrs.field(default=(), validator=_permutations)

    def __attrs_post_init__(self) -> None:
        self.write.inlined = True  # at every leaf of a search
        if any(len(mirror) != self.inputs for mirror in self.mirrors):
            raise ValueError(f"features: a mirror does not have {self.inputs} inputs")


@attrs.frozen(kw_only=True)
class Field:
    """What a learner may know of a field of the record, for games that write no features."""

    name: str
    #: Least and greatest value: each value is an input of its own. None: the number is the input.
    values: tuple[int, int] | None = None
    #: Whether the first index is a seat, so that a seat finds its own entry first.
    by_seat: bool = False
    #: Whether its values are seats, such as the mover's, counted from the seat that looks.
    seats: bool = False


def fields_of(state: np.dtype[Any], declared: tuple[Field, ...]) -> list[Field]:
    """Every field of a record, as declared or else as plain numbers; ValueError if it has none."""
    known = {field.name: field for field in declared}
    for name in known:
        if name not in (state.names or ()):
            raise ValueError(f"fields: the state's record has no field '{name}'")
    return [known.get(name, Field(name=name)) for name in state.names or ()]
