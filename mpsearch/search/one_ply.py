"""A search one ply deep, for who is played natively: it looks behind every move.

It finds what the kernel finds at depth 1, made of the same parts and to the last bit. There is
little of the kernel in it: nothing is cut at the root, and below it are leaves and chance alone.
So it is compiled in a fraction of the time that the whole search would take once more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mpsearch.contracts.propagator import Stance
from mpsearch.contracts.room import GUARD, SLACK
from mpsearch.contracts.rules import CompiledBranching, CompiledEvaluator, Rules
from mpsearch.jit import Compiled
from mpsearch.kit.stream import shuffle
from mpsearch.search.backup import make_backup
from mpsearch.search.compiled import frame_type, slate_type
from mpsearch.search.guards import set_guards
from mpsearch.search.native import inner, make_parts
from mpsearch.search.root import NO_LIMIT
from mpsearch.search.visit import make_visit
from mpsearch.search.workshop import SearchSpace
from mpsearch.social.matrix import plain_rows

#: Levels of the tree: the root, what is behind its moves, and outcomes of chance.
_LEVELS = 8
#: What `look` answers if it found nothing: the search itself says why.
NOTHING = -1
#: What `slate.halted` says if chance goes on for too long.
_TOO_DEEP = 1


@functools.lru_cache(maxsize=64)
def desk_type(
    rules: Rules, players: int, parameters: int, branch_parameters: int
) -> np.dtype[Any]:
    """What a search one ply deep works in, as one record."""
    return np.dtype(
        [
            ("slate", slate_type(players, parameters, branch_parameters, boxed=False)),
            ("shuffles", "i8"),
            # Where each of the root's moves stands when moves tie.
            ("rank", "i8", rules.most_moves),
            ("frames", frame_type(rules, players, boxed=False), _LEVELS),
            # Whatever is written beyond the last frame does no harm.
            ("spare", "i8", SLACK),
        ],
        align=True,
    )


def desk_for(space: SearchSpace) -> np.dtype[Any]:
    """The desk on which a space is searched, the same for every seat."""
    evaluator, branch_parameters = _parameters(space)
    rules = space.game.rules
    assert rules is not None
    return desk_type(rules, space.game.players, len(evaluator), len(branch_parameters))


def lay_desk(desk: Any, space: SearchSpace, stance: Stance, *, shuffles: bool) -> None:
    """Make a desk of zeros ready for the seat whose space and stance these are."""
    slate, parameters = desk["slate"], _parameters(space)
    slate["matrix"] = plain_rows(stance.matrix)
    for name, given in zip(("parameters", "branch_parameters"), parameters, strict=True):
        slate[name][: len(given)] = given
    slate["node_limit"] = NO_LIMIT
    desk["shuffles"] = shuffles
    set_guards(desk["frames"])


def _parameters(space: SearchSpace) -> tuple[Any, Any]:
    """The numbers that evaluator and branching are given."""
    assert isinstance(space.evaluator, CompiledEvaluator)
    branching = space.branching
    if branching is None:
        return space.evaluator.parameters, ()
    assert isinstance(branching, CompiledBranching)
    return space.evaluator.parameters, branching.parameters


@functools.lru_cache(maxsize=64)
def make_look(
    rules: Rules, players: int, evaluate: Compiled, branch: Compiled | None
) -> Callable[..., Any]:
    """look(desk, stream): which of the moves that it lists is best, in the state of frames[0].

    Its outlook is written to `outlook` first, and then the value of the best move to the frame.
    """
    parts = make_parts(rules, evaluate, branch)
    mover, listing, value = parts.mover, parts.listing, parts.value
    merit, take, clear, add = make_backup(players, inner)
    widest = rules.most_moves
    visit = make_visit(
        players=players,
        widest=widest,
        mover=mover,
        branch=listing,
        chance=parts.chance,
        descend=parts.descend,
        evaluate=value,
        jit=inner,
    )

    @inner
    def mean(frames: Any, slate: Any, count: int) -> None:
        """Back up the value of frames[0], where chance has `count` outcomes."""
        if len(frames) < 2:
            slate.halted = _TOO_DEEP
            return
        f, g = frames[0], frames[1]
        clear(f)
        for i in range(count):
            below = visit(f, g, i, slate, 0)
            if below > 0:
                mean(frames[1:], slate, below)
            if slate.halted != 0:
                return
            add(f, g, f.probabilities[i])

    @inner
    def intact(frames: Any) -> bool:
        for k in range(len(frames)):
            f = frames[k]
            moves = f.moves_guard == GUARD and f.probabilities_guard == GUARD
            if not (moves and f.state_guard == GUARD and f.value_guard == GUARD):
                return False
        return True

    @inner
    def look(desk: Any, stream: Any, outlook: Any) -> int:
        frames, slate, rank = desk.frames[:], desk.slate, desk.rank[:]
        f, g = frames[0], frames[1]
        f.seat = mover(f)
        clear(f)
        value(f, slate)
        for j in range(players):
            outlook[j] = f.value[j]
        count = listing(f, slate)
        if count < 1 or count > widest:
            return NOTHING
        for i in range(count):
            rank[i] = i
        if desk.shuffles != 0:
            shuffle(stream, rank[:count])
        slate.nodes = 1  # the root itself
        slate.halted = 0
        best, chosen = 0.0, NOTHING
        for i in range(count):
            below = visit(f, g, i, slate, 0)
            if below > 0:
                mean(frames[1:], slate, below)
            if slate.halted != 0:
                return NOTHING
            seen = merit(slate, f.seat, g)
            if i == 0 or seen > best or (seen == best and rank[i] < rank[chosen]):
                best, chosen = seen, i
                take(f, g, i)
        return chosen if intact(frames) else NOTHING

    made: Callable[..., Any] = look
    return made
