"""WebSocket connections: browser windows, and the one at a table."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from mpsearch.errors import MoveError, MpsearchError
from mpsearch.web.hints import hint_message
from mpsearch.web.inbound import (
    TABLE,
    Hint,
    Leave,
    Look,
    Message,
    MessageError,
    Play,
    Undo,
    Why,
    read_message,
)
from mpsearch.web.rate_limit import Bucket, RateLimit
from mpsearch.web.session import Session
from mpsearch.web.tables import Place
from mpsearch.web.viewer import Viewer

log = logging.getLogger("mpsearch.web")

#: Codes with which a WebSocket is closed.
POLICY, TOO_BIG, RESTART, TRY_LATER = 1008, 1009, 1012, 1013


M = TypeVar("M")


class Window(ABC, Generic[M]):
    """A window that is told what happens in a session, and whose messages are answered.

    A window that does not read is told nothing more until it does, and then how things stand:
    nothing is kept for it meanwhile.
    """

    def __init__(
        self, socket: WebSocket, session: Session, limits: RateLimit, looking: CapacityLimiter
    ) -> None:
        """`looking` is the lane of whatever takes longer than a move."""
        self._socket = socket
        self._session = session
        self._limits = limits
        self._looking = looking
        #: Set whenever something has happened.
        self._changed = asyncio.Event()
        #: Work beside that of answering; it ends with the window.
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending = asyncio.Lock()
        self._nonsense = 0

    @abstractmethod
    def _read(self, text: str) -> M:
        """The message that a text stands for."""

    @abstractmethod
    async def _answer(self, message: M) -> None:
        """Do what a message asks for."""

    @abstractmethod
    async def _tell(self) -> None:
        """Say how things stand, now and after every change."""

    async def run(self) -> None:
        """Serve the window until it is closed."""
        loop = asyncio.get_running_loop()

        def listen() -> None:
            try:
                loop.call_soon_threadsafe(self._changed.set)
            except RuntimeError:  # the server has ended before the game's thread
                log.debug("nobody hears of a move")

        with self._session.listening(listen):
            if self._session.closed:
                return
            self._begin(self._telling())
            try:
                await self._listen()
            except (WebSocketDisconnect, RuntimeError):
                pass  # the window was closed while it was being answered
            finally:
                for task in tuple(self._tasks):
                    task.cancel()

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside all else until the window is closed."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _telling(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._tell()  # until the window was closed while it was told something

    async def _listen(self) -> None:
        bucket = Bucket(self._limits, time.monotonic())
        while True:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return None
            text = message.get("text") or ""  # bytes are no message, and no text is none either
            if not bucket.take(time.monotonic()):
                return await self._socket.close(POLICY, "too many messages")
            if len(text) > self._limits.message_bytes:
                return await self._socket.close(TOO_BIG, "the message is too long")
            try:
                await self._answer(self._read(text))
            except MoveError as error:
                await self._refuse(error)
            except MpsearchError as error:
                self._nonsense += isinstance(error, MessageError)
                if self._nonsense > self._limits.nonsense:
                    return await self._socket.close(POLICY, "too many malformed messages")
                await self._refuse(error)

    async def _refuse(self, error: MpsearchError) -> None:
        await self._send({"type": "sorry", "text": str(error)})

    async def _work(self, work: Callable[..., dict[str, Any]], *arguments: Any) -> None:
        """Do something that takes a while beside everything else, and send what comes of it."""
        await self._finish(to_thread.run_sync(work, *arguments, limiter=self._looking))

    async def _finish(self, work: Awaitable[dict[str, Any]]) -> None:
        try:
            answer = await work
        except MpsearchError:
            raise
        except Exception as error:  # a plugin's picture or evaluator that fails
            log.exception("%s", self._session.live.setting.game)
            answer = {"type": "sorry", "text": f"unexpected {type(error).__name__}: {error}"}
        await self._send(answer)

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            text = json.dumps(message, ensure_ascii=False)
            # Half of a surrogate pair, as a record may have, is sent as JSON's escape.
            await self._socket.send_text(text.encode("utf-8", "backslashreplace").decode())


class Connection(Window[Message]):
    """A window at a table: a seat's, or a watcher's."""

    def __init__(
        self, socket: WebSocket, place: Place, limits: RateLimit, looking: CapacityLimiter
    ) -> None:
        super().__init__(socket, place.session, limits, looking)
        self._seat = place.seat
        self._hinting: asyncio.Task[None] | None = None

    @property
    def _viewer(self) -> Viewer:
        return self._session.viewer(self._seat)

    def _read(self, text: str) -> Message:
        return read_message(text, TABLE)

    async def _tell(self) -> None:
        await self._send(self._viewer.hello())
        told, opened, undos, last = 0, False, 0, None
        self._changed.set()
        while await self._changed.wait():
            self._changed.clear()
            viewer = self._viewer
            if viewer.history.undos != undos:
                undos, told = viewer.history.undos, 0
            now = await to_thread.run_sync(viewer.now, told, limiter=self._looking)
            if now["open"] and not opened and told:
                # What was hidden is told now.
                now = await to_thread.run_sync(viewer.now, 0, limiter=self._looking)
            told, opened = now["ply"], now["open"]
            # Several changes may have been told at once.
            news = (now["ply"], now["trouble"], now["marks"], undos)
            if news != last:
                await self._send(now)
            last = news

    async def _answer(self, message: Message) -> None:
        match message:
            case Look(ply=ply):
                await self._work(self._viewer.frame, ply)
            case Why(ply=ply):
                await self._work(self._viewer.why, ply)
            case Play():
                await to_thread.run_sync(self._session.play, self._seat, message)
            case Undo():
                await to_thread.run_sync(self._session.undo, self._seat, message)
            case Leave():
                await to_thread.run_sync(self._session.leave, self._seat, message)
            case Hint():
                if self._hinting is not None and not self._hinting.done():
                    raise MoveError("a hint is already being computed")
                self._hinting = self._begin(self._hint())

    async def _hint(self) -> None:
        try:
            async with self._session.hinting:
                await self._finish(self._searched(hint_message, self._session, self._seat))
        except MpsearchError as error:
            await self._refuse(error)

    async def _searched(self, work: Callable[..., dict[str, Any]], *arguments: Any) -> Any:
        """Search in the thread for those who wait at a window."""
        session = self._session
        submitted = session.engines.hints.submit(
            functools.partial(work, *arguments), client=session.client, table=session.name
        )
        return await asyncio.wrap_future(submitted)
