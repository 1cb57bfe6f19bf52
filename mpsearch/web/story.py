"""Story: what has happened at a table so far. It only grows; taking back begins another one."""

from __future__ import annotations

import functools
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import OVER, Evaluator, Move, State
from mpsearch.match import Record, Setting, replay
from mpsearch.search import Report
from mpsearch.table import Table


@attrs.frozen(kw_only=True)
class StoryPly:
    """One ply: its line in the record, and the state it led to."""

    entry: dict[str, Any]
    move: Move
    state: State
    #: The whole search behind it, as long as this process remembers it.
    report: Report | None = None


class Story:
    """A game under way, or one that was recorded.

    One thread adds steps while others read: a step is added whole, and none is ever changed.
    """

    def __init__(self, table: Table, setting: Setting) -> None:
        self.table = table
        self.game = table.game
        self.setting = setting
        self.first = setting.first_state(self.game)
        self.steps: list[StoryPly] = []
        #: The lines of its record: plies, those that were taken back too, and marks.
        self.lines: list[dict[str, Any]] = []
        #: Why the game cannot go on, if it cannot.
        self.trouble: str | None = None

    def add(self, step: StoryPly) -> None:
        """One more ply."""
        self.lines.append(step.entry)
        self.steps.append(step)

    def until(self, ply: int) -> Story:
        """A story that goes on otherwise after so many plies. All that happened is in its lines."""
        other = Story(self.table, self.setting)
        other.steps, other.lines = self.steps[:ply], [*self.lines]
        return other

    def recall(self, record: Record) -> None:
        """Take up what was recorded; RecordError where it contradicts the rules."""
        states = replay(self.game, record)
        before = next(states)
        for entry, state in zip(record.plies, states, strict=True):
            move = self.game.read_in(before, entry["move"])
            self.add(StoryPly(entry=entry, move=move, state=state))
            before = state
        self.lines = [*record.lines]

    def state(self, ply: int) -> State:
        """The state after so many plies."""
        return self.steps[ply - 1].state if ply else self.first

    def mover(self, ply: int) -> int:
        """The seat to move after so many plies, CHANCE or OVER."""
        return self.game.mover(self.state(ply))

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.mover(len(self.steps)) == OVER

    @functools.cached_property
    def evaluator(self) -> Evaluator:
        """The game's usual evaluator."""
        return self.table.space().evaluator

    def values(self, state: State) -> list[float]:
        """What the usual evaluator says a state is worth, by seat."""
        return [round(float(v), 2) for v in self.evaluator.values(state)]

    def expected_values(self, view: Any, *, worlds: int = 16) -> list[float]:
        """The mean over worlds that agree with a view. The view alone decides it."""
        rng = np.random.default_rng(0)
        drawn = [self.game.world(view, rng) for _ in range(worlds)]
        mean = np.mean([self.evaluator.values(world) for world in drawn], axis=0)
        return [round(float(v), 2) for v in mean]
