"""Insight: what a person knows about a game before any search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import attrs
import numpy as np

from mpsearch.contracts.game import Move
from mpsearch.contracts.options import Option
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


@attrs.frozen(kw_only=True)
class InsightOffer:
    """An insight that a game brings; agents switch it on with `insights=name+name`."""

    name: str
    summary: str
    #: Called as make(game, **options).
    make: Callable[..., Insight] = attrs.field(repr=False)
    options: tuple[Option, ...] = ()
