"""Connection: one browser window at a table."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any

from anyio import to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from mpsearch.errors import MoveError, MpsearchError
from mpsearch.web.advice import advice
from mpsearch.web.allowance import Allowance, Bucket
from mpsearch.web.hall import Place
from mpsearch.web.messages import (
    Hint,
    Look,
    Message,
    MessageError,
    Play,
    Undo,
    Why,
    read_message,
)
from mpsearch.web.screen import Screen
from mpsearch.web.story import Story

log = logging.getLogger("mpsearch.web")

#: Codes with which a WebSocket is closed.
POLICY, TOO_BIG, TRY_LATER = 1008, 1009, 1013


class Connection:
    """Tells a window what happens, and takes its messages.

    A window that does not read is told nothing more until it does, and then how things stand:
    nothing is kept for it meanwhile.
    """

    def __init__(self, socket: WebSocket, place: Place, allowance: Allowance) -> None:
        self._socket = socket
        self._session = place.session
        self._seat = place.seat
        self._allowance = allowance
        self._changed = asyncio.Event()
        self._sending = asyncio.Lock()
        self._advising: asyncio.Task[None] | None = None
        self._nonsense = 0

    @property
    def _screen(self) -> Screen:
        return self._session.screen(self._seat)

    async def run(self) -> None:
        """Serve the window until it is closed."""
        loop = asyncio.get_running_loop()

        def listen() -> None:
            try:
                loop.call_soon_threadsafe(self._changed.set)
            except RuntimeError:  # the server has ended before the game's thread
                log.debug("nobody hears of a move")

        with self._session.listening(listen):
            teller = asyncio.create_task(self._tell())
            try:
                await self._listen()
            except (WebSocketDisconnect, RuntimeError):
                pass  # the window was closed while it was being answered
            finally:
                for task in (teller, self._advising):
                    if task is not None:
                        task.cancel()

    async def _tell(self) -> None:
        """Say how things stand, now and after every change."""
        try:
            await self._send(self._screen.hello())
            told, opened = 0, False
            story: Story | None = None
            last = None
            self._changed.set()
            while await self._changed.wait():
                self._changed.clear()
                screen = self._screen
                if screen.story is not story:
                    story, told = screen.story, 0  # moves were taken back
                now = await to_thread.run_sync(screen.now, told)
                if now["open"] and not opened and told:
                    now = await to_thread.run_sync(screen.now, 0)  # what was hidden is told now
                told, opened = now["ply"], now["open"]
                # Several changes may have been told at once.
                news = (now["ply"], now["trouble"], now["marks"])
                if news != last:
                    await self._send(now)
                last = news
        except (WebSocketDisconnect, RuntimeError):
            return  # the window was closed while it was told something

    async def _listen(self) -> None:
        bucket = Bucket(self._allowance, time.monotonic())
        while True:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return None
            text = message.get("text") or ""  # bytes are no message, and no text is none either
            if not bucket.take(time.monotonic()):
                return await self._socket.close(POLICY, "too many messages")
            if len(text) > self._allowance.message_bytes:
                return await self._socket.close(TOO_BIG, "the message is too long")
            try:
                await self._answer(read_message(text))
            except MoveError as error:
                await self._send({"type": "sorry", "text": str(error)})
            except MpsearchError as error:
                self._nonsense += isinstance(error, MessageError)
                if self._nonsense > self._allowance.nonsense:
                    return await self._socket.close(POLICY, "too many messages without sense")
                await self._send({"type": "sorry", "text": str(error)})

    async def _answer(self, message: Message) -> None:
        match message:
            case Look(ply=ply):
                await self._work(self._screen.frame, ply)
            case Why(ply=ply):
                await self._work(self._screen.why, ply)
            case Play():
                await to_thread.run_sync(self._session.play, self._seat, message)
            case Undo():
                await to_thread.run_sync(self._session.take_back, self._seat, message)
            case Hint():
                if self._advising is not None and not self._advising.done():
                    raise MoveError("a hint is being thought about")
                self._advising = asyncio.create_task(self._advise())

    async def _advise(self) -> None:
        try:
            async with self._session.advising:
                await self._work(advice, self._session, self._seat)
        except MpsearchError as error:
            await self._send({"type": "sorry", "text": str(error)})

    async def _work(self, work: Callable[..., dict[str, Any]], *arguments: Any) -> None:
        """Do something that takes a while beside everything else, and send what comes of it."""
        try:
            answer = await to_thread.run_sync(work, *arguments)
        except MpsearchError:
            raise
        except Exception as error:  # a plugin's picture or evaluator that fails
            log.exception("%s", self._session.story.setting.game)
            answer = {"type": "sorry", "text": f"unexpected {type(error).__name__}: {error}"}
        await self._send(answer)

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_text(json.dumps(message, ensure_ascii=False))
