"""Search traces: every node visited, and why the search went no further.

This is the tree search of `tree.alpha_beta` over Python objects, with a note taken whenever
it descends. Slow, and for trees that fit on a page.
"""

from __future__ import annotations

import attrs

from mpsearch._util import Array, frozen_array, snap
from mpsearch.contracts import OVER, Move, SearchSpace, Stance, State
from mpsearch.search.pruning.plan import NO_COLUMN, Plan, make_plan
from mpsearch.search.tree.backup import NEVER
from mpsearch.search.tree.engine import Goal
from mpsearch.search.tree.interpreted import Context, Frame, InterpretedEngine, Visit
from mpsearch.search.tree.move_ordering import ORDERINGS


@attrs.define(kw_only=True, eq=False)
class Node:
    """A node that was visited."""

    #: The move, or outcome of chance, that led here; None for the root.
    move: Move | None
    #: Which of the moves above it is, in the branching's order.
    place: int = 0
    #: What is here: texts of moves may depend on it.
    state: State = None
    #: Who chooses here: a seat, CHANCE or OVER.
    seat: int = OVER
    #: Value by seat, as it was backed up. Shape (P,).
    value: Array = attrs.field(factory=lambda: frozen_array([]))
    #: The ply at which its line of play ends the game, or NEVER.
    end: int = NEVER
    #: In the order in which they were tried.
    children: list[Node] = attrs.field(factory=list)
    #: How many moves or outcomes there are here.
    listed: int = 0
    #: Why the rest of them was not looked at; empty if all were.
    cut: str = ""
    #: The child that its mover chooses; None for chance and leaves.
    chosen: Node | None = None


class _Engine(InterpretedEngine):
    """Takes a note of every step down; a frame remembers the node that it holds."""

    def __init__(self, space: SearchSpace) -> None:
        self.nodes: dict[int, Node] = {}
        super().__init__(space)

    def noticed(self, visit: Visit) -> Visit:
        def down(f: Frame, g: Frame, i: int, context: Context, depth: int) -> int:
            parent = self.nodes[id(f)]
            self.finish(g)
            move = f.moves[i] if f.seat >= 0 else f.moves[i][0]
            self.nodes[id(g)] = node = Node(move=move, place=i)
            parent.children.append(node)
            parent.listed = len(f.moves)
            count = visit(f, g, i, context, depth)
            node.state = g.state
            return count

        return down

    def finish(self, frame: Frame) -> None:
        """Keep what a frame holds before it holds something else."""
        node = self.nodes.pop(id(frame), None)
        if node is not None:
            node.seat, node.value = frame.seat, frozen_array(frame.value)
            node.end = frame.end


def trace(space: SearchSpace, state: State, stance: Stance, *, depth: int, prune: bool) -> Node:
    """The tree of a search from `state`, to a fixed depth, with windows as in play."""
    plan = make_plan(
        stance.matrix,
        space.evaluator.bounds,
        lists_chance=space.game.lists_chance,
        prune=prune,
        ordering=ORDERINGS,
        short_wins=space.evaluator.short_wins,
        exact_ends=space.solves(stance.matrix),
    )
    engine = _Engine(space)
    workspace = engine.workspace()
    moves = workspace.load(state, plan, Goal(depth, depth))
    workspace.grow(2 * depth + 4)
    root = Node(move=None, state=state, seat=workspace.root, listed=len(moves))
    engine.nodes[id(workspace.frames[0])] = root
    standing = workspace.run(list(range(len(moves))), len(moves))
    for frame in workspace.frames[1:]:
        engine.finish(frame)
    root.chosen = root.children[standing.choice]
    root.value, root.end = root.chosen.value, root.chosen.end
    for child in root.children:
        _explain(child, root, plan)
    return root


def _explain(node: Node, above: Node, plan: Plan) -> None:
    """Say who was chosen below a node, and what ended it early."""
    for child in node.children:
        _explain(child, node, plan)
    if node.seat < 0 or not node.children:
        return
    merits = [plan.key(node.seat, child.value, child.end) for child in node.children]
    best = [child for child, m in zip(node.children, merits, strict=True) if m == max(merits)]
    node.chosen = min(best, key=lambda child: child.place)
    if len(node.children) == node.listed:
        return
    if not plan.matrix[node.seat].any():
        node.cut = f"seat {node.seat} cares about nothing"
    elif snap(max(merits)) >= plan.most[node.seat]:
        node.cut = f"immediate: no value is better than {snap(max(merits)):g}"
    elif plan.column != NO_COLUMN:
        node.cut = f"deep: the window on seat {plan.column}'s value is closed"
    else:
        node.cut = f"shallow: seat {above.seat} already has something better"
