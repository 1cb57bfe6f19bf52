"""Rate limits: how much one client, and all of them together, may ask of the server."""

from __future__ import annotations

import os

import attrs

#: Files that are left to everything but connections and records: libraries, accepted at once, ...
_SPARE_FILES = 256


@attrs.frozen(kw_only=True)
class RateLimit:
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
    #: Open windows at one table, and at all.
    table_connections: int = 256
    connections: int = 2048
    #: Connections that are no windows: requests that are sent, answered or waited for.
    http_connections: int = 512
    #: Bytes of a request's head, and seconds for it, for the whole request with its answer, and
    #: between two requests.
    header_bytes: int = 1 << 14
    header_seconds: float = 10.0
    request_seconds: float = 60.0
    idle_seconds: float = 5.0
    #: Tables in memory; those at which nobody sits make room for others.
    tables: int = 2048
    #: Records sent by browsers that can be looked at.
    uploads: int = 64
    #: Seconds after which a table that everybody has left is put to sleep.
    sleep_seconds: float = 60.0
    #: What an agent that a browser asks for may be given, at most.
    agent_depth: int = 8
    agent_nodes: int = 2_000_000
    agent_worlds: int = 200
    agent_threads: int = 1
    #: Seconds after which an agent is hurried, and also the most that it may be given.
    agent_seconds: float = 10.0
    #: Seconds that a search may take among the quick ones, which wait for no other.
    quick_seconds: float = 0.2
    #: Seconds after which an agent that is asked for a hint is hurried.
    hint_seconds: float = 0.8
    #: Processor seconds that the analysis of one position may take, and those of all analyses of
    #: one client; half of what was used is forgotten after a minute.
    position_seconds: float = 20.0
    analysis_seconds: float = 60.0
    #: Searches of agents that go on at once. Hints have a thread of their own.
    agent_workers: int = max(1, (os.cpu_count() or 1) - 1)

    def within(self, files: int) -> RateLimit:
        """The same where the process may open so many files: fewer connections and tables."""
        share = max(files - _SPARE_FILES, 8) // 4
        return attrs.evolve(
            self,
            http_connections=min(self.http_connections, share),
            connections=min(self.connections, 2 * share),
            tables=min(self.tables, share),
        )


class Bucket:
    """A token bucket: it fills with time, and every message takes one out."""

    def __init__(self, limits: RateLimit, now: float) -> None:
        self._limits = limits
        self._left = float(limits.burst)
        self._then = now

    def take(self, now: float) -> bool:
        """Whether one more message is within the limit."""
        gained = (now - self._then) * self._limits.rate
        self._left = min(self._left + gained, float(self._limits.burst))
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
