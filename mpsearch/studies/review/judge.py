"""Judging the decisions of a recorded game: each is searched again from what its mover knew.

A decision is compared with the best move for the mover's own seat: what it lost, and what others
gained or lost by it. Worlds are drawn from the mover's view, so nobody is blamed for cards that
they could not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array, array_field, plain
from mpsearch.agents import Explanation, read_agent
from mpsearch.api import Table, advisers
from mpsearch.contracts import CHANCE, Evaluator, State, Turn, snap, turn_of
from mpsearch.errors import UsageError
from mpsearch.match import Ply, Record, recalled

#: Up to so many legal moves, all are searched whatever the judge's branching.
_FEW = 150
#: Worlds drawn to evaluate a view.
_WORLDS = 16


@attrs.frozen(kw_only=True)
class JudgedMove:
    """A move that was made, and the best one for its mover."""

    ply: int
    seat: int
    #: The texts of both moves, equal if nothing was lost.
    move: str
    best: str
    #: Value of each to every seat. Shape (P,).
    value: Array = array_field()
    best_value: Array = array_field()
    #: Number of legal moves, and the search depth of the comparison.
    legal: int
    depth: int

    @property
    def lost(self) -> float:
        """What the mover lost by it, 0 or more."""
        return float(snap(self.best_value[self.seat] - self.value[self.seat]))

    @property
    def effect(self) -> Array:
        """Each seat's gain compared with the best move. Shape (P,)."""
        change: Array = snap(self.value - self.best_value)
        return change

    def document(self) -> dict[str, Any]:
        """The judgement for JSON."""
        return {**plain(self), "lost": self.lost, "effect": self.effect.tolist()}


@attrs.frozen(kw_only=True, eq=False)
class Judge:
    """A recorded game and the agent that searches its decisions again."""

    table: Table
    record: Record
    #: The agent's text.
    agent: str
    #: The only seat whose decisions and views are used; None: all seats, hidden cards included.
    seat: int | None
    seed: int
    plies: tuple[Ply, ...]
    evaluator: Evaluator

    @property
    def evaluator_name(self) -> str:
        """Name of the evaluator that gives the values."""
        return self.table.evaluator_name(self.agent)

    @property
    def all_is_open(self) -> bool:
        """Whether agents' thoughts may be shown: not while hidden cards still matter."""
        return not self.table.game.hidden or self.record.payoff is not None

    @property
    def judged_plies(self) -> list[Ply]:
        """The plies with a decision to judge."""
        return [
            ply
            for ply in self.plies
            if ply.seat != CHANCE
            and self.seat in (None, ply.seat)
            and len(self.table.game.moves(ply.before)) > 1
        ]

    def judgements(self) -> Iterator[JudgedMove]:
        """Judge every decision in turn."""
        return (self.judge(ply) for ply in self.judged_plies)

    def judge(self, ply: Ply) -> JudgedMove:
        """Judge one decision from what its mover knew."""
        turn = turn_of(self.table.game, ply.before)
        found = self._searched(turn, ply)
        entries = found.report.moves
        made = next(entry for entry in entries if entry.move == ply.move)
        best = max(
            entries, key=lambda entry: (snap(float(entry.value[ply.seat])), entry.move == ply.move)
        )
        return JudgedMove(
            ply=ply.number,
            seat=ply.seat,
            move=found.written([made.move])[0],
            best=found.written([best.move])[0],
            value=made.value,
            best_value=best.value,
            legal=len(turn.moves),
            depth=found.report.depth,
        )

    def _searched(self, turn: Turn, ply: Ply) -> Explanation:
        """A search of the decision that includes the move made."""
        given = read_agent(self.agent)
        text = self.agent
        if "branching" not in dict(given.settings) and len(turn.moves) <= _FEW:
            text = str(given.with_settings({"branching": "all"}))
        found = self.table.consider(turn, text, seed=self.seed + ply.number)
        if any(entry.move == ply.move for entry in found.report.moves):
            return found
        # The branching left it out: compare all moves, but one ply deep.
        one_ply = {"branching": "all", "depth": 1, "nodes": None, "time": None}
        wider = str(given.with_settings(one_ply))
        return self.table.consider(turn, wider, seed=self.seed + ply.number)

    def values(self) -> list[tuple[int, Array]]:
        """Value of positions to each seat, by number of plies played.

        All positions as they were; for one seat, those where it was to move, as it knew them.
        """
        game = self.table.game
        if self.seat is None:
            states = [self.record.setting.first_state(game), *(ply.state for ply in self.plies)]
            return [(k, self._value([state])) for k, state in enumerate(states)]
        found = []
        for ply in self.plies:
            if ply.seat == self.seat:
                rng = np.random.default_rng([self.seed, ply.number])
                view = game.view(ply.before, self.seat)
                found.append((ply.number, self._value(game.worlds(view, _WORLDS, rng))))
        return found

    def _value(self, worlds: list[State]) -> Array:
        mean: Array = np.mean([self.evaluator.values(world) for world in worlds], axis=0)
        return mean


def make_judge(
    table: Table,
    record: Record,
    *,
    agent: str | None = None,
    seat: int | None = None,
    seed: int = 0,
) -> Judge:
    """A judge that searches with `agent`, by default MaxN with the limits of `medium`.

    An unfinished game with hidden information is judged for one seat only, from its views;
    UsageError otherwise.
    """
    plies = tuple(recalled(table.game, record))
    if seat is not None and not 0 <= seat < table.players:
        raise UsageError(f"--seat {seat}: seats are 0 to {table.players - 1}")
    if table.game.hidden and record.payoff is None and seat is None:
        raise UsageError(
            "the game is not over, and a review of all seats would reveal hidden cards: "
            "choose a seat with --seat"
        )
    text = advisers(table)[0] if agent is None else agent
    return Judge(
        table=table,
        record=record,
        agent=text,
        seat=seat,
        seed=seed,
        plies=plies,
        evaluator=table.searcher(text).space.evaluator,
    )
