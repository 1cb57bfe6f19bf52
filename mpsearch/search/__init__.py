"""The one search, over any game, evaluator and social matrix."""

from mpsearch.search.deepen import AbortedError
from mpsearch.search.engine import Engine, SearchSpace, make_engine
from mpsearch.search.limits import GREATEST_DEPTH, MOST_NODES, MOST_SECONDS, Limits
from mpsearch.search.perft import count_leaves
from mpsearch.search.plan import Plan, make_plan
from mpsearch.search.report import Report, RootMove
from mpsearch.search.worlds import root_values, search

__all__ = [
    "GREATEST_DEPTH",
    "MOST_NODES",
    "MOST_SECONDS",
    "AbortedError",
    "Engine",
    "Limits",
    "Plan",
    "Report",
    "RootMove",
    "SearchSpace",
    "count_leaves",
    "make_engine",
    "make_plan",
    "root_values",
    "search",
]
