"""Screen: all that one viewer of a table may be shown, and the only place that decides it.

A seat sees its view. In games with hidden information that is all until the game is over: what
agents think comes from their own hidden cards, and the seed would tell every deal to come.
A watcher sees everything if no person plays, and otherwise what all seats see alike.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import CHANCE, OVER, Game, Move, State, winners
from mpsearch.contracts.spelling import written_line
from mpsearch.errors import MoveError, UsageError
from mpsearch.kit import SEAT_WEB_COLOURS
from mpsearch.match import undo_point
from mpsearch.match.record import standing_marks
from mpsearch.search import Report
from mpsearch.web.messages import MessageError
from mpsearch.web.story import Story, StoryPly

#: What an entry of the record tells about an agent's thoughts.
THOUGHTS = ("stance", "target", "matrix", "value", "nodes", "depth")
#: How many moves of a search are explained.
_EXPLAINED = 8


@attrs.frozen(kw_only=True)
class Screen:
    """What `seat` may see of a story; None is a watcher."""

    story: Story = attrs.field(repr=False)
    seat: int | None
    #: The seats of people, from whom something must be kept.
    people: tuple[int, ...] = ()
    #: Whether the game goes on; it does not in a record that is only looked at.
    playing: bool = True

    @property
    def sees_all(self) -> bool:
        """Whether states, thoughts and every move may be shown."""
        if not self.story.game.hidden or self.story.over:
            return True
        return self.seat is None and not self.people

    @property
    def may_download(self) -> bool:
        """Whether the record, which has the seed in it, may be had."""
        return not self.people or self.story.over

    def hello(self) -> dict[str, Any]:
        """What does not change during a game."""
        setting = self.story.setting
        guide = self.story.table.offer.read_guide()
        return {
            "type": "hello",
            "rules": guide.text if guide is not None else None,
            "game": setting.game,
            "options": setting.options,
            "agents": list(setting.agents),
            "you": self.seat,
            "hidden": self.story.game.hidden,
            "playing": self.playing,
            "colours": list(SEAT_WEB_COLOURS),
        }

    def now(self, log_from: int) -> dict[str, Any]:
        """How things stand, and the log from a ply on."""
        story = self.story
        ply = len(story.steps)
        mover = story.mover(ply)
        yours = mover == self.seat and story.trouble is None
        game, state = story.game, story.state(ply)
        message: dict[str, Any] = {
            "type": "now",
            "ply": ply,
            "mover": mover if mover >= 0 else None,
            "over": mover == OVER,
            "yours": yours,
            "moves": [game.write_in(state, m) for m in game.moves(state)] if yours else [],
            "open": self.sees_all,
            "record": self.may_download,
            "trouble": story.trouble,
            "undo": yours and self._may_take_back,
            "marks": standing_marks(story.lines),
            "from": log_from,
            "log": [self.entry(number) for number in range(log_from, ply)],
        }
        if mover == OVER:
            payoff = story.game.payoff(story.state(ply))
            message |= {"payoff": payoff.tolist(), "winners": winners(payoff)}
        return message

    def entry(self, number: int) -> dict[str, Any]:
        """One ply as it may be told; the move is None if it was made in secret."""
        step = self.story.steps[number]
        seen = self._seen(number, step)
        remark = self.story.game.remark(self.story.state(number), step.move)
        told = {
            "ply": number,
            "seat": step.entry["seat"],
            "move": None
            if seen is None
            else self.story.game.write_in(self.story.state(number), seen),
        }
        if remark and seen is not None:  # in words that every seat may hear
            told["remark"] = remark
        if self.sees_all:
            told |= {key: step.entry[key] for key in THOUGHTS if step.entry.get(key) is not None}
        return told

    def _seen(self, number: int, step: StoryPly) -> Move | None:
        game, before = self.story.game, self.story.state(number)
        if self.sees_all:
            return step.move
        if self.seat is not None:
            return game.seen(before, step.move, self.seat)
        seen = [game.seen(before, step.move, seat) for seat in range(game.players)]
        return step.move if all(move == step.move for move in seen) else None

    def frame(self, ply: int) -> dict[str, Any]:
        """The position after so many plies, and what it is worth; marked if the viewer moves."""
        story, game = self.story, self.story.game
        latest = len(story.steps)
        if ply > latest:  # no nonsense: moves may have been taken back since
            raise UsageError(f"ply {ply}: {latest} have been played")
        state = story.state(ply)
        yours = ply == latest and story.mover(ply) == self.seat and story.trouble is None
        frame: dict[str, Any] = {"type": "frame", "ply": ply, "marked": yours}
        if self.sees_all:
            view, values = state, story.values(state)
        elif self.seat is not None:
            view = game.view(state, self.seat)
            values = story.expected_values(view)
        else:
            return frame | {"svg": None, "text": None, "values": None}
        svg = game.svg(view, moves=tuple(game.moves(state)) if yours else ())
        text = None if svg is not None else game.picture(view)
        return frame | {"svg": svg, "text": text, "values": values}

    def why(self, ply: int) -> dict[str, Any]:
        """The search behind a ply, as far as it is remembered and may be told."""
        if not self.sees_all:
            raise UsageError("what the others think is told after the game: it gives cards away")
        if ply >= len(self.story.steps):
            raise MessageError(f"ply {ply} has not been played")
        step = self.story.steps[ply]
        told = {"type": "why", "moves": [], "line": [], **self.entry(ply)}
        if step.report is not None:
            told |= explained(
                self.story.game, self.story.state(ply), step.report, step.entry["seat"]
            )
        return told

    def undo_point(self) -> int:
        """From which ply on the viewer may take moves back; UsageError says why it may not."""
        if self.seat is None:
            raise MessageError("you are only watching")
        seats = [step.entry["seat"] for step in self.story.steps]
        movers = [CHANCE if seat is None else seat for seat in seats]
        point = undo_point(self.story.game, movers, self.seat)
        if {*movers[point:]} & {*self.people} - {self.seat}:
            raise UsageError("another person has moved since your last move; it stays")
        return point

    @property
    def _may_take_back(self) -> bool:
        try:
            self.undo_point()
        except UsageError:
            return False
        return True

    def legal_move(self, text: str) -> Move:
        """The viewer's legal move that a text stands for; MoveError says what is wrong."""
        story, game = self.story, self.story.game
        state = story.state(len(story.steps))
        move = game.read_in(state, text)
        if move not in game.moves(state):
            # What is said about why must come from the view: a world that fits it will do.
            view = game.view(state, game.mover(state))
            world = game.world(view, np.random.default_rng(0))
            raise MoveError(f"'{text}' is not legal: {game.objection(world, move)}")
        return move


def explained(game: Game, state: State, report: Report, seat: int) -> dict[str, Any]:
    """The best moves of a search with their values, and the line it expects."""
    row = report.stance.matrix[seat]
    best = sorted(report.moves, key=lambda m: (-m.votes, -float(row @ m.value)))
    # With hidden information the line was found in one drawn world: its cards are made up.
    line = () if game.hidden else report.line
    return {
        "moves": [
            {
                "move": game.write_in(state, entry.move),
                "value": [round(float(v), 2) for v in entry.value],
                "exact": entry.exact,
            }
            for entry in best[:_EXPLAINED]
        ],
        "line": written_line(game, state, line),
    }
