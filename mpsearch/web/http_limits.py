"""HTTP under limits: how long a request may take, and how many connections there may be.

Nothing else stands in front of this server. A client that sends half a request, or reads half an
answer, is closed after some seconds; where there are too many connections, the one that has been
waited for longest makes room.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from mpsearch.web.rate_limit import RateLimit

#: Seconds in which a message is logged once, however often it comes.
_QUIET_SECONDS = 60.0
#: Windows that may be open beyond those that are allowed, to be told so.
_REFUSED = 64
#: Different messages that are remembered for that.
_REMEMBERED = 256


class Connections:
    """The plain HTTP connections of one server, the oldest first."""

    def __init__(self, limits: RateLimit) -> None:
        self.limits = limits
        self._open: dict[LimitedProtocol, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, protocol: LimitedProtocol) -> None:
        """One more; if that is too many, the oldest is closed that has not asked for anything yet,
        or else the oldest.
        """
        if len(self._open) >= self.limits.http_connections:
            silent = (other for other in self._open if not other.asked)
            oldest = next(silent, next(iter(self._open)))
            self.discard(oldest)
            oldest.drop()
        self._open[protocol] = None

    def discard(self, protocol: LimitedProtocol) -> None:
        """One less."""
        self._open.pop(protocol, None)


class LimitedProtocol(H11Protocol):
    """A connection that has so many seconds for a request's head, and for all of it."""

    def __init__(self, *, connections: Connections, **settings: Any) -> None:
        super().__init__(**settings)
        self._connections = connections
        self._deadline: asyncio.TimerHandle | None = None
        #: Whether a whole head of a request has come and is not answered yet.
        self.asked = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limits = self._connections.limits
        # Windows that were refused are open until they have heard of it.
        if len(self.connections) > limits.http_connections + limits.connections + _REFUSED:
            transport.abort()
        else:
            self._connections.add(self)
            self._allow(limits.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        waiting = self._deadline is None
        cycle = self.cycle
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it is a WebSocket now
            self._forget()
        elif self.cycle is not cycle:
            self.asked = not self.cycle.response_complete
            self._allow(self._connections.limits.request_seconds)
        elif waiting:  # the first bytes of a further request
            self._allow(self._connections.limits.header_seconds)

    def on_response_complete(self) -> None:
        self.asked = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        before = self.cycle
        super().on_response_complete()  # from here on uvicorn waits for the next one, for a while
        if self.cycle is not before:  # which was there already
            self.asked = True
            self._allow(self._connections.limits.request_seconds)

    def drop(self) -> None:
        """Close it without a word."""
        self.transport.abort()

    def _allow(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.drop)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._connections.discard(self)


def limited_protocol(limits: RateLimit) -> type[LimitedProtocol]:
    """The protocol of one server's connections."""
    connections = Connections(limits)

    class Protocol(LimitedProtocol):
        def __init__(self, config: Config, **settings: Any) -> None:
            super().__init__(connections=connections, config=config, **settings)

    return Protocol


class QuietLog(logging.Filter):
    """Lets a message through once a minute, in one line: broken clients must not fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is new; what was raised is named, without where."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            what = " ".join(f"{type(error).__name__}: {error}".split())
            record.msg, record.args = f"{record.getMessage().splitlines()[0]}: {what}", ()
            record.exc_info = record.exc_text = None
        now, text = time.monotonic(), f"{record.name} {str(record.msg)[:60]}"
        if now - self._logged.get(text, -_QUIET_SECONDS) < _QUIET_SECONDS:
            return False
        if len(self._logged) >= _REMEMBERED:
            self._logged.clear()
        self._logged[text] = now
        return True
