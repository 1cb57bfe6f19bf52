"""Parts that all searches over compiled rules share, over frames, and which plugin wrote them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts import (
    CompiledBranching,
    CompiledEvaluator,
    Rules,
    SearchSpace,
    State,
)
from mpsearch.jit import Compiled, carray, guarded_frame, njit, pointer, read_only
from mpsearch.search.pruning.plan import Plan
from mpsearch.search.tree.engine import Engine, Goal
from mpsearch.search.tree.frames import address


def inner(function: Callable[..., Any]) -> Any:
    """A function that is only called from machine code: what calls it is kept with it."""
    return _shared(function) if function.__closure__ is None else njit(function, cached=False)


@functools.cache
def _shared(function: Callable[..., Any]) -> Any:
    """What several parts of a search use is compiled once."""
    return njit(function, cached=False)


#: The fields of a frame that functions of a plugin write to.
GUARDED = ("moves", "probabilities", "state")


@functools.lru_cache(maxsize=64)
def frame_type(rules: Rules, seats: int) -> np.dtype[Any]:
    """Where a search is, as a record with room for so many seats."""
    written: list[Any] = [
        ("state", rules.state),
        ("moves", "i8", rules.most_moves),
        ("probabilities", "f8", rules.most_moves if rules.chance is not None else 1),
    ]
    own: list[Any] = [("value", "f8", seats), ("end", "i8")]
    return np.dtype(guarded_frame(written) + own, align=True)


class Parts(NamedTuple):
    """The rules, a branching and an evaluator as functions of a frame `f` and the `context`."""

    #: mover(f) -> seat.
    mover: Any
    #: listing(f, context) -> count, and fills f.moves.
    listing: Any
    #: chance(f) -> count, and fills f.moves and f.probabilities.
    chance: Any
    #: value(f, context) fills f.value.
    value: Any


def make_parts(rules: Rules, evaluate: Compiled, branch: Compiled | None) -> Parts:
    """The parts as machine code.

    Arrays are handed on as slices, and parameters read-only: to the compiler a field of a record is
    of another type than the array that Python hands on, and it would compile everything for both.
    """
    rules_mover, rules_moves, rules_chance = rules.mover, rules.moves, rules.tree_chance

    @inner
    def mover(f: Any) -> Any:
        return rules_mover(f.state)

    if branch is None:

        @inner
        def listing(f: Any, context: Any) -> Any:
            return rules_moves(f.state, f.moves[:])
    else:

        @inner
        def listing(f: Any, context: Any) -> Any:
            count = context.branch_count
            parameters = carray(pointer(context.branch_parameters), (count,), np.float64)
            return branch(f.state, read_only(parameters), f.moves[:])

    if rules_chance is None:

        @inner
        def chance(f: Any) -> Any:
            return 0
    else:

        @inner
        def chance(f: Any) -> Any:
            return rules_chance(f.state, f.moves[:], f.probabilities[:])

    @inner
    def value(f: Any, context: Any) -> Any:
        count = context.parameter_count
        parameters = carray(pointer(context.parameters), (count,), np.float64)
        # Beside the frame: what an evaluator writes too much must not change the search.
        players = context.players
        out = carray(pointer(context.out), (players,), np.float64)
        evaluate(f.state, read_only(parameters), out)
        for j in range(players):
            f.value[j] = out[j]

    return Parts(mover, listing, chance, value)


class NativeEngine(Engine):
    """An engine over compiled rules, whatever it searches."""

    native = True

    def __init__(self, space: SearchSpace) -> None:
        super().__init__()
        evaluator, branching = space.evaluator, space.branching
        assert space.game.rules is not None
        assert isinstance(evaluator, CompiledEvaluator)
        assert branching is None or isinstance(branching, CompiledBranching)
        self.rules = space.game.rules
        self.players = space.game.players
        self.evaluator = evaluator
        #: Copies of our own: they are handed on by address.
        self.parameters = np.array(evaluator.parameters)
        self.branch = None if branching is None else branching.branch
        self.branch_parameters = np.array([] if branching is None else branching.parameters)
        #: For which plans all is compiled: whether they have local bounds.
        self._prepared: set[bool] = set()
        chance = self.rules.tree_chance
        #: Who writes to which field of a frame; what overflows most first: it may have run over
        #: the guards of the others.
        self.writers = {
            "moves": (self.branch or self.rules.moves).where,
            "probabilities": "" if chance is None else chance.where,
            "value": evaluator.evaluate.where,
            "state": f"{self.rules.play.where} or {evaluator.evaluate.where}",
        }

    def is_ready_for(self, plan: Plan) -> bool:
        return (plan.local is not None) in self._prepared

    def prepare(self, state: State, plan: Plan) -> None:
        if not self.is_ready_for(plan):
            workspace = self.workspace()
            moves = workspace.load(state, plan, Goal(1, 1, 1))
            workspace.context.stop = 1  # it is the call that compiles; there is nothing to find
            workspace.run([0], len(moves))
            self._prepared.add(plan.local is not None)

    def load_parameters(self, context: Any) -> None:
        """Write into a context where the parameters of evaluator and branching are."""
        context.parameters, context.parameter_count = address(self.parameters), len(self.parameters)
        context.branch_parameters = address(self.branch_parameters)
        context.branch_count = len(self.branch_parameters)
