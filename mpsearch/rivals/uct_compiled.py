"""Monte-Carlo tree search as machine code, for one combination of rules, branching and so on."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mpsearch.contracts.game import Move, State
from mpsearch.contracts.rules import CompiledBranching, CompiledEvaluator, Rules, StateRecord
from mpsearch.jit import Compiled
from mpsearch.jit.native import entry, njit
from mpsearch.kit.stream import below as draw_below
from mpsearch.kit.stream import stream_of
from mpsearch.rivals.uct import COUNTS, make_uct
from mpsearch.rivals.uct_engine import (
    MOST_TREE_NODES,
    Sampling,
    Start,
    UctEngine,
    UctWorkspace,
)
from mpsearch.search.compiled import root_type
from mpsearch.search.engine import Found, Goal, SearchSpace, Workspace
from mpsearch.search.guards import Guards, guarded_frame, make_frames
from mpsearch.search.plan import Plan


def _inner(function: Callable[..., Any]) -> Any:
    return njit(function, cached=False)


def _frame_type(rules: Rules, players: int) -> np.dtype[Any]:
    written: list[Any] = [
        ("state", rules.state),
        ("value", "f8", players),
        ("moves", "i8", rules.most_moves),
        ("probabilities", "f8", rules.most_moves if rules.chance is not None else 1),
    ]
    return np.dtype(guarded_frame(written), align=True)


def _node_type(players: int) -> np.dtype[Any]:
    links = [(name, "i4") for name in ("seat", "listed", "tried", "parent", "newest", "older")]
    own: list[Any] = [("total", "f8", players), ("visits", "i8"), ("move", "i8"), *links]
    return np.dtype(own, align=True)


def _job_type(players: int, parameters: int, branch_parameters: int) -> np.dtype[Any]:
    fields: list[Any] = [
        ("matrix", "f8", (players, players)),
        ("low", "f8", players),
        ("high", "f8", players),
        ("explore", "f8"),
        ("parameters", "f8", max(parameters, 1)),
        ("branch_parameters", "f8", max(branch_parameters, 1)),
        *((name, "i8") for name in COUNTS),
    ]
    return np.dtype(fields, align=True)


@functools.lru_cache(maxsize=64)
def _kernel(
    rules: Rules,
    players: int,
    hidden: bool,
    evaluate: Compiled,
    branch: Compiled | None,
    choose: Compiled | None,
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`iterate` and `collect` for these parts."""
    rules_mover, rules_moves, rules_play = rules.mover, rules.moves, rules.play
    rules_chance, hide = rules.tree_chance, rules.hide

    @_inner
    def mover(f: Any) -> Any:
        return rules_mover(f.state)

    @_inner
    def legal(f: Any, job: Any) -> Any:
        return rules_moves(f.state, f.moves)

    listing = legal
    if branch is not None:

        @_inner
        def listing(f: Any, job: Any) -> Any:
            return branch(f.state, job.branch_parameters, f.moves)

    if rules_chance is None:

        @_inner
        def chance(f: Any) -> Any:
            return 0
    else:

        @_inner
        def chance(f: Any) -> Any:
            return rules_chance(f.state, f.moves, f.probabilities)

    @_inner
    def restart(frames: Any) -> None:
        frames[1].state = frames[0].state

    @_inner
    def step(f: Any, move: Any) -> None:
        rules_play(f.state, move)

    @_inner
    def value(f: Any, job: Any) -> None:
        evaluate(f.state, job.parameters, f.value)

    if choose is None:

        @_inner
        def policy(frames: Any, count: int, seat: int, stream: Any) -> Any:
            return draw_below(stream, count)
    elif not hidden:

        @_inner
        def policy(frames: Any, count: int, seat: int, stream: Any) -> Any:
            return choose(frames[1].state, frames[1].moves, count, stream)
    else:
        assert hide is not None

        @_inner
        def policy(frames: Any, count: int, seat: int, stream: Any) -> Any:
            frames[2].state = frames[1].state
            hide(frames[2].state, seat)
            return choose(frames[2].state, frames[1].moves, count, stream)

    @_inner
    def fresh(nodes: Any, k: int) -> None:
        pass

    return make_uct(
        players=players,
        widest=rules.most_moves,
        mover=mover,
        branch=listing,
        chance=chance,
        restart=restart,
        step=step,
        evaluate=value,
        legal=listing if choose is None else legal,
        policy=policy,
        fresh=fresh,
        below=draw_below,
        jit=_inner,
        entry=entry,
    )


class CompiledUct(UctEngine):
    """An engine for compiled rules."""

    native = True

    def __init__(self, space: SearchSpace, sampling: Sampling) -> None:
        super().__init__(space, sampling)
        game, evaluator, branching = space.game, space.evaluator, space.branching
        assert game.rules is not None
        assert isinstance(evaluator, CompiledEvaluator)
        assert branching is None or isinstance(branching, CompiledBranching)
        self.rules = game.rules
        self.players = game.players
        self.parameters = evaluator.parameters
        self.branch_parameters = np.zeros(0) if branching is None else branching.parameters
        listing = self.rules.moves if branching is None else branching.branch
        chance = self.rules.tree_chance
        self.writers = {
            "moves": listing.where,
            "probabilities": "" if chance is None else chance.where,
            "value": evaluator.evaluate.where,
            "state": f"{self.rules.play.where} or {evaluator.evaluate.where}",
        }
        self.kernel = _kernel(
            self.rules,
            self.players,
            game.hidden,
            evaluator.evaluate,
            None if branching is None else branching.branch,
            None if sampling.player is None else sampling.player.policy,
        )
        self.ready = False

    def workspace(self) -> Workspace:
        return CompiledUctWorkspace(self)

    def prepare(self, state: State, plan: Plan) -> None:
        if not self.ready:
            workspace = CompiledUctWorkspace(self)
            moves = workspace.load(state, plan, Goal(1, 1, 1))
            workspace.run([0], len(moves))
            self.ready = True


class CompiledUctWorkspace(UctWorkspace):
    """Nodes in one array of records with a fixed number of places, made when they are needed."""

    def __init__(self, engine: CompiledUct) -> None:
        self.engine = engine
        self.frames = make_frames(_frame_type(engine.rules, engine.players), 3)
        self._state = self.frames[:1].view(np.uint8)[: engine.rules.state.itemsize].data
        self._guards = Guards(self.frames, engine.writers)
        kind = _job_type(engine.players, len(engine.parameters), len(engine.branch_parameters))
        self.jobs = np.zeros(1, np.dtype((StateRecord, kind)))
        self.job = self.jobs[0]
        self.job.parameters[: len(engine.parameters)] = engine.parameters
        self.job.branch_parameters[: len(engine.branch_parameters)] = engine.branch_parameters
        self.job.room = MOST_TREE_NODES
        # Memory that is not written to is not taken.
        self.nodes = np.empty(MOST_TREE_NODES, _node_type(engine.players))
        self.entries = np.zeros(0, root_type(engine.players))

    def load(self, state: State, plan: Plan, goal: Goal) -> list[Move]:
        start: Start = state
        space = self.engine.space
        self.job.matrix[:] = plan.matrix
        self.begin(plan, goal, start, self.engine.sampling)
        self._state[:] = start.state
        self._stream = stream_of(start.rng)
        self.root = space.game.mover(start.state)
        listing = space.game.moves if space.branching is None else space.branching.moves
        return list(listing(start.state))

    def iterate(self, order: list[int]) -> tuple[int, int]:
        iterate, _ = self.engine.kernel
        tried: tuple[int, int] = iterate(
            self.nodes, self.frames, self.jobs, np.array(order), self._stream
        )
        return tried

    def collect(self, order: list[int], moves: int) -> int:
        _, collect = self.engine.kernel
        self.entries = np.zeros(moves, self.entries.dtype)
        choice: int = collect(self.nodes, self.jobs, np.array(order), self.entries)
        return choice

    def inspect(self) -> None:
        self._guards.check()

    def found(self, bank: int, moves: int) -> Found:
        found = self.entries
        exact, lengths = found["exact"].tolist(), found["length"].tolist()
        return Found(found["value"], exact, found["line"], lengths)
