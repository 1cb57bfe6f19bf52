"""HTTP limits: the duration of requests and the number of connections.

There may be no proxy in front of this server. A client that sends half a request, or reads half an
answer, is disconnected after some seconds; if there are too many connections, the one that has been
idle longest is closed.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from mpsearch.web.rate_limit import RateLimit

#: Seconds in which the same message is logged only once.
_QUIET_SECONDS = 60.0
#: Windows beyond the limit that may be open while they are being refused.
_REFUSED = 64
#: Different messages that are remembered.
_REMEMBERED = 256


class Connections:
    """The plain HTTP connections of one server, the oldest first."""

    def __init__(self, limits: RateLimit) -> None:
        self.limits = limits
        self._open: dict[LimitedProtocol, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, protocol: LimitedProtocol) -> None:
        """Add a connection; if there are too many, close the oldest, preferably an idle one."""
        if len(self._open) >= self.limits.http_connections:
            silent = (other for other in self._open if not other.asked)
            oldest = next(silent, next(iter(self._open)))
            self.discard(oldest)
            oldest.drop()
        self._open[protocol] = None

    def discard(self, protocol: LimitedProtocol) -> None:
        self._open.pop(protocol, None)


class LimitedProtocol(H11Protocol):
    """A connection with time limits for a request's head, and for the whole request."""

    def __init__(self, *, connections: Connections, **settings: Any) -> None:
        super().__init__(**settings)
        self._connections = connections
        self._deadline: asyncio.TimerHandle | None = None
        #: Whether a request's head has arrived and is not answered yet.
        self.asked = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limits = self._connections.limits
        # Refused windows stay open until they have been told.
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
        self._allow(None)
        before = self.cycle
        super().on_response_complete()  # uvicorn now waits a while for the next request
        if self.cycle is not before:  # which has already arrived
            self.asked = True
            self._allow(self._connections.limits.request_seconds)

    def drop(self) -> None:
        self.transport.abort()

    def _allow(self, seconds: float | None) -> None:
        """Close the connection after so many seconds, instead of the deadline before."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.drop)

    def _forget(self) -> None:
        self._allow(None)
        self._connections.discard(self)


def limited_protocol(limits: RateLimit) -> Callable[..., LimitedProtocol]:
    """Makes the connections of one server, which share its limits."""
    return functools.partial(LimitedProtocol, connections=Connections(limits))


class QuietLog(logging.Filter):
    """Logs a message once a minute, in one line: broken clients must not fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the message is new. An exception is named, without its traceback."""
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
