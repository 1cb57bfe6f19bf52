"""The engine's side of the line protocol: commands in, answers out, one search at a time.

Every command is answered: with `ok`, with what was asked for, or with one line `error WHY`, in
which case it changed nothing. During a search only `stop` and `quit` take effect at once.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
import numpy as np

import mpsearch
from mpsearch._util import cut
from mpsearch.agents import (
    COMMON,
    LIMITS,
    PROTOCOL,
    SearchAgent,
    is_program,
    legal_texts,
    read_agent,
)
from mpsearch.api import Table
from mpsearch.contracts import (
    CHANCE,
    OVER,
    Limits,
    Memory,
    Option,
    Player,
    Report,
    State,
    Turn,
    View,
    any_world,
    legal_move,
    settle,
    split_moves,
    told_event,
    turn_in,
    turn_of,
    written_line,
)
from mpsearch.engine.thinking import think
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.plugins import plugin_fault
from mpsearch.search import Interrupt

#: Whether shallower searches come first and are reported.
_GROW = Option(name="grow", kind=bool, default=True, help="report shallower searches first")
#: These take effect at once, even during a search.
_STOP, _QUIT = "stop", "quit"
#: Characters shown of a command that is not understood.
_SHOWN = 40


class Engine:
    """An agent at a table that answers commands line by line."""

    def __init__(
        self, table: Table, agent: str, *, seed: int = 0, say: Callable[[str], None]
    ) -> None:
        if is_program(agent):
            raise UsageError(f"agent '{agent}' is a program already")
        self.table, self.agent, self.seed = table, agent, seed
        self._say = say
        self._grow = True
        self._player: Player = table.agent(agent)
        self._seat: int | None = None
        self._state: State | None = table.game.new()
        self._turn: Turn | None = None
        self._memories: dict[int, tuple[Memory, np.random.Generator]] = {}
        self._interrupt: Interrupt | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Answer every line until `quit` or the end of input."""
        waiting: queue.Queue[str | None] = queue.Queue()

        def read() -> None:
            for line in lines:
                word = line.split(" ", 1)[0].strip()
                if word == _STOP:
                    self.stop()
                elif word == _QUIT:
                    break
                waiting.put(line)
            self.stop()
            waiting.put(None)

        threading.Thread(target=read, daemon=True).start()
        while (line := waiting.get()) is not None:
            if line.strip():
                self.answer(line.strip())

    def stop(self) -> None:
        """Stop the search under way; it answers with what it has found."""
        if (interrupt := self._interrupt) is not None:
            interrupt.stop()

    def answer(self, line: str) -> None:
        """Execute one line; a wrong one changes nothing and is answered with an error."""
        word, _, rest = line.partition(" ")
        known: dict[str, Callable[[str], None]] = {
            "mpsearch": self._hello,
            "option": self._option,
            "game": self._game,
            "ready": self._ready,
            "position": self._position,
            "view": self._set_turn,
            "turn": self._turn_given,
            "event": self._event,
            "moves": self._moves,
            "play": self._play,
            "go": self._go,
            _STOP: lambda rest: self._say("ok"),
        }
        try:
            if word not in known:
                there = ", ".join(known)
                raise UsageError(f"unknown command '{cut(word, _SHOWN)}'; choose from {there}")
            known[word](rest.strip())
        except MpsearchError as error:
            self._say(f"error {' '.join(str(error).split())}")
        except Exception as error:  # a plugin's, on odd input; the engine goes on
            what = plugin_fault(error) or f"unexpected {type(error).__name__}: {error}"
            self._say(f"error {' '.join(what.split())}")

    def _hello(self, rest: str) -> None:
        if rest != str(PROTOCOL):
            raise UsageError(f"protocol '{cut(rest, _SHOWN)}' is not {PROTOCOL}")
        self._say(f"id mpsearch {mpsearch.__version__} {self.agent}")
        for option in (_GROW, *COMMON):
            self._say(f"option {option.name}: {option.wanted()}")
        self._say(f"mpsearch {PROTOCOL}")

    def _option(self, rest: str) -> None:
        key, _, value = rest.partition(" ")
        if key == _GROW.name:
            self._grow = _GROW.read(value, owner="option")
        else:
            agent = self._with_keys({key: value})
            self._player, self.agent = self.table.agent(agent), agent
        self._say("ok")

    def _with_keys(self, more: Mapping[str, str]) -> str:
        """The agent's text with these values of some keys."""
        return str(read_agent(self.agent).with_settings(more))

    def _game(self, rest: str) -> None:
        """A new game, which must be this engine's, and perhaps the seat to play."""
        given = _object(rest)
        table = self.table
        ours = {"game": table.name, "players": table.players, "options": dict(table.options)}
        if "options" in given:
            given["options"] = settle(table.offer.options, given["options"], owner=table.name)
        for key, value in ours.items():
            if given.get(key, value) != value:
                raise UsageError(f"this engine plays {table}; {key} differs here")
        seat = given.get("seat")
        if seat is not None and seat not in range(table.players):
            raise UsageError(f"seat {seat!r} is not one from 0 to {table.players - 1}")
        self._seat, self._state, self._turn = seat, table.game.new(), None
        self._memories = {}
        self._say("ok")

    def _ready(self, rest: str) -> None:
        """Prepare everything that a first search needs, such as machine code."""
        game, player = self.table.game, self._player
        rng = np.random.default_rng(0)
        state = game.new()
        while game.mover(state) == CHANCE:
            state = game.play(state, game.draw(state, rng))
        if isinstance(player, SearchAgent) and game.mover(state) != OVER:
            turn = turn_of(game, state)
            one = Limits(depth=1, nodes=1) if player.algorithm.samples else Limits(depth=1)
            quick = attrs.evolve(player, limits=one, worlds=min(player.worlds, 2))
            quick.choose(turn, quick.start(turn.seat, rng), rng)
        self._say("ready")

    def _position(self, rest: str) -> None:
        """`position [TEXT] [moves M1 M2 ...]`; outcomes of chance are among the moves."""
        text, there, moves = f" {rest} ".partition(" moves ")
        given = None if text.strip() in ("", "start") else text.strip()
        game = self.table.game
        state = game.new() if given is None else game.from_position(given)
        for move in split_moves(moves) if there else []:
            state = self._played(state, move)
        self._state, self._turn = state, None
        self._say("ok")

    def _played(self, state: State, text: str) -> State:
        """The state after a move, or after an outcome of chance."""
        game = self.table.game
        if game.mover(state) == OVER:
            raise UsageError(f"the game is over before '{text}'")
        if game.mover(state) != CHANCE:
            return game.play(state, legal_move(game, state, text))
        outcome = game.read_in(state, text)
        if not game.possible(state, outcome):
            raise UsageError(f"'{text}' is not a possible outcome of chance here")
        return game.play(state, outcome)

    def _turn_given(self, rest: str) -> None:
        """A turn, as the referee gives it to a program."""
        given = _object(rest)
        if "view" not in given:
            raise UsageError("a turn needs a view")
        self._set_turn(json.dumps(given["view"]))

    def _set_turn(self, text: str) -> None:
        """The view of the seat to move, as text."""
        game, view = self.table.game, self._read_view(text)
        if game.mover(any_world(game, view)) < 0:
            raise UsageError("no seat is to move in this view")
        self._turn, self._state = turn_in(game, view), None
        self._say("ok")

    def _event(self, rest: str) -> None:
        """What the seat saw of a move, for agents that observe moves."""
        given = _object(rest)
        if not {"mover", "move", "before", "after"} <= set(given):
            raise UsageError("an event needs mover, move, before and after")
        game, mover, text = self.table.game, given["mover"], given["move"]
        before, after = (self._read_view(json.dumps(given[key])) for key in ("before", "after"))
        if mover is not None and self._player.observes and self._seat is not None:
            if mover not in range(self.table.players):
                raise UsageError(f"mover {mover!r} is not a seat")
            move = None if text is None else game.read_in(any_world(game, before), str(text))
            event = told_event(mover=mover, move=move, before=before, after=after)
            memory, rng = self._memory(self._seat)
            self._memories[self._seat] = self._player.observe(memory, event, rng), rng
        self._say("ok")

    def _moves(self, rest: str) -> None:
        self._say(f"moves {json.dumps(self._texts(self._current()), ensure_ascii=False)}")

    def _play(self, rest: str) -> None:
        if self._state is None:
            raise UsageError("a view cannot be played on; set a position")
        self._state, self._turn = self._played(self._state, rest), None
        self._say("ok")

    def _go(self, rest: str) -> None:
        turn, player = self._current(), self._player
        words = rest.split()
        if len(words) % 2:
            raise UsageError(f"go takes pairs such as 'time 0.5', not '{rest}'")
        given = dict(zip(words[::2], words[1::2], strict=True))
        settle([option for option in COMMON if option.name in LIMITS], given, owner="go")
        if given and isinstance(player, SearchAgent):
            # By a temporary table, which forgets agents that differ only in their limits.
            asked = attrs.evolve(self.table).searcher(self._with_keys(given))
            player = attrs.evolve(player, limits=asked.limits)
        memory, rng = self._memory(turn.seat)
        self._interrupt = interrupt = Interrupt()
        try:
            grow = self._tell if self._grow else None
            decision = think(player, turn, memory, rng, interrupt=interrupt, grow=grow)
        finally:
            self._interrupt = None
        if not self._grow and decision.report is not None:
            self._tell(decision.report)
        self._say(f"bestmove {self._texts(turn)[turn.moves.index(decision.move)]}")

    def _tell(self, report: Report) -> None:
        state = any_world(self.table.game, self._current().view)
        fields = {
            "depth": report.depth,
            "nodes": report.nodes,
            "worlds": report.worlds,
            "seconds": round(report.seconds, 4),
            "value": report.value.tolist(),
            "exact": report.exact and not report.sampled,
            "stance": report.stance.label,
            "line": written_line(self.table.game, state, report.line),
        }
        self._say(f"info {json.dumps(fields, ensure_ascii=False)}")

    def _current(self) -> Turn:
        """The current turn: that of a view, or of the state after the moves so far."""
        if self._turn is not None:
            return self._turn
        game, state = self.table.game, self._state
        assert state is not None
        if game.mover(state) == OVER:
            raise UsageError("the game is over")
        if game.mover(state) == CHANCE:
            raise UsageError("chance decides here: play an outcome")
        return turn_of(game, state)

    def _memory(self, seat: int) -> tuple[Memory, np.random.Generator]:
        if seat not in self._memories:
            rng = np.random.default_rng([self.seed, seat])
            self._memories[seat] = self._player.start(seat, rng), rng
        return self._memories[seat]

    def _texts(self, turn: Turn) -> list[str]:
        return [*legal_texts(self.table.game, turn)]

    def _read_view(self, text: str) -> View:
        try:
            return self.table.game.read_view(text)
        except UsageError:
            raise
        except Exception as error:  # a text that resembles a view
            raise UsageError(f"this is not a view: {error}") from None


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is not JSON: {error}") from None
    if not isinstance(found, Mapping):
        raise UsageError("this is not a JSON object")
    return dict(found)
