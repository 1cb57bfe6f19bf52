"""The ASGI application: its routes and their handlers."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from mpsearch.contracts import settle
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match import Setting, secret_seed
from mpsearch.web.analysis import Analysis
from mpsearch.web.analysis_socket import AnalysisConnection
from mpsearch.web.game_pictures import game_picture
from mpsearch.web.inbound import read_new_table, read_seat
from mpsearch.web.keys import Keys
from mpsearch.web.lobby import catalog_document
from mpsearch.web.my_games import games_document, read_tokens
from mpsearch.web.review import review_document
from mpsearch.web.security import Key, SecurityMiddleware
from mpsearch.web.tables import FullError, Place, Tables, confined
from mpsearch.web.websocket import POLICY, RESTART, TRY_LATER, Connection, Window

STATIC = Path(__file__).parent / "static"
#: Bytes of the longest request for a table.
_FORM_BYTES = 1 << 16
#: Threads for opening tables and records, and for pictures and the like. A move must not wait
#: for either.
_OPENING, _LOOKING = 2, 8
_NO_KEY = "only someone with the full address that 'mpsearch serve' printed can create tables"
_NO_TABLE = "there is no such table"
#: Bytes of a reason for closing a WebSocket; its protocol allows no more.
_REASON_BYTES = 120


def make_site(
    tables: Tables, *, host: str = "127.0.0.1", names: Collection[str] = (), key: str | None = None
) -> Starlette:
    """The application for these tables. With a `key`, only those who know it may create tables."""
    pages = _Pages(tables, None if key is None else Key(key))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        sleep = asyncio.create_task(_put_to_sleep(tables))
        yield
        sleep.cancel()
        tables.close()

    return Starlette(
        routes=[
            Route("/", pages.lobby),
            Route("/catalog", pages.catalog),
            Route("/picture/{game}", pages.picture),
            Route("/games", pages.games, methods=["POST"]),
            Route("/tables", pages.set_table, methods=["POST"]),
            Route("/records", pages.open_record, methods=["POST"]),
            Route("/table/{token}", pages.table),
            Route("/table/{token}/record", pages.record),
            Route("/table/{token}/review", pages.review),
            Route("/table/{token}/rematch", pages.rematch, methods=["POST"]),
            Route("/table/{token}/analysis", pages.analysis),
            WebSocketRoute("/table/{token}/socket", pages.socket),
            WebSocketRoute("/table/{token}/analysis/socket", pages.analysis_socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(SecurityMiddleware, host=host, names=names)],
        lifespan=lifespan,
    )


async def _put_to_sleep(tables: Tables) -> None:
    seconds = tables.limits.sleep_seconds
    while True:
        await asyncio.sleep(max(seconds / 4, 0.05))
        await to_thread.run_sync(tables.put_to_sleep, seconds)


def links(keys: Keys) -> dict[str, Any]:
    """The addresses of a table's seats, and the one for watching."""
    seats = {str(seat): f"/table/{token}" for seat, token in keys.seats.items()}
    return {"seats": seats, "watch": f"/table/{keys.watch}"}


class NoTableError(MpsearchError):
    """No table has this token."""


class _Pages:
    def __init__(self, tables: Tables, key: Key | None) -> None:
        self._tables = tables
        self._key = key
        self._connections = 0
        self._opening, self._looking = CapacityLimiter(_OPENING), CapacityLimiter(_LOOKING)

    def _admits(self, request: Request) -> bool:
        return self._key is None or self._key.fits(request)

    async def lobby(self, request: Request) -> Response:
        if not self._admits(request):
            return PlainTextResponse(_NO_KEY, 403)
        if self._key is not None and Key.PARAMETER in request.query_params:
            # Out of the address bar, and of the history.
            return self._key.hand_over(request, RedirectResponse("/", 303))
        return FileResponse(STATIC / "lobby.html")

    async def catalog(self, request: Request) -> Response:
        if not self._admits(request):
            return _sorry(_NO_KEY, 403)
        return JSONResponse(
            await to_thread.run_sync(catalog_document, self._tables.catalog, limiter=self._opening)
        )

    async def picture(self, request: Request) -> Response:
        if not self._admits(request):
            return PlainTextResponse(_NO_KEY, 403)
        game, catalog = request.path_params["game"], self._tables.catalog
        try:
            svg = await to_thread.run_sync(game_picture, catalog, game, limiter=self._looking)
        except UsageError as error:
            return PlainTextResponse(_encoded(str(error)), 404)
        return Response(svg, media_type="image/svg+xml")

    async def games(self, request: Request) -> Response:
        """The games whose tokens a browser has kept."""

        def answer(body: bytes, _: str) -> dict[str, Any]:
            return games_document(self._tables, read_tokens(body))

        return await self._posted(request, answer, _FORM_BYTES)

    async def set_table(self, request: Request) -> Response:
        return await self._posted(request, self._set_table, _FORM_BYTES)

    async def open_record(self, request: Request) -> Response:
        return await self._posted(request, self._upload, self._tables.limits.record_bytes)

    async def table(self, request: Request) -> Response:
        return self._window(request, "table.html")

    async def analysis(self, request: Request) -> Response:
        return self._window(request, "analysis.html")

    def _window(self, request: Request, page: str) -> Response:
        # Whether the table can be restored is said to the window's connection.
        if not self._tables.known(request.path_params["token"]):
            return PlainTextResponse(_NO_TABLE, 404)
        return FileResponse(STATIC / page)

    async def record(self, request: Request) -> Response:
        try:
            place = await self._place(request)
        except MpsearchError as error:
            return PlainTextResponse(_encoded(str(error)), _status(error))
        viewer = place.session.viewer(place.seat)
        if not viewer.may_download:
            return PlainTextResponse("the record is available after the game", 403)
        setting = viewer.history.setting
        name = f"{setting.game}-{setting.seed}.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        tried = place.session.variation_entries()
        text = await to_thread.run_sync(viewer.history.record_text, tried, limiter=self._looking)
        return Response(_encoded(text), media_type="application/jsonl", headers=headers)

    async def review(self, request: Request) -> Response:
        try:
            place = await self._place(request)
            return JSONResponse(await review_document(place.session))
        except MpsearchError as error:
            return _sorry(str(error), _status(error, usage=403))

    async def rematch(self, request: Request) -> Response:
        """The address of the same seat at a new table like this one."""
        try:
            place = await self._place(request)
            keys = await to_thread.run_sync(
                self._tables.rematch, place.session, _client(request), limiter=self._opening
            )
        except MpsearchError as error:
            return _sorry(str(error), _status(error))
        token = keys.watch if place.seat is None else keys.seats[place.seat]
        return JSONResponse({"table": f"/table/{token}"})

    async def socket(self, socket: WebSocket) -> None:
        await self._connected(socket, self._at_table)

    async def analysis_socket(self, socket: WebSocket) -> None:
        await self._connected(socket, self._at_analysis)

    async def _at_table(self, socket: WebSocket, place: Place) -> Window:
        return Connection(socket, place, self._tables.limits, self._looking)

    async def _at_analysis(self, socket: WebSocket, place: Place) -> Window:
        seat = read_seat(socket.query_params.get("seat")) if place.seat is None else place.seat
        limits, looking = self._tables.limits, self._looking
        found = await to_thread.run_sync(Analysis, place.session, seat, limits, limiter=looking)
        return AnalysisConnection(socket, found, limits, looking, client=_client(socket))

    async def _connected(
        self, socket: WebSocket, window: Callable[[WebSocket, Place], Awaitable[Window]]
    ) -> None:
        """Serve a window of this kind until it is closed."""
        await socket.accept()
        limits = self._tables.limits
        if self._connections >= limits.connections:
            return await socket.close(TRY_LATER, "too many connections")
        self._connections += 1
        try:
            place = await self._place(socket)
            if place.session.listeners >= limits.table_connections:
                return await socket.close(TRY_LATER, "too many connections")
            await (await window(socket, place)).run()
            if place.session.closed:  # put to sleep just now: connecting again wakes it
                with contextlib.suppress(RuntimeError):
                    await socket.close(RESTART, "the table has been closed")
        except MpsearchError as error:
            code = TRY_LATER if isinstance(error, FullError) else POLICY
            reason = _encoded(str(error))[:_REASON_BYTES].decode("utf-8", "ignore")
            return await socket.close(code, reason)
        finally:
            self._connections -= 1

    async def _place(self, asked: HTTPConnection) -> Place:
        # Waking a table replays its record, which may take a while.
        def place() -> Place | None:
            return self._tables.place(asked.path_params["token"], client=_client(asked))

        found = await to_thread.run_sync(place, limiter=self._opening)
        if found is None:
            raise NoTableError(_NO_TABLE)
        return found

    async def _posted(
        self, request: Request, make: Callable[[bytes, str], dict[str, Any]], most: int
    ) -> Response:
        """Answer a POST of at most so many bytes, from a client with the key."""
        if not self._admits(request):
            return _sorry(_NO_KEY, 403)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                return _sorry(f"too long: at most {most} bytes are allowed", 413)
        try:
            made = await to_thread.run_sync(
                make, bytes(body), _client(request), limiter=self._opening
            )
        except MpsearchError as error:
            return _sorry(str(error), _status(error))
        return JSONResponse(made)

    def _set_table(self, body: bytes, client: str) -> dict[str, Any]:
        wanted = read_new_table(body)
        offer = self._tables.catalog.game_offer(wanted.game)
        if len(wanted.agents) != wanted.players:
            raise UsageError(f"{len(wanted.agents)} agents at a table for {wanted.players}")
        setting = Setting(
            game=wanted.game,
            players=wanted.players,
            options=settle(confined(offer), wanted.options, owner=wanted.game),
            agents=wanted.agents,
            seed=secret_seed() if wanted.seed is None else wanted.seed,
        )
        if wanted.seed is not None and len(setting.people) > 1:
            raise UsageError("a seed is not allowed with more than one person at the table")
        return links(self._tables.set_table(setting, client=client, limited=True))

    def _upload(self, body: bytes, client: str) -> dict[str, Any]:
        return links(self._tables.upload(body, client=client))


def _client(asked: HTTPConnection) -> str:
    """Whose budget pays for searches: one machine has one."""
    return asked.client.host if asked.client is not None else ""


def _status(error: MpsearchError, *, usage: int = 400) -> int:
    for kind, status in ((FullError, 503), (NoTableError, 404), (UsageError, usage)):
        if isinstance(error, kind):
            return status
    return 500


def _encoded(text: str) -> bytes:
    """A text as bytes; half of a surrogate pair, as a record may have, becomes an escape."""
    return text.encode("utf-8", "backslashreplace")


def _sorry(text: str, status: int) -> Response:
    body = _encoded(json.dumps({"error": text}, ensure_ascii=False))
    return Response(body, status, media_type="application/json")
