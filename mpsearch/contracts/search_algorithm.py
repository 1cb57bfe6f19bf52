"""SearchAlgorithm: a way to find a move for a stance, such as tree search or Monte-Carlo search.

It is handed the worlds that a seat thinks possible (determinizations of its information set; the
state itself where nothing is hidden), never the state of the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import attrs
import numpy as np

from mpsearch.contracts.compiled_rules import CompiledBranching, CompiledEvaluator
from mpsearch.contracts.evaluator import Evaluator
from mpsearch.contracts.game import Branching, Game, Move, State
from mpsearch.contracts.limits import Limits
from mpsearch.contracts.propagator import Stance
from mpsearch.contracts.report import Report
from mpsearch.jit import jit_enabled


@attrs.frozen(kw_only=True)
class SearchSpace:
    """What is searched: a game, the moves worth trying and what leaves are worth."""

    game: Game
    evaluator: Evaluator
    #: None: every legal move.
    branching: Branching | None = None

    @property
    def listing(self) -> Callable[[State], Sequence[Move]]:
        """Lists the moves worth trying in a state."""
        return self.game.moves if self.branching is None else self.branching.moves

    def for_root(self, root: int) -> SearchSpace:
        """What this seat searches: the space itself where its branching is the same for all."""
        branching = None if self.branching is None else self.branching.for_root(root)
        return self if branching is self.branching else attrs.evolve(self, branching=branching)

    @property
    def compiles(self) -> bool:
        """Whether rules, evaluator and branching are all to be machine code."""
        return self.compilable and jit_enabled(self.game.rules)

    @property
    def compilable(self) -> bool:
        """Whether rules, evaluator and branching can all be machine code."""
        return (
            self.game.rules is not None
            and isinstance(self.evaluator, CompiledEvaluator)
            and (self.branching is None or isinstance(self.branching, CompiledBranching))
        )


@attrs.frozen(kw_only=True)
class SearchRequest:
    """How one decision is to be searched, beyond its worlds, stance and limits."""

    #: The seat that searches.
    root: int
    #: Everything random is drawn from it.
    rng: np.random.Generator
    #: Whether ties between root moves are broken at random; if not, by the branching's order.
    shuffle: bool = True
    #: How worlds are pooled: `vote` (the move chosen most often) or `mean` (the best mean value).
    pool: str = "vote"
    #: Whether every root move is to get its exact value.
    exact: bool = False
    prune: bool = True
    threads: int = 1

    @property
    def ties(self) -> np.random.Generator | None:
        """What breaks ties; None if the branching's order does."""
        return self.rng if self.shuffle else None


class SearchAlgorithm(ABC):
    """Searches one game with one evaluator and branching, for any seat and any social matrix."""

    #: Whether a search of depth 1 does no more than evaluate the state behind every move, so that
    #: native play may do it instead.
    one_ply_evaluates: bool = False
    #: Whether it samples: it goes on from one iteration to the next, and not from depth to depth.
    samples: bool = False

    @abstractmethod
    def search(
        self, worlds: Sequence[State], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        """Choose a move for the seat that is to move in every one of `worlds`."""
