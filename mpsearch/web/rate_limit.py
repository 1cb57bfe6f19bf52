"""Rate limits: what one client, and all clients together, may ask of the server."""

from __future__ import annotations

import os

import attrs

#: File descriptors reserved for other things than connections and records.
_SPARE_FILES = 256


@attrs.frozen(kw_only=True)
class RateLimit:
    #: Bytes of one message; the longest moves have a few hundred.
    message_bytes: int = 4096
    #: Bytes of an uploaded record.
    record_bytes: int = 4 << 20
    #: Messages a second, and how many may come at once after a pause.
    rate: float = 30.0
    burst: int = 90
    #: Malformed messages before a connection is closed.
    nonsense: int = 20
    #: Open windows at one table, and altogether.
    table_connections: int = 256
    connections: int = 2048
    #: Connections that are not WebSockets.
    http_connections: int = 512
    #: Bytes of a request's head, and seconds for it, for the whole request with its answer, and
    #: between two requests.
    header_bytes: int = 1 << 14
    header_seconds: float = 10.0
    request_seconds: float = 60.0
    idle_seconds: float = 5.0
    #: Tables in memory; those that everybody has left make room for others.
    tables: int = 2048
    #: Uploaded records.
    uploads: int = 64
    #: Seconds after which a table that everybody has left is put to sleep.
    sleep_seconds: float = 60.0
    #: The greatest limits of an agent that a browser asks for.
    agent_depth: int = 8
    agent_nodes: int = 2_000_000
    agent_worlds: int = 200
    agent_threads: int = 1
    #: Seconds after which an agent is hurried, and its greatest time limit.
    agent_seconds: float = 10.0
    #: Seconds that a search may take among the quick ones.
    quick_seconds: float = 0.2
    #: Seconds after which an adviser is hurried.
    hint_seconds: float = 0.8
    #: Processor seconds for the analysis of one position, and for all analyses of one client; used
    #: time counts half after a minute.
    position_seconds: float = 20.0
    analysis_seconds: float = 60.0
    #: Searches of agents that run at once. Hints have a thread of their own.
    agent_workers: int = max(1, (os.cpu_count() or 1) - 1)

    def within(self, files: int) -> RateLimit:
        """These limits, lowered to what a process with so many file descriptors can serve."""
        share = max(files - _SPARE_FILES, 8) // 4
        return attrs.evolve(
            self,
            http_connections=min(self.http_connections, share),
            connections=min(self.connections, 2 * share),
            tables=min(self.tables, share),
        )


class Bucket:
    """A token bucket: it fills with time, and every message takes a token."""

    def __init__(self, limits: RateLimit, now: float) -> None:
        self._limits = limits
        self._left = float(limits.burst)
        self._then = now

    def take(self, now: float) -> bool:
        gained = (now - self._then) * self._limits.rate
        self._left = min(self._left + gained, float(self._limits.burst))
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
