"""The server: an application on a port of this machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections.abc import Callable, Collection
from pathlib import Path

import uvicorn
import websockets  # noqa: F401 (uvicorn looks for it only when a socket is opened)

from mpsearch.errors import UsageError
from mpsearch.web.app import make_site
from mpsearch.web.guard import is_local
from mpsearch.web.hall import Hall


def usual_folder() -> Path:
    """Where records are kept: games outlive the server."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "mpsearch" / "games"


class Server(contextlib.AbstractContextManager["Server"]):
    """A hall on a port. Bound when it is made, so that its address is known before it serves."""

    def __init__(
        self, hall: Hall, *, host: str = "127.0.0.1", port: int = 0, names: Collection[str] = ()
    ) -> None:
        if not host:
            raise UsageError("a host without a name; 127.0.0.1 is this machine, 0.0.0.0 all of it")
        self.hall = hall
        #: What one must know to set tables, where others than this machine's users may come.
        #: A name is for a proxy, behind which everybody comes from this machine.
        self.key = secrets.token_urlsafe(24) if names or not is_local(host) else None
        #: Whether others reach it without a proxy.
        self.exposed = not is_local(host)
        self._names = names
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((host, port))
            # From here on whoever comes waits to be served, and is not refused.
            self._socket.listen()
        except (OSError, TypeError, ValueError) as error:  # the latter two for what is no name
            self._socket.close()
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"{host}:{port} cannot be bound: {why}") from None
        shown = socket.gethostname() if host in ("0.0.0.0", "::") else host
        shown = f"[{shown}]" if ":" in shown else shown
        self.address = f"http://{shown}:{self._socket.getsockname()[1]}"
        self._app = make_site(hall, host=host, names=names, key=self.key)
        self._serving: _Announcing | None = None

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    @property
    def lobby(self) -> str:
        """The address at which tables are set."""
        return self.address + ("/" if self.key is None else f"/#key={self.key}")

    @property
    def lobbies(self) -> list[str]:
        """The same through a proxy that encrypts, under each of its names."""
        return [f"https://{name}/#key={self.key}" for name in self._names]

    def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Serve until Ctrl-C; `ready` is called when the first request would be answered."""
        config = uvicorn.Config(
            self._app,
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=self.hall.allowance.message_bytes,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=2,
            server_header=False,
        )
        self._serving = _Announcing(config, ready)
        self._serving.run(sockets=[self._socket])

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
