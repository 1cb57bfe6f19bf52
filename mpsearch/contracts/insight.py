"""Insight: what a person knows about a game before any search."""

from __future__ import annotations

from abc import ABC, abstractmethod

import attrs
import numpy as np

from mpsearch.contracts.game import Move
from mpsearch.contracts.player import Turn


@attrs.frozen(kw_only=True)
class Advice:
    """What an insight says about a turn: a move to make at once, or how to search."""

    #: The move to make without a search; None if there is none.
    move: Move | None = None
    #: How many plies deeper to look than usual.
    deeper: int = 0


class Insight(ABC):
    """Looks at a turn, and at nothing else, and may have advice."""

    @abstractmethod
    def advice(self, turn: Turn, rng: np.random.Generator) -> Advice:
        """The advice for a turn; `Advice()` if there is none."""
