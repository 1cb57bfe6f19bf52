"""Models that do not learn: all seats selfish, or a given matrix."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, frozen_array
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.errors import UsageError
from mpsearch.social import identity, read_matrix


class Selfish(OpponentModel):
    """Every seat cares only about itself."""

    learns = False

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        return players

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        return beliefs

    def matrix(self, beliefs: Beliefs) -> Array:
        return identity(beliefs)


@attrs.frozen
class Known(OpponentModel):
    """A given matrix, the observer's own row included."""

    learns = False
    #: Text of the matrix.
    matrix_text: str

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        if not self.matrix_text:
            raise UsageError("known: a matrix is needed, such as matrix=1:0/-0.5:1")
        matrix = read_matrix(self.matrix_text)
        if len(matrix) != players:
            raise UsageError(
                f"known: the matrix has {len(matrix)} rows; there are {players} players"
            )
        return matrix

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        return beliefs

    def matrix(self, beliefs: Beliefs) -> Array:
        return frozen_array(beliefs)


OFFERS = [
    OpponentModelOffer(
        name="selfish", summary="everyone cares only about themselves", make=Selfish
    ),
    OpponentModelOffer(
        name="known",
        summary="a given social matrix",
        make=lambda *, matrix: Known(matrix),
        options=(Option.text("matrix", "", help="rows such as 1:0/-0.5:1"),),
    ),
]
