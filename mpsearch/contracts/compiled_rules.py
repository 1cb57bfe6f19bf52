"""Compiled rules: a game stated as functions over one NumPy record."""

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

#: How many states' legal moves a game remembers.
_REMEMBERED = 128


def _readable_fields(_: Any, attribute: Any, state: np.dtype[Any]) -> None:
    """Compiled code would not notice, but plain Python reads NumPy's attribute instead."""
    taken = [name for name in state.names or () if hasattr(np.record, name)]
    if taken or not state.names:
        what = f"field '{taken[0]}' is an attribute of NumPy's records" if taken else "no fields"
        raise ValueError(f"the state's record: {what}; choose another name")


class StateRecord(np.void):  # type: ignore[misc]  # numpy's hints call it final; it is not
    """A record whose fields are attributes, read at half the cost of NumPy's own records."""

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
                raise  # it is the value that does not fit
            raise AttributeError(f"the state's record has no field '{name}'") from error


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
    #: draw(s, out, stream) writes an outcome to out[0] and says 1, or 0 where only the game's own
    #: `draw` can. It draws the same, with `mpsearch.gamekit.below`.
    draw: Compiled | None = None
    #: hide(s, seat) empties what a seat may not know, for games with hidden information whose
    #: players may have policies.
    hide: Compiled | None = None
    #: skip(s) lets the mover's turn go by, for games that offer it; see `Game.skip`.
    skip: Compiled | None = None
    #: world(s, seat, stream) fills in what `hide` emptied, as the game's own `world` does.
    world: Compiled | None = None
    #: What is known of fields of the record: learned evaluators see them, unless a game says
    #: otherwise.
    fields: tuple[Field, ...] = ()
    #: The same record for Python: one object for all arrays, which numba then knows at once.
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
        """Chance as a search sees it."""
        return self.chance if self.merged_chance is None else self.merged_chance


class CompiledGame(Game):
    """A game around compiled rules. Its states are the bytes of the record."""

    rules: Rules
    #: What learned evaluators see, where the game says it itself.
    features: Features | None = None

    def setup(self, s: Any) -> None:
        """Fill a record of zeros with the state in which every game begins."""
        raise NotImplementedError(f"{type(self).__name__} must define setup(s)")

    def record(self, state: State) -> Any:
        """A copy of the state as a record whose fields can be read and changed."""
        return self.records(state)[0]

    def records(self, state: State) -> Any:
        """The same copy in an array of one, as `Compiled.on` takes it."""
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
        """As `Game.play`. Machine code would not notice a move that is not legal: MoveError."""
        if not isinstance(move, (int, np.integer)):
            hint = f"; read({move!r}) gives the move" if isinstance(move, str) else ""
            raise MoveError(f"{move!r} is not a move, which is a whole number here{hint}")
        legal = self._legal.get(state, ())
        if legal is not None and move not in legal:
            self._check_move(state, move)
        records = self.records(state)
        self.rules.play.on(records, int(move))
        return records.tobytes()

    #: Legal moves of the states that were looked at last, None where chance decides. Whoever
    #: plays has listed the moves before, so that most are not listed again to be checked.
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

    def picture(self, view: Any, *, colour: bool = False) -> str:
        s = self.record(view)
        fields = "\n".join(f"{name}: {s[name]}" for name in self.rules.state.names or ())
        return super().picture(fields, colour=colour)


class CompiledEvaluator(Evaluator):
    """An evaluator stated as evaluate(s, parameters, out) over the game's record.

    `reach(s, depth, parameters, low, high)` is `box` as a function: it narrows the bounds that
    it finds in `low` and `high`, shape (P + 1,), where the last entries are those of the sum.
    """

    def __init__(
        self,
        game: CompiledGame,
        evaluate: Compiled,
        *,
        bounds: Bounds,
        parameters: Sequence[float] = (),
        reach: Compiled | None = None,
        own_affairs: bool = False,
        noisy: bool = False,
        short_wins: bool = True,
    ) -> None:
        self.game = game
        self.evaluate = evaluate
        evaluate.inlined = True
        self.bounds = bounds
        self.parameters = frozen_array(parameters)
        self.reach = reach
        self.reaches = reach is not None
        self.own_affairs = own_affairs
        self.noisy = noisy
        self.short_wins = short_wins

    def values(self, state: State) -> Array:
        return by_seat(self.game.players, self.evaluate, self.game.records(state), self.parameters)

    def all_values(self, states: Sequence[State]) -> Array:
        if len(states) == 1 or not jit_enabled():
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
    """A branching stated as branch(s, parameters, out) -> count over the game's record."""

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
