"""Settings of tables, as a page asks for them."""

from typing import Any

from mpsearch.contracts import settle
from mpsearch.match import Setting
from mpsearch.plugins.catalog import installed


def setting(game: str, *agents: str, seed: int = 1, **options: Any) -> Setting:
    """A table of a game for these agents."""
    values = settle(installed().game_offer(game).options, options, owner=game)
    return Setting(game=game, players=len(agents), options=values, agents=agents, seed=seed)
