"""WebSocket connections of browser windows, and of those at a table."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from mpsearch.errors import MoveError, MpsearchError
from mpsearch.web.hints import hint_message
from mpsearch.web.inbound import TABLE, Check, MessageError, read_message
from mpsearch.web.rate_limit import Bucket, RateLimit
from mpsearch.web.session import Session
from mpsearch.web.tables import Place
from mpsearch.web.viewer import Viewer

log = logging.getLogger("mpsearch.web")

#: Codes with which a WebSocket is closed.
POLICY, TOO_BIG, RESTART, TRY_LATER = 1008, 1009, 1012, 1013


class Window(ABC):
    """A browser window: it is told what happens in a session, and its messages are answered.

    A window that does not read is told nothing more until it does, and then how things stand:
    nothing is kept for it meanwhile.
    """

    #: The types of messages it may send.
    kinds: dict[str, dict[str, Check]]

    def __init__(
        self, socket: WebSocket, session: Session, limits: RateLimit, looking: CapacityLimiter
    ) -> None:
        """`looking` limits the threads for what takes longer than a move."""
        self._socket = socket
        self._session = session
        self._limits = limits
        self._looking = looking
        #: Set whenever something has happened.
        self._changed = asyncio.Event()
        #: Work beside answering messages; it ends with the window.
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending = asyncio.Lock()
        self._malformed = 0

    @abstractmethod
    async def _answer(self, message: dict[str, Any]) -> None:
        pass

    @abstractmethod
    async def _tell(self) -> None:
        """Say how things stand, now and after every change."""

    async def run(self) -> None:
        """Serve the window until it is closed."""
        loop = asyncio.get_running_loop()

        def listen() -> None:
            try:
                loop.call_soon_threadsafe(self._changed.set)
            except RuntimeError:
                log.debug("the server ended before the game's thread")

        with self._session.listening(listen):
            if self._session.closed:
                return
            self._begin(self._tell)
            try:
                await self._listen()
            except (WebSocketDisconnect, RuntimeError):
                pass  # the window was closed while it was being answered
            finally:
                for task in tuple(self._tasks):
                    task.cancel()

    def _begin(self, work: Callable[..., Awaitable[None]], *arguments: Any) -> asyncio.Task[None]:
        """Do something beside all else until the window is closed; what fails is said to it."""

        async def done() -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                try:
                    await work(*arguments)
                except MpsearchError as error:
                    await self._refuse(error)

        task = asyncio.create_task(done())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

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
                await self._answer(read_message(text, self.kinds))
            except MpsearchError as error:
                self._malformed += isinstance(error, MessageError)
                if self._malformed > self._limits.nonsense:
                    return await self._socket.close(POLICY, "too many malformed messages")
                await self._refuse(error)

    async def _refuse(self, error: MpsearchError) -> None:
        await self._send({"type": "sorry", "text": str(error)})

    async def _work(self, work: Callable[..., dict[str, Any]], *arguments: Any) -> None:
        """Do something that takes a while in another thread, and send what comes of it."""
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


class Connection(Window):
    """A window at a table: a seat's, or a watcher's."""

    kinds = TABLE

    def __init__(
        self, socket: WebSocket, place: Place, limits: RateLimit, looking: CapacityLimiter
    ) -> None:
        super().__init__(socket, place.session, limits, looking)
        self._seat = place.seat
        self._hinting: asyncio.Task[None] | None = None

    @property
    def _viewer(self) -> Viewer:
        return self._session.viewer(self._seat)

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

    async def _answer(self, message: dict[str, Any]) -> None:
        session, seat = self._session, self._seat
        match message:
            case {"type": "look", "ply": ply}:
                await self._work(self._viewer.frame, ply)
            case {"type": "why", "ply": ply}:
                await self._work(self._viewer.why, ply)
            case {"type": "play", "ply": ply, "move": move}:
                await to_thread.run_sync(session.play, seat, ply, move)
            case {"type": "undo", "ply": ply}:
                await to_thread.run_sync(session.undo, seat, ply)
            case {"type": "leave", "resign": resign}:
                await to_thread.run_sync(session.leave, seat, resign)
            case {"type": "hint"}:
                if self._hinting is not None and not self._hinting.done():
                    raise MoveError("a hint is already being computed")
                self._hinting = self._begin(self._hint)

    async def _hint(self) -> None:
        session = self._session
        async with session.hinting:
            await self._finish(session.when_free(lambda: hint_message(session, self._seat)))
