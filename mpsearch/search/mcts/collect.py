"""What a tree says once it is grown: the chosen move, and what is behind each move of the root.

The child with most visits is chosen; where all its iterations were won, or all lost, that of its
equals in which games ended soonest, or latest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpsearch.search.tree.backup import LINE

#: No node.
NONE = -1


def make_collect(
    *, merit_of: Callable[..., Any], jit: Callable[..., Any], entry: Callable[..., Any]
) -> Callable[..., Any]:
    """`collect`; merit_of(node, context, seat) is what the mean value of a node is worth."""

    @jit
    def favourite(nodes: Any, context: Any, k: int) -> Any:
        """The child with most visits; of equals the one of most merit, then the oldest.

        Where its every iteration was won, the one of such children in which games ended soonest;
        where every one was lost, latest.
        """
        seat = nodes[k].seat
        best, visits, most = NONE, 0, 0.0
        child = nodes[k].newest
        while child != NONE:
            merit = merit_of(nodes[child], context, seat)
            seen = nodes[child].visits
            if seen > visits or (seen == visits and merit >= most):
                best, visits, most = child, seen, merit
            child = nodes[child].older
        if best == NONE or context.lost[seat] < most < context.won[seat]:
            return best
        sign = 1.0 if most >= context.won[seat] else -1.0
        soonest = sign * nodes[best].ends / nodes[best].visits
        child = nodes[k].newest
        while child != NONE:
            end = sign * nodes[child].ends / nodes[child].visits
            if end < soonest and merit_of(nodes[child], context, seat) == most:
                best, soonest = child, end
            child = nodes[child].older
        return best

    @entry
    def collect(nodes: Any, contexts: Any, order: Any, found: Any) -> int:
        """Write what is behind each move of the root to `found`, by index; the chosen index.

        A move that there was no time to try is said to have the mean value of all, inexactly.
        """
        context = contexts[0]
        for index in order:  # those that were tried get their own below
            here = found[index]
            for j in range(context.players):
                here.value[j] = nodes[0].total[j] / nodes[0].visits
            here.exact = 0
            here.length = 0
        chosen = favourite(nodes, context, 0)
        choice = 0
        child = nodes[0].newest
        for tried in range(nodes[0].tried - 1, -1, -1):
            here = found[order[tried]]
            if child == chosen:
                choice = order[tried]
            for j in range(context.players):
                here.value[j] = nodes[child].total[j] / nodes[child].visits
            here.exact = 1
            k = child
            while here.length < LINE and nodes[k].seat >= 0 and nodes[k].newest != NONE:
                k = favourite(nodes, context, k)
                here.line[here.length] = nodes[k].move
                here.length += 1
            child = nodes[child].older
        return int(choice)

    found: Callable[..., Any] = collect
    return found
