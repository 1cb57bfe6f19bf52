"""A search one ply deep, for who is played natively: it looks behind every move.

It finds what the kernel finds at depth 1, made of the same parts and to the last bit. There is
little of the kernel in it: nothing is cut at the root, and below it are leaves and chance alone.
So it is compiled in a fraction of the time that the whole search would take once more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mpsearch.contracts.arrays import Array
from mpsearch.contracts.policy import DECLINED
from mpsearch.contracts.propagator import Stance
from mpsearch.contracts.room import GUARD
from mpsearch.contracts.rules import CompiledBranching, CompiledEvaluator, Rules
from mpsearch.jit import Compiled
from mpsearch.kit.stream import shuffle
from mpsearch.search.compiled import frame_type, slate_type
from mpsearch.search.guards import set_guards
from mpsearch.search.native import inner, make_steps
from mpsearch.search.root import NO_LIMIT
from mpsearch.search.workshop import SearchSpace
from mpsearch.social.matrix import plain_rows

#: Levels of the tree: the root, what is behind its moves, and outcomes of chance.
_LEVELS = 8
#: What `slate.halted` says if chance goes on for too long.
_TOO_DEEP = 1


def make_desks(
    space: SearchSpace, stances: Sequence[Stance], *, shuffles: bool
) -> tuple[np.dtype[Any], Callable[[Any, int], None]]:
    """The record that a seat searches in, with its stance, and lay(desk, seat), which sets it up.

    With `shuffles` a tie goes to any move, else to the first.
    """
    game, players = space.game, space.game.players
    spaces = [space.for_root(seat) for seat in range(players)]
    sizes = map(len, _parameters(spaces[0]))
    assert game.rules is not None
    boxed = space.evaluator.reaches  # then to the compiler frames are those of the whole search
    slates = np.zeros(players, slate_type(players, *sizes, boxed=boxed))
    for slate, own, stance in zip(slates, spaces, stances, strict=True):
        slate.matrix[:] = plain_rows(stance.matrix)
        parameters, branch_parameters = _parameters(own)
        slate.parameters[: len(parameters)] = parameters
        slate.branch_parameters[: len(branch_parameters)] = branch_parameters
        slate.node_limit = NO_LIMIT

    def lay(desk: Any, seat: int) -> None:
        desk["slate"] = slates[seat]
        desk["shuffles"] = shuffles
        set_guards(desk["frames"])

    return _desk_type(game.rules, players, slates.dtype, boxed=boxed), lay


@functools.lru_cache(maxsize=64)
def _desk_type(rules: Rules, players: int, slate: np.dtype[Any], *, boxed: bool) -> np.dtype[Any]:
    return np.dtype(
        [
            ("slate", slate),
            ("shuffles", "i8"),
            # Where each of the root's moves stands if moves tie.
            ("rank", "i8", rules.most_moves),
            ("frames", frame_type(rules, players, boxed=boxed), _LEVELS),
        ],
        align=True,
    )


def _parameters(space: SearchSpace) -> tuple[Array, Array]:
    """The numbers that evaluator and branching are given."""
    evaluator, branching = space.evaluator, space.branching
    assert isinstance(evaluator, CompiledEvaluator)
    assert branching is None or isinstance(branching, CompiledBranching)
    return evaluator.parameters, np.zeros(0) if branching is None else branching.parameters


@functools.lru_cache(maxsize=64)
def make_choice(
    rules: Rules, players: int, hidden: bool, evaluate: Compiled, branch: Compiled | None
) -> Callable[..., Any]:
    """The best move after one ply, as `DeskPolicy.choose`; in one world, if some is hidden.

    It declines where rules are at fault, or chance goes on for too long: the search says so.
    """
    (mover, listing, _, value), visit, backup = make_steps(rules, players, evaluate, branch)
    merit, take, clear, add = backup.merit, backup.take, backup.clear, backup.add
    widest = rules.most_moves

    @inner
    def nothing_hidden(s: Any, seat: int, stream: Any) -> None:
        pass

    world: Any = rules.world if hidden else nothing_hidden

    @inner
    def no_mean(frames: Any, slate: Any, count: int) -> None:
        pass

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

    back_up = no_mean if rules.tree_chance is None else mean

    @inner
    def intact(frames: Any) -> bool:
        for k in range(len(frames)):
            f = frames[k]
            lists = f.moves_guard == GUARD and f.probabilities_guard == GUARD
            if not (lists and f.state_guard == GUARD and f.value_guard == GUARD):
                return False
        return True

    @inner
    def choose(s: Any, moves: Any, count: int, stream: Any, desk: Any, note: Any) -> int:
        frames, slate, rank = desk.frames[:], desk.slate, desk.rank[:]
        f, g = frames[0], frames[1]
        f.state = s
        f.seat = mover(f)
        world(f.state, f.seat, stream)
        clear(f)
        value(f, slate)
        for j in range(players):
            note.outlook[j] = f.value[j]
        listed = listing(f, slate)
        if listed < 1 or listed > widest:
            return DECLINED
        for i in range(listed):
            rank[i] = i
        if desk.shuffles != 0:
            shuffle(stream, rank[:listed])
        slate.nodes = 1  # the root itself
        slate.halted = 0
        best, chosen = 0.0, 0
        for i in range(listed):
            below = visit(f, g, i, slate, 0)
            if below > 0:
                back_up(frames[1:], slate, below)
            if slate.halted != 0:
                return DECLINED
            seen = merit(slate, f.seat, g)
            if i == 0 or seen > best or (seen == best and rank[i] < rank[chosen]):
                best, chosen = seen, i
                take(f, g, i)
        for j in range(players):
            note.value[j] = f.value[j]
        note.nodes = slate.nodes
        if intact(frames):
            # A branching has an order of its own.
            for k in range(count):
                if moves[k] == f.moves[chosen]:
                    return k
        return DECLINED

    made: Callable[..., Any] = choose
    return made
