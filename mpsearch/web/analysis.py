"""Analysis board: the positions of a game and of its variations, as one viewer may see them.

A game can be analysed when its record can be downloaded. An unfinished game with hidden information
is analysed for one seat: it sees its view, and variations begin in worlds that fit that view.
"""

from __future__ import annotations

import zlib
from typing import Any

import attrs
import numpy as np

from mpsearch.agents import best_first, is_program, read_agent
from mpsearch.api import Table, advisers
from mpsearch.contracts import (
    CHANCE,
    OVER,
    Decision,
    Memory,
    Move,
    Player,
    Propagator,
    Turn,
    event_of,
    legal_move,
    turn_of,
    winners,
)
from mpsearch.errors import UsageError
from mpsearch.match import PERSON, Position
from mpsearch.studies.review import finished_review, make_judge
from mpsearch.web.budget import check_agent
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.session import Session
from mpsearch.web.tables import refuse_files
from mpsearch.web.viewer import Viewer, explained, rounded

#: How many lines of a search are shown, and how many moves of each.
_LINES, _LINE = 5, 10
#: How many of the last moves an agent with an opponent model observes.
_REMEMBERED = 200
#: The fields of a variation's entry that are shown.
_FIELDS = ("ply", "seat", "move", "agent", "stance", "target", "matrix", "value", "nodes", "depth")


class Analysis:
    """The analysis of a session's game for one window."""

    def __init__(self, session: Session, seat: int | None, limits: RateLimit) -> None:
        """`seat` is whose view is shown if not all may be seen; UsageError if nothing may be."""
        self.session, self.limits = session, limits
        viewer = session.viewer(seat)
        if not viewer.may_download:
            raise UsageError("a game can be analysed after it is over")
        if seat is not None and not 0 <= seat < viewer.history.game.players:
            raise UsageError(f"seat {seat}: seats are 0 to {viewer.history.game.players - 1}")
        if seat is None and viewer.history.game.hidden and not viewer.history.over:
            seats = f"0 to {viewer.history.game.players - 1}"
            raise UsageError(f"the game is not over, and cards are hidden: choose a seat, {seats}")
        #: A table with agents of its own, which are asked one at a time.
        self.table: Table = attrs.evolve(session.table)
        self.viewer: Viewer = attrs.evolve(viewer, propagator=self._propagator)
        self.game = viewer.history.game
        #: Whether it is the game's own tree, which all see and which is saved.
        self.shared = viewer.sees_all
        history = viewer.history
        self.tree = session.variations() if self.shared else history.variation_tree(seat)
        #: The agent that moves in each seat when agents play on.
        usual, agents = advisers(self.table)[0], history.setting.agents
        self.agents = [text if self._may_use(text) else usual for text in agents]

    @property
    def may_try(self) -> bool:
        """Whether moves may be tried: only by those who played, if people did."""
        return self.viewer.seat is not None or not self.session.people or not self.shared

    def seat_agent(self, seat: int, text: str) -> None:
        """Seat another agent; UsageError says why it may not be."""
        if not 0 <= seat < self.game.players:
            raise UsageError(f"seat {seat}: seats are 0 to {self.game.players - 1}")
        self._player(text)
        self.agents[seat] = text

    def _player(self, text: str) -> Player:
        """An agent that may be asked here; UsageError says why it may not."""
        refuse_files([text])
        if is_program(text) or read_agent(text).name == PERSON:
            raise UsageError(f"agent '{text}' cannot be used here")
        player = self.table.agent(text)
        check_agent(player, text, self.limits)
        return player

    def _may_use(self, text: str) -> bool:
        try:
            self._player(text)
        except UsageError:
            return False
        return True

    def _propagator(self, text: str) -> Propagator | None:
        return self.table.propagator(text) if self._may_use(text) else None

    def hello(self) -> dict[str, Any]:
        """What does not change."""
        history = self.viewer.history
        plies = len(history.plies)
        return {
            **self.viewer.hello(),
            "all": self.viewer.sees_all,
            "try": self.may_try,
            "plies": plies,
            "log": [self.viewer.entry(number) for number in range(plies)],
            "choices": self._choices(),
        }

    def _choices(self) -> list[str]:
        """Agents to choose from: those of the game, and one of each kind."""
        maxn, *others = advisers(self.table)
        shared = maxn.partition(":")[2]
        kinds = [f"{name}:{shared}" if shared else name for name in ("sos", "offensive")]
        against = [
            f"offensive:target={seat}{',' if shared else ''}{shared}"
            for seat in range(self.game.players)
        ]
        return list(dict.fromkeys([*self.agents, maxn, *others, *kinds, *against]))

    def news(self) -> dict[str, Any]:
        """All variations, and the agent of each seat."""
        with self.session.trying:
            tried = self.tree.variations
        return {
            "type": "tree",
            "nodes": [
                {
                    "node": position.number,
                    "parent": position.parent.number,
                    **{key: position.entry[key] for key in _FIELDS if key in position.entry},
                }
                for position in tried
                if position.parent is not None
            ],
            "agents": self.agents,
            "saved": self.shared and self.session.save_to is not None,
        }

    def frame(self, number: int) -> dict[str, Any]:
        """A position: its picture, who is to move, and what can be played."""
        position = self.tree[number]
        game, state = self.game, position.state
        mover = game.mover(state)
        moves = list(game.moves(state)) if mover >= 0 else []
        marked = moves if self.viewer.sees_all or mover == self.viewer.seat else []
        frame = {
            "type": "frame",
            "node": number,
            "marked": bool(marked) and self.may_try,
            "mover": mover if mover >= 0 else None,
            "chance": mover == CHANCE,
            "over": mover == OVER,
            "moves": [game.write_in(state, move) for move in moves] if self.may_try else [],
            **self.viewer.shown(state, marked if self.may_try else ()),
        }
        if mover == OVER:
            payoff = game.payoff(state)
            frame |= {"payoff": payoff.tolist(), "winners": winners(payoff)}
        return frame

    def why(self, number: int) -> dict[str, Any]:
        """Why the ply that led to a position was played."""
        position = self.tree[number]
        if position.ply is None:
            raise UsageError("nothing was played before the start")
        if position.played:
            return self.viewer.why(position.ply.number) | {"node": number}
        entry, made = position.entry, position.ply
        agent = entry.get("agent", "")
        shown = {key: entry[key] for key in _FIELDS if key in entry}
        shown |= {"type": "why", "node": number, "moves": [], "line": []}
        shown["words"] = self.viewer.words(made, entry, agent)
        shown["evaluator"] = self.viewer.scale_of(agent) if agent else self.viewer.scale
        if made.decision is not None and made.decision.report is not None:
            shown |= explained(self.game, made.before, made.decision.report, made.seat)
        return shown

    def graph(self) -> dict[str, Any]:
        """Every seat's value over the game, with the turning points."""
        history = self.viewer.history
        seat = None if self.viewer.sees_all else self.viewer.seat
        judge = make_judge(self.table, history.record(), seat=seat)
        found = finished_review(judge, ())
        return {
            "type": "graph",
            "svg": found.svg(),
            "told": [{"title": title, "lines": lines} for title, lines in found.told()],
        }

    def played(self, number: int, text: str) -> Position:
        """The position after a move that is tried; MoveError if it is not legal."""
        position = self._tried_at(number)
        return self.add(position, legal_move(self.game, position.state, text))

    def drawn(self, number: int) -> Position:
        """The position after an outcome of chance, drawn anew each time."""
        position = self._tried_at(number)
        return self.add(position, self.game.draw(position.state, self._rng(position)))

    def add(
        self, before: Position, move: Move, decision: Decision | None = None, agent: str = ""
    ) -> Position:
        with self.session.trying:
            return self.tree.play(before, move, decision=decision, agent=agent or None)

    def remove(self, number: int) -> None:
        self._tried_at(number)
        with self.session.trying:
            self.tree.remove(number)

    def _tried_at(self, number: int) -> Position:
        if not self.may_try:
            raise UsageError(
                "only those who played may try moves here; a copy of the record is yours"
            )
        return self.tree[number]

    def turn(self, number: int) -> tuple[Turn, str, Player]:
        """The turn in a position, and the agent in its seat, as text and as a player."""
        state = self.tree[number].state
        seat = self.game.mover(state)
        if seat == OVER:
            raise UsageError("the game is over here")
        if seat == CHANCE:
            raise UsageError("dice or cards decide here")
        return turn_of(self.game, state), self.agents[seat], self._player(self.agents[seat])

    def decided(self, number: int, player: Player, turn: Turn) -> Decision:
        """An agent's decision in a position, from what its seat may know of the moves before."""
        rng = self._rng(self.tree[number], turn.seat)
        decision = player.choose(turn, self._memory(number, player, turn, rng), rng)
        if turn.moves and decision.move not in turn.moves:
            raise UsageError(f"an agent chose {decision.move!r}, which is not legal")
        return decision

    def _memory(self, number: int, player: Player, turn: Turn, rng: np.random.Generator) -> Memory:
        """What a player has learned from the moves before a position."""
        memory = player.start(turn.seat, rng)
        if not player.observes:
            return memory
        for step in self.tree[number].line[-_REMEMBERED:]:
            past = step.ply
            # What others saw of the game is not known here.
            foreign = step.played and not self.shared and turn.seat != self.viewer.seat
            if past is None or past.seat in (CHANCE, turn.seat) or foreign:
                continue
            event = event_of(
                self.game, turn.seat, before=past.before, move=past.move, after=past.state
            )
            memory = player.observe(memory, event, rng)
        return memory

    def _rng(self, position: Position, seat: int = CHANCE) -> np.random.Generator:
        """A generator seeded by what was tried, and by nothing that may be secret."""
        tried = [step for step in position.line if not step.played]
        text = " ".join(step.entry["move"] for step in tried)
        again = len(position.children) if seat == CHANCE else 0
        return np.random.default_rng([position.plies, zlib.crc32(text.encode()), seat + 1, again])

    def lines(self, number: int, agent: str, turn: Turn, decision: Decision) -> dict[str, Any]:
        found = self.table.explanation(turn, agent, decision)
        report = found.report
        return {
            "type": "lines",
            "node": number,
            "seat": turn.seat,
            "agent": agent,
            "evaluator": self.viewer.scale_of(agent),
            "stance": report.stance.label,
            "target": report.stance.target,
            "matrix": report.stance.matrix.tolist(),
            "depth": report.depth,
            "nodes": report.nodes,
            "worlds": report.worlds,
            "sampled": report.sampled,
            "words": self.viewer.told(found),
            "lines": [
                {
                    "line": found.written([entry.move, *entry.line])[:_LINE],
                    "value": rounded(entry.value),
                    "exact": entry.exact,
                }
                for entry in best_first(report, turn.seat)[:_LINES]
            ],
        }
