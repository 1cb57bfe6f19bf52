"""Viewer: what a seat or a watcher of a game may be shown. Nothing else decides that.

A seat sees its view. In games with hidden information that is all until the game is over: agents'
values come from their own hidden cards, and the seed would reveal every deal to come.
A watcher sees everything if no person plays, and otherwise what all seats see alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.agents import Explanation, best_first, reasons
from mpsearch.api import Table
from mpsearch.contracts import (
    OVER,
    THOUGHTS_WITHHELD,
    Array,
    Decision,
    Evaluator,
    Game,
    Move,
    Propagator,
    Report,
    Stance,
    State,
    any_world,
    heard,
    seen_alike,
    thoughts_are_open,
    winners,
    written_line,
)
from mpsearch.errors import MoveError, UsageError
from mpsearch.gamekit import SEAT_WEB_COLOURS
from mpsearch.jit import compiling_elsewhere
from mpsearch.match import PERSON, History, Ply, standing_marks, undo_point
from mpsearch.web.inbound import MessageError

#: The fields of a ply in the record that come from an agent's search.
_SEARCH_FIELDS = ("stance", "target", "matrix", "value", "nodes", "depth")
#: How many worlds are drawn to evaluate a view.
_WORLDS = 16
#: How many moves of a search are explained.
_EXPLAINED = 8


@attrs.frozen(kw_only=True)
class Viewer:
    """A seat that sees a game; None is a watcher."""

    history: History = attrs.field(repr=False)
    table: Table = attrs.field(repr=False)
    #: Makes the evaluator of positions, which may take a while, and its name.
    evaluator: Callable[[], Evaluator] = attrs.field(repr=False)
    scale: str
    #: The agents' names, by seat.
    names: tuple[str, ...] = attrs.field(repr=False)
    #: An agent's propagator, by its text.
    propagator: Callable[[str], Propagator | None] = attrs.field(repr=False)
    seat: int | None
    #: The seats of people, from whom hidden information is kept.
    people: tuple[int, ...] = ()
    #: The seats of people who have left; agents play there.
    left: frozenset[int] = frozenset()
    #: Whether the game is being played; False for a record that is only looked at.
    playing: bool = True
    #: Why the game cannot go on, if it cannot.
    trouble: str | None = None

    @property
    def sees_all(self) -> bool:
        """Whether states, thoughts and every move may be shown."""
        people = self.people if self.seat is None else (self.seat, *self.people)
        return thoughts_are_open(self.history.game, people=people, over=self.history.over)

    @property
    def _plays(self) -> bool:
        return self.trouble is None and self.seat not in self.left

    @property
    def may_download(self) -> bool:
        """Whether the record, which holds the seed, may be downloaded: not during a game."""
        return not self.playing or self.history.over

    def hello(self) -> dict[str, Any]:
        """What does not change during a game."""
        setting, offer = self.history.setting, self.table.offer
        guide = offer.read_guide()
        return {
            "type": "hello",
            "rules": guide.text if guide is not None else None,
            "game": setting.game,
            "options": setting.options,
            "agents": list(setting.agents),
            "names": list(self.names),
            "evaluator": self.scale,
            "variant": offer.variant(self.table.options),
            "you": self.seat,
            "hidden": self.history.game.hidden,
            "playing": self.playing,
            "colours": list(SEAT_WEB_COLOURS),
        }

    def now(self, log_from: int) -> dict[str, Any]:
        """How things stand, and the log from a ply on."""
        history = self.history
        ply = len(history.plies)
        mover = history.mover(ply)
        yours = mover == self.seat and self._plays
        game, state = history.game, history.state(ply)
        # Without duplicates: a move may be taken back a thousand times.
        marks = {(m["mark"], m["ply"], m.get("seat")): m for m in standing_marks(history.lines)}
        try:
            may_undo = self.seat is not None and self.undo_point() >= 0
        except UsageError:
            may_undo = False
        message: dict[str, Any] = {
            "type": "now",
            "ply": ply,
            "mover": mover if mover >= 0 else None,
            #: Until machine code is there agents search as plain Python.
            "compiling": game.rules is not None and compiling_elsewhere(game.rules),
            "over": mover == OVER,
            "yours": yours,
            "moves": [game.write_in(state, m) for m in game.moves(state)] if yours else [],
            "open": self.sees_all,
            "record": self.may_download,
            "trouble": self.trouble,
            "left": sorted(self.left),
            "undo": yours and may_undo,
            "marks": list(marks.values()),
            "from": log_from,
            "log": [self.entry(number) for number in range(log_from, ply)],
        }
        if mover == OVER:
            payoff = history.game.payoff(history.state(ply))
            message |= {"payoff": payoff.tolist(), "winners": winners(payoff)}
        return message

    def entry(self, number: int) -> dict[str, Any]:
        """One ply as it may be shown; the move is None if it was made in secret."""
        game, ply = self.history.game, self.history.plies[number]
        recorded, before = self.history.entries[number], ply.before
        if self.sees_all:
            seen = ply.move
            remark, stage = game.remark(before, ply.move), game.stage(before)
        else:
            # A watcher sees what all seats see alike.
            eyes = range(game.players) if self.seat is None else (self.seat,)
            seen = seen_alike(game, eyes, before=before, move=ply.move)
            remark = heard(game, eyes, before=before, move=ply.move)
            stages = {game.stage(game.view(before, seat)) for seat in eyes}
            stage = stages.pop() if len(stages) == 1 else ""
        shown = {
            "ply": number,
            "seat": recorded["seat"],
            "move": None if seen is None else game.write_in(before, seen),
        }
        shown |= {"remark": remark} if remark else {}
        shown |= {"stage": stage} if stage else {}
        if self.sees_all:
            shown |= {key: recorded[key] for key in _SEARCH_FIELDS if recorded.get(key) is not None}
        return shown

    def frame(self, ply: int) -> dict[str, Any]:
        """The position after so many plies, and what it is worth; marked if the viewer moves."""
        history, game = self.history, self.history.game
        latest = len(history.plies)
        if ply > latest:  # moves may have been taken back since it was asked for
            raise UsageError(f"ply {ply}: {latest} have been played")
        state = history.state(ply)
        yours = ply == latest and history.mover(ply) == self.seat and self._plays
        moves = tuple(game.moves(state)) if yours else ()
        return {"type": "frame", "ply": ply, "marked": yours, **self.shown(state, moves)}

    def shown(self, state: State, moves: Sequence[Move]) -> dict[str, Any]:
        """The picture of a state as the viewer sees it, with marks for moves, and its values."""
        game = self.history.game
        if self.sees_all:
            view, worlds = state, [state]
        elif self.seat is not None:
            view = game.view(state, self.seat)
            rng = np.random.default_rng(0)  # the view alone decides the values
            worlds = [game.world(view, rng) for _ in range(_WORLDS)]
        else:
            return {"svg": None, "text": None, "values": None}
        values = np.mean([self.evaluator().values(world) for world in worlds], axis=0)
        svg = game.svg(view, moves=tuple(moves))
        text = None if svg is not None else game.picture(view)
        return {"svg": svg, "text": text, "values": rounded(values)}

    def why(self, ply: int) -> dict[str, Any]:
        """The search behind a ply, as far as it is remembered and may be shown."""
        if not self.sees_all:
            raise UsageError(THOUGHTS_WITHHELD)
        if ply >= len(self.history.plies):
            raise MessageError(f"ply {ply} has not been played")
        made = self.history.plies[ply]
        shown = {"type": "why", "moves": [], "line": [], **self.entry(ply)}
        agent = self.history.setting.agents[made.seat] if made.seat >= 0 else ""
        shown["words"] = self.words(made, self.history.entries[ply], agent)
        if made.seat >= 0:
            shown["evaluator"] = self.scale_of(agent)
        if made.decision is not None and made.decision.report is not None:
            report = made.decision.report
            shown |= explained(self.history.game, made.before, report, made.seat)
            # The position of the decision, with marks for the moves that are explained.
            moves = tuple(entry.move for entry in best_first(report, made.seat)[:_EXPLAINED])
            shown["svg"] = self.history.game.svg(made.before, moves=moves)
        return shown

    def scale_of(self, agent: str) -> str:
        """The name of an agent's evaluator; a person's stand-in has the usual one."""
        try:
            return self.scale if agent == PERSON else self.table.evaluator_name(agent)
        except UsageError:  # a record may name an agent that cannot be read
            return "unknown"

    def words(self, made: Ply, recorded: Mapping[str, Any], agent: str) -> list[str]:
        """Why a ply was played, in sentences; from the record if the game was resumed since.

        `agent` is the text of the agent that moved.
        """
        game, decision = self.history.game, made.decision
        if decision is None and recorded.get("stance") and recorded.get("matrix"):
            stance = Stance(
                matrix=recorded["matrix"], label=recorded["stance"], target=recorded.get("target")
            )
            decision = Decision(move=made.move, stance=stance, value=recorded.get("value"))
        if decision is None:
            return []
        return list(
            reasons(
                decision,
                seat=made.seat,
                write=lambda move: game.write_in(made.before, move),
                propagator=self.propagator(agent),
                legal=len(game.moves(made.before)),
                you=self.seat,
                names=self._given_names,
            )
        )

    def told(self, found: Explanation) -> list[str]:
        """Why an agent would move so, in sentences."""
        return list(found.words(you=self.seat, names=self._given_names))

    @property
    def _given_names(self) -> list[str]:
        """The first name of each agent; people have none."""
        agents = self.history.setting.agents
        return [
            "" if agent == PERSON else name.partition(" ")[0]
            for agent, name in zip(agents, self.names, strict=True)
        ]

    def undo_point(self) -> int:
        """The ply from which the viewer may take moves back; UsageError says why it may not."""
        if self.seat is None:
            raise MessageError("you are only watching")
        movers = [ply.seat for ply in self.history.plies]
        point = undo_point(self.history.game, movers, self.seat)
        if {*movers[point:]} & {*self.people} - {self.seat}:
            raise UsageError("another person has moved since your last move, so it stands")
        return point

    def legal_move(self, text: str) -> Move:
        """The viewer's legal move that a text stands for; MoveError says what is wrong."""
        history, game = self.history, self.history.game
        state = history.state(len(history.plies))
        move = game.read_in(state, text)
        if move not in game.moves(state):
            # The reason must come from the view: a world that fits it will do.
            view = game.view(state, game.mover(state))
            raise MoveError(f"'{text}' is not legal: {game.objection(any_world(game, view), move)}")
        return move


def explained(game: Game, state: State, report: Report, seat: int) -> dict[str, Any]:
    """The best moves of a search with their values, and the line it expects."""
    # With hidden information the line was found in one drawn world: its cards are made up.
    line = () if game.hidden else report.line
    return {
        "moves": [
            {
                "move": game.write_in(state, entry.move),
                "value": rounded(entry.value),
                "exact": entry.exact,
            }
            for entry in best_first(report, seat)[:_EXPLAINED]
        ],
        "line": written_line(game, state, line),
    }


def rounded(values: Array) -> list[float]:
    """Values by seat, as the page shows them."""
    return [round(float(value), 2) for value in values]
