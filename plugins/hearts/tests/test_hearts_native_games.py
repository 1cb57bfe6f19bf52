"""Games of wrt that run natively, beside the same games in which it is asked for every card."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest
from mpsearch_hearts.players import Wrt

from mpsearch import load_catalog
from mpsearch.agents import make_agent
from mpsearch.contracts import Player
from mpsearch.jit import jit_enabled
from mpsearch.match import play_match
from mpsearch.match.native_play import native_play

pytestmark = pytest.mark.usefixtures("natively")


class AskedWrt(Wrt):
    """Without its policy the referee asks it."""

    policy = None


@pytest.mark.parametrize("preset", ["papers", "standard"])
@pytest.mark.parametrize("others", [["wrt", "wrt", "wrt"], ["random", "wrt", "greedy:worlds=2"]])
def test_wrt_plays_the_same_games_natively(make: Any, preset: str, others: list[str]) -> None:
    game = make(preset=preset, limit=60)
    company = ["wrt", *others]
    catalog = load_catalog()

    def seated(wrt: type[Wrt]) -> list[Player]:
        return [
            wrt(game) if text == "wrt" else make_agent(catalog, "hearts", game, text)
            for text in company
        ]

    for seed in range(4 if "greedy" not in str(others) else 1):
        native, asked = (
            list(play_match(game, seated(kind), seed=seed)) for kind in (Wrt, AskedWrt)
        )
        assert len(asked) > 100
        assert native == asked


def test_what_is_hidden_is_what_a_view_leaves_out(make: Any, slow: Any) -> None:
    """Nothing of the others' hands is left, and nothing of one's own is gone."""
    game = make(passing="left")
    state = slow.dealt(game, slow.fill("2c", "5c 9c kc"))
    for seat in range(4):
        true, known = game.record(state), game.record(game.view(state, seat).known)
        assert [int(hand) for hand in known.hands] == [
            int(hand) if other == seat else 0 for other, hand in enumerate(true.hands)
        ]


@pytest.mark.skipif(not jit_enabled(), reason="nothing runs natively")
def test_hidden_cards_are_played_natively_only_if_they_can_be_hidden(make: Any) -> None:
    game = make(preset="papers")
    chance, *rngs = (np.random.default_rng(number) for number in range(5))
    assert native_play(game, [Wrt(game)] * 4, rngs, chance) is not None
    game.rules = attrs.evolve(game.rules, hide=None)
    assert native_play(game, [Wrt(game)] * 4, rngs, chance) is None
