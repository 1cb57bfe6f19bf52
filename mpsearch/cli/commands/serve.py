"""serve: games in the browser; also behind play --browser and review --browser."""

from __future__ import annotations

import math
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mpsearch.cli.options import AllowProgram, allow_programs
from mpsearch.errors import UsageError
from mpsearch.match import Setting, usual_folder
from mpsearch.plugins import Catalog, load_catalog

if TYPE_CHECKING:
    from mpsearch.web import Server

#: The default port.
PORT = 8765


def serve(
    records: Annotated[
        list[Path] | None, typer.Argument(help="Recorded games to show in the browser.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to serve on; 0.0.0.0 makes it public.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 picks a free one.")] = PORT,
    name: Annotated[
        list[str] | None,
        typer.Option(help="Another host name by which browsers reach this server."),
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Folder for the records of games.")] = None,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open a browser window.")
    ] = True,
    allow_program: AllowProgram = None,
) -> int:
    """Play, watch and replay games in the browser."""
    allow_programs(allow_program)
    with _server(load_catalog(), host=host, port=port, names=name or (), folder=folder) as server:
        if server.exposed:
            print(
                f"mpsearch: warning: anyone who can reach {host} can use this server, and "
                "traffic is not encrypted",
                file=sys.stderr,
            )
        pages = [(str(path), server.tables.show_record(path).watch) for path in records or ()]
        for title, token in pages:
            print(f"{title}: {server.address}/table/{token}")
        first = f"{server.address}/table/{pages[0][1]}" if pages else server.lobby
        for address in server.lobbies:
            print(f"behind a proxy: {address}")
        print(f"mpsearch is at {server.lobby} (Ctrl-C to stop)", flush=True)
        return _run(server, first, open_browser=open_browser)


def play_in_browser(
    catalog: Catalog, setting: Setting, record: Path | None, *, open_browser: bool = True
) -> int:
    """Play one game in the browser; it is recorded if a file is given."""
    try:  # at the port of `serve`, whose lobby then knows the game
        server = _server(catalog, unlimited=True, port=PORT)
    except UsageError:  # the port is taken
        server = _server(catalog, unlimited=True)
    with server:
        keys = server.tables.set_table(setting, record=record)
        for seat, token in keys.seats.items():
            print(f"seat {seat}: {server.address}/table/{token}")
        print(f"watch: {server.address}/table/{keys.watch} (Ctrl-C to stop)", flush=True)
        token = next(iter(keys.seats.values()), keys.watch)
        return _run(server, f"{server.address}/table/{token}", open_browser=open_browser)


def analyse_in_browser(record: Path, *, seat: int | None = None, open_browser: bool = True) -> int:
    """Open a record on the analysis board; variations are saved in its file."""
    with _server(load_catalog()) as server:
        token = server.tables.show_record(record).watch
        asked = "" if seat is None else f"?seat={seat}"
        page = f"{server.address}/table/{token}/analysis{asked}"
        print(f"{record}: {page} (Ctrl-C to stop)", flush=True)
        return _run(server, page, open_browser=open_browser)


def _server(
    catalog: Catalog, *, folder: Path | None = None, unlimited: bool = False, **settings: Any
) -> Server:
    """A server; with `unlimited`, agents may take all the time that their texts allow."""
    try:
        from mpsearch.web import RateLimit, Server, Tables
    except ModuleNotFoundError as error:
        missing = (error.name or "mpsearch").partition(".")[0]
        if missing == "mpsearch":
            raise
        raise UsageError(
            f"the page needs {missing}, which is not installed: pip install 'mpsearch[web]'"
        ) from None
    limits = RateLimit(agent_seconds=math.inf) if unlimited else RateLimit()
    return Server(Tables(catalog, folder or usual_folder(), limits=limits), **settings)


def _run(server: Server, page: str, *, open_browser: bool) -> int:
    # In a thread: browsers that run in the terminal block.
    window = threading.Thread(target=webbrowser.open, args=(page,), daemon=True)
    server.run(ready=window.start if open_browser else lambda: None)
    return 0
