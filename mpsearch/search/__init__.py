"""Search algorithms over any game, evaluator and social matrix.

`tree/` is the tree search (with `pruning/`); `best_reply/`, `horizon/` and `mcts/` are the others.
A decision is made over worlds: `determinize` draws them, `decision` searches each, `aggregate`
pools them.
"""

from typing import TYPE_CHECKING, Any

from mpsearch.search.best_reply.search import make_best_reply_search
from mpsearch.search.deadline import Interrupt, interruptible
from mpsearch.search.decision import ChangeOverError, root_values, search
from mpsearch.search.determinize import draw_worlds, draw_worlds_with
from mpsearch.search.horizon.lookahead import lookahead
from mpsearch.search.horizon.search import make_horizon_search
from mpsearch.search.mcts.search import make_information_set_search, make_monte_carlo_search
from mpsearch.search.perft import count_leaves
from mpsearch.search.pruning.local_plan import LOCAL_TECHNIQUES
from mpsearch.search.pruning.plan import make_plan
from mpsearch.search.tracing import Node, trace
from mpsearch.search.tree.engine import Engine, make_engine
from mpsearch.search.tree.search import TreeSearch, make_tree_search
from mpsearch.search.world_search import AbortedError

if TYPE_CHECKING:
    from mpsearch.search.tree.one_ply import make_choice, make_scratch


def __getattr__(name: str) -> Any:
    # What only compiles is imported by whoever compiles: numba takes long to import.
    if name in ("make_choice", "make_scratch"):
        from mpsearch.search.tree import one_ply

        return getattr(one_ply, name)
    raise AttributeError(f"module 'mpsearch.search' has no attribute '{name}'")
