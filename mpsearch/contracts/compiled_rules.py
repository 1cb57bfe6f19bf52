"""Compiled rules: a game as functions over one NumPy record."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array, frozen_array
from mpsearch.contracts.evaluator import Bounds, Evaluator
from mpsearch.contracts.features import Features, Field, fields_of
from mpsearch.contracts.game import CHANCE, Branching, Game, Move, State
from mpsearch.errors import MoveError
from mpsearch.jit import SLACK, Compiled, all_by_seat, by_seat, jit_enabled, take_room

#: Number of states whose legal moves a game remembers.
_REMEMBERED = 128


def _readable_fields(_: Any, attribute: Any, state: np.dtype[Any]) -> None:
    """Compiled code would work, but plain Python would read NumPy's attribute."""
    taken = [name for name in state.names or () if hasattr(np.record, name)]
    if taken or not state.names:
        what = f"field '{taken[0]}' is an attribute of NumPy's records" if taken else "no fields"
        raise ValueError(f"the state's record: {what}; choose another name")


class StateRecord(np.void):  # type: ignore[misc]  # numpy's hints call it final; it is not
    """A record with its fields as attributes, twice as fast to read as NumPy's own."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"the state's record has no field '{name}'") from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except ValueError as error:
            if name in (self.dtype.names or ()):
                raise  # the value does not fit
            raise AttributeError(f"the state's record has no field '{name}'") from error


@attrs.frozen(kw_only=True)
class Rules:
    """The rules as functions over a record `s` of the state.

    `play` changes `s` in place. Moves and outcomes of chance are integers.
    """

    #: The record: `np.dtype([...], align=True)`.
    state: np.dtype[Any] = attrs.field(validator=_readable_fields)
    #: mover(s) -> seat, CHANCE or OVER.
    mover: Compiled
    #: moves(s, out) -> number of legal moves written to `out`.
    moves: Compiled
    #: play(s, move) changes s.
    play: Compiled
    #: payoff(s, out) writes the result of a finished game. Shape of out: (P,).
    payoff: Compiled
    #: The greatest number of legal moves or listed outcomes of a state.
    most_moves: int
    #: chance(s, out, probabilities) -> number of outcomes written; 0 if they are drawn instead.
    chance: Compiled | None = None
    #: The same with equivalent outcomes merged, for searches; None: none are merged.
    merged_chance: Compiled | None = None
    #: draw(s, out, stream) writes an outcome to out[0] and returns 1, or 0 where only the game's
    #: own `draw` can. It draws the same as that, with `mpsearch.gamekit.below`.
    draw: Compiled | None = None
    #: hide(s, seat) clears what a seat may not know, for policies in hidden games.
    hide: Compiled | None = None
    #: skip(s) passes the mover's turn; see `Game.skip`.
    skip: Compiled | None = None
    #: solve(s) ends a game whose end is known and returns how many plies that takes; 0 elsewhere,
    #: with `s` unchanged. See `Game.solve`.
    solve: Compiled | None = None
    #: world(s, seat, stream) fills in what `hide` cleared, as the game's own `world` does.
    world: Compiled | None = None
    #: Fields of the record for learned evaluators, unless the game has features of its own.
    fields: tuple[Field, ...] = ()
    #: The record type for Python: one object for all arrays, which numba recognises at once.
    record: np.dtype[Any] = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        fields_of(self.state, self.fields)
        for called in (self.mover, self.moves, self.play, self.tree_chance):
            if called is not None:
                called.inlined = True  # at every node of a search

    @record.default
    def _record(self) -> np.dtype[Any]:
        return np.dtype((StateRecord, self.state))

    @property
    def tree_chance(self) -> Compiled | None:
        """Chance for a search."""
        return self.chance if self.merged_chance is None else self.merged_chance


class CompiledGame(Game):
    """A game with compiled rules. Its states are the bytes of the record."""

    rules: Rules
    #: The game's own features for learned evaluators.
    features: Features | None = None

    def setup(self, s: Any) -> None:
        """Fill a record of zeros with the initial state."""
        raise NotImplementedError(f"{type(self).__name__} must define setup(s)")

    def record(self, state: State) -> Any:
        """A copy of the state as a record."""
        return self.records(state)[0]

    def records(self, state: State) -> Any:
        """The same copy in an array of one record, for `Compiled.on`."""
        return np.frombuffer(bytearray(state), dtype=self.rules.record)

    def new(self) -> State:
        s = np.zeros(1, dtype=self.rules.record)[0]
        self.setup(s)
        return s.tobytes()

    def mover(self, state: State) -> int:
        return int(self.rules.mover.on(self.records(state)))

    def moves(self, state: State) -> Sequence[Move]:
        room = take_room(self.rules.most_moves)
        moves = room.listed(self.rules.moves.on(self.records(state), room.out), self.rules.moves)
        self._remember(state, moves)
        return moves

    def play(self, state: State, move: Move) -> State:
        """As `Game.play`; MoveError if illegal, which machine code would not notice."""
        if not isinstance(move, (int, np.integer)):
            hint = f"; read({move!r}) gives the move" if isinstance(move, str) else ""
            raise MoveError(f"{move!r} is not a move, which is a whole number here{hint}")
        legal = self._legal.get(state, ())
        if legal is not None and move not in legal:
            self._check_move(state, move)
        records = self.records(state)
        self.rules.play.on(records, int(move))
        return records.tobytes()

    #: Legal moves of recent states, None at chance nodes. Players list moves before they play, so
    #: that checking a move rarely lists them again.
    _legal: dict[State, Sequence[Move] | None] | MappingProxyType[State, None] = MappingProxyType(
        {}
    )

    def _remember(self, state: State, moves: Sequence[Move] | None) -> None:
        if not isinstance(self._legal, dict) or len(self._legal) >= _REMEMBERED:
            self._legal = {}
        self._legal[state] = moves

    def _check_move(self, state: State, move: Move) -> None:
        seat = self.mover(state)
        if seat == CHANCE:
            self._remember(state, None)
        elif seat < 0:
            raise MoveError(f"move {move!r} is not legal: the game is over")
        elif move not in self.moves(state):
            raise MoveError(
                f"move {move!r} is not legal for seat {seat}: {self.objection(state, move)}"
            )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_legal"}

    def payoff(self, state: State) -> Array:
        return by_seat(self.players, self.rules.payoff, self.records(state))

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
        room = take_room(self.rules.most_moves)
        probabilities = np.empty(self.rules.most_moves + SLACK)[: self.rules.most_moves]
        count = chance.on(self.records(state), room.out, probabilities)
        outcomes = room.listed(count, chance)
        return list(zip(outcomes, probabilities[:count].tolist(), strict=True))

    @property
    def skips(self) -> bool:
        return self.rules.skip is not None

    def skip(self, state: State) -> State:
        if self.rules.skip is None:
            return super().skip(state)
        records = self.records(state)
        self.rules.skip.on(records)
        return records.tobytes()

    @property
    def solves(self) -> bool:
        return self.rules.solve is not None

    def solve(self, state: State) -> tuple[State, int] | None:
        if self.rules.solve is None:
            return None
        records = self.records(state)
        plies = int(self.rules.solve.on(records))
        return (records.tobytes(), plies) if plies else None

    def picture(self, view: Any, *, colour: bool = False) -> str:
        s = self.record(view)
        fields = "\n".join(f"{name}: {s[name]}" for name in self.rules.state.names or ())
        return super().picture(fields, colour=colour)


class CompiledEvaluator(Evaluator):
    """An evaluator given as evaluate(s, parameters, out) over the game's record.

    `reach(s, depth, parameters, low, high)` is `box`: it narrows the bounds in `low` and `high`,
    shape (P + 1,), whose last entries bound the sum. `leaf` gives the same values as `evaluate`
    wherever chance lists no outcomes; the tree search, which looks behind those, compiles no more.
    """

    def __init__(
        self,
        game: CompiledGame,
        evaluate: Compiled,
        *,
        bounds: Bounds,
        parameters: Sequence[float] = (),
        leaf: Compiled | None = None,
        reach: Compiled | None = None,
        own_affairs: bool = False,
        noisy: bool = False,
        short_wins: bool = True,
    ) -> None:
        self.game = game
        self.evaluate = evaluate
        self.leaf = leaf or evaluate
        evaluate.inlined = self.leaf.inlined = True
        self.bounds = bounds
        self.parameters = frozen_array(parameters)
        self.reach = reach
        self.reaches = reach is not None
        self.own_affairs = own_affairs
        self.noisy = noisy
        self.short_wins = short_wins

    def values(self, state: State) -> Array:
        evaluate = self.leaf
        if evaluate is not self.evaluate and self.game.mover(state) == CHANCE:
            evaluate = self.evaluate
        return by_seat(self.game.players, evaluate, self.game.records(state), self.parameters)

    def all_values(self, states: Sequence[State]) -> Array:
        if len(states) == 1 or self.leaf is not self.evaluate or not jit_enabled():
            return super().all_values(states)
        records = self.game.records(b"".join(states))
        return all_by_seat(self.game.players, self.evaluate, records, self.parameters)

    def box(self, state: State, depth: int) -> tuple[Array, Array]:
        if self.reach is None:
            return super().box(state, depth)
        low, high = self.bounds.box(self.game.players)
        self.reach.on(self.game.records(state), depth, self.parameters, low, high)
        return low, high


class CompiledBranching(Branching):
    """A branching given as branch(s, parameters, out) -> count over the game's record."""

    def __init__(
        self, game: CompiledGame, branch: Compiled, *, parameters: Sequence[float] = ()
    ) -> None:
        self.game = game
        self.branch = branch
        branch.inlined = True
        self.parameters = frozen_array(parameters)

    def moves(self, state: State) -> Sequence[Move]:
        room = take_room(self.game.rules.most_moves)
        count = self.branch.on(self.game.records(state), self.parameters, room.out)
        return room.listed(count, self.branch)
