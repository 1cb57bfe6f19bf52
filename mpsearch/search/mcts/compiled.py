"""Monte-Carlo tree search as machine code, for one combination of rules, branching and so on.

Records have room for more seats than play, so that the number of players compiles nothing anew.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mpsearch.contracts import Rules, SearchSpace, StateRecord
from mpsearch.gamekit import below as draw_below
from mpsearch.gamekit import stream_of
from mpsearch.jit import Compiled, Guards, entry, make_frames
from mpsearch.search.mcts.engine import (
    MOST_KEPT_MOVES,
    MOST_TREE_NODES,
    Sampling,
    Start,
    UctWorkspace,
)
from mpsearch.search.mcts.uct import COUNTS, make_uct
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.tree.backup import NEVER
from mpsearch.search.tree.compiled_parts import GUARDED, NativeEngine, frame_type, inner, make_parts
from mpsearch.search.tree.engine import Found, Workspace
from mpsearch.search.tree.frames import Outputs, root_type, seats_for


@functools.lru_cache(maxsize=64)
def _node_type(seats: int) -> np.dtype[Any]:
    names = ("seat", "listed", "tried", "kept", "parent", "newest", "older")
    # What seats choose by lies together; the room of seats that nobody has is last.
    own: list[Any] = [
        *((name, "i4") for name in names),
        *(("visits", "i8"), ("merit", "f8"), ("available", "i8"), ("move", "i8"), ("ends", "i8")),
        ("total", "f8", seats),
    ]
    return np.dtype(own, align=True)


@functools.lru_cache(maxsize=64)
def _context_type(seats: int) -> np.dtype[Any]:
    fields: list[Any] = [
        ("matrix", "f8", (seats, seats)),
        *((name, "f8", seats) for name in ("low", "high", "won", "lost")),
        ("explore", "f8"),
        # By their address: how many there are must not make anything compile anew.
        *((name, "i8") for name in ("parameters", "parameter_count")),
        *((name, "i8") for name in ("branch_parameters", "branch_count")),
        *((name, "i8") for name in ("out", "out_low", "out_high")),
        *((name, "i8") for name in COUNTS),
    ]
    return np.dtype((StateRecord, np.dtype(fields, align=True)))


@functools.lru_cache(maxsize=64)
def _kernel(
    rules: Rules,
    hidden: bool,
    evaluate: Compiled,
    branch: Compiled | None,
    choose: Compiled | None,
    information_sets: bool,
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`iterate` and `collect` for these parts."""
    rules_moves, rules_play, hide = rules.moves, rules.play, rules.hide
    mover, listing, chance, value = make_parts(rules, evaluate, branch)

    @inner
    def legal(f: Any, context: Any) -> Any:
        return rules_moves(f.state, f.moves[:])

    if hidden and information_sets:
        hide_it, world = hide, rules.world
        assert hide_it is not None
        assert world is not None

        @inner
        def restart(frames: Any, context: Any, stream: Any) -> None:
            frames[1].state = frames[0].state
            hide_it(frames[1].state, context.root)
            world(frames[1].state, context.root, stream)
    else:

        @inner
        def restart(frames: Any, context: Any, stream: Any) -> None:
            frames[1].state = frames[0].state

    @inner
    def step(f: Any, move: Any) -> None:
        rules_play(f.state, move)

    rules_solve = rules.solve
    if rules_solve is None:

        @inner
        def solve(f: Any, context: Any) -> Any:
            return 0
    else:

        @inner
        def solve(f: Any, context: Any) -> Any:
            return rules_solve(f.state) if context.exact_ends != 0 else 0

    if choose is None:

        @inner
        def policy(frames: Any, count: int, seat: int, stream: Any) -> Any:
            return draw_below(stream, count)
    elif not hidden:

        @inner
        def policy(frames: Any, count: int, seat: int, stream: Any) -> Any:
            return choose(frames[1].state, frames[1].moves[:], count, stream)
    else:
        assert hide is not None

        @inner
        def policy(frames: Any, count: int, seat: int, stream: Any) -> Any:
            frames[2].state = frames[1].state
            hide(frames[2].state, seat)
            return choose(frames[2].state, frames[1].moves[:], count, stream)

    @inner
    def fresh(nodes: Any, k: int) -> None:
        pass

    @inner
    def keep(moves: Any, first: int, f: Any, count: int) -> None:
        for i in range(count):
            moves[first + i] = f.moves[i]

    return make_uct(
        widest=rules.most_moves,
        mover=mover,
        branch=listing,
        chance=chance,
        restart=restart,
        step=step,
        solve=solve,
        evaluate=value,
        legal=listing if choose is None else legal,
        policy=policy,
        fresh=fresh,
        keep=keep,
        below=draw_below,
        information_sets=information_sets,
        jit=inner,
        entry=entry,
    )


class CompiledUct(NativeEngine):
    """An engine for compiled rules."""

    def __init__(self, space: SearchSpace, sampling: Sampling) -> None:
        super().__init__(space)
        self.space = space
        self.sampling = sampling
        self.kernel = _kernel(
            self.rules,
            space.game.hidden,
            self.evaluator.evaluate,
            self.branch,
            None if sampling.player is None else sampling.player.policy,
            sampling.information_sets,
        )

    def workspace(self) -> Workspace:
        return CompiledUctWorkspace(self)


class CompiledUctWorkspace(UctWorkspace):
    """Nodes in one array of records with a fixed number of places, made when they are needed."""

    def __init__(self, engine: CompiledUct) -> None:
        super().__init__(engine.space, engine.sampling)
        self.engine = engine  # the parameters are there
        players = engine.players
        self._iterate, self._collect = engine.kernel
        seats = seats_for(players)
        self.frames = make_frames(frame_type(engine.rules, seats), 3)
        self._state = self.frames[:1].view(np.uint8)[: engine.rules.state.itemsize].data
        self._guards = Guards(self.frames, {f: engine.writers[f] for f in GUARDED})
        self._outputs = Outputs(players)
        self.contexts = np.zeros(1, _context_type(seats))
        self.context = self.contexts[0]
        self.context.players = players
        self._outputs.place(self.context)
        engine.load_parameters(self.context)
        self.context.room = MOST_TREE_NODES
        self.context.keep_room = MOST_KEPT_MOVES
        # Memory that is not written to is not taken.
        self.moves = np.empty(MOST_KEPT_MOVES, np.int64)
        self.nodes = np.empty(MOST_TREE_NODES, _node_type(seats))
        self.entries = np.zeros(0, root_type(players))

    def begin(self, start: Start, plan: Plan) -> None:
        players = self.engine.players
        self.context.matrix[:players, :players] = plan.matrix
        self.context.won[:players], self.context.lost[:players] = plan.won, plan.lost
        self._state[:] = start.state
        self._stream = stream_of(start.rng)

    def iterate(self, order: list[int]) -> tuple[int, int]:
        tried: tuple[int, int] = self._iterate(
            self.nodes, self.moves, self.frames, self.contexts, np.array(order), self._stream
        )
        return tried

    def collect(self, order: list[int], moves: int) -> int:
        self.entries = np.zeros(moves, self.entries.dtype)
        choice: int = self._collect(self.nodes, self.contexts, np.array(order), self.entries)
        return choice

    def inspect(self) -> None:
        self._guards.check()
        self._outputs.check(self.engine.writers)

    def found(self, bank: int, moves: int) -> Found:
        found = self.entries
        exact, lengths = found["exact"].tolist(), found["length"].tolist()
        values = found["value"][:, : self.engine.players]
        return Found(values, exact, found["line"], lengths, [NEVER] * len(found))
