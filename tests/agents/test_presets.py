"""Presets: strengths are agents of every game, and a game's own presets go before them."""

import attrs

from mpsearch.agents.presets import GENERAL, preset_names, presets_of
from mpsearch.api.game_table import set_table, table
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
    assert (agent.limits.depth, agent.limits.seconds) == (1, 0.5)
    assert table("scramble").searcher("hard").limits.depth is None


def test_a_games_own_preset_and_a_propagator_go_before_the_general_one() -> None:
    catalog = installed()
    own = Preset(name="hard", summary="its own", text="maxn")
    offer = attrs.evolve(catalog.games["scramble"], presets=(own,))
    assert presets_of(catalog, offer, 3, {})["hard"] == own
    taken: Catalog = attrs.evolve(
        catalog, propagators={**catalog.propagators, "easy": catalog.propagators["maxn"]}
    )
    names = {"hard", *(p.name for p in GENERAL)} - {"easy"}
    assert sorted(presets_of(taken, offer, 3, {})) == sorted(names)
    assert sorted(preset_names(taken, offer)) == sorted(names)


def test_of_presets_with_one_name_the_first_that_holds_is_meant() -> None:
    catalog = installed()
    two = Preset(name="hard", summary="for two", text="maxn", players=(2,))
    short = Preset(name="hard", summary="short", text="sos", game_options={"length": (10, 20)})
    offer = attrs.evolve(catalog.games["scramble"], presets=(two, short))

    def meant(players: int, length: int) -> Preset:
        return presets_of(catalog, offer, players, {"length": length})["hard"]

    assert meant(2, 10) == two
    assert meant(3, 20) == short
    assert meant(3, 30) == next(p for p in GENERAL if p.name == "hard")
    changed: Catalog = attrs.evolve(catalog, games={**catalog.games, "scramble": offer})
    place = set_table(changed, "scramble", players=2)
    assert type(place.searcher("hard").propagator).__name__ == "MaxN"
    assert place.evaluator_name("hard") == offer.evaluator


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
