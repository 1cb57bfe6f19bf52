"""Making environments: for one game, and in the form that PettingZoo's own tests ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import aec_to_parallel

from mpsearch.api.game_table import table
from mpsearch_pettingzoo.environment import TableEnv


def env(
    game: str,
    /,
    *,
    players: int | None = None,
    opponents: Mapping[int, str] | None = None,
    max_cycles: int | None = None,
    waiting: bool = False,
    render_mode: str | None = None,
    **options: Any,
) -> Any:
    """An AEC environment: `env("hearts", opponents={1: "maxn", 2: "wrt", 3: "random"})`."""
    made = TableEnv(
        table(game, players=players, **options),
        opponents=opponents,
        max_cycles=max_cycles,
        waiting=waiting,
        render_mode=render_mode,
    )
    return wrappers.OrderEnforcingWrapper(made)


def parallel_env(game: str, /, **settings: Any) -> Any:
    """The same for learners that want all agents at once: who is not to move can only wait."""
    return aec_to_parallel(env(game, waiting=True, **settings))


@attrs.frozen
class Cycles:
    """A game as `max_cycles_test` takes it, in the waiting form."""

    game: str

    def env(self, max_cycles: int) -> Any:
        """An AEC environment that is cut off."""
        return env(self.game, waiting=True, max_cycles=max_cycles)

    def parallel_env(self, max_cycles: int) -> Any:
        """A parallel one."""
        return parallel_env(self.game, max_cycles=max_cycles)
