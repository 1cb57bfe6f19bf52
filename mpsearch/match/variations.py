"""Variations: a tree of the positions of a game and of moves tried beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from mpsearch.contracts import Decision, Game, Move, State, any_world
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match.record.format import ply_entry
from mpsearch.match.record.replay import recalled_ply
from mpsearch.match.referee import Ply

#: The most moves that may be tried beside one game.
MOST = 5000


@attrs.frozen(kw_only=True, eq=False)
class Position:
    """A position, and the ply that led to it."""

    #: For a position of the game itself, the number of plies played.
    number: int
    state: State
    #: None for the start of the game.
    parent: Position | None = None
    ply: Ply | None = None
    #: The ply's line in the record.
    entry: dict[str, Any] = attrs.field(factory=dict)
    #: Whether it is a position of the game itself.
    played: bool = False
    #: Whether tried moves may be compared with the ply; not if it may be secret.
    known: bool = True
    children: list[Position] = attrs.field(factory=list, init=False)

    @property
    def plies(self) -> int:
        return 0 if self.ply is None else self.ply.number + 1

    @property
    def line(self) -> list[Position]:
        """The positions after each ply from the start to this one."""
        found = []
        position: Position = self
        while position.parent is not None:
            found.append(position)
            position = position.parent
        return found[::-1]


class VariationTree:
    """The positions of a game and of its variations.

    For one `seat` of a game with hidden information, variations begin in worlds that fit the seat's
    view, always the same ones; otherwise in the states of the game.
    """

    def __init__(
        self,
        game: Game,
        first: State,
        plies: Sequence[Ply],
        entries: Sequence[dict[str, Any]],
        *,
        seat: int | None = None,
    ) -> None:
        self.game = game

        def imagined(state: State) -> State:
            return state if seat is None else any_world(game, game.view(state, seat))

        #: The positions of the game.
        self.played = [Position(number=0, state=imagined(first), played=True)]
        for ply, entry in zip(plies, entries, strict=True):
            before = self.played[-1]
            here = Position(
                number=ply.number + 1,
                state=imagined(ply.state),
                parent=before,
                ply=ply,
                entry=entry,
                played=True,
                known=seat in (None, ply.seat),
            )
            before.children.append(here)
            self.played.append(here)
        self._positions = {position.number: position for position in self.played}
        self._next = len(self.played)

    def recall(self, variations: Sequence[dict[str, Any]]) -> None:
        """Add the variations of a record; DifferenceError if the rules forbid one of them."""
        found: list[Position] = []
        for number, entry in enumerate(variations):
            at = entry["after"]
            before = self.played[entry["ply"]] if at is None else found[at]
            where = f"variations[{number}], ply {entry['ply']}"
            ply = recalled_ply(self.game, before.state, entry, where=where)
            kept = {key: value for key, value in entry.items() if key != "after"}
            found.append(self._after(before, ply.move) or self._add(before, ply, kept))

    def __getitem__(self, number: int) -> Position:
        try:
            return self._positions[number]
        except KeyError:
            raise UsageError(f"there is no position {number}; it may have been removed") from None

    @property
    def variations(self) -> list[Position]:
        """All positions of variations, each before those that follow it."""
        return [position for position in _below(self.played[0]) if not position.played]

    def entries(self) -> list[dict[str, Any]]:
        """The variations for a record: each with the index of the one it follows."""
        found, numbers = [], dict[int, int]()
        for position in self.variations:
            assert position.parent is not None
            found.append({"after": numbers.get(position.parent.number), **position.entry})
            numbers[position.number] = len(numbers)
        return found

    def play(
        self,
        before: Position,
        move: Move,
        *,
        decision: Decision | None = None,
        agent: str | None = None,
    ) -> Position:
        """The position after a legal move or outcome, added to the tree if it is new.

        `agent` is the agent that chose the move, if one did, and `decision` its decision.
        """
        same = self._after(before, move)
        if same is not None:
            return same
        ply = Ply(
            number=before.plies,
            seat=self.game.mover(before.state),
            move=move,
            decision=decision,
            before=before.state,
            state=self.game.play(before.state, move),
        )
        chosen = {} if agent is None else {"agent": agent}
        return self._add(before, ply, {**ply_entry(self.game, ply), **chosen})

    def remove(self, number: int) -> None:
        """Remove a position of a variation, and all that follow it."""
        position = self[number]
        if position.played or position.parent is None:
            raise UsageError("the moves of the game itself stay")
        position.parent.children.remove(position)
        for gone in _below(position):
            del self._positions[gone.number]

    @staticmethod
    def _after(before: Position, move: Move) -> Position | None:
        same = (c for c in before.children if c.known and c.ply is not None and c.ply.move == move)
        return next(same, None)

    def _add(self, before: Position, ply: Ply, entry: dict[str, Any]) -> Position:
        if len(self._positions) - len(self.played) >= MOST:
            raise MpsearchError(f"{MOST} moves have been tried beside this game; no more fit")
        here = Position(number=self._next, state=ply.state, parent=before, ply=ply, entry=entry)
        before.children.append(here)
        self._positions[here.number] = here
        self._next += 1
        return here


def _below(position: Position) -> list[Position]:
    """A position and all that follow it, each before those that follow it."""
    found, waiting = [], [position]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting += here.children[::-1]
    return found
