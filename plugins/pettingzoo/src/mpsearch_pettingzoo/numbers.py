"""Views and moves as the numbers that learners want, for games that do not offer their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.contracts import CHANCE, OVER, CompiledGame, Game, Move, View
from mpsearch.errors import UsageError

#: Random games that are played to see how long views are.
_GAMES = 3


class Actions:
    """Moves as numbers: the game's own, or the place of a move in the list of legal ones."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.numbered = game.actions is not None
        self.count = game.actions if game.actions is not None else _widest(game)

    def legal(self, moves: Sequence[Move]) -> dict[int, Move]:
        """The legal moves by number."""
        if self.numbered:
            return {self.game.action(move): move for move in moves}
        if len(moves) > self.count:
            raise UsageError(f"{len(moves)} moves, but only {self.count} actions; say how many")
        return dict(enumerate(moves))


class Observations:
    """Views as arrays: the game's own, or all numbers in a view in their order, filled up with 0.

    How many there are is seen in some random games; a longer view is cut off.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        views = [(game.view(state, seat), seat) for state, seat in _walks(game)]
        #: Fields of the record that are sets of bits, such as cards: each bit is a number.
        self.sets: frozenset[str] = frozenset()
        if isinstance(game, CompiledGame):
            records = [game.record(state) for state, _ in _walks(game)]
            names = game.rules.state.names or ()
            self.sets = frozenset(n for n in names if any(_is_wide(r[n]) for r in records))
        self.length = max(len(self._numbers(view, seat)) for view, seat in views)

    def of(self, view: View, seat: int) -> npt.NDArray[np.float32]:
        """What a seat may know."""
        found = np.zeros(self.length, dtype=np.float32)
        numbers = self._numbers(view, seat)[: self.length]
        found[: len(numbers)] = numbers
        return found

    def _numbers(self, view: View, seat: int) -> list[float]:
        own = self.game.observation(view, seat)
        return list(self._flat(view)) if own is None else own.ravel().tolist()

    def _flat(self, value: Any) -> Iterator[float]:
        """Every number in a value, in order. What is not known is -1."""
        if value is None:
            yield -1.0
        elif isinstance(value, (bool, int, float, np.number)):
            yield float(value)
        elif isinstance(value, bytes) and isinstance(self.game, CompiledGame):
            record = self.game.record(value)
            for name in self.game.rules.state.names or ():
                field = np.asarray(record[name])
                yield from (_bits(field) if name in self.sets else field).ravel().tolist()
        elif isinstance(value, np.ndarray):
            yield from value.ravel().tolist()
        elif attrs.has(type(value)):
            for part in attrs.fields(type(value)):
                yield from self._flat(getattr(value, part.name))
        elif isinstance(value, (tuple, list)):
            for entry in value:
                yield from self._flat(entry)


def _is_wide(field: Any) -> bool:
    """Whether a whole number would not fit in a float of 32 bits."""
    values = np.asarray(field)
    return values.dtype.kind in "iu" and bool((np.abs(values.astype(np.float64)) >= 2**24).any())


def _bits(field: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    places = np.arange(63)
    found: npt.NDArray[np.int64] = field.astype(np.int64)[..., np.newaxis] >> places & 1
    return found


def _walks(game: Game) -> Iterator[tuple[Any, int]]:
    """States of random games in which a seat is to move, and that seat."""
    for seed in range(_GAMES):
        rng, state = np.random.default_rng(seed), game.new()
        while (mover := game.mover(state)) != OVER:
            if mover == CHANCE:
                state = game.play(state, game.draw(state, rng))
                continue
            yield state, mover
            moves = game.moves(state)
            state = game.play(state, moves[int(rng.integers(len(moves)))])


def _widest(game: Game) -> int:
    """No state has more legal moves: as the rules declare, or twice what random games show."""
    if game.rules is not None:
        return game.rules.most_moves
    return 2 * max(len(game.moves(state)) for state, _ in _walks(game))
