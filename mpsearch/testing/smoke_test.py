"""Smoke test of a game: every function of its rules and parts in every state of a random game.

Within `mpsearch.jit.guarded` it runs plain Python with every index checked, otherwise machine code.
It looks only for failures, not for broken rules.
"""

from __future__ import annotations

import functools
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

import mpsearch
from mpsearch.contracts import CHANCE, OVER, Branching, Game
from mpsearch.errors import ContractError
from mpsearch.testing.random_play import Step, walk

#: An evaluator or a branching with its name in messages.
Named: TypeAlias = tuple[str, Any]

#: A noisy evaluator plays games to their end, and so is asked in one state of so many.
_NOISY_EVERY = 8
#: Seconds per part in one smoke test; after that its remaining states are skipped.
_PATIENCE = 0.5

_OURS = (str(Path(mpsearch.__file__).parent), str(Path(np.__file__).parent))


class BreakdownError(ContractError):
    """A failed function; `part` names its evaluator or branching."""

    def __init__(self, what: str, part: str = "") -> None:
        super().__init__(what)
        self.part = part


def smoke_test(
    game: Game, seed: int, *, plies: int, evaluators: Sequence[Named], branchings: Sequence[Named]
) -> None:
    """Raise a BreakdownError that names the function, the place and the moves of a failure."""
    spent: dict[str, float] = {}
    moves: tuple[str, ...] = ()

    def ask(part: str, call: Callable[[], Any]) -> None:
        if spent.get(part, 0.0) > _PATIENCE:
            return
        started = time.monotonic()
        try:
            call()
        except Exception as error:
            raise _breakdown(error, seed, moves, part) from error
        spent[part] = spent.get(part, 0.0) + time.monotonic() - started

    try:
        for step in walk(game, seed, plies=plies):
            moves = step.moves
            if step.mover == OVER:
                game.payoff(step.state)
            elif step.mover == CHANCE:
                game.chance(step.state)
                game.tree_chance(step.state)
            else:
                ask("", functools.partial(game.solve, step.state))
                for name, branching in branchings:
                    ask(name, functools.partial(_branch, branching, step))
            for name, evaluator in evaluators:
                if evaluator.noisy and step.ply % _NOISY_EVERY > 0:
                    continue
                ask(name, functools.partial(evaluator.values, step.state))
    except BreakdownError:
        raise
    except Exception as error:
        raise _breakdown(error, seed, moves) from error


def _branch(branching: Branching, step: Step) -> None:
    branching.for_root(step.mover).moves(step.state)


def _breakdown(
    error: Exception, seed: int, moves: tuple[str, ...], part: str = ""
) -> BreakdownError:
    what = describe(error)
    if "(seed" not in what:
        what += f" (seed {seed}, after moves: {' '.join(moves) or 'none'})"
    return BreakdownError(what, part)


def describe(error: Exception) -> str:
    """An error in words; one of a plugin with its type and place."""
    if isinstance(error, ContractError):
        return str(error)
    return f"{type(error).__name__}: {error}{place(error)}"


def place(error: BaseException) -> str:
    """Where in a plugin's own code an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    foreign = [frame for frame in frames if not frame.filename.startswith(_OURS)]
    if not foreign:
        return ""
    return f", in {foreign[-1].name}, {foreign[-1].filename}, line {foreign[-1].lineno}"
