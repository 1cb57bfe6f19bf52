"""Smoke test of a game: every function of its rules and parts, in every state of a random game.

Run with `mpsearch.jit.guarded` it is plain Python in which every index is checked; run
without, it is machine code. It looks for nothing but failures, so it is quick: rules of the
contract are for later.
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

#: An evaluator or a branching, with what it is called in messages.
Named: TypeAlias = tuple[str, Any]

#: A part that has taken this long in one smoke test, in seconds, is asked in no more of its states.
_PATIENCE = 0.5

_OURS = (str(Path(mpsearch.__file__).parent), str(Path(np.__file__).parent))


class BreakdownError(ContractError):
    """A function failed; `part` is the name of the evaluator or branching it belongs to."""

    def __init__(self, what: str, part: str = "") -> None:
        super().__init__(what)
        self.part = part


def smoke_test(
    game: Game,
    seed: int,
    *,
    plies: int,
    evaluators: Sequence[Named],
    branchings: Sequence[Named],
) -> None:
    """Raise a BreakdownError that says which function failed, where, and after which moves."""
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
                for name, branching in branchings:
                    ask(name, functools.partial(_branch, branching, step))
            for name, evaluator in evaluators:
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
    if isinstance(error, ContractError):
        what = str(error)
    else:
        what = f"{type(error).__name__}: {error}{place(error)}"
    if "(seed" not in what:
        what += f" (seed {seed}, after moves: {' '.join(moves) or 'none'})"
    return BreakdownError(what, part)


def place(error: BaseException) -> str:
    """Where in a plugin's own code an error came from."""
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_OURS)
    ]
    return (
        f", in {frames[-1].name}, {frames[-1].filename}, line {frames[-1].lineno}" if frames else ""
    )
