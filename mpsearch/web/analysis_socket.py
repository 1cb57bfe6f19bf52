"""WebSocket connection of the analysis board: one window, one search at a time."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Coroutine
from typing import Any, TypeAlias

import attrs
from anyio import CapacityLimiter, to_thread
from starlette.websockets import WebSocket

from mpsearch.agents import SearchAgent
from mpsearch.contracts import CHANCE, OVER, Decision, Limits, Player, Turn
from mpsearch.engine import found_no_more, growing_limits
from mpsearch.errors import MpsearchError
from mpsearch.match import Position
from mpsearch.search import AbortedError
from mpsearch.web.analysis import Analysis
from mpsearch.web.background import Background, SpentError
from mpsearch.web.inbound import MessageError, check_move, check_number, read_message
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.websocket import Window

#: So many plies agents go on at most before they are asked again.
MOST_PLIES = 300


@attrs.frozen(kw_only=True)
class Look:
    """Show a position."""

    node: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Try:
    """Play a move in a position."""

    node: int = attrs.field(validator=check_number)
    move: str = attrs.field(validator=check_move)


@attrs.frozen(kw_only=True)
class GoOn:
    """Let dice and agents go on for so many plies."""

    node: int = attrs.field(validator=check_number)
    plies: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Remove:
    """Forget a variation from a position on."""

    node: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Seat:
    """Let another agent move in a seat."""

    seat: int = attrs.field(validator=check_number)
    agent: str = attrs.field(validator=check_move)


@attrs.frozen(kw_only=True)
class Think:
    """Search a position deeper and deeper, with the agent of the seat to move."""

    node: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Why:
    """Explain the ply that led to a position."""

    node: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Stop:
    """Search no more."""


@attrs.frozen(kw_only=True)
class Graph:
    """Draw the values over the game."""


Message: TypeAlias = Look | Try | GoOn | Remove | Seat | Think | Why | Stop | Graph

#: What a window of an analysis may send.
ANALYSIS: dict[str, type[Message]] = {
    "look": Look,
    "try": Try,
    "go_on": GoOn,
    "remove": Remove,
    "seat": Seat,
    "think": Think,
    "why": Why,
    "stop": Stop,
    "graph": Graph,
}


class AnalysisConnection(Window[Message]):
    """Shows positions, tries moves, and tells what searches find while they grow."""

    def __init__(
        self,
        socket: WebSocket,
        analysis: Analysis,
        limits: RateLimit,
        looking: CapacityLimiter,
        *,
        client: str,
    ) -> None:
        session = analysis.session
        super().__init__(socket, session, limits, looking)
        self._analysis = analysis
        self._background = Background(session.engines, client=client, table=session.name)
        #: What is searched or played on, if anything is.
        self._busy: asyncio.Task[None] | None = None

    def _read(self, text: str) -> Message:
        return read_message(text, ANALYSIS)

    async def _tell(self) -> None:
        hello = await to_thread.run_sync(self._analysis.hello, limiter=self._looking)
        await self._send(hello)
        self._changed.set()
        while await self._changed.wait():
            self._changed.clear()
            await self._send(self._analysis.news())

    async def _answer(self, message: Message) -> None:
        analysis = self._analysis
        match message:
            case Look(node=node):
                await self._work(analysis.frame, node)
            case Why(node=node):
                await self._work(analysis.why, node)
            case Graph():
                self._begin(self._explained(self._work(analysis.graph)))
            case Try(node=node, move=move):
                after = await to_thread.run_sync(analysis.played, node, move, limiter=self._looking)
                await self._went_to(after)
                await self._save()
            case Remove(node=node):
                await to_thread.run_sync(analysis.remove, node)
                await self._save()
            case Seat(seat=seat, agent=agent):
                await to_thread.run_sync(analysis.seat_agent, seat, agent, limiter=self._looking)
                await self._send(analysis.news())
            case Stop():
                self._instead(None)
            case Think(node=node):
                analysis.turn(node)
                self._instead(self._think(node))
            case GoOn(node=node, plies=plies):
                if not 1 <= plies <= MOST_PLIES:
                    raise MessageError(f"plies is not a number from 1 to {MOST_PLIES}")
                self._instead(self._go_on(node, plies))

    def _instead(self, work: Coroutine[Any, Any, None] | None) -> None:
        """Do this in the place of what is done."""
        if self._busy is not None:
            self._busy.cancel()
        self._busy = None if work is None else self._begin(self._explained(work))

    async def _explained(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except MpsearchError as error:
            await self._refuse(error)
        except RuntimeError:  # the window was closed meanwhile
            return

    async def _think(self, node: int) -> None:
        turn, agent, player = self._analysis.turn(node)
        if not isinstance(player, SearchAgent):
            return await self._state(node, f"{agent} does not search: choose another agent")
        await self._state(node, "waits for games, which come first")
        before: Decision | None = None
        for limits in growing_limits(player):
            step = attrs.evolve(player, limits=limits, exact=True)
            try:
                decision = await self._decision(node, step, turn, self._limits.position_seconds)
            except AbortedError:
                seconds = self._limits.position_seconds
                return await self._state(
                    node, f"ended: the next depth takes more than {seconds:g} s"
                )
            except SpentError as error:
                return await self._state(node, str(error))
            if before is not None and found_no_more(decision, before):
                return await self._state(node, "finished: there is nothing more to find")
            before = decision
            found = functools.partial(self._analysis.lines, node, agent, turn, decision)
            await self._work(found)
        return await self._state(node, "finished")

    async def _state(self, node: int, text: str) -> None:
        """How a search that grows stands."""
        await self._send({"type": "thinking", "node": node, "text": text})

    async def _decision(self, node: int, player: Player, turn: Turn, seconds: float) -> Decision:
        def decide() -> Decision:
            decision = self._analysis.decided(node, player, turn)
            # Made now: whoever asks for it later would search in another thread.
            return attrs.evolve(decision, report=decision.report)

        return await self._background.run(decide, seconds=seconds)

    async def _go_on(self, node: int, plies: int) -> None:
        analysis = self._analysis
        try:
            for _ in range(plies):
                mover = analysis.game.mover(analysis.tree[node].state)
                if mover == OVER:
                    break
                if mover == CHANCE:
                    after = await to_thread.run_sync(analysis.drawn, node, limiter=self._looking)
                else:
                    after = await self._agent_plays(node)
                node = after.number
                await self._went_to(after)
        finally:
            await self._save()
        await self._send({"type": "ended"})

    async def _agent_plays(self, node: int) -> Position:
        """The position after the move of the agent to move, who is hurried after some seconds."""
        analysis = self._analysis
        turn, agent, player = analysis.turn(node)
        before = analysis.tree[node]
        try:
            decision = await self._decision(node, player, turn, self._limits.agent_seconds)
        except AbortedError:
            if not isinstance(player, SearchAgent):
                raise
            hurried = attrs.evolve(player, limits=Limits(depth=1), worlds=1)
            decision = await self._decision(node, hurried, turn, self._limits.agent_seconds)
        return analysis.add(before, decision.move, decision, agent)

    async def _went_to(self, position: Position) -> None:
        """Tell the window of a position that was just played, and show it."""
        await self._send(self._analysis.news())
        await self._send({"type": "went", "node": position.number})

    async def _save(self) -> None:
        if self._analysis.shared:
            await to_thread.run_sync(self._session.save_variations, limiter=self._looking)
        else:
            await self._send(self._analysis.news())
