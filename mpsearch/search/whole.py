"""A tree of which nothing is cut, over Python objects: all of it, and the first best everywhere.

It is what the kernel does without pruning, to the last bit and node, in a form that Python is
quick at: no frames and no windows, values are what functions return, and the step down is part of
the loop over moves, because most nodes are leaves. That takes 0.66 to 0.90 of the kernel's time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

from mpsearch.contracts.equality import SHIFT
from mpsearch.contracts.game import CHANCE, OVER, Move, State
from mpsearch.errors import ContractError
from mpsearch.search.backup import LINE
from mpsearch.search.visit import BAD_MOVER
from mpsearch.search.workshop import SearchSpace

#: The value of a node by seat, which other nodes may share and nobody changes; and its line: the
#: move and the line behind that, or None where it ends.
Backed: TypeAlias = "tuple[list[float], tuple[Move, Any]]"

#: Less than any merit.
_NOTHING = -math.inf


class _Halted(Exception):  # noqa: N818  # no error: the slate says why
    """The search ends here."""


def no_moves(seat: int) -> NoReturn:
    """For a seat to move there is at least one move."""
    raise ContractError(f"no moves for seat {seat}, which is to move")


def _halt(slate: Any, why: int) -> NoReturn:
    slate.halted = why
    raise _Halted


def _crowd(slate: Any) -> NoReturn:
    slate.crowded = 1
    _halt(slate, 1)


def make_whole(space: SearchSpace) -> Callable[..., None]:
    """`try_root` as `make_kernel` returns it, for plans that do not prune.

    Below, `ply` is that of a node's children: there are as many levels as the kernel has frames.
    """
    game, listing, values = space.game, space.listing, space.evaluator.values
    players, mover, play, listed = game.players, game.mover, game.play, game.tree_chance

    # Both loops have the step down written out: as a call it would be one more for every node, and
    # twice as many levels of Python's stack.

    def choose(
        slate: Any, state: State, seat: int, moves: Sequence[Move], depth: int, ply: int
    ) -> Backed:
        """A node at which a seat has these moves, and `depth` moves are to go."""
        if not moves:
            no_moves(seat)
        if ply >= slate.room:
            _crowd(slate)
        only = slate.only[seat]
        nodes = slate.nodes
        limit = slate.node_limit
        best = _NOTHING
        chosen: Any = None
        taken = line = None
        depth -= 1
        ply += 1
        for move in moves:
            nodes += 1
            if nodes > limit or slate.stop:
                slate.nodes = nodes
                _halt(slate, 1)
            after = play(state, move)
            whose = mover(after)
            behind = None
            if whose == OVER:
                value = values(after).tolist()
            elif 0 <= whose < players:
                if depth > 0:
                    slate.nodes = nodes
                    value, behind = choose(slate, after, whose, listing(after), depth, ply)
                    nodes = slate.nodes
                else:
                    slate.horizon = 1
                    value = values(after).tolist()
            else:
                slate.nodes = nodes
                value = mean(slate, after, whose, depth, ply)
                nodes = slate.nodes
            del after  # so that the next one has its memory: 2 to 4 % of the time
            if only >= 0:
                seen = (value[only] + SHIFT) - SHIFT
            else:
                seen = 0.0
                for j, weight in slate.weights[seat]:
                    seen += weight * value[j]
                seen = (seen + SHIFT) - SHIFT
            if seen > best or chosen is None:
                best = seen
                chosen = value
                taken = move
                line = behind
        slate.nodes = nodes
        return chosen, (taken, line)

    def mean(slate: Any, state: State, whose: int, depth: int, ply: int) -> list[float]:
        """A node of chance: the mean of its outcomes, if they are listed."""
        if whose != CHANCE:
            _halt(slate, BAD_MOVER)
        outcomes = listed(state)
        if not outcomes:
            value: list[float] = values(state).tolist()
            return value
        if ply >= slate.room:
            _crowd(slate)
        ply += 1
        total = [0.0] * players
        for outcome, share in outcomes:
            slate.nodes = nodes = slate.nodes + 1
            if nodes > slate.node_limit or slate.stop:
                _halt(slate, 1)
            after = play(state, outcome)
            whose = mover(after)
            if whose == OVER:
                value = values(after).tolist()
            elif 0 <= whose < players:
                if depth > 0:
                    value, _ = choose(slate, after, whose, listing(after), depth, ply)
                else:
                    slate.horizon = 1
                    value = values(after).tolist()
            else:
                value = mean(slate, after, whose, depth, ply)
            del after
            for j, its in enumerate(value):
                total[j] += share * its
        return total

    def try_root(
        frames: Any, slates: Any, root: int, i: int, depth: int, low: float, high: float
    ) -> None:
        """Search behind move i of the root; value and line go to the frame below it."""
        f, g = frames[root], frames[root + 1]
        try:
            g.value, (_, line) = choose(slates[0], f.state, f.seat, (f.moves[i],), depth, root + 1)
        except _Halted:
            return
        g.cut, g.line = 0, []
        while line is not None and len(g.line) < LINE:
            move, line = line
            g.line.append(move)
        g.length = len(g.line)

    return try_root
