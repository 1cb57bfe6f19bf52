"""Seeded random play, and failures that can be replayed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn, TypeAlias, TypeVar

import attrs
import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Evaluator, Game, Move, State
from mpsearch.errors import ContractError

#: A rule for games: a function of a game, a seed and a length.
GameRule: TypeAlias = Callable[[Game, int, int], None]

T = TypeVar("T")

#: A game that goes on longer than this does not end.
LONGEST_GAME = 100_000


@attrs.frozen(kw_only=True)
class Step:
    """A state on the way, who moves there, and the move that was made (None at the end)."""

    state: State
    mover: int
    move: Move | None = None
    seed: int
    #: Texts of the moves of this game, shared by all its steps; the first `ply` led here.
    history: list[str] = attrs.field(repr=False)
    ply: int

    @property
    def moves(self) -> tuple[str, ...]:
        """Texts of all moves up to here."""
        return tuple(self.history[: self.ply])

    def fail(self, what: str) -> NoReturn:
        """Break off with all that is needed to come here again."""
        parting = "; " if any(" " in move for move in self.moves) else " "
        shown = parting.join(self.moves) or "none"
        raise ContractError(f"{what} (seed {self.seed}, after moves: {shown})")


class _Kept:
    """A random game that is played once, as far as anybody has asked to see it."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.steps: list[Step] = []
        self._more = _walk(game, seed, LONGEST_GAME, None)
        self._failure: Exception | None = None

    def up_to(self, plies: int) -> Iterator[Step]:
        for ply in range(plies + 1):
            if ply == len(self.steps) and not self._go_on():
                return
            step = self.steps[ply]
            yield attrs.evolve(step, move=None) if ply == plies else step

    def _go_on(self) -> bool:
        if self._failure is not None:
            raise self._failure
        try:
            self.steps.append(next(self._more))
        except StopIteration:
            return False
        except Exception as error:  # whoever comes next is to see it too
            self._failure = error
            raise
        return True


#: Random games that several rules look at, by game and seed; None where nothing is shared.
_kept: dict[tuple[int, int], _Kept] | None = None
#: What evaluators said of their states, each evaluator with its own.
_values: dict[int, tuple[Evaluator, dict[State, Array]]] = {}


@contextlib.contextmanager
def shared_walks() -> Iterator[None]:
    """Within it a random game of one game object and seed is played once for all rules.

    What an evaluator says of its states is asked once, too, by rules that use `values_at`.
    """
    global _kept, _values
    before = _kept, _values
    _kept, _values = {}, {}
    try:
        yield
    finally:
        _kept, _values = before


def values_at(evaluator: Evaluator, step: Step) -> Array:
    """What an evaluator says of a step's state. That it says the same again is another rule."""
    if _kept is None:
        return evaluator.values(step.state)
    _, found = _values.setdefault(id(evaluator), (evaluator, {}))
    if step.state not in found:
        found[step.state] = np.array(evaluator.values(step.state))
    return found[step.state]


def walk(game: Game, seed: int, *, plies: int, start: State | None = None) -> Iterator[Step]:
    """A random game, at most `plies` long; the last step has no move."""
    if _kept is None or start is not None:
        return _walk(game, seed, plies, start)
    key = (id(game), seed)
    if key not in _kept:
        _kept[key] = _Kept(game, seed)
    return _kept[key].up_to(plies)


def _walk(game: Game, seed: int, plies: int, start: State | None) -> Iterator[Step]:
    rng = np.random.default_rng(seed)
    state = game.new() if start is None else start
    history: list[str] = []
    for ply in range(plies + 1):
        mover = game.mover(state)
        step = Step(state=state, mover=mover, seed=seed, history=history, ply=ply)
        if ply < plies and mover != OVER:
            step = attrs.evolve(step, move=random_move(game, step, rng))
        yield step
        if step.move is None:
            return
        history.append(text_of(game, state, step.move))
        state = game.play(state, step.move)


def random_move(game: Game, step: Step, rng: np.random.Generator) -> Move:
    """Any move of whoever is to move there, or a drawn outcome of chance."""
    if step.mover == CHANCE:
        try:
            return game.draw(step.state, rng)
        except Exception as error:
            step.fail(f"draw raised {error!r}")
    moves = game.moves(step.state)
    if len(moves) == 0:
        step.fail(f"seat {step.mover} is to move and has no moves")
    return moves[int(rng.integers(len(moves)))]


def text_of(game: Game, state: State, move: Move) -> str:
    """The text of a move for messages, whatever becomes of `write_in`."""
    try:
        return game.write_in(state, move)
    except Exception:  # a broken `write` is reported by its own rule
        return repr(move)


def turns(game: Game, seed: int, plies: int) -> Iterator[Step]:
    """The steps of a random game in which a seat is to move: only there is a world asked for."""
    return (step for step in walk(game, seed, plies=plies) if step.mover >= 0)


def spread(things: Sequence[T], count: int) -> list[T]:
    """So many of these, evenly spread, the first and the last among them; all if they are few."""
    if len(things) <= count:
        return list(things)
    return [things[round(i * (len(things) - 1) / (count - 1))] for i in range(count)]
