"""Session: a table whose game is played in a thread of its own, or a record to look at."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from mpsearch.errors import MoveError, MpsearchError
from mpsearch.match import RecordWriter, TakenBackError
from mpsearch.match.record import RESUME, UNDO, mark_entry, ply_entry, result_entry
from mpsearch.web.messages import MessageError, Play, Undo
from mpsearch.web.person import ClosedError, Person
from mpsearch.web.screen import Screen
from mpsearch.web.story import Story, StoryPly

log = logging.getLogger("mpsearch.web")

Listener = Callable[[], None]


class Session:
    """A story, who may add to it, and who hears of it."""

    def __init__(self, story: Story, *, playing: bool = True) -> None:
        self.story = story
        self._playing = playing
        #: The seats that people hold.
        self.people = story.setting.people if playing else ()
        self._players = [
            Person() if seat in self.people else story.table.agent(text)
            for seat, text in enumerate(story.setting.agents if playing else ())
        ]
        #: Where advisers sit, one at a time.
        self.counsel = attrs.evolve(story.table)
        self.advising = asyncio.Lock()
        self._answered = -1
        self._hand_in = threading.Lock()
        #: What is written to as long as the game goes on, by one thread at a time.
        self._record: RecordWriter | None = None
        self._writing = threading.Lock()
        self._listeners: set[Listener] = set()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether the game goes on."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def start(self, record: RecordWriter, *, resumed: bool = False) -> None:
        """Let the game go on to its result; `record` holds all plies so far and gets the next."""
        self._record = record
        if resumed and not self.story.over:
            self.mark(RESUME)
        # A daemon: a search that takes long must not keep the server from ending.
        self._thread = threading.Thread(target=self._run, args=(record,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread as soon as it waits for a person."""
        for player in self._players:
            if isinstance(player, Person):
                player.close()

    def screen(self, seat: int | None) -> Screen:
        """What a seat, or a watcher, may see."""
        return Screen(story=self.story, seat=seat, people=self.people, playing=self._playing)

    def play(self, seat: int | None, wish: Play) -> None:
        """A move from a browser; MessageError or MoveError says why it cannot be made."""
        with self._hand_in:
            person = self._asked(seat, wish.ply)
            person.hand_in(self.screen(seat).legal_move(wish.move))
            self._answered = wish.ply

    def take_back(self, seat: int | None, wish: Undo) -> None:
        """A wish to take back one's last move; an error of the same kinds says why it stays."""
        with self._hand_in:
            person = self._asked(seat, wish.ply)
            assert seat is not None
            person.take_back(self.screen(seat).undo_point(), seat=seat)
            self._answered = wish.ply

    def mark(self, mark: str, seat: int | None = None) -> None:
        """Note something that is no ply, in the record and for everybody to see."""
        with self._writing:
            if self._record is not None:
                self._note(self.story, mark_entry(mark, ply=len(self.story.steps), seat=seat))
        self._announce()

    def _asked(self, seat: int | None, ply: int) -> Person:
        """Whose answer to a turn is waited for, which must be this seat's."""
        if seat is None:
            raise MessageError("you are only watching")
        # Two windows may hold one seat: only one of them may answer a turn.
        latest = len(self.story.steps)
        if self.story.mover(latest) != seat or not self.running:
            raise MoveError("it is not your turn")
        if ply != latest or ply == self._answered:
            raise MoveError("the game has gone on since then")
        person = self._players[seat]
        assert isinstance(person, Person)
        return person

    @contextlib.contextmanager
    def listening(self, listener: Listener) -> Iterator[None]:
        """Call `listener`, from the game's thread, whenever something has happened."""
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)

    def _run(self, record: RecordWriter) -> None:
        try:
            with record:
                try:
                    while not self._played_out():
                        self._announce()
                finally:
                    with self._writing:
                        self._record = None
        except ClosedError:
            return
        except MpsearchError as error:
            self.story.trouble = str(error)
        except Exception as error:  # whatever a plugin does, the other tables go on
            log.exception("%s: the game broke off", record.path)
            self.story.trouble = f"unexpected {type(error).__name__}: {error}"
        self._announce()

    def _played_out(self) -> bool:
        """Play on; whether to the result, or until somebody took moves back."""
        story = self.story
        plies = story.table.plies(
            story.setting, self._players, past=[step.move for step in story.steps]
        )
        try:
            for ply in plies:
                report = None if ply.decision is None else ply.decision.report
                entry = ply_entry(story.game, ply)
                with self._writing:
                    self._write(entry)
                    story.add(StoryPly(entry=entry, move=ply.move, state=ply.state, report=report))
                self._announce()
        except TakenBackError as taken:
            with self._hand_in, self._writing:
                other = story.until(taken.ply)
                self._note(other, mark_entry(UNDO, ply=taken.ply, seat=taken.seat))
                self.story, self._answered = other, -1
            return False
        with self._writing:
            self._write(result_entry(story.game.payoff(story.state(len(story.steps)))))
            self._record = None
        return True

    def _note(self, story: Story, line: dict[str, Any]) -> None:
        self._write(line)
        story.lines.append(line)

    def _write(self, line: dict[str, Any]) -> None:
        # Written before anybody hears of it: what was shown is never lost.
        assert self._record is not None
        self._record.write(line)

    def _announce(self) -> None:
        for listener in tuple(self._listeners):
            listener()
