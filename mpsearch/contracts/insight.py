"""Insight: game-specific knowledge that is used before a search."""

from __future__ import annotations

from abc import ABC, abstractmethod

import attrs
import numpy as np

from mpsearch.contracts.game import Move
from mpsearch.contracts.player import Turn


@attrs.frozen(kw_only=True)
class Advice:
    """Advice for a turn: a move to play at once, or a deeper search."""

    #: The move to play without a search, if any.
    move: Move | None = None
    #: Extra plies of depth.
    deeper: int = 0


class Insight(ABC):
    """Gives advice based on a turn alone."""

    @abstractmethod
    def advice(self, turn: Turn, rng: np.random.Generator) -> Advice:
        """The advice for a turn; `Advice()` for none."""
