"""Opponent Impact against a slow recomputation: plain MaxN behind every move, plain counting."""

import math
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.agents import make_agent
from mpsearch.api.game_table import table
from mpsearch.errors import UsageError
from mpsearch.experiments.engines import Local
from mpsearch.match import play_match
from mpsearch.plugins.catalog import load_catalog
from mpsearch.studies.impact import READINGS, influence, make_surveys, survey_games, tabulate
from mpsearch.studies.impact.estimate import relative_spread

CATALOG = load_catalog()
TOLERANCE = 1e-6

SETTINGS: dict[str, tuple[str, int, dict[str, Any], str | None, list[str]]] = {
    "compiled, open": ("scramble", 3, {"length": 7, "plies": 40}, None, ["greedy", "random"]),
    "shares of a whole": ("scramble", 4, {"length": 6, "plies": 30}, "share", ["random"]),
    "hidden, with dice": ("plunder", 3, {"cards": 3}, None, ["random"]),
}
DEPTHS = (1, 2, 3)
GAMES = 3


def maxn(game: Any, evaluator: Any, state: Any, depth: int) -> list[float]:
    """The value vector of a state, by the textbook."""
    mover = game.mover(state)
    if mover == -1 and (outcomes := game.tree_chance(state)):
        parts = [(w, maxn(game, evaluator, game.play(state, o), depth)) for o, w in outcomes]
        return [sum(w * part[j] for w, part in parts) for j in range(game.players)]
    if mover < 0 or depth == 0:
        return evaluator.values(state).tolist()
    best: list[float] | None = None
    for move in game.moves(state):
        found = maxn(game, evaluator, game.play(state, move), depth - 1)
        if best is None or found[mover] > best[mover]:
            best = found
    assert best is not None
    return best


def touched(game: Any, evaluator: Any, state: Any, depth: int, reading: str) -> set[int]:
    """The opponents of the mover whom its choice can touch."""
    behind = [
        maxn(game, evaluator, game.play(state, move), depth - 1) for move in game.moves(state)
    ]
    before = evaluator.values(state)
    found = set()
    for seat in range(game.players):
        values = sorted(vector[seat] for vector in behind)
        differ = values[-1] - values[0] > TOLERANCE
        falls = values[0] < before[seat] - TOLERANCE
        if seat != game.mover(state) and (differ if reading == "variation" else falls):
            found.add(seat)
    return found


def played(surveys: Sequence[Any]) -> list[list[Any]]:
    """The states of the surveys' games in which a player moved."""
    states = []
    for survey in surveys:
        setting = survey.setting
        game = CATALOG.game(setting.game, players=setting.players, **setting.options)
        agents = [make_agent(CATALOG, setting.game, game, text) for text in setting.agents]
        plies = play_match(game, agents, seed=setting.seed)
        states.append([ply.before for ply in plies if ply.seat >= 0])
    return states


@pytest.mark.parametrize("name", SETTINGS)
def test_every_share_is_that_of_the_slow_count(name: str) -> None:
    game_name, players, options, evaluator_name, agents = SETTINGS[name]
    surveys = make_surveys(
        table(game_name, players=players, **options), agents, games=GAMES, depths=DEPTHS,
        evaluator=evaluator_name, seed=11, opening=0,
    )  # fmt: skip
    samples = list(survey_games([surveys]))
    game = CATALOG.game(game_name, players=players, **options)
    offer = CATALOG.evaluator_offer(game_name, evaluator_name)
    evaluator = offer.make(game, **{option.name: option.default for option in offer.options})
    states = played(surveys)
    assert [len(sample.movers) for sample in samples] == [len(found) for found in states]
    everything = [state for found in states for state in found]
    influential = 0
    for row in tabulate(samples):
        depth, reading = row.depth, row.reading
        if reading not in READINGS:
            continue
        slow = [[touched(game, evaluator, s, depth, reading) for s in found] for found in states]
        flat = [seats for found in slow for seats in found]
        influential += sum(map(bool, flat))
        assert row.total.states == len(everything)
        assert row.total.oi == pytest.approx(sum(map(bool, flat)) / len(flat), abs=1e-12)
        for (a, b), share in row.pairs.items():
            own = [
                b in s for s, state in zip(flat, everything, strict=True) if _moves(game, state, a)
            ]
            assert share.states == len(own)
            assert share.oi == pytest.approx(np.mean(own), abs=1e-12)
        for tenth, share in enumerate(row.stages):
            inside = [
                bool(seats)
                for found in slow
                for k, seats in enumerate(found)
                if tenth <= 10 * k / len(found) < tenth + 1
            ]
            assert share.states == len(inside)
            if inside:
                assert share.oi == pytest.approx(np.mean(inside), abs=1e-12)
    # Neither nobody nor everybody, or the comparison would say little.
    assert 0 < influential < len(everything) * 2 * len(DEPTHS)


def _moves(game: Any, state: Any, seat: int) -> bool:
    return bool(game.mover(state) == seat)


def test_the_readings_differ_where_the_definitions_do() -> None:
    """By hand: values of two opponents behind two moves, and before them."""
    from mpsearch.studies.impact import READINGS, influence

    before = np.array([50.0, 50.0, 50.0, 50.0])
    behind = np.array([[9.0, 40.0, 60.0, 50.0], [80.0, 40.0, 50.0, 50.0 + 1e-9]])
    found = influence(before, behind, root=0, tolerance=1e-6)
    assert list(READINGS) == ["variation", "reduction"]
    # Seat 1 loses whatever is played; seat 2 may gain, but loses nothing; seat 3 is as before.
    assert found.tolist() == [[False, False, True, False], [False, True, False, False]]


def test_values_within_the_tolerance_are_equal() -> None:
    def total(tolerance: float) -> float:
        surveys = make_surveys(
            table("scramble", players=3, length=7, plies=40), ["random"], games=2, depths=[1],
            tolerance=tolerance, seed=3,
        )  # fmt: skip
        return tabulate(list(survey_games([surveys])))[0].total.oi

    # A bump or trip costs at most 3 of 7 squares: 42.9 points.
    assert total(1e-6) > 0
    assert total(43.0) == 0


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    surveys = make_surveys(
        table("plunder", players=3, cards=2), ["random", "greedy"], games=5, depths=[1, 2],
        seed=4,
    )  # fmt: skip
    alone, together = (list(survey_games([surveys], engine=Local(n))) for n in (1, 2))
    assert [sample.survey for sample in together] == surveys
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one.touched, other.touched)
        np.testing.assert_array_equal(one.movers, other.movers)


@pytest.mark.parametrize("reading", READINGS)
def test_a_tolerance_is_what_may_differ_and_0_lets_nothing(reading: str) -> None:
    """Seat 0 moves; seat 1 gets what it had whatever happens, seat 2 may lose a little."""
    before = np.array([50.0, 40.0, 30.0])
    for loss, tolerance, expected in [
        (0.0, 0.0, False),
        (2.0**-40, 0.0, True),
        (2.0**-40, 2.0**-40, False),
        (2.0**-39, 2.0**-40, True),
        (2.0**-40, TOLERANCE, False),
    ]:
        behind = np.array([[60.0, 40.0, 30.0], [10.0, 40.0, 30.0 - loss]])
        found = influence(before, behind, root=0, tolerance=tolerance)
        assert found[list(READINGS).index(reading)].tolist() == [False, False, expected]


def test_a_gain_is_a_variation_and_no_reduction() -> None:
    before, behind = np.array([50.0, 40.0]), np.array([[50.0, 40.0], [50.0, 45.0]])
    found = influence(before, behind, root=0, tolerance=0.0)
    assert dict(zip(READINGS, found.tolist(), strict=True)) == {
        "variation": [False, True],
        "reduction": [False, False],
    }


def test_the_spread_is_that_of_plain_sums_over_plain_maxn() -> None:
    place = table("scramble", players=3, length=7, plies=40)
    surveys = make_surveys(place, ["random"], games=4, depths=[2], seed=5, opening=0)
    row = next(r for r in tabulate(list(survey_games([surveys]))) if r.reading == "spread")
    evaluator = CATALOG.evaluator_offer("scramble", "progress").make(place.game)
    others, own = 0.0, 0.0
    for state in (state for found in played(surveys) for state in found):
        game, mover = place.game, place.game.mover(state)
        behind = [maxn(game, evaluator, game.play(state, m), 1) for m in game.moves(state)]
        for seat in range(3):
            values = [vector[seat] for vector in behind]
            mean = sum(values) / len(values)
            variance = sum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1)
            if seat == mover:
                own += variance
            else:
                others += variance / 2
    assert 0 < others < own
    assert row.total.oi == pytest.approx((others / own) ** 0.5, rel=1e-9)
    assert 0 < row.total.low < row.total.oi < row.total.high


def test_an_evaluator_of_own_affairs_is_preferred_whatever_the_usual_one_is() -> None:
    place = table("scramble", players=3)
    usual = attrs.evolve(place, offer=attrs.evolve(place.offer, evaluator="share"))
    for where in (place, usual):
        survey = make_surveys(where, ["random"], games=1, depths=[1], seed=0)[0]
        assert (survey.evaluator, survey.kind) == ("progress", "own affairs")
    shared = make_surveys(place, ["random"], games=1, depths=[1], seed=0, evaluator="share")[0]
    assert (shared.evaluator, shared.kind) == ("share", "shared out")


def test_a_noisy_evaluator_is_refused() -> None:
    with pytest.raises(UsageError, match="quoridor: evaluator 'random_walkers' is noisy: "):
        make_surveys(
            table("quoridor"), ["random"], games=1, depths=[1], seed=0, evaluator="random_walkers"
        )


@pytest.mark.parametrize("playouts", [0, 2])
def test_a_branching_that_is_not_there_is_found_before_the_first_game(playouts: int) -> None:
    with pytest.raises(UsageError, match="unknown branching for quoridor 'best'"):
        make_surveys(
            table("quoridor"), ["random"], games=1, depths=[1], seed=0, branching="best",
            playouts=playouts,
        )  # fmt: skip


def test_games_in_which_nothing_differs_do_not_narrow_the_interval_of_the_spread() -> None:
    known = relative_spread([2.0, 1.0], [4.0, 5.0], states=20)
    assert relative_spread([2.0, 0.0, 1.0, 0.0], [4.0, 0.0, 5.0, 0.0], states=40) == attrs.evolve(
        known, states=40
    )
    alone = relative_spread([2.0, 0.0, 0.0], [4.0, 0.0, 0.0], states=30)
    assert (alone.oi, alone.low, alone.high) == (pytest.approx(0.5**0.5), 0.0, math.inf)


def test_the_interval_of_the_spread_is_that_of_a_ratio_by_students_t() -> None:
    """By hand: 12 of 13, and what the games are beside it is 5, 4 and -9 of 13."""
    found = relative_spread([5.0, 4.0, 3.0], [5.0, 4.0, 4.0], states=30)
    deviation = (3 / 2 * (5**2 + 4**2 + 9**2) / 13**2) ** 0.5 / 13
    margin = 4.302653 * deviation  # of a table: 97.5 %, two degrees of freedom
    assert found.oi == pytest.approx((12 / 13) ** 0.5)
    assert found.low == pytest.approx((12 / 13 - margin) ** 0.5, rel=1e-6)
    assert found.high == pytest.approx((12 / 13 + margin) ** 0.5, rel=1e-6)
