"""Presets: strengths are agents of every game, and a game's own presets go before them."""

import attrs

from mpsearch.agents.presets import GENERAL, presets_of
from mpsearch.api.game_table import table
from mpsearch.api.line_ups import STRENGTHS, by_appeal, company
from mpsearch.contracts import Preset
from mpsearch.plugins.catalog import Catalog, installed


def test_every_strength_is_an_agent_of_every_game() -> None:
    for name, offer in installed().games.items():
        for strength in STRENGTHS:
            assert table(name).agent(strength) is not None, (name, strength)
            assert company(offer, 2, strength) == (strength, strength)


def test_a_strength_takes_keys_and_they_go_before_its_own() -> None:
    agent = table("scramble").searcher("hard:depth=1")
    assert agent.limits.depth == 1
    assert table("scramble").searcher("hard").limits.depth == 4


def test_a_games_own_preset_and_a_propagator_go_before_the_general_one() -> None:
    catalog = installed()
    own = Preset(name="hard", summary="its own", text="maxn")
    offer = attrs.evolve(catalog.games["scramble"], presets=(own,))
    assert presets_of(catalog, offer)["hard"] == own
    taken: Catalog = attrs.evolve(
        catalog, propagators={**catalog.propagators, "easy": catalog.propagators["maxn"]}
    )
    assert sorted(presets_of(taken, offer)) == sorted(
        {"hard", *(p.name for p in GENERAL)} - {"easy"}
    )


def test_games_that_are_a_plugin_of_their_own_are_offered_first() -> None:
    catalog = installed()
    order = by_appeal(catalog)
    assert sorted(order) == sorted(catalog.games)
    alone = [
        name
        for name in catalog.games
        if [o.name for o in catalog.origin.values()].count(catalog.origin[name].name) == 1
    ]
    assert order.index("scramble") > max(map(order.index, alone), default=-1)
