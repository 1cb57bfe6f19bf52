"""The one search, over any game, evaluator and social matrix."""

from mpsearch.search.deepen import AbortedError
from mpsearch.search.limits import GREATEST_DEPTH, MOST_NODES, MOST_SECONDS, Limits
from mpsearch.search.perft import count_leaves
from mpsearch.search.plan import Plan, make_plan
from mpsearch.search.report import Report, RootMove
from mpsearch.search.workshop import SearchSpace, Workshop, make_workshop
from mpsearch.search.worlds import root_values, search

__all__ = [
    "GREATEST_DEPTH",
    "MOST_NODES",
    "MOST_SECONDS",
    "AbortedError",
    "Limits",
    "Plan",
    "Report",
    "RootMove",
    "SearchSpace",
    "Workshop",
    "count_leaves",
    "make_plan",
    "make_workshop",
    "root_values",
    "search",
]
