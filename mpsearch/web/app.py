"""The application: its addresses and what answers them."""

from __future__ import annotations

import json
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from mpsearch.contracts import settle
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match import Setting
from mpsearch.match.record import header_entry, result_entry
from mpsearch.web.connection import POLICY, TRY_LATER, Connection
from mpsearch.web.guard import Guard
from mpsearch.web.hall import FullError, Hall, Keys, Place, confined
from mpsearch.web.lobby import catalog_document
from mpsearch.web.messages import read_new_table

STATIC = Path(__file__).parent / "static"
#: What asks for a table may not be longer.
_FORM_BYTES = 1 << 16


def make_site(
    hall: Hall, *, host: str = "127.0.0.1", names: Collection[str] = (), key: str | None = None
) -> Starlette:
    """The application around a hall. With a `key`, only who knows it may set tables."""
    pages = _Pages(hall, key)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        hall.close()

    return Starlette(
        routes=[
            Route("/", pages.lobby),
            Route("/catalog", pages.catalog),
            Route("/tables", pages.set_table, methods=["POST"]),
            Route("/records", pages.open_record, methods=["POST"]),
            Route("/table/{token}", pages.table),
            Route("/table/{token}/record", pages.record),
            WebSocketRoute("/table/{token}/socket", pages.socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, host=host, names=names)],
        lifespan=lifespan,
    )


def links(keys: Keys) -> dict[str, Any]:
    """The addresses of a table, by seat, and to watch."""
    seats = {str(seat): f"/table/{token}" for seat, token in keys.seats.items()}
    return {"seats": seats, "watch": f"/table/{keys.watch}"}


class _Pages:
    def __init__(self, hall: Hall, key: str | None) -> None:
        self._hall = hall
        self._key = key
        self._connections = 0

    async def lobby(self, request: Request) -> Response:
        return FileResponse(STATIC / "lobby.html")

    async def catalog(self, request: Request) -> Response:
        return JSONResponse(await to_thread.run_sync(catalog_document, self._hall.catalog))

    async def set_table(self, request: Request) -> Response:
        return await self._opening(request, self._set_table, _FORM_BYTES)

    async def open_record(self, request: Request) -> Response:
        return await self._opening(request, self._show_record, self._hall.allowance.record_bytes)

    async def table(self, request: Request) -> Response:
        try:
            place = await self._place(request.path_params["token"])
        except MpsearchError as error:
            return PlainTextResponse(str(error), 500)
        if place is None:
            return PlainTextResponse("there is no such table", 404)
        return FileResponse(STATIC / "table.html")

    async def record(self, request: Request) -> Response:
        place = await self._place(request.path_params["token"])
        if place is None:
            return PlainTextResponse("there is no such table", 404)
        story = place.session.story
        if not place.session.screen(place.seat).may_download:
            return PlainTextResponse("the record can be had after the game", 403)
        entries = [header_entry(story.setting), *story.lines]
        if story.over:
            entries.append(result_entry(story.game.payoff(story.state(len(story.steps)))))
        text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        name = f"{story.setting.game}-{story.setting.seed}.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/jsonl", headers=headers)

    async def socket(self, socket: WebSocket) -> None:
        place = await self._place(socket.path_params["token"])
        await socket.accept()
        if place is None:
            return await socket.close(POLICY, "there is no such table")
        allowance = self._hall.allowance
        full = self._connections >= allowance.connections
        if full or place.session.listeners >= allowance.table_connections:
            return await socket.close(TRY_LATER, "too many connections")
        self._connections += 1
        try:
            await Connection(socket, place, allowance).run()
        finally:
            self._connections -= 1

    async def _place(self, token: str) -> Place | None:
        # Taking up an old game plays its record again, which may take a while.
        return await to_thread.run_sync(self._hall.place, token)

    async def _opening(self, request: Request, make: Any, most: int) -> Response:
        """Answer with a table's addresses, or with what is wrong."""
        if self._key is not None:
            given = request.headers.get("x-mpsearch-key", "")
            if not secrets.compare_digest(given.encode(), self._key.encode()):
                return _sorry("only who has the server's whole address may set tables", 403)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                return _sorry(f"this is too long: {most} bytes are allowed", 413)
        try:
            keys = await to_thread.run_sync(make, body)
        except FullError as error:
            return _sorry(str(error), 503)
        except MpsearchError as error:
            return _sorry(str(error), 400)
        return JSONResponse(links(keys))

    def _set_table(self, body: bytes) -> Keys:
        wanted = read_new_table(body)
        offer = self._hall.catalog.game_offer(wanted.game)
        if len(wanted.agents) != wanted.players:
            raise UsageError(f"{len(wanted.agents)} agents at a table for {wanted.players}")
        setting = Setting(
            game=wanted.game,
            players=wanted.players,
            options=settle(confined(offer), wanted.options, owner=wanted.game),
            agents=wanted.agents,
            seed=time.time_ns() % 2**32 if wanted.seed is None else wanted.seed,
        )
        return self._hall.set_table(setting)

    def _show_record(self, body: bytes) -> Keys:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "the file"
            path.write_bytes(body)
            try:
                return self._hall.show_record(path, foreign=True)
            except MpsearchError as error:
                raise UsageError(str(error).replace(f"{path}", "the file")) from None


def _sorry(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status)
