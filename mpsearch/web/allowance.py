"""Allowance: how much one client, and all of them together, may ask of the server."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Allowance:
    """What the server takes before it says no."""

    #: Bytes of one message; the longest moves are a few hundred.
    message_bytes: int = 4096
    #: Bytes of a record that is opened.
    record_bytes: int = 4 << 20
    #: Messages a second, and how many may come at once after a silence.
    rate: float = 30.0
    burst: int = 90
    #: Messages that make no sense before a connection is closed.
    nonsense: int = 20
    #: Open connections to one table, and to all.
    table_connections: int = 256
    connections: int = 1024
    #: Tables at which games are under way.
    tables: int = 64


class Bucket:
    """A rate limit: it fills with time, and every message takes one out."""

    def __init__(self, allowance: Allowance, now: float) -> None:
        self._allowance = allowance
        self._left = float(allowance.burst)
        self._then = now

    def take(self, now: float) -> bool:
        """Whether one more message is within the limit."""
        gained = (now - self._then) * self._allowance.rate
        self._left = min(self._left + gained, float(self._allowance.burst))
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
