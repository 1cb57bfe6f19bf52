"""ProgramPlayer: an outside program plays a seat, over the line protocol of docs/how-to/engine.md.

It is told the game, its seat, what its seat sees of every move, its view, its legal moves and its
time; nothing else. A program that hangs, ends, or makes an illegal move forfeits its game.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from mpsearch._util import alarm, cut
from mpsearch.agents.allowed_programs import check_program
from mpsearch.contracts import (
    CHANCE,
    Decision,
    Event,
    Game,
    Move,
    Player,
    Turn,
    View,
    any_world,
    frozen_array,
)
from mpsearch.errors import ForfeitError, MpsearchError, UsageError

#: The version of the protocol.
PROTOCOL = 1
#: Seconds for a program to start and be ready; it may have to compile.
STARTUP = 120.0
#: Seconds that a move may take beyond its time before the program counts as hung.
GRACE = 2.0
#: The longest line that is read, and the most lines before an answer.
LONGEST_LINE, MOST_LINES = 100_000, 100_000
#: Characters shown of an answer.
_SHOWN = 80


class ProgramPlayer(Player):
    """Plays the moves of a program; every seat of every game has a process of its own."""

    def __init__(
        self, game: Game, about: Mapping[str, Any], command: str, *, seconds: float
    ) -> None:
        self.game, self.command, self.seconds = game, command, seconds
        #: Name, players and options of the game.
        self.about = dict(about)

    @property
    def observes(self) -> bool:
        return True

    @property
    def observes_chance(self) -> bool:
        return True

    def start(self, seat: int, rng: np.random.Generator) -> Conversation:
        check_program(self.command)
        return Conversation(self.command, {**self.about, "seat": seat})

    def end(self, memory: Conversation) -> None:
        memory.close()

    def observe(self, memory: Conversation, event: Event, rng: np.random.Generator) -> Conversation:
        memory.tell(f"event {event_text(self.game, event)}")
        return memory

    def choose(self, turn: Turn, memory: Conversation, rng: np.random.Generator) -> Decision:
        texts = legal_texts(self.game, turn)
        try:
            memory.tell(f"turn {turn_text(self.game, turn, list(texts))}")
            answer, info = memory.go(self.seconds)
        except ProgramError as fault:
            raise ForfeitError(turn.seat, f"program '{self.command}' {fault}") from None
        if answer not in texts:
            why = f"program '{self.command}' played '{cut(answer, _SHOWN)}', which is not legal"
            raise ForfeitError(turn.seat, why)
        value = _numbers(info.get("value"), self.game.players)
        return Decision(
            move=texts[answer],
            value=None if value is None else frozen_array(value),
            nodes=_whole(info.get("nodes")),
            depth=_whole(info.get("depth")),
        )


class ProgramError(MpsearchError):
    """What a program did wrong, as a predicate to follow its name."""


#: Conversations whose processes must not outlive this one.
_running: weakref.WeakSet[Conversation] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for conversation in list(_running):
        conversation.close()


class Conversation:
    """A process and what is sent to it; errors are raised when a move is asked for."""

    def __init__(self, command: str, about: Mapping[str, Any]) -> None:
        self.command, self.about = command, dict(about)
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=100)
        self._waiting: list[str] = []
        self._begun = False

    def _begin(self) -> None:
        if self._begun:
            return
        self._begun = True
        try:
            # Not through a shell, and in a group of its own: Ctrl-C is not for the program.
            self._process = subprocess.Popen(
                shlex.split(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if os.environ.get("MPSEARCH_DEBUG") else subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise ProgramError(f"cannot be started: {why}") from None
        _running.add(self)
        assert self._process.stdout is not None
        self._reader = threading.Thread(
            target=_read, args=(self._process.stdout, self._lines), daemon=True
        )
        self._reader.start()
        version, _ = self._ask(f"mpsearch {PROTOCOL}", "mpsearch", STARTUP)
        if version != str(PROTOCOL):
            raise ProgramError(f"speaks protocol '{cut(version, _SHOWN)}', not {PROTOCOL}")
        self._ask(f"game {json.dumps(self.about, ensure_ascii=False)}", "ok", STARTUP)
        self._ask("ready", "ready", STARTUP)

    def tell(self, line: str) -> None:
        """Send a line before the next move is asked for; the answer must be `ok`."""
        self._waiting.append(line)

    def go(self, seconds: float) -> tuple[str, dict[str, Any]]:
        """The move that it answers within this time, and its last `info`."""
        self._begin()
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            self._ask(line, "ok", STARTUP)
        return self._ask(f"go time {seconds:g}", "bestmove", seconds + max(GRACE, seconds))

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError, ValueError):
            assert process.stdin is not None
            process.stdin.write(b"quit\n")
            process.stdin.close()
        _kill(process)
        process.wait()
        deadline = time.monotonic() + 1.0  # a process that left the group may hold the pipe
        while self._reader.is_alive() and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                self._lines.get_nowait()  # the reader may wait for room
            self._reader.join(0.01)
        if not self._reader.is_alive() and process.stdout is not None:
            process.stdout.close()

    def _ask(self, line: str, wanted: str, seconds: float) -> tuple[str, dict[str, Any]]:
        """What follows the word `wanted` in an answer to a line, and the last `info` before it."""
        process, word = self._process, line.partition(" ")[0]
        if process is None or process.stdin is None:
            raise ProgramError("has ended")
        deadline = time.monotonic() + seconds
        info: dict[str, Any] = {}
        # Writing blocks if the program does not read.
        with alarm(seconds, lambda: _kill(process)):
            try:
                process.stdin.write(f"{line}\n".encode())
                process.stdin.flush()
            except OSError:
                raise self._gone(word, seconds, deadline) from None
            for _ in range(MOST_LINES):
                try:
                    read = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
                except queue.Empty:
                    raise ProgramError(f"did not answer '{word}' within {seconds:g} s") from None
                if read is None:
                    raise self._gone(word, seconds, deadline)
                said, _, rest = read.decode("utf-8", "replace").strip().partition(" ")
                if said == wanted:
                    return rest.strip(), info
                if said == "info":
                    info = _object(rest)
                if said == "error":
                    raise ProgramError(f"answered '{word}' with an error: {cut(rest, _SHOWN)}")
        raise ProgramError(f"answered '{word}' with {MOST_LINES} lines and no '{wanted}'")

    def _gone(self, word: str, seconds: float, deadline: float) -> ProgramError:
        if time.monotonic() >= deadline:
            return ProgramError(f"did not answer '{word}' within {seconds:g} s")
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        return ProgramError(f"ended before it answered '{word}' (exit code {code})")


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _read(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Queue the lines that a program writes, and None at the end."""
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(None)


def legal_texts(game: Game, turn: Turn) -> dict[str, Move]:
    """The legal moves of a turn by text, which depends only on the view."""
    state = any_world(game, turn.view)
    return {game.write_in(state, move): move for move in turn.moves}


def turn_text(game: Game, turn: Turn, moves: list[str]) -> str:
    """A turn as JSON: seat, legal moves, view, and the position in the game's notation."""
    document = {"seat": turn.seat, "moves": moves, "view": _view(game, turn.view)}
    if not game.hidden:
        with contextlib.suppress(UsageError):
            document["position"] = game.position(turn.view)
    return json.dumps(document, ensure_ascii=False)


def event_text(game: Game, event: Event) -> str:
    """What a seat saw of a move or an outcome of chance, as JSON; a secret move is null."""
    text = None
    if event.move is not None:
        hidden = game.hidden
        text = game.write(event.move) if hidden else game.write_in(event.before, event.move)
    document = {
        "mover": None if event.mover == CHANCE else event.mover,
        "move": text,
        "before": _view(game, event.before),
        "after": _view(game, event.after),
    }
    return json.dumps(document, ensure_ascii=False)


def _view(game: Game, view: View) -> Any:
    return json.loads(game.write_view(view))


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _numbers(value: Any, players: int) -> np.ndarray[Any, Any] | None:
    """A value vector, if it is one."""
    try:
        found = np.array(value, dtype=float)
    except (TypeError, ValueError):
        return None
    return found if found.shape == (players,) and bool(np.isfinite(found).all()) else None


def _whole(value: Any) -> int:
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63
    return value if fits else 0
