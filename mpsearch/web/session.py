"""Session: a live game in a thread of its own, or a record to look at."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from mpsearch.agents import check_agents, names_of
from mpsearch.api import Table, advisers, warm_up_elsewhere
from mpsearch.contracts import Player
from mpsearch.errors import MoveError, MpsearchError
from mpsearch.match import (
    HURRY,
    RESIGN,
    RESUME,
    TAKEOVER,
    LiveGame,
    Record,
    Setting,
    TakenBackError,
    VariationTree,
    write_variations,
)
from mpsearch.plugins import plugin_fault
from mpsearch.web.budget import BudgetedAgent, Engines
from mpsearch.web.inbound import MessageError
from mpsearch.web.keys import Keys
from mpsearch.web.person import ClosedError, Person
from mpsearch.web.viewer import Viewer

log = logging.getLogger("mpsearch.web")

#: The agent that plays on for a person who has left.
STAND_IN = "medium"

Listener = Callable[[], None]


class Session:
    """A live game, the people who play it, and the connections that hear of it."""

    def __init__(
        self,
        table: Table,
        setting: Setting,
        past: Record | None = None,
        *,
        engines: Engines,
        client: str = "",
        playing: bool = True,
    ) -> None:
        """`client` pays for its agents' searches."""
        self.table = table
        self.engines = engines
        #: Searches are charged to these.
        self.client, self.name = client, f"table {id(self)}"
        #: Whether it was put to sleep; its place must be asked for again.
        self.closed = False
        #: When the last window was closed, or the place last asked for.
        self.visited = time.monotonic()
        self.live = LiveGame(table.game, setting, past=past, changed=self.announce)
        #: Why the game cannot go on, if it cannot.
        self.trouble: str | None = None
        #: Whether it is played here; otherwise it is a record to look at.
        self.playing = playing
        #: The seats that people hold.
        self.people = setting.people if playing else ()
        if playing:
            check_agents(setting.agents)
        self._players: list[Person | BudgetedAgent] = [
            Person() if seat in self.people else self._budgeted(table.agent(text))
            for seat, text in enumerate(setting.agents if playing else ())
        ]
        #: The seats of people who have left; an agent plays on there.
        self.left: frozenset[int] = frozenset()
        for line in self.live.lines if playing else ():
            if line.get("mark") in (RESIGN, TAKEOVER) and line.get("seat") in self.people:
                self._take_over(line["seat"])
        #: A table with agents of its own for hints, which are computed one at a time.
        self.hint_table = attrs.evolve(table)
        self.hinting = asyncio.Lock()
        #: The review of the finished game, made when it is first asked for.
        self.review: dict[str, Any] | None = None
        self.reviewing = asyncio.Lock()
        #: The variations, read when the game is first analysed, and the file they are saved in:
        #: the game's own, if nothing else is written there any more.
        self._variations: VariationTree | None = None
        self._recorded = () if past is None else past.variations
        self.trying = threading.Lock()
        self.save_to: Path | None = None
        #: The table of the rematch, if somebody asked for one.
        self.rematch: Keys | None = None
        self.rematching = threading.Lock()
        #: The evaluator of bars, hints and reviews, and its name: the advisers'.
        judge = advisers(table)[0]
        self._evaluator = functools.cache(lambda: table.searcher(judge).space.evaluator)
        self._scale = table.evaluator_name(judge)
        self._names = names_of(table.catalog, table.offer, setting.agents)
        #: The last ply that was answered, by one thread at a time.
        self._answered = -1
        self._answering = threading.Lock()
        self._listeners: set[Listener] = set()
        self._thread: threading.Thread | None = None

    def _budgeted(self, agent: Player) -> BudgetedAgent:
        return BudgetedAgent(
            agent,
            self.engines,
            client=self.client,
            table=self.name,
            hurried=functools.partial(self.live.mark, HURRY),
        )

    def _take_over(self, seat: int) -> None:
        person = self._players[seat]
        assert isinstance(person, Person)
        self.left |= {seat}
        person.leave_to(self._budgeted(self.table.agent(STAND_IN)))

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    def start(self) -> None:
        """Play to the result in another thread."""
        agents = [text for s, text in enumerate(self.live.setting.agents) if s not in self.people]
        warm_up_elsewhere(self.table, [*agents, *advisers(self.table)])
        # A daemon: a long search must not keep the server from ending.
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def resume(self, path: Path) -> None:
        """Continue an interrupted game in the file that it was read from."""
        self.live.resume_in(path)
        if not self.live.over:
            self.live.mark(RESUME)
        self.start()

    def close(self) -> None:
        """Stop the game where it stands, without waiting for people or searches."""
        self.closed = True
        for player in self._players:
            player.close()
        self.announce()

    def join(self) -> None:
        """Wait until the game's thread has ended, and everything is written."""
        if self._thread is not None:
            self._thread.join()

    def viewer(self, seat: int | None) -> Viewer:
        """What a seat, or a watcher, may see at this moment."""
        return Viewer(
            history=self.live.history(),
            table=self.table,
            evaluator=self._evaluator,
            scale=self._scale,
            names=self._names,
            # A record to look at may come from anywhere: its agents are not made.
            propagator=self.table.propagator if self.playing else lambda _: None,
            seat=seat,
            people=self.people,
            playing=self.playing,
            left=self.left,
            trouble=self.trouble,
        )

    def variations(self) -> VariationTree:
        """The game's variations; DifferenceError if those of its record break the rules."""
        with self.trying:
            if self._variations is None:
                self._variations = self.live.history().variation_tree()
                self._variations.recall(self._recorded)
            return self._variations

    def variation_entries(self) -> Sequence[dict[str, Any]]:
        """The variations as a record has them."""
        with self.trying:
            return self._recorded if self._variations is None else self._variations.entries()

    def save_variations(self) -> bool:
        """Write the variations to the game's file and tell all windows; whether there is a file."""
        self.announce()
        if self.save_to is None or self.running:
            return False
        with self.trying:
            assert self._variations is not None
            write_variations(self.save_to, self._variations.entries())
        return True

    async def when_free(self, work: Callable[[], Any]) -> Any:
        """Do something in the thread for those who wait at a window, when its turn has come."""
        submitted = self.engines.hints.submit(work, client=self.client, table=self.name)
        return await asyncio.wrap_future(submitted)

    def play(self, seat: int | None, ply: int, move: str) -> None:
        """Make a seat's move after so many plies; MessageError or MoveError says why it cannot."""
        with self._answering:
            viewer, person = self._asked(seat, ply)
            person.answer(viewer.legal_move(move))
            self._answered = ply

    def undo(self, seat: int | None, ply: int) -> None:
        """Take back a seat's last move; an error of the same kinds says why it stands."""
        with self._answering:
            viewer, person = self._asked(seat, ply)
            assert seat is not None
            person.answer(TakenBackError(viewer.undo_point(), seat=seat))
            self._answered = ply

    def leave(self, seat: int | None, resign: bool) -> None:
        """A person leaves: an agent plays on in their seat, and the game comes to its end."""
        with self._answering:
            if seat is None:
                raise MessageError("you are only watching")
            if not self.running or self.live.over:
                raise MoveError("the game is over")
            if seat in self.left:
                raise MoveError("an agent already plays for you")
            self.left |= {seat}
            # First: the agent may play to the end before it could be recorded.
            self.live.mark(RESIGN if resign else TAKEOVER, seat)
            self._take_over(seat)

    def _asked(self, seat: int | None, ply: int) -> tuple[Viewer, Person]:
        """What this seat sees, and its person, whose move the game must be waiting for."""
        if seat is None:
            raise MessageError("you are only watching")
        # Two windows may share one seat: only one of them may answer a turn.
        viewer = self.viewer(seat)
        latest = len(viewer.history.plies)
        if viewer.history.mover(latest) != seat or not self.running or seat in self.left:
            raise MoveError("it is not your turn")
        if ply != latest or ply == self._answered:
            raise MoveError("the game has moved on since then")
        person = self._players[seat]
        assert isinstance(person, Person)
        return viewer, person

    @contextlib.contextmanager
    def listening(self, listener: Listener) -> Iterator[None]:
        """Call `listener` whenever something has happened, from the game's thread."""
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)
            self.visited = time.monotonic()

    def _run(self) -> None:
        try:
            with contextlib.closing(self.live):
                for _ in self.live.play(self._players, reports=True):
                    pass  # listeners have heard of it
            if self.live.forfeit is not None:
                self.trouble = str(self.live.forfeit)
        except ClosedError:
            return
        except MpsearchError as error:
            self.trouble = str(error)
        except Exception as error:  # a plugin's; the other tables go on
            log.exception("%s: the game broke off", self.live.path)
            self.trouble = plugin_fault(error) or f"unexpected {type(error).__name__}: {error}"
        self.announce()

    def announce(self) -> None:
        for listener in tuple(self._listeners):
            listener()
