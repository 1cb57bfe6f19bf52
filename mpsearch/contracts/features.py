"""Features: what a learned evaluator sees of a state from a seat's point of view.

One network serves all seats: it evaluates each from its own point of view.
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
    """Sparse inputs of a learned evaluator, written by the game itself."""

    #: write(s, seat, out) -> number of rows written to `out`, each an input's index and value. No
    #: input is written twice. Shape of out: (most, 2).
    write: Compiled
    #: write_all(s, out, counts), for games whose seats share work: the rows of every seat and their
    #: number, the same as by `write`. Shapes (P, most, 2) and (P,).
    write_all: Compiled | None = None
    #: The number of inputs.
    inputs: int = attrs.field(validator=attrs.validators.ge(1))
    #: The greatest number of non-zero inputs of a state.
    most: int = attrs.field(validator=attrs.validators.ge(1))
    #: Symmetries of the game, each a permutation of the inputs. Training uses all of them.
    mirrors: tuple[tuple[int, ...], ...] = attrs.field(default=(), validator=_permutations)

    def __attrs_post_init__(self) -> None:
        self.write.inlined = True  # at every leaf of a search
        if self.write_all is not None:
            self.write_all.inlined = True
        if any(len(mirror) != self.inputs for mirror in self.mirrors):
            raise ValueError(f"features: a mirror does not have {self.inputs} inputs")


@attrs.frozen(kw_only=True)
class Field:
    """How a learned evaluator reads a field of the record, for games without features."""

    name: str
    #: Least and greatest value, for one-hot inputs. None: the number itself is the input.
    values: tuple[int, int] | None = None
    #: Whether the first index is a seat; a seat then sees its own entry first.
    by_seat: bool = False
    #: Whether its values are seats, such as the mover, to be counted from the observing seat.
    seats: bool = False


def fields_of(state: np.dtype[Any], declared: tuple[Field, ...]) -> list[Field]:
    """All fields of a record, as declared or else as plain numbers; ValueError for unknown ones."""
    known = {field.name: field for field in declared}
    for name in known:
        if name not in (state.names or ()):
            raise ValueError(f"fields: the state's record has no field '{name}'")
    return [known.get(name, Field(name=name)) for name in state.names or ()]
