"""One-ply search for native play: it looks behind every move.

It finds what the tree search finds at depth 1, with the same functions and to the last bit. Nothing
is cut at the root, and below it are leaves and chance nodes alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import DECLINED, Rules, SearchSpace, Stance
from mpsearch.gamekit import shuffle
from mpsearch.jit import bind, carray, copy_record, njit, pointer, record_at
from mpsearch.search.pruning.plan import Plan, make_plan
from mpsearch.search.tree.alpha_beta import HERE, below, expand, visit
from mpsearch.search.tree.backup import add, clear, key, merit, move_at, take
from mpsearch.search.tree.compiled import CompiledEngine, native_functions
from mpsearch.search.tree.engine import load_matrix
from mpsearch.search.tree.frames import Blocks, Outputs, address, context_type, frame_type
from mpsearch.search.tree.iterative_deepening import NO_LIMIT

#: Levels of the tree: the root, what is behind its moves, and outcomes of chance.
_LEVELS = 8
#: What `context.halted` says if chance goes on for too long.
_TOO_DEEP = 1
#: Where a seat searches: frames, context, and the rank of each of the root's moves if moves tie;
#: and whether ties go to any move.
SCRATCH = np.dtype([(name, "i8") for name in ("frames", "context", "rank", "shuffles")])


class _Memory:
    """What one seat searches in; there must be a reference to it as long as it does."""

    def __init__(self, engine: CompiledEngine, plan: Plan) -> None:
        rules, players = engine.rules, engine.players
        self.engine = engine
        self.frames = np.zeros(_LEVELS, frame_type(players))
        self.blocks = Blocks(_LEVELS, rules.state, rules.most_moves, engine.outcomes)
        self.blocks.place(self.frames)
        self.contexts = np.zeros(1, context_type(players))
        self.outputs = Outputs(players)
        self.rank = np.zeros(rules.most_moves, np.int64)
        context = self.contexts[0]
        context.node_limit = NO_LIMIT
        context.matrix[:players, :players] = plan.matrix
        context.won[:players], context.lost[:players] = plan.won, plan.lost
        engine.load_addresses(context)
        self.outputs.place(context)
        context.exact_ends = int(plan.exact_ends)
        load_matrix(context, plan.matrix)
        self.addresses = tuple(map(address, (self.frames, self.contexts, self.rank)))


class _Loan:
    """A memory that is used in one game, and by another one when that has ended."""

    def __init__(self, memory: _Memory, free: list[_Memory]) -> None:
        self._memory, self._free = memory, free

    def check(self) -> None:
        """ContractError if anything was written beyond the end of a row."""
        memory = self._memory
        memory.blocks.check(memory.engine.writers)
        memory.outputs.check(memory.engine.writers)

    def __del__(self) -> None:
        self._free.append(self._memory)


def make_scratch(
    space: SearchSpace, stances: Sequence[Stance], *, shuffles: bool
) -> tuple[np.dtype[Any], Callable[[Any, int], Any]]:
    """The record that a seat's policy works in, and lay(scratch, seat) to set it up.

    With `shuffles` a tie goes to any move, else to the first.
    """
    engines = [CompiledEngine(space.for_root(seat)) for seat in range(space.game.players)]
    plans = [
        make_plan(
            stance.matrix,
            space.evaluator.bounds,
            prune=False,
            short_wins=space.evaluator.short_wins,
            exact_ends=space.solves(stance.matrix),
        )
        for stance in stances
    ]

    # To make one takes longer than a short game.
    free: list[list[_Memory]] = [[] for _ in engines]

    def lay(scratch: Any, seat: int) -> _Loan:
        try:
            memory = free[seat].pop()
        except IndexError:
            memory = _Memory(engines[seat], plans[seat])
        scratch["frames"], scratch["context"], scratch["rank"] = memory.addresses
        scratch["shuffles"] = shuffles
        return _Loan(memory, free[seat])

    return SCRATCH, lay


def mean(f: Any, context: Any, count: int) -> None:
    """Back up the value of f, where chance has `count` outcomes."""
    if f.last != 0:
        context.halted = _TOO_DEEP
        return
    g = below(f)
    clear(f)
    for i in range(count):
        children = visit(f, g, i, context, 0)
        if children > 0:
            mean(g, context, children)
        if context.halted != 0:
            return
        add(f, g, i)


def search_one_ply(f: Any, context: Any, rank: Any, shuffles: int, stream: Any, note: Any) -> Any:
    """The best move of the root f, whose state is there; DECLINED if none is found."""
    g = below(f)
    context.nodes = 1  # the root itself
    context.halted = 0
    expand(f, HERE, 0, context)
    for j in range(len(note.outlook)):
        note.outlook[j] = f.value[j]
    listed = expand(f, HERE, 1, context)
    if listed < 1 or listed > len(rank):
        return DECLINED
    for i in range(listed):
        rank[i] = i
    if shuffles != 0:
        shuffle(stream, rank[:listed])
    best, chosen = 0.0, 0
    for i in range(listed):
        children = visit(f, g, i, context, 0)
        if children > 0:
            mean(g, context, children)
        if context.halted != 0:
            return DECLINED
        seen = key(context, f.seat, merit(context, f.seat, g), g)
        if i == 0 or seen > best or (seen == best and rank[i] < rank[chosen]):
            best, chosen = seen, i
            take(f, g, i)
    for j in range(len(note.value)):
        note.value[j] = f.value[j]
    note.nodes = context.nodes
    return move_at(f, chosen)


@functools.cache
def _search() -> Any:
    """The search of all games as machine code."""
    decorate = functools.partial(njit, cached=False)
    return bind((mean, search_one_ply), decorate=decorate, **native_functions())["search_one_ply"]


@functools.lru_cache(maxsize=64)
def make_choice(rules: Rules, players: int, hidden: bool) -> Callable[..., Any]:
    """The best move after one ply, as `ScratchPolicy.choose`; in one world, if some is hidden.

    Whatever evaluates is behind an address in the scratch, so that one serves all at a table.

    It declines where rules are at fault, or chance goes on for too long: the search says so.
    """
    frame, context_kind, state = frame_type(players), context_type(players), rules.state
    mover, number, widest, search = rules.mover, np.int64, rules.most_moves, _search()

    def nothing_hidden(s: Any, seat: int, stream: Any) -> None:
        pass

    world: Any = rules.world if hidden else njit(nothing_hidden, cached=False)

    def choose(s: Any, moves: Any, count: int, stream: Any, scratch: Any, note: Any) -> int:
        root = record_at(scratch.frames, frame)
        known = record_at(root.state, state)
        copy_record(known, s)
        world(known, mover(s), stream)
        context = record_at(scratch.context, context_kind)
        rank = carray(pointer(scratch.rank), (widest,), number)
        move = search(root, context, rank, scratch.shuffles, stream, note)
        # A branching has an order of its own.
        for k in range(count):
            if moves[k] == move:
                return k
        return DECLINED

    made: Callable[..., Any] = njit(choose, cached=False)
    return made
