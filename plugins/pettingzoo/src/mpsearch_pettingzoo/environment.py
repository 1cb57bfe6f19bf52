"""TableEnv: a table of mpsearch as an AEC environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from mpsearch.api.game_table import Table
from mpsearch.contracts import CHANCE, OVER, Move, Player, State, Turn
from mpsearch.errors import UsageError
from mpsearch_pettingzoo.numbers import Actions, Observations


class TableEnv(AECEnv):  # type: ignore[misc]  # pettingzoo has no types
    """Seats are agents `seat_0`, `seat_1`, ...; rewards are payoffs at the end.

    Seats with `opponents`, given as agents' texts, are played by these and are no agents of the
    environment. An observation has the array `observation` and the `action_mask`.
    """

    def __init__(
        self,
        table: Table,
        *,
        opponents: Mapping[int, str] | None = None,
        max_cycles: int | None = None,
        waiting: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table, self.game = table, table.game
        self.metadata = {
            "name": f"mpsearch_{table.name}",
            "render_modes": ["ansi", "human", "svg"],
            "is_parallelizable": waiting,
        }
        self.render_mode = render_mode
        #: Truncated after so many turns of every seat; never if None.
        self.max_cycles = max_cycles
        #: Whether seats that are not to move are asked too, in turn, and can only wait.
        self.waiting = waiting
        self.opponents: dict[int, Player] = {
            seat: table.agent(text) for seat, text in (opponents or {}).items()
        }
        own = [seat for seat in range(table.players) if seat not in self.opponents]
        if not own or any(seat not in range(table.players) for seat in self.opponents):
            raise UsageError(f"{table.name}: opponents {sorted(self.opponents)} leave no seat free")
        self.possible_agents = [f"seat_{seat}" for seat in own]
        self.seats = dict(zip(self.possible_agents, own, strict=True))
        self.actions, self.views = Actions(self.game), Observations(self.game)
        #: With `waiting` the last action is to wait.
        count = self.actions.count + waiting
        self.action_spaces = {name: gymnasium.spaces.Discrete(count) for name in self.seats}
        self.observation_spaces = {
            name: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(
                        -np.inf, np.inf, (self.views.length,), np.float32
                    ),
                    "action_mask": gymnasium.spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for name in self.seats
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        entropy = np.random.SeedSequence(seed)
        self._chance, *self._luck = (
            np.random.default_rng(s) for s in entropy.spawn(self.game.players + 1)
        )
        self._memories = {
            seat: player.start(seat, self._luck[seat]) for seat, player in self.opponents.items()
        }
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._asked = 0
        self.state_now: State = self.game.new()
        self._go_on()
        self.agent_selection = self._next(first=True)

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.seats[agent]
        mask = np.zeros(self.action_spaces[agent].n, dtype=np.int8)
        if seat == self.game.mover(self.state_now):
            mask[list(self._legal())] = 1
        elif self.waiting:
            mask[-1] = 1
        view = self.game.view(self.state_now, seat)
        return {"observation": self.views.of(view, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.seats[agent] == self.game.mover(self.state_now):
            self.state_now = self.game.play(self.state_now, self._move(action))
            self._go_on()
        self._asked += 1
        if self.game.mover(self.state_now) == OVER:
            payoff = self.game.payoff(self.state_now)
            self.rewards = {name: float(payoff[self.seats[name]]) for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles and self._asked >= self.max_cycles * len(self.possible_agents):
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._next()
        self._accumulate_rewards()

    def _move(self, action: int | None) -> Move:
        """The move of an action. One that is not legal, in the waiting form, is the first legal."""
        legal = self._legal()
        if action in legal:
            return legal[int(action)]
        if self.waiting:
            return legal[min(legal)]
        raise UsageError(f"{self.table.name}: action {action} is not legal; look at action_mask")

    def _legal(self) -> dict[int, Move]:
        return self.actions.legal(self.game.moves(self.state_now))

    def _go_on(self) -> None:
        """Let chance and opponents play until an agent is to move, or the game is over."""
        while (mover := self.game.mover(self.state_now)) != OVER:
            if mover == CHANCE:
                move = self.game.draw(self.state_now, self._chance)
            elif mover in self.opponents:
                view, moves = self.game.view(self.state_now, mover), self.game.moves(self.state_now)
                turn = Turn(seat=mover, view=view, moves=tuple(moves))
                decision = self.opponents[mover].choose(
                    turn, self._memories[mover], self._luck[mover]
                )
                move = decision.move
            else:
                return
            self.state_now = self.game.play(self.state_now, move)

    def _next(self, *, first: bool = False) -> str:
        """Who acts: the mover; in the waiting form everybody in turn."""
        if self.waiting:
            if first:
                return self.agents[0]
            at = self.agents.index(self.agent_selection)
            return self.agents[(at + 1) % len(self.agents)]
        mover = self.game.mover(self.state_now)
        return f"seat_{mover}" if mover >= 0 else self.agents[0]

    def render(self) -> str | None:
        """The position as text or SVG, as the agent to move may see it."""
        view = self.game.view(self.state_now, self.seats[self.agent_selection])
        if self.render_mode == "svg":
            return self.game.svg(view)
        picture = self.game.picture(view)
        if self.render_mode == "human":
            print(picture)
            return None
        return picture

    def close(self) -> None:
        """There is nothing to close."""
