"""The HTTP server: the application on a port of this machine."""

from __future__ import annotations

import contextlib
import logging
import secrets
import socket
import sys
from collections.abc import Callable, Collection

import uvicorn
import websockets  # noqa: F401 (uvicorn looks for it only when a socket is opened)

from mpsearch.errors import UsageError
from mpsearch.web.app import make_site
from mpsearch.web.http_limits import QuietLog, limited_protocol
from mpsearch.web.security import is_local
from mpsearch.web.tables import Tables

#: Connections that wait to be accepted.
_BACKLOG = 128
#: Python's switch interval: moves are answered in this thread while searches run in others.
_SWITCH_SECONDS = 0.001


def _files() -> int:
    """The number of files this process may open, after asking for more."""
    most = 1 << 14
    try:
        import resource
    except ModuleNotFoundError:  # Windows: connections are no files there
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return most if soft == resource.RLIM_INFINITY else soft


class Server(contextlib.AbstractContextManager["Server"]):
    """Serves tables on a port, which is bound at once: the address is known before `run`."""

    def __init__(
        self, tables: Tables, *, host: str = "127.0.0.1", port: int = 0, names: Collection[str] = ()
    ) -> None:
        if not host:
            raise UsageError("an empty host; 127.0.0.1 serves this machine, 0.0.0.0 everyone")
        self.tables = tables
        #: The key needed to create tables: a machine may have several users.
        self.key = secrets.token_urlsafe(24)
        #: Whether other machines reach it without a proxy.
        self.exposed = not is_local(host)
        self._names = names
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # With its protocol named: otherwise asyncio leaves Nagle's algorithm on, and the second of
        # two short messages waits 40 ms for the first to be acknowledged.
        self._socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((host, port))
            # From here on clients wait to be served instead of being refused.
            self._socket.listen()
        except (OSError, TypeError, ValueError) as error:  # the latter two for a malformed name
            self._socket.close()
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"{host}:{port} cannot be bound: {why}") from None
        shown = socket.gethostname() if host in ("0.0.0.0", "::") else host
        shown = f"[{shown}]" if ":" in shown else shown
        self.address = f"http://{shown}:{self._socket.getsockname()[1]}"
        self._app = make_site(tables, host=host, names=names, key=self.key)
        self._serving: _Announcing | None = None

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    @property
    def lobby(self) -> str:
        """The address of the lobby, with the key."""
        return f"{self.address}/?key={self.key}"

    @property
    def lobbies(self) -> list[str]:
        """The same through an encrypting proxy, under each of its names."""
        return [f"https://{name}/?key={self.key}" for name in self._names]

    def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Serve until Ctrl-C; `ready` is called when the first request would be answered."""
        limits = self.tables.limits = self.tables.limits.within(_files())
        config = uvicorn.Config(
            self._app,
            log_level="error",  # a warning would be a line for each broken client
            http=limited_protocol(limits),  # type: ignore[arg-type]  # makes one per connection
            h11_max_incomplete_event_size=limits.header_bytes,
            timeout_keep_alive=limits.idle_seconds,  # type: ignore[arg-type]  # a timer's seconds
            backlog=_BACKLOG,
            ws="websockets-sansio",
            ws_max_size=limits.message_bytes,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=2,
            server_header=False,
        )
        for name in ("uvicorn.error", "asyncio", "mpsearch.web"):
            logger = logging.getLogger(name)
            if not any(isinstance(found, QuietLog) for found in logger.filters):
                logger.addFilter(QuietLog())
        self._serving = _Announcing(config, ready)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            self._serving.run(sockets=[self._socket])
        finally:
            sys.setswitchinterval(interval)

    def stop(self) -> None:
        """End `run`, from another thread."""
        if self._serving is not None:
            self._serving.should_exit = True


class _Announcing(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()
