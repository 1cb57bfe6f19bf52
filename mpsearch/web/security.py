"""Security: checks of Host and Origin, and the headers of every response.

A page of another site that a user has open can send requests to this server from within the
user's browser. It cannot forge Host and Origin, so both are checked.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    # Addresses contain tokens.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

#: This machine's names for itself.
LOCAL = ("localhost", "127.0.0.1", "::1")
#: A Host header: a name or an address, in brackets if it has colons, and perhaps a port.
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+))(?::\d{1,5})?")
#: Methods without side effects.
_SAFE = ("GET", "HEAD")


class SecurityMiddleware:
    """Refuses foreign Hosts and Origins, and adds the headers."""

    def __init__(self, app: ASGIApp, *, host: str, names: Collection[str] = ()) -> None:
        self._app = app
        self._everywhere = not is_local(host)
        self._names = {*LOCAL, host.lower(), *(name.lower() for name in names)}
        if self._everywhere:
            self._names.add(socket.gethostname().lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        objection = self._objection(scope, headers)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if objection is None:
            return await self._app(scope, receive, send_guarded)
        if scope["type"] == "websocket":
            await receive()
            return await send({"type": "websocket.close", "code": 1008, "reason": objection})
        return await PlainTextResponse(objection, 403)(scope, receive, send_guarded)

    def _objection(self, scope: Scope, headers: Headers) -> str | None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return "this server does not answer to that name; see --name of mpsearch serve"
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        origin = headers.get("origin", "")
        if changes and origin not in (f"http://{host}", f"https://{host}"):
            return "this request comes from another site"
        return None

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = (found["address"] or found["name"]).lower()
        if name in self._names:
            return True
        # The owner of a name can make it point here; a bare address cannot be redirected.
        return self._everywhere and _is_address(name)


def is_local(host: str) -> bool:
    """Whether only this machine can reach a server bound to `host`."""
    if _is_address(host):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Key:
    """The server's key, needed to create tables; a browser keeps it in a cookie."""

    #: A request has it in the printed address, in a header, or in the cookie.
    PARAMETER, HEADER = "key", "x-mpsearch-key"
    _SECONDS = 30 * 24 * 3600

    def __init__(self, text: str) -> None:
        self._text = text

    def fits(self, request: Request) -> bool:
        given = (
            request.query_params.get(self.PARAMETER),
            request.headers.get(self.HEADER),
            request.cookies.get(self._cookie(request)),
        )
        # Compared byte by byte in constant time.
        return any(
            secrets.compare_digest(text.encode("utf-8", "replace"), self._text.encode())
            for text in given
            if text is not None
        )

    def hand_over(self, request: Request, response: Response) -> Response:
        """Store the key in the browser."""
        response.set_cookie(
            self._cookie(request),
            self._text,
            max_age=self._SECONDS,
            httponly=True,
            # Not "strict": the printed address may be opened from another page.
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return response

    @staticmethod
    def _cookie(request: Request) -> str:
        # Browsers do not tell the ports of a machine apart.
        return f"mpsearch-key-{request.url.port or 'usual'}"
