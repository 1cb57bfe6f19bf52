"""The three players that do not search, and searching agents beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.players.angry import angry
from mpsearch_risk_lite.players.evil_pixie import evil_pixie
from mpsearch_risk_lite.players.outlook import Outlook
from mpsearch_risk_lite.players.yakool import home_continent, yakool

from mpsearch.agents import make_agent
from mpsearch.api.line_ups import company
from mpsearch.contracts import OVER
from mpsearch.match import play_match
from mpsearch.plugins.catalog import Catalog, load_catalog

if TYPE_CHECKING:
    from .conftest import NewGame


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def test_the_company_is_of_several_kinds(catalog: Catalog, new_game: NewGame) -> None:
    seated = company(catalog.game_offer("risk_lite"), 5)
    assert len({text.partition(":")[0] for text in seated}) == 4
    for text in seated:
        assert make_agent(catalog, "risk_lite", new_game(players=6), text) is not None


def _outlook(game: RiskLite, owners: dict[str, int], armies: dict[str, int]) -> Outlook:
    """Seat 0's outlook; seat 1 has what is not named, with one army."""
    names = [t.name for t in game.world_map.territories]
    deal = tuple((owners.get(n, 1), armies.get(n, 1)) for n in names)
    return Outlook.of(game, game.play(game.new(), deal))


def _names(game: RiskLite, path: list[int]) -> list[str]:
    return [game.world_map.territories[t].name for t in path]


def test_the_plugin_is_found_and_without_problems(catalog: Catalog) -> None:
    assert catalog.problems == ()
    offer = catalog.game_offer("risk_lite")
    assert [player.name for player in offer.bots] == ["angry", "yakool", "evil_pixie"]
    assert [branching.name for branching in offer.branchings] == ["bids", "bids_all", "border"]
    assert set(catalog.evaluators["risk_lite"]) == {"army_land", "holdings", "learned", "paper"}


@pytest.mark.parametrize("agent", ["angry", "yakool", "evil_pixie"])
def test_a_player_plays_whole_games_by_the_rules(
    catalog: Catalog, new_game: NewGame, agent: str
) -> None:
    for map_name, seats in (("straits", 2), ("woodland", 6)):
        game = new_game(map=map_name, players=seats, rounds=30)
        made = make_agent(catalog, "risk_lite", game, agent)
        *_, last = play_match(game, [made] * seats, seed=3)
        assert game.mover(last.state) == OVER


def test_every_propagator_plays_unchanged(catalog: Catalog, new_game: NewGame) -> None:
    game = new_game(map="straits", rounds=1)
    for name in catalog.propagators:
        # One branching for all: another would be another search to compile.
        made = make_agent(catalog, "risk_lite", game, f"{name}:depth=1,branching=bids")
        *_, last = play_match(game, [made] * 6, seed=5)
        assert game.mover(last.state) == OVER


def test_angry_masses_where_most_enemies_are_and_takes_the_weakest(
    new_game: NewGame, rng: np.random.Generator
) -> None:
    game = new_game(map="straits", players=2)
    outlook = _outlook(game, {"fjord": 0, "moor": 0}, {"heath": 2, "cape": 5, "oasis": 3})
    # moor has the enemies heath, cape and oasis; fjord only heath and delta.
    assert _names(game, angry(outlook, rng))[:2] == ["moor", "heath"]


def test_angry_stays_when_it_has_no_more_armies_than_the_weakest(
    new_game: NewGame, rng: np.random.Generator
) -> None:
    game = new_game(map="straits", players=2)
    outlook = _outlook(game, {"moor": 0}, {"fjord": 9, "heath": 9, "cape": 9, "oasis": 9})
    assert _names(game, angry(outlook, rng)) == ["moor"]


def test_yakool_goes_home_to_the_continent_it_has_most_of(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    outlook = _outlook(game, {"reef": 0, "atoll": 0, "lagoon": 0, "dune": 0}, {})
    assert game.world_map.continents[home_continent(outlook)].name == "east"


def test_yakool_attacks_at_six_to_five_and_not_below(
    new_game: NewGame, rng: np.random.Generator
) -> None:
    game = new_game(map="straits", players=3)
    names = [t.name for t in game.world_map.territories]
    owners = {n: 1 + i % 2 for i, n in enumerate(names)} | {"fjord": 0, "shoal": 0}
    others = {"heath": 5, "moor": 5, "delta": 5, "reef": 4}

    def path(armies: int) -> list[str]:
        outlook = _outlook(game, owners, {**others, "fjord": armies})
        assert outlook.dominant() is None
        return _names(game, yakool(outlook, rng))

    # Three more come, and one stays: 5 against 5, then 6 against 5.
    assert path(3) == ["fjord"]
    assert path(4)[1] in ("heath", "moor")


def test_a_tyrant_is_whoever_has_half_of_anything(new_game: NewGame) -> None:
    game = new_game(map="straits", players=3)
    names = [t.name for t in game.world_map.territories]
    owners = {n: i % 3 for i, n in enumerate(names)}
    assert _outlook(game, owners, {}).dominant() is None
    assert _outlook(game, owners, {names[2]: 9}).dominant() == 2
    assert _outlook(game, owners, {names[0]: 9}).dominant() is None


def test_evil_pixie_finishes_off_the_weak(new_game: NewGame, rng: np.random.Generator) -> None:
    game = new_game(map="straits", players=3)
    names = [t.name for t in game.world_map.territories]
    owners = dict.fromkeys(names, 1) | {"fjord": 0, "heath": 2, "moor": 0}
    outlook = _outlook(game, owners, {"fjord": 12})
    assert "heath" in _names(game, evil_pixie(outlook, rng))


def test_evil_pixie_guards_its_continent_when_it_cannot_attack(
    new_game: NewGame, rng: np.random.Generator
) -> None:
    game = new_game(map="straits", players=2)
    mine = dict.fromkeys(["fjord", "heath", "moor", "cape"], 0)
    foes = dict.fromkeys(("delta", "atoll", "oasis", "reef"), 25)
    outlook = _outlook(game, mine, {**foes, "fjord": 9, "heath": 9, "moor": 9, "cape": 2})
    assert _names(game, evil_pixie(outlook, rng)) == ["cape"]
