"""Compiled rules: a game stated as functions over one NumPy record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts.arrays import Array, frozen_array
from mpsearch.contracts.evaluator import Bounds, Evaluator
from mpsearch.contracts.game import Branching, Game, Move, State
from mpsearch.jit import Compiled


def _readable_fields(_: Any, attribute: Any, state: np.dtype[Any]) -> None:
    """Compiled code would not notice, but plain Python reads NumPy's attribute instead."""
    taken = [name for name in state.names or () if hasattr(np.record, name)]
    if taken or not state.names:
        what = f"field '{taken[0]}' is an attribute of NumPy's records" if taken else "no fields"
        raise ValueError(f"the state's record: {what}; choose another name")


@attrs.frozen(kw_only=True)
class Rules:
    """Functions over a record `s` whose fields are the state.

    `s` is changed in place by `play`; whoever calls it owns the copy. Moves and outcomes of
    chance are whole numbers.
    """

    #: The record: `np.dtype([...], align=True)`.
    state: np.dtype[Any] = attrs.field(validator=_readable_fields)
    #: mover(s) -> seat, CHANCE or OVER.
    mover: Compiled
    #: moves(s, out) -> how many legal moves were written to `out`.
    moves: Compiled
    #: play(s, move) changes s.
    play: Compiled
    #: payoff(s, out) writes the result of a finished game. Shape of out: (P,).
    payoff: Compiled
    #: No state has more legal moves, or listed outcomes, than this.
    most_moves: int
    #: chance(s, out, probabilities) -> how many outcomes were written; 0 if they are drawn instead.
    chance: Compiled | None = None
    #: The same with outcomes that are alike merged, for the search; None: nothing is merged.
    merged_chance: Compiled | None = None

    @property
    def tree_chance(self) -> Compiled | None:
        """Chance as a search sees it."""
        return self.chance if self.merged_chance is None else self.merged_chance


class CompiledGame(Game):
    """A game around compiled rules. Its states are the bytes of the record."""

    rules: Rules

    def setup(self, s: Any) -> None:
        """Fill a record of zeros with the state in which every game begins."""
        raise NotImplementedError(f"{type(self).__name__} must define setup(s)")

    def record(self, state: State) -> Any:
        """A copy of the state as a record whose fields can be read and changed."""
        return np.frombuffer(bytearray(state), dtype=self.rules.state).view(np.recarray)[0]

    def new(self) -> State:
        s = np.zeros(1, dtype=self.rules.state).view(np.recarray)[0]
        self.setup(s)
        return s.tobytes()

    def mover(self, state: State) -> int:
        return int(self.rules.mover(self.record(state)))

    def moves(self, state: State) -> Sequence[Move]:
        out = np.empty(self.rules.most_moves, dtype=np.int64)
        return listed(out, self.rules.moves(self.record(state), out))

    def play(self, state: State, move: Move) -> State:
        s = self.record(state)
        self.rules.play(s, move)
        return s.tobytes()

    def payoff(self, state: State) -> Array:
        out = np.zeros(self.players)
        self.rules.payoff(self.record(state), out)
        return out

    @property
    def lists_chance(self) -> bool:
        return self.rules.chance is not None

    def chance(self, state: State) -> Sequence[tuple[Move, float]]:
        return self._outcomes(self.rules.chance, state)

    def tree_chance(self, state: State) -> Sequence[tuple[Move, float]]:
        return self._outcomes(self.rules.tree_chance, state)

    def _outcomes(self, chance: Compiled | None, state: State) -> list[tuple[Move, float]]:
        if chance is None:
            return []
        out = np.empty(self.rules.most_moves, dtype=np.int64)
        probabilities = np.empty(self.rules.most_moves)
        count = chance(self.record(state), out, probabilities)
        return list(zip(listed(out, count), probabilities[:count].tolist(), strict=True))

    def picture(self, view: Any, *, colour: bool = False) -> str:
        s = self.record(view)
        fields = "\n".join(f"{name}: {s[name]}" for name in self.rules.state.names or ())
        return super().picture(fields, colour=colour)


def listed(out: np.ndarray[Any, Any], count: int) -> list[int]:
    """The first `count` moves in a buffer, as Python numbers."""
    moves: list[int] = out[:count].tolist()
    return moves


class CompiledEvaluator(Evaluator):
    """An evaluator stated as evaluate(s, parameters, out) over the game's record."""

    def __init__(
        self,
        game: CompiledGame,
        evaluate: Compiled,
        *,
        bounds: Bounds,
        parameters: Sequence[float] = (),
    ) -> None:
        self.game = game
        self.evaluate = evaluate
        self.bounds = bounds
        self.parameters = frozen_array(parameters)

    def values(self, state: State) -> Array:
        out = np.zeros(self.game.players)
        self.evaluate(self.game.record(state), self.parameters, out)
        return out


class CompiledBranching(Branching):
    """A branching stated as branch(s, parameters, out) -> count over the game's record."""

    def __init__(
        self, game: CompiledGame, branch: Compiled, *, parameters: Sequence[float] = ()
    ) -> None:
        self.game = game
        self.branch = branch
        self.parameters = frozen_array(parameters)

    def moves(self, state: State) -> Sequence[Move]:
        out = np.empty(self.game.rules.most_moves, dtype=np.int64)
        return listed(out, self.branch(self.game.record(state), self.parameters, out))
