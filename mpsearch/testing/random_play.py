"""Seeded random play, failures that can be replayed, and tables of rules."""

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
R = TypeVar("R", bound=Callable[..., None])

#: A longer game does not end.
LONGEST_GAME = 100_000


def rule_of(table: dict[str, R]) -> Callable[[R], R]:
    """A decorator that adds a rule to a table under its name."""

    def add(check: R) -> R:
        table[check.__name__] = check
        return check

    return add


@attrs.frozen(kw_only=True)
class Step:
    """A state of a random game, who moves there, and the move made (None at the end)."""

    state: State
    mover: int
    move: Move | None = None
    seed: int
    #: Texts of the moves of the game, shared by all its steps; the first `ply` led here.
    history: list[str] = attrs.field(repr=False)
    ply: int

    @property
    def moves(self) -> tuple[str, ...]:
        """Texts of the moves up to here."""
        return tuple(self.history[: self.ply])

    def fail(self, what: str) -> NoReturn:
        """ContractError with the seed and moves that lead here."""
        parting = "; " if any(" " in move for move in self.moves) else " "
        shown = parting.join(self.moves) or "none"
        raise ContractError(f"{what} (seed {self.seed}, after moves: {shown})")


class _Kept:
    """A random game, played once and only as far as requested."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.steps: list[Step] = []
        #: A world of each seat that was asked for, by ply and seat.
        self.worlds: dict[tuple[int, int], State] = {}
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
        except Exception as error:  # raised again for the next caller
            self._failure = error
            raise
        return True


#: Random games shared by several rules, by game and seed; None outside `shared_walks`.
_kept: dict[tuple[int, int], _Kept] | None = None
#: Values of states by evaluator.
_values: dict[int, tuple[Evaluator, dict[State, Array]]] = {}


#: The most views of a random game that one rule looks at in a hidden game; None for all.
_most_views: int | None = None


@contextlib.contextmanager
def shared_walks(*, most_views: int | None = None) -> Iterator[None]:
    """Play a random game of one game object and seed once for all rules.

    `values_at` evaluates its states once too, and `world_at` draws one world of each view. With
    `most_views`, rules that draw a world of each view in a hidden game look at so many views.
    """
    global _kept, _values, _most_views
    before = _kept, _values, _most_views
    _kept, _values, _most_views = {}, {}, most_views
    try:
        yield
    finally:
        _kept, _values, _most_views = before


def affordable(game: Game, count: int, *, views: int = 1) -> int:
    """So many looks at a random game, or fewer: each takes so many views of every seat."""
    if _most_views is None or not game.hidden:
        return count
    return min(count, max(1, _most_views // (views * game.players)))


def values_at(evaluator: Evaluator, step: Step) -> Array:
    """The values of a step's state, shared between rules."""
    if _kept is None:
        return evaluator.values(step.state)
    _, found = _values.setdefault(id(evaluator), (evaluator, {}))
    if step.state not in found:
        found[step.state] = np.array(evaluator.values(step.state))
    return found[step.state]


def world_at(game: Game, step: Step, seat: int) -> State:
    """A world drawn from what a seat sees at a step of a random game, shared between rules."""
    if _kept is None:
        return game.world(game.view(step.state, seat), rng_at(step, seat))
    found = _kept[id(game), step.seed].worlds
    if (step.ply, seat) not in found:
        found[step.ply, seat] = game.world(game.view(step.state, seat), rng_at(step, seat))
    return found[step.ply, seat]


def rng_at(step: Step, seat: int) -> np.random.Generator:
    """The generator of that world."""
    return np.random.default_rng([step.seed, step.ply, seat])


def walk(game: Game, seed: int, *, plies: int, start: State | None = None) -> Iterator[Step]:
    """A random game of at most `plies` plies; the last step has no move."""
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
    """A random legal move, or a drawn outcome of chance."""
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
    """The text of a move for messages."""
    try:
        return game.write_in(state, move)
    except Exception:  # another rule reports a broken `write_in`
        return repr(move)


def turns(game: Game, seed: int, plies: int) -> Iterator[Step]:
    """The steps of a random game in which a seat is to move."""
    return (step for step in walk(game, seed, plies=plies) if step.mover >= 0)


def viewed(game: Game, seed: int, plies: int) -> list[Step]:
    """The turns of a random game at which worlds of all seats' views are drawn."""
    steps = list(turns(game, seed, plies))
    return spread(steps, affordable(game, len(steps)))


def spread(things: Sequence[T], count: int) -> list[T]:
    """At most `count` of these, evenly spread: the one in the middle, or first, last and others."""
    if len(things) <= count:
        return list(things)
    if count == 1:
        return [things[len(things) // 2]]
    return [things[round(i * (len(things) - 1) / (count - 1))] for i in range(count)]
