"""Rival: another way to find a move for a stance; and all there are, by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import attrs
import numpy as np

from mpsearch.contracts.game import State
from mpsearch.contracts.offers import Offer
from mpsearch.contracts.options import Option
from mpsearch.contracts.propagator import Stance
from mpsearch.search import Limits, Report

#: What the search of `mpsearch.search` is called where a search is chosen by name.
USUAL = "tree"
#: Iterations of a decision of `mcts` that is given neither nodes nor time.
DEFAULT_ITERATIONS = 1000


@attrs.frozen(kw_only=True)
class Manner:
    """How a rival is to search; what is not said here is as in `mpsearch.search.search`."""

    #: The seat that searches.
    root: int
    #: Everything random is drawn from it.
    rng: np.random.Generator
    #: Whether the order in which ties go is random too.
    shuffle: bool
    pool: str
    exact: bool
    prune: bool
    threads: int

    @property
    def ties(self) -> np.random.Generator | None:
        """What breaks ties; None if the branching's order does."""
        return self.rng if self.shuffle else None


class Rival(ABC):
    """Searches one game with one evaluator and branching, for any seat."""

    @abstractmethod
    def search(
        self,
        worlds: Sequence[State],
        stance: Stance,
        limits: Limits,
        manner: Manner,
    ) -> Report:
        """Choose a move for the seat that is to move in every one of `worlds`."""


@attrs.frozen(kw_only=True)
class SearchOffer(Offer):
    """A search to be chosen with `search=`. Called as make(space, bots, **options).

    `bots` are the players that the game offers, by name.
    """

    kind: ClassVar[str] = "search"

    #: Nodes of a decision that is given neither nodes nor time; None: a depth suffices.
    default_nodes: int | None = None


SEARCHES = {
    offer.name: offer
    for offer in (
        SearchOffer(
            name="brs",
            summary="between two moves of the root only one opponent chooses",
            make="mpsearch.rivals.brs:make_best_reply",
            options=(
                Option(
                    name="others",
                    kind=str,
                    default="ordered",
                    choices=("ordered", "greedy", "skip"),
                    help="what opponents do who do not reply: their first move, the one of most "
                    "value to them, or nothing",
                ),
            ),
        ),
        SearchOffer(
            name="mcts",
            summary="Monte-Carlo tree search (UCT)",
            make="mpsearch.rivals.mcts:make_sampling",
            default_nodes=DEFAULT_ITERATIONS,
            options=(
                Option(
                    name="playout",
                    kind=str,
                    default="random",
                    help="who plays behind the tree: random, or a bot with a policy",
                ),
                Option(
                    name="cut",
                    kind=int,
                    default=4,
                    least=0,
                    greatest=1_000_000,
                    help="plies played behind the tree before evaluation",
                ),
                Option(
                    name="explore",
                    kind=float,
                    default=0.5,
                    least=0,
                    greatest=1e6,
                    help="weight of what was tried little (UCT's constant)",
                ),
            ),
        ),
    )
}


def search_offer(name: str) -> SearchOffer | None:
    """The offer of a search by name; None for the usual one."""
    return None if name == USUAL else SEARCHES[name]
