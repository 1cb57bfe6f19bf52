"""Series: games of one table that differ only in their agents and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from mpsearch.api import Table
from mpsearch.experiments.openings import usual_opening
from mpsearch.experiments.seeds import game_seed
from mpsearch.match import Setting


@attrs.frozen(kw_only=True)
class Series:
    """What the games of a series share."""

    game: str
    players: int
    options: dict[str, Any]
    #: The user's seed, from which those of the games follow.
    seed: int
    #: Random opening moves.
    opening: int = 0

    def setting(self, agents: Sequence[str], number: int, *, block: int = 0) -> Setting:
        """The game of that number in a block."""
        return Setting(
            game=self.game,
            players=self.players,
            options=self.options,
            agents=tuple(agents),
            seed=game_seed(self.seed, number, block=block),
            opening=self.opening,
        )


def series_at(table: Table, *, seed: int, opening: int | None) -> dict[str, Any]:
    """The fields of a series at a table, by default with the usual opening."""
    return {
        "game": table.name,
        "players": table.players,
        "options": dict(table.options),
        "seed": seed,
        "opening": usual_opening(table) if opening is None else opening,
    }
