"""SearchAlgorithm: finds a move for a stance, such as tree search or Monte-Carlo tree search.

It is given determinizations of the seat's information set, never the hidden state of the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array
from mpsearch.contracts.compiled_rules import CompiledBranching, CompiledEvaluator
from mpsearch.contracts.evaluator import Evaluator
from mpsearch.contracts.game import Branching, Game, Move, State
from mpsearch.contracts.limits import Limits
from mpsearch.contracts.propagator import Stance
from mpsearch.contracts.report import Report
from mpsearch.jit import jit_enabled, jit_suspended


@attrs.frozen(kw_only=True)
class SearchSpace:
    """What is searched: a game with an evaluator and a branching."""

    game: Game
    evaluator: Evaluator
    #: None: every legal move.
    branching: Branching | None = None
    #: Whether a game may say how it ends: then it is not searched on; see `Game.solve`.
    exact_ends: bool = True

    @property
    def listing(self) -> Callable[[State], Sequence[Move]]:
        """The function that lists the moves to search in a state."""
        return self.game.moves if self.branching is None else self.branching.moves

    def for_root(self, root: int) -> SearchSpace:
        """The space with the branching for this root."""
        branching = None if self.branching is None else self.branching.for_root(root)
        return self if branching is self.branching else attrs.evolve(self, branching=branching)

    def solves(self, matrix: Array) -> bool:
        """Whether a search with this matrix would come to the ends that the game knows of.

        One seat's gain must be the other's loss, and both must want to win.
        """
        total = self.evaluator.bounds.total
        return (
            self.exact_ends
            and self.game.solves
            and total is not None
            and total[0] == total[1]
            and bool(matrix[0, 0] > matrix[0, 1] and matrix[1, 1] > matrix[1, 0])
        )

    @property
    def compiles(self) -> bool:
        """Whether rules, evaluator and branching run as machine code."""
        return self.compilable and jit_enabled(self.game.rules)

    @property
    def suspended(self) -> bool:
        """Whether the rules are plain Python for the time being."""
        return jit_suspended(self.game.rules)

    @property
    def compilable(self) -> bool:
        """Whether rules, evaluator and branching can be compiled."""
        return (
            self.game.rules is not None
            and isinstance(self.evaluator, CompiledEvaluator)
            and (self.branching is None or isinstance(self.branching, CompiledBranching))
        )


@attrs.frozen(kw_only=True, slots=False)  # as `Report`
class SearchRequest:
    """Parameters of a search beyond worlds, stance and limits."""

    #: The seat that searches.
    root: int
    #: The only source of randomness.
    rng: np.random.Generator
    #: Whether ties between root moves are broken at random; if not, by the branching's order.
    shuffle: bool = True
    #: How worlds are pooled: `vote` (the move chosen most often) or `mean` (the best mean value).
    pool: str = "vote"
    #: Whether every root move needs its exact value.
    exact: bool = False
    prune: bool = True
    threads: int = 1
    #: Whether a search as plain Python may end in ChangeOverError once machine code is there:
    #: whoever asks then searches again.
    changes_over: bool = False
    #: How far each seat looks, as `OpponentModel.horizons` says; None: nobody knows.
    horizons: tuple[int, ...] | None = None

    @property
    def ties(self) -> np.random.Generator | None:
        """The generator that breaks ties; None if the branching's order does."""
        return self.rng if self.shuffle else None

    @property
    def settings(self) -> dict[str, Any]:
        """What is asked for, as `mpsearch.search.search` takes it."""
        return {
            "rng": self.ties,
            "pool": self.pool,
            "exact": self.exact,
            "prune": self.prune,
            "threads": self.threads,
            "changes_over": self.changes_over,
        }


class SearchAlgorithm(ABC):
    """Searches one space for any seat and any social matrix."""

    #: Whether a search of depth 1 only evaluates the states after each move, so that native play
    #: can replace it.
    one_ply_evaluates: bool = False
    #: Whether it samples, so that it proceeds by iterations instead of depths.
    samples: bool = False

    @abstractmethod
    def search(
        self, worlds: Sequence[State], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        """Choose a move for the seat to move in all `worlds`."""
