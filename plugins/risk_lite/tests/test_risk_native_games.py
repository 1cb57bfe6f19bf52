"""Games of angry that run natively, beside the same games in which it is asked for every move."""

from __future__ import annotations

import attrs
import pytest
from mpsearch_risk_lite.players import Strategist, make_angry, make_yakool

from mpsearch import load_catalog
from mpsearch.contracts import Player
from mpsearch.match import play_match

pytestmark = pytest.mark.usefixtures("natively")


@pytest.mark.parametrize("world", ["classic", "straits"])
def test_angry_plays_the_same_games_natively(world: str) -> None:
    game = load_catalog().game("risk_lite", players=4, map=world, rounds=12)
    assert game.rules is not None

    def company(*, native: bool) -> list[Player]:
        angry: Strategist = make_angry(game)  # type: ignore[arg-type]
        if not native:
            angry = attrs.evolve(angry, policy=None)
        return [angry, make_yakool(game), angry, angry]  # type: ignore[arg-type]

    for seed in range(3):
        native, asked = (
            list(play_match(game, company(native=native), seed=seed)) for native in (True, False)
        )
        assert len(asked) > 20
        assert native == asked
