"""Best-reply search: tree search in which one opponent at a time chooses.

BRS (Schadd and Winands 2011) lets the turns of all other opponents go by, which few games allow;
BRS+ (Esser, Gras, Winands, Schadd and Lanctot 2013) lets them make the first move of an order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from mpsearch import contracts
from mpsearch.errors import UsageError
from mpsearch.search.best_reply.reply_tree import SKIP, PlainReplies, ReplyTree
from mpsearch.search.decision import search
from mpsearch.search.tree.engine import Engine, make_engine


@attrs.frozen(kw_only=True)
class BestReplySearch(contracts.SearchAlgorithm):
    """Tree search of a narrower tree."""

    space: contracts.SearchSpace
    #: What opponents do who do not reply: `ordered`, `greedy` or `skip`.
    others: str
    #: By root, and whether the rules are plain Python for the time being.
    _trees: dict[tuple[int, bool], tuple[ReplyTree, Engine]] = attrs.field(
        factory=dict, init=False, repr=False, eq=False
    )

    def search(
        self,
        worlds: Sequence[contracts.State],
        stance: contracts.Stance,
        limits: contracts.Limits,
        request: contracts.SearchRequest,
    ) -> contracts.Report:
        key = request.root, self.space.suspended
        if key not in self._trees:
            tree = make_replies(self.space, request.root, self.others)
            self._trees[key] = (tree, make_engine(tree.space))
        tree, engine = self._trees[key]
        places = [tree.enter(world) for world in worlds]
        report = search(tree.space, places, stance, limits, engine=engine, **request.settings)
        return _told(report, tree)


def make_best_reply_search(
    space: contracts.SearchSpace, bots: Mapping[str, contracts.PlayerOffer], *, others: str
) -> BestReplySearch:
    """The search for a space; UsageError if turns are to go by in a game where none can."""
    if others == "skip" and not space.game.skips:
        raise UsageError(
            "search=brs: this game does not allow skipping a turn; others=ordered is for any"
        )
    return BestReplySearch(space=space, others=others)


def make_replies(
    space: contracts.SearchSpace, root: int, others: str, *, interpret: bool = False
) -> ReplyTree:
    """The tree for one root, compiled where the space is."""
    space = space.for_root(root)
    if space.compiles and not interpret:
        from mpsearch.search.best_reply.compiled import CompiledReplies

        return CompiledReplies(space, root, others)
    return PlainReplies(space, root, others)


def _told(report: contracts.Report, tree: ReplyTree) -> contracts.Report:
    """The report with the game's own moves."""
    moves = tuple(
        attrs.evolve(m, move=tree.taken_apart(m.move)[0], line=_line(m.line, tree))
        for m in report.moves
    )
    move, _ = tree.taken_apart(report.move)
    return attrs.evolve(report, move=move, moves=moves, line=_line(report.line, tree))


def _line(line: Sequence[contracts.Move], tree: ReplyTree) -> tuple[contracts.Move, ...]:
    """The expected moves, up to the first turn that goes by: no move of the game follows there."""
    made = []
    for move, kind in map(tree.taken_apart, line):
        if kind == SKIP:
            break
        made.append(move)
    return tuple(made)
