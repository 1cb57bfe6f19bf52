"""Branchings, evaluators, and the same numbers with and without compilation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.offers import BRANCHINGS, EVALUATORS
from mpsearch_risk_lite.state import ARRIVED, path_of
from support.plain import same_digest

from mpsearch.contracts import CHANCE, OVER, Branching, Evaluator, State

if TYPE_CHECKING:
    from .conftest import NewGame, Walk

_DIGEST = """
import hashlib
import numpy as np
from mpsearch.contracts import CHANCE, OVER
from mpsearch_risk_lite.offers import BRANCHINGS, EVALUATORS
from mpsearch_risk_lite.game import RiskLite

game = RiskLite(players=4, map="woodland", rounds=8, reach=3, outcomes=8)
parts = [o.make(game, **{x.name: x.default for x in o.options}) for o in BRANCHINGS]
scores = [o.make(game, **{x.name: x.default for x in o.options}) for o in EVALUATORS]
rng = np.random.default_rng(7)
state, digest = game.new(), hashlib.sha256()
while (mover := game.mover(state)) != OVER:
    digest.update(state)
    for score in scores:
        digest.update(np.round(score.values(state), 9).tobytes())
    if mover == CHANCE:
        for x, p in [*game.chance(state), *game.tree_chance(state)]:
            digest.update(f"{x} {p:.9f}".encode())
        move = game.draw(state, rng)
    else:
        for part in parts:
            digest.update(repr(part.moves(state)).encode())
        moves = game.moves(state)
        digest.update(repr(moves).encode())
        move = moves[int(rng.integers(len(moves)))]
    state = game.play(state, move)
print(digest.hexdigest(), game.payoff(state).tolist())
"""


def test_a_game_is_the_same_with_and_without_compilation() -> None:
    same_digest(_DIGEST)


def _branching(game: RiskLite, name: str, **options: Any) -> Branching:
    return next(b for b in BRANCHINGS if b.name == name).make(game, **options)


def _evaluator(game: RiskLite, name: str, **options: Any) -> Evaluator:
    offer = next(e for e in EVALUATORS if e.name == name)
    return offer.make(game, **{**{o.name: o.default for o in offer.options}, **options})


def _positions(game: RiskLite, walk: Walk, seed: int, most: int) -> list[State]:
    found = (s for s, _, _ in walk(game, seed) if game.mover(s) not in (CHANCE, OVER))
    return [state for state, _ in zip(found, range(most), strict=False)]


def test_bids_are_the_first_of_all_bids(new_game: NewGame, walk: Walk) -> None:
    game = new_game()
    every = _branching(game, "bids_all")
    for k in (1, 3, 10):
        some = _branching(game, "bids", k=k)
        for state in _positions(game, walk, 2, 30):
            assert some.moves(state) == every.moves(state)[:k]


def test_there_is_one_bid_for_every_goal_in_reach(new_game: NewGame, walk: Walk) -> None:
    game = new_game(map="woodland", players=3, reach=2)
    for state in _positions(game, walk, 3, 20):
        goals = [path_of(m)[-1] for m in _branching(game, "bids_all").moves(state)]
        assert len(set(goals)) == len(goals)
        # Hopeless paths are not followed, but one step always is.
        single = {path_of(m)[-1] for m in game.moves(state) if len(path_of(m)) <= 2}
        assert single <= set(goals)
        assert set(goals) <= {path_of(m)[-1] for m in game.moves(state)}


def test_border_attacks_one_territory_at_most(new_game: NewGame, walk: Walk) -> None:
    game = new_game()
    for state in _positions(game, walk, 4, 30):
        moves = _branching(game, "border").moves(state)
        assert {len(path_of(m)) for m in moves} == {1, 2}


def _two_seats(game: RiskLite, armies: dict[str, int], owners: dict[str, int]) -> State:
    names = [t.name for t in game.world_map.territories]
    deal = tuple((owners.get(n, 1), armies.get(n, 1)) for n in names)
    return game.play(game.new(), deal)


def test_the_best_bid_completes_a_continent_that_is_within_reach(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2, reach=1)
    mine = dict.fromkeys(["fjord", "heath", "moor"], 0)
    state = _two_seats(game, {"moor": 9, "oasis": 1, "cape": 1}, mine)
    best = _branching(game, "bids", k=1).moves(state)[0]
    assert game.write(best) == "moor>cape"


@pytest.mark.parametrize("name", ["army_land", "paper"])
def test_more_armies_land_and_income_are_worth_more(new_game: NewGame, name: str) -> None:
    game = new_game(map="straits", players=2)
    value = _evaluator(game, name)
    even = {t.name: i % 2 for i, t in enumerate(game.world_map.territories)}
    base = value.values(_two_seats(game, {}, even))[0]
    assert value.values(_two_seats(game, {"fjord": 5}, even))[0] > base
    more = {**even, "heath": 0}
    assert value.values(_two_seats(game, {}, more))[0] > base
    continent = {**even, "fjord": 0, "heath": 0, "moor": 0, "cape": 0, "reef": 1, "mesa": 1}
    assert value.values(_two_seats(game, {}, continent))[0] > base


def test_army_land_is_the_mean_of_three_shares(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    owners = dict.fromkeys(["fjord", "heath", "moor", "cape"], 0)
    state = _two_seats(game, {"fjord": 5}, owners)
    # Armies 8 of 16, land 4 of 12, income 3 + 2 against 3 + 2 + 2.
    expected = 100 * (8 / 16 + 4 / 12 + 5 / 12) / 3
    assert _evaluator(game, "army_land").values(state)[0] == pytest.approx(expected)


def test_holdings_are_a_seats_own_affair(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    owners = dict.fromkeys(["fjord", "heath", "moor", "cape"], 0)
    value = _evaluator(game, "holdings", half=8.0)
    state = _two_seats(game, {"fjord": 5}, owners)
    # Land 4 of 12; armies 8, as many as count half.
    assert value.values(state)[0] == pytest.approx(50 * 4 / 12 + 50 * 8 / 16)
    stronger = _two_seats(game, {"fjord": 5, "reef": 30}, owners)
    assert value.values(stronger)[0] == value.values(state)[0]
    assert value.values(stronger)[1] > value.values(state)[1]


def test_control_is_shared_with_the_strongest_neighbour(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    tiny = 0.001
    weights = {"armies": tiny, "values": tiny, "continents": tiny, "income": tiny, "control": 1e6}
    owners = dict.fromkeys(["fjord"], 0)
    state = _two_seats(game, {"fjord": 4, "heath": 2}, owners)
    # Of fjord seat 0 keeps 4 / 6; of heath it threatens 4 / 6, of moor and delta 4 / 5.
    expected = 100 * (4 / 6 + 4 / 6 + 2 * 4 / 5) / 12
    assert _evaluator(game, "paper", **weights).values(state)[0] == pytest.approx(
        expected, abs=1e-4
    )


@pytest.mark.parametrize("name", ["army_land", "holdings", "paper"])
def test_a_battle_is_worth_the_mean_of_its_outcomes(
    new_game: NewGame, walk: Walk, name: str
) -> None:
    game = new_game(map="woodland", players=4)
    value = _evaluator(game, name)
    checked = 0
    for state, _, _ in walk(game, 9):
        if game.mover(state) == CHANCE and state != game.new():
            mean = sum(p * value.values(game.play(state, x)) for x, p in game.tree_chance(state))
            np.testing.assert_allclose(value.values(state), mean, atol=1e-9)
            checked += 1
        if checked == 20:
            break
    assert checked == 20


def test_outcomes_are_played_as_they_say(new_game: NewGame) -> None:
    game = new_game(map="straits", players=2)
    owners = dict.fromkeys(["fjord"], 0)
    state = _two_seats(game, {"fjord": 9, "heath": 2, "atoll": 3}, owners)
    state = game.play(state, game.read("fjord>heath>atoll"))

    def armies(outcome: int) -> list[tuple[int, int]]:
        s = game.record(game.play(state, outcome))
        where = [game.world_map.number(n) for n in ("fjord", "heath", "atoll")]
        return [(int(s.owner[t]), int(s.armies[t])) for t in where]

    assert armies(ARRIVED + 6) == [(0, 1), (0, 1), (0, 6)]
    assert armies(-2) == [(0, 1), (0, 1), (1, 2)]
    assert armies(-3) == [(0, 1), (0, 1), (1, 3)]
    assert armies(-4) == [(0, 1), (1, 1), (1, 3)]
    assert armies(-5) == [(0, 1), (1, 2), (1, 3)]
