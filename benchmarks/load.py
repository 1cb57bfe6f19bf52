"""The web server under load: waiting times of a person, and memory of ten thousand tables.

    python benchmarks/load.py [--json] [--seconds 60] [--idle 500] [--slow 700] [--thinking 50]
                              [--halves 700] [--made 10000]

Starts `mpsearch serve` on a free port of 127.0.0.1 with a folder of its own, and talks to it from
this process, on the same processors. At once there are

- idle tables: a window is open, and nobody moves;
- slow tables: a person moves every 20 to 40 seconds, and an agent answers;
- thinking tables: two agents that take all the time a browser may give them, watched by a window;
- halves: connections that send a request byte by byte and never to its end.

Beside them a person plays at a table of each game, a move four times a second. `--seconds 0` leaves
all that out. A move has been answered when its window is told of it; that is before agents have
answered. Then the tables are made that nobody comes back to; `--made 0` leaves that out.

Results so far are printed every ten seconds. A move or a hint that is not answered within 30
seconds ends the script, which says which. The server ends with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs
import numpy as np
import psutil  # type: ignore[import-untyped]
from harness import arguments, print_result
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake

HOST = "127.0.0.1"
#: Who the person plays against, by game.
PLAYED = {
    "scramble": ("human", "random", "maxn:depth=2"),
    "plunder": ("human", "random", "maxn:depth=2"),
    "hearts": ("human", "random", "random", "maxn:depth=2"),
    "quoridor": ("human", "random", "random", "maxn:depth=1"),
}
#: The tables of others, by kind.
TABLES = {
    "idle": ("plunder", ("human", "random", "random")),
    "slow": ("scramble", ("human", "random", "maxn:depth=2")),
    "thinking": ("quoridor", ("maxn:time=10", "maxn:time=10")),
}
LEFT = ("plunder", ("human", "random", "random"))
#: How many of what there are, unless fewer are asked for.
COUNTS = {"seconds": 60, "idle": 500, "slow": 700, "thinking": 50, "halves": 700, "made": 10_000}
#: Seconds between two moves, and between two hints, of the person.
MOVE_EVERY, HINT_EVERY = 0.25, 4.0
#: Seconds between two moves at a slow table.
SLOW_LEAST, SLOW_MOST = 20.0, 40.0
#: Windows that are opened at once.
OPENING = 20
#: Seconds after which a move or a hint will not be answered any more.
PATIENCE = 30.0
#: Seconds of a sleep that tells how busy the machine is.
TIMER = 0.05
#: Seconds between two lines of results so far.
SAY_EVERY = 10.0


@attrs.frozen(kw_only=True)
class Site:
    """A server that runs in a process of its own."""

    process: psutil.Process
    port: int
    key: str

    def make(self, game: str, agents: tuple[str, ...], client: http.client.HTTPConnection) -> Any:
        """The addresses of a new table."""
        headers = {"x-mpsearch-key": self.key, "origin": f"http://{HOST}:{self.port}"}
        client.request("POST", "/tables", json.dumps({"game": game, "agents": agents}), headers)
        answer = client.getresponse()
        text = answer.read()
        if answer.status != 200:
            sys.exit(f"a table was refused: {answer.status} {text!r}")
        return json.loads(text)

    def client(self) -> http.client.HTTPConnection:
        """A connection that asks for tables, one after the other."""
        return http.client.HTTPConnection(HOST, self.port, timeout=120)

    def window(self, path: str) -> connect:
        """A window at a table."""
        return connect(
            f"ws://{HOST}:{self.port}{path}/socket",
            origin=f"http://{HOST}:{self.port}",  # type: ignore[arg-type]
            open_timeout=120,
            ping_interval=None,
            compression=None,
        )

    def seconds(self) -> float:
        """Processor time that it has used."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def memory(self) -> float:
        """Megabytes that the server has in memory."""
        return float(self.process.memory_info().rss) / 2**20


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Site]:
    """A server, which is ended."""
    command = [sys.executable, "-m", "mpsearch", "serve", "--no-open", "--port", "0"]
    command += ["--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            if found is None:
                sys.exit("the server did not say where it is")
            address = urlsplit(found[0])
            assert address.port is not None
            yield Site(
                process=psutil.Process(server.pid),
                port=address.port,
                key=address.query.removeprefix("key="),
            )
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()


async def until_told(window: ClientConnection, fits: Any) -> dict[str, Any]:
    """The next message that fits."""
    while True:
        message: dict[str, Any] = json.loads(await window.recv())
        if message.get("trouble"):
            sys.exit(f"a game broke off: {message['trouble']}")
        if fits(message):
            return message


async def answer(window: ClientConnection, fits: Any, what: str) -> dict[str, Any]:
    """The same, which must not take long."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await until_told(window, fits)
    except TimeoutError:
        sys.exit(f"{what} was not answered within {PATIENCE:g} s")


def is_now(message: dict[str, Any]) -> bool:
    return bool(message["type"] == "now")


def is_turn(message: dict[str, Any]) -> bool:
    return is_now(message) and (message["yours"] or message["over"])


def played(now: dict[str, Any], rng: random.Random) -> str:
    """A move at random, as a message."""
    return json.dumps({"type": "play", "ply": now["ply"], "move": rng.choice(now["moves"])})


def answered(ply: int) -> Any:
    return lambda message: (
        message["type"] == "sorry" or (message["type"] == "now" and message["ply"] > ply)
    )


@attrs.define
class Waits:
    """Seconds that the person waited, by what for."""

    moves: list[float] = attrs.field(factory=list)
    hints: list[float] = attrs.field(factory=list)
    #: From a move to the next turn: the agents' answers.
    turns: list[float] = attrs.field(factory=list)
    #: By how much this script's own timers are late: the machine's share of all the above.
    timers: list[float] = attrs.field(factory=list)
    games: int = 0
    #: How long agents had not answered for when the time was over, by game.
    unanswered: dict[str, float] = attrs.field(factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        return [row(name, getattr(self, name)) for name in ("moves", "turns", "hints", "timers")]


async def person(site: Site, game: str, waits: Waits, end: float) -> None:
    """Play games until the time is over, and ask for hints."""
    rng = random.Random(game)
    while time.monotonic() < end:
        with contextlib.closing(site.client()) as client:
            links = await asyncio.to_thread(site.make, game, PLAYED[game], client)
        waits.games += 1
        async with site.window(links["seats"]["0"]) as window:
            await one_game(window, game, waits, rng, end)


async def one_game(
    window: ClientConnection, game: str, waits: Waits, rng: random.Random, end: float
) -> None:
    """Play a game to its end, or until the time is over."""
    now = await answer(window, is_turn, "the first turn")
    asked = time.monotonic()
    while not now["over"] and time.monotonic() < end:
        began = time.monotonic()
        if began - asked > HINT_EVERY:
            await window.send('{"type": "hint"}')
            await answer(window, lambda m: m["type"] in ("hint", "sorry"), f"{game}: a hint")
            asked = time.monotonic()
            waits.hints.append(asked - began)
            continue
        await window.send(played(now, rng))
        now = await answer(window, answered(now["ply"]), f"{game}: a move")
        waits.moves.append(time.monotonic() - began)
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + end - began):
                while not is_turn(now):
                    now = await until_told(window, is_turn)
        except TimeoutError:
            waits.unanswered[game] = time.monotonic() - began
            return
        waits.turns.append(time.monotonic() - began)
        await asyncio.sleep(MOVE_EVERY)


async def own_timers(waits: Waits) -> None:
    """See by how much a sleep is late that nobody has to answer."""
    while True:
        due = time.monotonic() + TIMER
        await asyncio.sleep(TIMER)
        waits.timers.append(max(time.monotonic() - due, 0.0))


async def told_so_far(waits: Waits) -> None:
    """Print what was found so far, again and again."""
    while True:
        await asyncio.sleep(SAY_EVERY)
        print(waits.rows(), file=sys.stderr, flush=True)


class Crowd:
    """The windows of all tables beside the person's, and who sends half requests."""

    def __init__(self, site: Site, counts: dict[str, int]) -> None:
        self._site, self._counts = site, counts
        self._gate, self._rng = asyncio.Semaphore(OPENING), random.Random(1)
        self._tasks: list[asyncio.Task[None]] = []
        #: Windows that are open, by kind of table, and plies that were told of there.
        self.open: dict[str, int] = dict.fromkeys(TABLES, 0)
        self.plies: dict[str, int] = dict.fromkeys(TABLES, 0)
        #: Half requests that the server has closed, and windows that had to ask again.
        self.closed = self.retries = 0

    async def gather(self) -> None:
        """Open everything, and wait until it is open."""
        with contextlib.closing(self._site.client()) as client:
            for kind, (game, agents) in TABLES.items():
                for _ in range(self._counts[kind]):
                    links = await asyncio.to_thread(self._site.make, game, agents, client)
                    path = links["seats"].get("0", links["watch"])
                    self._tasks.append(asyncio.create_task(self._sit(path, kind)))
        for _ in range(self._counts["halves"]):
            self._tasks.append(asyncio.create_task(self._send_half()))
        while any(self.open[kind] < self._counts[kind] for kind in TABLES):
            self.check()
            await asyncio.sleep(0.2)

    def check(self) -> None:
        """Raise what a window has met."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def leave(self) -> None:
        """Close everything."""
        self.check()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _sit(self, path: str, kind: str) -> None:
        async with self._gate:
            while True:
                try:
                    window = await self._site.window(path)
                    break
                except (OSError, InvalidHandshake):  # half requests took its place
                    self.retries += 1
            now = await until_told(window, is_now)
        self.open[kind] += 1
        while not now["over"]:
            if kind == "slow" and now["yours"]:
                await asyncio.sleep(self._rng.uniform(SLOW_LEAST, SLOW_MOST))
                await window.send(played(now, self._rng))
            now = await until_told(window, is_now)
            self.plies[kind] += 1
        await asyncio.Event().wait()  # the window stays open after the game

    async def _send_half(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(HOST, self._site.port)
                with contextlib.closing(writer):
                    for sign in f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: {'x' * 999}":
                        writer.write(sign.encode())
                        await writer.drain()
                        await asyncio.sleep(1)
            self.closed += 1
            await asyncio.sleep(1)


async def under_load(site: Site, counts: dict[str, int], seconds: float) -> list[dict[str, Any]]:
    """What the person waits for beside a crowd, in milliseconds."""
    crowd, waits = Crowd(site, counts), Waits()
    print("windows are opened ...", file=sys.stderr)
    await crowd.gather()
    print(f"the person plays for {seconds} s ...", file=sys.stderr)
    used, began, end = site.seconds(), time.monotonic(), time.monotonic() + seconds
    beside = [asyncio.create_task(work(waits)) for work in (own_timers, told_so_far)]
    await asyncio.gather(*(person(site, game, waits, end) for game in PLAYED))
    for task in beside:
        task.cancel()
    share = (site.seconds() - used) / (time.monotonic() - began)
    print(
        f"{sum(crowd.open.values())} tables of others, {waits.games} games of the person, "
        f"{site.process.num_threads()} threads, {site.memory():.0f} MB, {share:.2f} processors; "
        f"plies meanwhile: {crowd.plies}; half requests closed: {crowd.closed}, "
        f"windows that asked again: {crowd.retries}; "
        f"agents that had not answered at the end, seconds: {waits.unanswered}",
        file=sys.stderr,
        flush=True,
    )
    await crowd.leave()
    return waits.rows()


def row(name: str, waited: list[float]) -> dict[str, Any]:
    """Quantiles in milliseconds."""
    quantiles = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "most": 1.0}
    found = {
        key: round(1000 * float(np.quantile(waited, q))) if waited else None
        for key, q in quantiles.items()
    }
    return {"waited for": name, "count": len(waited), **found}


def made_and_left(site: Site, made: int) -> list[dict[str, Any]]:
    """The server's memory while tables are made that nobody comes back to."""
    rows: list[dict[str, Any]] = []
    with contextlib.closing(site.client()) as client:
        for number in range(1, made + 1):
            site.make(*LEFT, client)
            if number % max(made // 10, 1) == 0:
                rows.append(
                    {
                        "tables made": number,
                        "MB": round(site.memory()),
                        "threads": site.process.num_threads(),
                        "files": site.process.num_fds(),
                        "processor s": round(site.seconds()),
                    }
                )
                print(rows[-1], file=sys.stderr, flush=True)
    return rows


def main() -> None:
    parser = arguments(__doc__)
    for name, usual in COUNTS.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    options = parser.parse_args()
    for name, usual in COUNTS.items():
        if getattr(options, name) > usual:
            parser.error(f"--{name}: {usual} at most")
    with tempfile.TemporaryDirectory(prefix="mpsearch-load-") as folder:
        if options.seconds:
            warm()
            with serving(Path(folder)) as site:
                counts = {name: getattr(options, name) for name in (*TABLES, "halves")}
                rows = asyncio.run(under_load(site, counts, options.seconds))
            print_result(rows, as_json=options.json)
        if options.made:
            with serving(Path(folder)) as site:
                rows = made_and_left(site, options.made)
            print_result(rows, as_json=options.json)


def warm() -> None:
    """Compile what is played, and hints, so that the server need not."""
    for game, agents in (*PLAYED.items(), *TABLES.values()):
        command = [sys.executable, "-m", "mpsearch", "warm", game, "--players", str(len(agents))]
        words = [word for agent in agents if agent != "human" for word in ("--agent", agent)]
        for more in ([], words):
            subprocess.run([*command, *more], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
