"""Hook specifications: the five hooks through which plugins provide their parts.

Each hook takes no arguments, returns offers, and is called once per plugin when the catalog is
loaded. No search ever calls a hook.
"""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from mpsearch.contracts import (
    EvaluatorOffer,
    GameOffer,
    OpponentModelOffer,
    PropagatorOffer,
    SearchAlgorithmOffer,
)

PROJECT = "mpsearch"

hookspec = pluggy.HookspecMarker(PROJECT)
#: Marks a plugin's implementation of a hook.
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def mpsearch_games() -> Iterable[GameOffer]:
    """The games a plugin provides."""
    return ()


@hookspec
def mpsearch_evaluators() -> Iterable[EvaluatorOffer]:
    """The evaluators a plugin provides, for its own games or for another plugin's."""
    return ()


@hookspec
def mpsearch_propagators() -> Iterable[PropagatorOffer]:
    """The propagators a plugin provides."""
    return ()


@hookspec
def mpsearch_opponent_models() -> Iterable[OpponentModelOffer]:
    """The opponent models a plugin provides."""
    return ()


@hookspec
def mpsearch_search_algorithms() -> Iterable[SearchAlgorithmOffer]:
    """The search algorithms a plugin provides; an agent uses one with `search=NAME`."""
    return ()


#: What each hook returns.
HOOKS: dict[str, type] = {
    "mpsearch_games": GameOffer,
    "mpsearch_evaluators": EvaluatorOffer,
    "mpsearch_propagators": PropagatorOffer,
    "mpsearch_opponent_models": OpponentModelOffer,
    "mpsearch_search_algorithms": SearchAlgorithmOffer,
}
