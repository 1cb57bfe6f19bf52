"""What all searches over compiled rules share: their parts over frames, and who wrote what."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mpsearch.contracts.rules import CompiledBranching, CompiledEvaluator, Rules
from mpsearch.jit import Compiled
from mpsearch.jit.native import njit
from mpsearch.search.backup import Backup, make_backup
from mpsearch.search.visit import make_visit
from mpsearch.search.workshop import SearchSpace, Workshop


def inner(function: Callable[..., Any]) -> Any:
    """A function that is only called from machine code: what calls it is kept with it."""
    return _shared(function) if function.__closure__ is None else njit(function, cached=False)


@functools.cache
def _shared(function: Callable[..., Any]) -> Any:
    """What several parts of a search use is compiled once."""
    return njit(function, cached=False)


class Parts(NamedTuple):
    """The rules, a branching and an evaluator as functions of a frame `f` and the `slate`."""

    #: mover(f) -> seat.
    mover: Any
    #: listing(f, slate) -> count, and fills f.moves.
    listing: Any
    #: chance(f) -> count, and fills f.moves and f.probabilities.
    chance: Any
    #: value(f, slate) fills f.value.
    value: Any


def make_parts(rules: Rules, evaluate: Compiled, branch: Compiled | None) -> Parts:
    """The parts as machine code.

    Lists are handed to the rules as slices: to the compiler a field of a record is of another type
    than the array that Python hands them, and it would compile the rules for both.
    """
    rules_mover, rules_moves, rules_chance = rules.mover, rules.moves, rules.tree_chance

    @inner
    def mover(f: Any) -> Any:
        return rules_mover(f.state)

    if branch is None:

        @inner
        def listing(f: Any, slate: Any) -> Any:
            return rules_moves(f.state, f.moves[:])
    else:

        @inner
        def listing(f: Any, slate: Any) -> Any:
            return branch(f.state, slate.branch_parameters, f.moves)

    if rules_chance is None:

        @inner
        def chance(f: Any) -> Any:
            return 0
    else:

        @inner
        def chance(f: Any) -> Any:
            return rules_chance(f.state, f.moves[:], f.probabilities[:])

    @inner
    def value(f: Any, slate: Any) -> Any:
        evaluate(f.state, slate.parameters, f.value)

    return Parts(mover, listing, chance, value)


class Steps(NamedTuple):
    """What every search of a tree does over frames, made of the parts."""

    parts: Parts
    #: visit(f, g, i, slate, depth); see `make_visit`.
    visit: Any
    backup: Backup


@functools.lru_cache(maxsize=64)
def make_steps(rules: Rules, players: int, evaluate: Compiled, branch: Compiled | None) -> Steps:
    """The steps as machine code, the same for all searches: they are compiled once."""
    parts, rules_play = make_parts(rules, evaluate, branch), rules.play

    @inner
    def descend(f: Any, g: Any, i: Any) -> Any:
        g.state = f.state
        rules_play(g.state, f.moves[i])

    visit = make_visit(
        players=players,
        widest=rules.most_moves,
        mover=parts.mover,
        branch=parts.listing,
        chance=parts.chance,
        descend=descend,
        evaluate=parts.value,
        jit=inner,
    )
    return Steps(parts, visit, make_backup(players, inner))


class NativeWorkshop(Workshop):
    """A workshop over compiled rules, whatever it searches."""

    native = True
    ready = False

    def __init__(self, space: SearchSpace) -> None:
        super().__init__()
        evaluator, branching = space.evaluator, space.branching
        assert space.game.rules is not None
        assert isinstance(evaluator, CompiledEvaluator)
        assert branching is None or isinstance(branching, CompiledBranching)
        self.rules = space.game.rules
        self.players = space.game.players
        self.evaluator = evaluator
        self.parameters = evaluator.parameters
        self.branch = None if branching is None else branching.branch
        self.branch_parameters = np.zeros(0) if branching is None else branching.parameters
        chance = self.rules.tree_chance
        #: Who writes to which field of a frame; what overflows most first: it may have run over
        #: the guards of the others.
        self.writers = {
            "moves": (self.branch or self.rules.moves).where,
            "probabilities": "" if chance is None else chance.where,
            "value": evaluator.evaluate.where,
            "state": f"{self.rules.play.where} or {evaluator.evaluate.where}",
        }

    def load_parameters(self, slate: Any) -> None:
        """Write the parameters of evaluator and branching into a slate."""
        slate.parameters[: len(self.parameters)] = self.parameters
        slate.branch_parameters[: len(self.branch_parameters)] = self.branch_parameters
