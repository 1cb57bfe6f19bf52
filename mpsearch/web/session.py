"""Session: a table whose game is played in a thread of its own, or a record to look at."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterator

import attrs

from mpsearch.agent import read_agent
from mpsearch.contracts import Player
from mpsearch.errors import MoveError, MpsearchError
from mpsearch.match import RecordWriter, play_match
from mpsearch.match.record import ply_entry, result_entry
from mpsearch.web.messages import MessageError, Play
from mpsearch.web.person import HUMAN, ClosedError, Person
from mpsearch.web.screen import Screen
from mpsearch.web.story import Step, Story

log = logging.getLogger("mpsearch.web")

Listener = Callable[[], None]


class Session:
    """A story, who may add to it, and who hears of it."""

    def __init__(self, story: Story, *, playing: bool = True) -> None:
        self.story = story
        self._players = [_player(story, t) for t in story.setting.agents] if playing else []
        #: Where advisers sit, one at a time.
        self.counsel = attrs.evolve(story.table)
        self.advising = asyncio.Lock()
        self._answered = -1
        self._hand_in = threading.Lock()
        self._listeners: set[Listener] = set()
        self._thread: threading.Thread | None = None

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, who in enumerate(self._players) if isinstance(who, Person)]

    @property
    def running(self) -> bool:
        """Whether the game goes on."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def start(self, record: RecordWriter) -> None:
        """Let the game go on to its result; `record` holds all plies so far and gets the next."""
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
        return Screen(story=self.story, seat=seat, people=bool(self.people))

    def play(self, seat: int | None, wish: Play) -> None:
        """A move from a browser; MessageError or MoveError says why it cannot be made."""
        if seat is None:
            raise MessageError("you are only watching")
        # Two windows may hold one seat: only one of them may answer a turn.
        with self._hand_in:
            ply = len(self.story.steps)
            if self.story.mover(ply) != seat or not self.running:
                raise MoveError("it is not your turn")
            if wish.ply != ply or ply <= self._answered:
                raise MoveError("the game has gone on since then")
            move = self.screen(seat).legal_move(wish.move)
            player = self._players[seat]
            assert isinstance(player, Person)
            self._answered = ply
            player.hand_in(move)

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
                self._play_on(record)
        except ClosedError:
            return
        except MpsearchError as error:
            self.story.trouble = str(error)
        except Exception as error:  # whatever a plugin does, the other tables go on
            log.exception("%s: the game broke off", record.path)
            self.story.trouble = f"unexpected {type(error).__name__}: {error}"
        self._announce()

    def _play_on(self, record: RecordWriter) -> None:
        story, setting = self.story, self.story.setting
        plies = play_match(
            story.game,
            self._players,
            seed=setting.seed,
            start=story.first,
            opening=setting.opening,
            past=[step.move for step in story.steps],
        )
        for ply in plies:
            entry = ply_entry(story.game, ply)
            # Written before anybody hears of it: what was shown is never lost.
            record.write(entry)
            report = None if ply.decision is None else ply.decision.report
            story.add(Step(entry=entry, move=ply.move, state=ply.state, report=report))
            self._announce()
        record.write(result_entry(story.game.payoff(story.state(len(story.steps)))))

    def _announce(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def _player(story: Story, text: str) -> Player:
    if read_agent(text).name == HUMAN:
        return Person()
    return story.table.agent(text)
