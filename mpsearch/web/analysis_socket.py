"""WebSocket connection of the analysis board: one window, one search at a time."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs
from anyio import CapacityLimiter, to_thread
from starlette.websockets import WebSocket

from mpsearch.agents import SearchAgent
from mpsearch.contracts import CHANCE, OVER, Decision, Player, Turn
from mpsearch.engine import found_no_more, growing_limits
from mpsearch.match import Position
from mpsearch.search import AbortedError
from mpsearch.web.analysis import Analysis
from mpsearch.web.background import Background, SpentError
from mpsearch.web.inbound import ANALYSIS, MessageError
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.websocket import Window

#: The most plies that agents play on before they are asked again.
MOST_PLIES = 300


class AnalysisConnection(Window):
    """A window of the analysis board: shows positions, tries moves, reports deepening searches."""

    kinds = ANALYSIS

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

    async def _tell(self) -> None:
        hello = await to_thread.run_sync(self._analysis.hello, limiter=self._looking)
        await self._send(hello)
        self._changed.set()
        while await self._changed.wait():
            self._changed.clear()
            await self._send(self._analysis.news())

    async def _answer(self, message: dict[str, Any]) -> None:
        analysis = self._analysis
        match message:
            case {"type": "look", "node": node}:
                await self._work(analysis.frame, node)
            case {"type": "why", "node": node}:
                await self._work(analysis.why, node)
            case {"type": "graph"}:
                self._begin(self._work, analysis.graph)
            case {"type": "try", "node": node, "move": move}:
                after = await to_thread.run_sync(analysis.played, node, move, limiter=self._looking)
                await self._went_to(after)
                await self._save()
            case {"type": "remove", "node": node}:
                await to_thread.run_sync(analysis.remove, node)
                await self._save()
            case {"type": "seat", "seat": seat, "agent": agent}:
                await to_thread.run_sync(analysis.seat_agent, seat, agent, limiter=self._looking)
                await self._send(analysis.news())
            case {"type": "stop"}:
                self._stop()
            case {"type": "think", "node": node}:
                analysis.turn(node)
                self._stop()
                self._busy = self._begin(self._think, node)
            case {"type": "go_on", "node": node, "plies": plies}:
                if not 1 <= plies <= MOST_PLIES:
                    raise MessageError(f"plies is not a number from 1 to {MOST_PLIES}")
                self._stop()
                self._busy = self._begin(self._go_on, node, plies)

    def _stop(self) -> None:
        if self._busy is not None:
            self._busy.cancel()

    async def _think(self, node: int) -> None:
        turn, agent, player = self._analysis.turn(node)
        if not isinstance(player, SearchAgent):
            return await self._state(node, f"{agent} does not search: choose another agent")
        await self._state(node, "waiting: games come first")
        before: Decision | None = None
        for limits in growing_limits(player):
            step = attrs.evolve(player, limits=limits, exact=True)
            try:
                decision = await self._decision(node, step, turn, self._limits.position_seconds)
            except AbortedError:
                seconds = self._limits.position_seconds
                return await self._state(
                    node, f"stopped: the next depth takes more than {seconds:g} s"
                )
            except SpentError as error:
                return await self._state(node, str(error))
            if before is not None and found_no_more(decision, before):
                return await self._state(node, "finished: a deeper search finds nothing new")
            before = decision
            await self._work(self._analysis.lines, node, agent, turn, decision)
        return await self._state(node, "finished")

    async def _state(self, node: int, text: str) -> None:
        await self._send({"type": "thinking", "node": node, "text": text})

    async def _decision(self, node: int, player: Player, turn: Turn, seconds: float) -> Decision:
        def decide() -> Decision:
            decision = self._analysis.decided(node, player, turn)
            # Made now: asked for later, it would be searched in another thread.
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
        """The position after the agent's move; after some seconds it looks one ply ahead only."""
        analysis = self._analysis
        turn, agent, player = analysis.turn(node)
        before = analysis.tree[node]
        try:
            decision = await self._decision(node, player, turn, self._limits.agent_seconds)
        except AbortedError:
            if not isinstance(player, SearchAgent):
                raise
            decision = await self._decision(node, player.hurried, turn, self._limits.agent_seconds)
        return analysis.add(before, decision.move, decision, agent)

    async def _went_to(self, position: Position) -> None:
        """Show the window a position that was just reached."""
        await self._send(self._analysis.news())
        await self._send({"type": "went", "node": position.number})

    async def _save(self) -> None:
        if self._analysis.shared:
            await to_thread.run_sync(self._session.save_variations, limiter=self._looking)
        else:
            await self._send(self._analysis.news())
