"""Monte-Carlo tree search (UCT) for any rules, evaluator and social matrix.

Like the kernel of the tree search it is one source for compiled records and for Python objects.
One *iteration* goes down the tree, adds one node, plays on behind it, evaluates where that ends
and adds the values of all seats to every node above. At a node seat p goes to the child with the
greatest

    merit + explore * sqrt(log(visits) / child's visits),

where merit is C[p] @ (mean value), from 0 for the least to 1 for the greatest merit that p has had
in this search; before that, to every child once, in the order in which they are listed. Outcomes of
chance are drawn. Chance that lists nothing ends a line, as it does in the one search. Which child
is chosen in the end, `collect` says.

With `information_sets` there is one tree for all worlds (single-observer ISMCTS; Cowling, Powley
and Whitehouse 2012): every iteration draws a world from what the root knows and goes only to
children whose moves there are in it. How often a child was `available` stands in the formula
instead of the visits of its parent.

A node has `visits`, `total` (the sum of values, shape (P,)), `ends` (the sum of the plies at which
games ended, or NEVER), the `move` that leads to it, `seat` (who moves there), `listed` (how many
moves there are; 0: not known yet), `tried` of them, `parent`, `newest` (its last child) and `older`
(the child before it of the same parent). Two things are kept because they are asked for far more
often than they change: its `merit` to the seat that chose it, and its moves, which begin at `kept`
among the `moves` of all nodes (NONE: no room; they are listed anew). That is 1.4 times as fast in
Quoridor for four.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mpsearch._util import snap as snap_number
from mpsearch.contracts import CHANCE, OVER
from mpsearch.search.mcts.collect import NONE, make_collect
from mpsearch.search.tree.alpha_beta import BAD_MOVER, BAD_MOVES, BAD_OUTCOMES
from mpsearch.search.tree.backup import NEVER

#: What `context.halted` says if a policy is to blame, and if chance never comes to an end.
BAD_CHOICE, ENDLESS = 5, 6
#: The most outcomes of chance in a row, behind the tree.
MOST_CHAINED = 1000
#: The seat of a node that was not looked at yet.
UNSEEN = -3
#: Outcomes of chance are drawn with a whole number below this.
GRAIN = 2**32 - 1

#: What the iterations share, as whole numbers: those done, and at most; the nodes made, and at
#: most; the deepest level reached, and at most; plies of a play-out, at most; and as in the one
#: search `stop`, `halted`, and `completed`, once there is a result; the seat that searches; and the
#: number of players, which is no constant: one search is compiled for all.
COUNTS = (
    *("nodes", "node_limit", "used", "room", "reached", "depth", "cut"),
    *("stop", "halted", "completed", "root", "exact_ends", "players", "kept", "keep_room"),
)


def make_uct(
    *,
    widest: int,
    mover: Callable[..., Any],
    branch: Callable[..., Any],
    chance: Callable[..., Any],
    restart: Callable[..., Any],
    step: Callable[..., Any],
    solve: Callable[..., Any],
    evaluate: Callable[..., Any],
    legal: Callable[..., Any],
    policy: Callable[..., Any],
    fresh: Callable[..., Any],
    keep: Callable[..., Any],
    below: Callable[..., Any],
    information_sets: bool,
    jit: Callable[..., Any],
    entry: Callable[..., Any],
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`iterate` and `collect` for these parts.

    mover(f) -> seat; branch(f, context) and chance(f) -> count, and fill the frame's moves;
    restart(frames, context, stream) puts the root's state from frames[0], or a world drawn from
    what its seat knows, into frames[1]; step(f, move) plays; solve(f, context) -> plies ends a game
    whose end is known, in so many, else 0;
    evaluate(f, context) fills f.value; legal(f, context) -> count lists what a rollout chooses
    from, and policy(frames, count, seat, stream) -> index chooses; fresh(nodes, k) makes node k;
    keep(moves, first, f, count) copies the moves of a frame; below(stream, count) draws a number.
    """
    snap = jit(snap_number)

    @jit
    def add(nodes: Any, context: Any, parent: int, move: Any) -> Any:
        k = context.used
        context.used += 1
        fresh(nodes, k)
        node = nodes[k]
        node.visits = 0
        node.merit = 0.0
        node.ends = 0
        node.available = 1
        for j in range(len(node.total)):
            node.total[j] = 0.0
        node.move = move
        node.seat = UNSEEN
        node.listed = 0
        node.kept = NONE
        node.tried = 0
        node.parent = parent
        node.newest = NONE
        node.older = NONE
        if parent != NONE:
            node.older = nodes[parent].newest
            nodes[parent].newest = k
        return k

    @jit
    def drawn(f: Any, count: int, stream: Any) -> Any:
        """The index of an outcome, drawn by probability."""
        left = below(stream, GRAIN) / GRAIN
        for i in range(count - 1):
            left -= f.probabilities[i]
            if left < 0.0:
                return i
        return count - 1

    @jit
    def merit_of(node: Any, context: Any, seat: int) -> float:
        """What the mean value of a node is worth to a seat."""
        merit, players = 0.0, context.players
        for j in range(players):
            merit += context.matrix[seat, j] * node.total[j]
        return float(snap(merit / node.visits))

    @jit
    def outcome_of(nodes: Any, k: int, move: Any) -> Any:
        """The child that an outcome leads to; NONE if it is not there yet."""
        child = nodes[k].newest
        while child != NONE and nodes[child].move != move:
            child = nodes[child].older
        return child

    @jit
    def promise(c: Any, context: Any, seat: int, log: float) -> Any:
        """What makes a seat go to a child; `log` is of how often it could have gone there."""
        span = context.high[seat] - context.low[seat]
        score = context.explore * math.sqrt(log / c.visits)
        if span > 0.0:
            # Who moves at a node can be another seat in another world.
            merit = merit_of(c, context, seat) if information_sets else c.merit
            score += (merit - context.low[seat]) / span
        return score

    @jit
    def promising(nodes: Any, context: Any, k: int) -> Any:
        """The child to go to where all were tried; of equals the oldest."""
        log = math.log(nodes[k].visits)
        best, most = NONE, -math.inf
        child = nodes[k].newest
        while child != NONE:
            score = promise(nodes[child], context, nodes[k].seat, log)
            if score >= most:
                best, most = child, score
            child = nodes[child].older
        return best

    @jit
    def available(nodes: Any, here: Any, context: Any, order: Any, k: int, count: int) -> Any:
        """Of the moves of this world the first that was not tried, and the child to go to.

        All children that could be gone to have been available once more.
        """
        untried, best, most = NONE, NONE, -math.inf
        for i in range(count):
            at = order[i] if k == 0 else i
            child = outcome_of(nodes, k, here.moves[at])
            if child != NONE:
                nodes[child].available += 1
                log = math.log(nodes[child].available)
                score = promise(nodes[child], context, nodes[k].seat, log)
                if score > most:
                    best, most = child, score
            elif untried == NONE:
                untried = at
        return untried, best

    @jit
    def descend(nodes: Any, moves: Any, frames: Any, context: Any, order: Any, stream: Any) -> Any:
        """Go down the tree; the node at which it is left, which may be new. Its ply is f.end."""
        f = frames[1]
        k, level = 0, 0
        while True:
            node = nodes[k]
            if node.seat == UNSEEN or information_sets:
                node.seat = mover(f)
            if node.seat >= 0 and k > 0:
                f.end = level + solve(f, context)
                if f.end > level:
                    return k
            if node.seat == OVER or level >= context.depth:
                f.end = level
                return k
            if node.seat == CHANCE:
                count = chance(f)
                if count < 0 or count > widest:
                    context.halted = BAD_OUTCOMES
                if count < 1 or context.halted != 0:
                    f.end = level
                    return k
                move = f.moves[drawn(f, count, stream)]
                child = outcome_of(nodes, k, move)
            elif node.seat < 0 or node.seat >= context.players:
                context.halted = BAD_MOVER
                return k
            else:
                level += 1
                child = NONE
                if information_sets:
                    # What the root can do is the same in all worlds.
                    here = frames[0] if k == 0 else f
                    count = len(order) if k == 0 else branch(f, context)
                    if count < 1 or count > widest:
                        context.halted = BAD_MOVES
                        return k
                    untried, child = available(nodes, here, context, order, k, count)
                    move = here.moves[untried] if untried != NONE else nodes[child].move
                    if untried != NONE:
                        child = NONE
                elif node.listed == 0 or node.tried < node.listed:
                    if node.kept == NONE:
                        node.listed = branch(f, context)
                        if node.listed < 1 or node.listed > widest:
                            context.halted = BAD_MOVES
                            return k
                        if context.kept + node.listed <= context.keep_room:
                            node.kept = context.kept
                            context.kept += node.listed
                            keep(moves, node.kept, f, node.listed)
                    at = order[node.tried] if k == 0 else node.tried
                    move = f.moves[at] if node.kept == NONE else moves[node.kept + at]
                else:
                    child = promising(nodes, context, k)
                    move = nodes[child].move
            if child == NONE:
                if context.used >= context.room:
                    f.end = level
                    return k
                if node.seat != CHANCE:
                    node.tried += 1
                child = add(nodes, context, k, move)
                step(f, move)
                context.reached = max(context.reached, level)
                f.end = level
                return child
            step(f, move)
            k = child

    @jit
    def play_out(frames: Any, context: Any, stream: Any) -> None:
        """Play on and evaluate where it ends, or was cut, or a search was stopped."""
        f = frames[1]
        plies, chained = 0, 0
        while context.stop == 0:
            seat = mover(f)
            if seat >= 0:
                left = solve(f, context)
                if left > 0:
                    plies += left
                    break
            if seat == OVER or plies >= context.cut:
                break
            if seat == CHANCE:
                count = chance(f)
                chained += 1
                if count < 0 or count > widest:
                    context.halted = BAD_OUTCOMES
                    return
                if chained > MOST_CHAINED:
                    context.halted = ENDLESS
                    return
                if count == 0:
                    break
                step(f, f.moves[drawn(f, count, stream)])
                continue
            if seat < 0 or seat >= context.players:
                context.halted = BAD_MOVER
                return
            chained = 0
            count = legal(f, context)
            if count < 1 or count > widest:
                context.halted = BAD_MOVES
                return
            index = policy(frames, count, seat, stream)
            if index < 0 or index >= count:
                context.halted = BAD_CHOICE
                return
            step(f, f.moves[index])
            plies += 1
        f.end = min(f.end + plies, NEVER) if mover(f) == OVER else NEVER
        evaluate(f, context)

    @jit
    def back_up(nodes: Any, context: Any, value: Any, end: int, k: int) -> None:
        """Add a value to a node and all above it, and see how far apart merits are."""
        players = context.players
        while k != NONE:
            node = nodes[k]
            node.visits += 1
            node.ends += end
            for j in range(len(value)):  # a constant to the compiler
                node.total[j] += value[j]
            k = node.parent
            if not information_sets and k != NONE and nodes[k].seat >= 0:
                node.merit = merit_of(node, context, nodes[k].seat)
        for seat in range(players):
            merit = 0.0
            for j in range(players):
                merit += context.matrix[seat, j] * value[j]
            context.low[seat] = min(context.low[seat], merit)
            context.high[seat] = max(context.high[seat], merit)

    @entry
    def iterate(
        nodes: Any, moves: Any, frames: Any, contexts: Any, order: Any, stream: Any
    ) -> tuple[int, int]:
        """Go on until a limit is reached; whether there is a result, and what halted it, if so.

        No limit of nodes ends it before every move of the root was tried once, in `order`; one of
        time does.
        """
        context = contexts[0]
        if context.used == 0:
            add(nodes, context, NONE, order[0])
            if information_sets:
                branch(frames[0], context)
        while context.stop == 0:
            if context.nodes >= context.node_limit and nodes[0].tried == len(order):
                break
            restart(frames, context, stream)
            k = descend(nodes, moves, frames, context, order, stream)
            if context.halted == 0:
                play_out(frames, context, stream)
            if context.halted != 0:
                break
            back_up(nodes, context, frames[1].value, frames[1].end, k)
            context.nodes += 1
            context.completed = 1
        return context.completed, context.halted

    return iterate, make_collect(merit_of=merit_of, jit=jit, entry=entry)
