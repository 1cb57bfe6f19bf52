"""Opponent models that learn, against sums by hand and an exact posterior."""

import math
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.builtin.opponent_models import MODELS
from mpsearch.contracts import Array, Observation, OpponentModel


def model(name: str, **options: Any) -> OpponentModel:
    offer = next(offer for offer in MODELS if offer.name == name)
    settings = {option.name: option.default for option in offer.options} | options
    return offer.make(**settings)


def chose(values: Array, chosen: int, *, mover: int = 1) -> Observation:
    return Observation(
        mover=mover,
        before=np.full(values.shape[1], 50.0),
        after=values[chosen],
        greatest=100.0,
        alternatives=lambda: ((values, chosen),),
    )


def choices(row: list[float], count: int, *, seed: int) -> list[Observation]:
    """Choices of the best of six random moves, for a mover with the given row."""
    rng = np.random.default_rng(seed)
    tables = [rng.uniform(0, 100, (6, len(row))) for _ in range(count)]
    return [chose(table, max(range(6), key=lambda m: table[m] @ row)) for table in tables]


def after(made: OpponentModel, seen: list[Observation], players: int = 3) -> list[float]:
    beliefs = made.start(players, 0, np.random.default_rng(7))
    for observation in seen:
        beliefs = made.observe(beliefs, observation)
    row: list[float] = made.matrix(beliefs)[1].tolist()
    return row


def degrees(first: list[float], second: list[float]) -> float:
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    return math.degrees(math.acos(dot / math.hypot(*first) / math.hypot(*second)))


def test_average_weighs_later_moves_more() -> None:
    table = np.array([[60.0, 50, 50], [50, 40, 50]])
    seen = [chose(table, 0), chose(table, 1), chose(table, 1)]
    weights = [0.25, 0.5, 1.0]
    expected = [0.1 * 0.25 / sum(weights), -0.1 * 1.5 / sum(weights), 0.0]
    assert after(model("average", rate=0.5), seen) == pytest.approx(expected)


def test_average_without_fading_is_the_mean() -> None:
    seen = choices([0, 1, -1], 9, seed=1)
    mean = np.sum([o.after - o.before for o in seen], axis=0) / 9 / 100
    assert after(model("average", rate=0.0), seen) == pytest.approx(mean.tolist())


def test_advantage_is_the_mean_of_the_last_k_choices() -> None:
    table = np.array([[60.0, 50, 50], [50, 40, 50]])
    forced = np.array([[0.0, 0, 0]])
    seen = [chose(table, 0), chose(table, 1), chose(table, 1), chose(forced, 0)]
    assert after(model("advantage", k=2), seen) == pytest.approx([-0.05, -0.05, 0])
    assert after(model("advantage", k=3), seen) == pytest.approx([-0.05 / 3, -0.05 / 3, 0])


@pytest.mark.parametrize("name", ["average", "advantage", "likelihood", "adaptive"])
def test_whoever_has_not_chosen_yet_is_taken_to_be_selfish(name: str) -> None:
    made = model(name)
    beliefs = made.start(3, 0, np.random.default_rng(2))
    for observation in choices([-1, 1, 1], 3, seed=3):
        beliefs = made.observe(beliefs, observation)
    matrix = made.matrix(beliefs)
    assert matrix[[0, 2]].tolist() == [[1, 0, 0], [0, 0, 1]]
    assert matrix[1].tolist() != [0, 1, 0]


@pytest.mark.parametrize("name", ["advantage", "likelihood", "adaptive"])
def test_forced_moves_teach_nothing(name: str) -> None:
    forced = chose(np.array([[0.0, 90, 0]]), 0)
    seen = choices([-1, 1, 0.5], 4, seed=4)
    made = model(name)
    assert after(made, [seen[0], forced, *seen[1:], forced]) == after(made, seen)


def exact_posterior(seen: list[Observation], precision: float) -> list[float]:
    """The mean direction of seat 1 of two by Bayes' rule on a grid; no change is expected."""
    total, weight_sum = [0.0, 0.0], 0.0
    for a in np.linspace(-1, 1, 81):
        for b in np.linspace(0.0125, 1, 80):
            weight = 1.0
            for observation in seen:
                ((values, chosen),) = observation.alternatives()
                merits = [a * v[0] + b * v[1] for v in values]
                mean = sum(merits) / len(merits)
                spread = math.sqrt(sum((m - mean) ** 2 for m in merits) / len(merits))
                powers = [math.exp(precision * (m - mean) / spread) for m in merits]
                weight *= 0.98 * powers[chosen] / sum(powers) + 0.02 / len(merits)
            size = math.hypot(a, b)
            total = [total[0] + weight * a / size, total[1] + weight * b / size]
            weight_sum += weight
    return [entry / weight_sum for entry in total]


@pytest.mark.parametrize("count", [1, 4])
def test_likelihood_is_the_posterior_mean(count: int) -> None:
    seen = choices([-0.8, 0.6], count, seed=5)
    found = after(model("likelihood", particles=5000, precision=3.0, change=0.0), seen, players=2)
    assert found == pytest.approx(exact_posterior(seen, 3.0), abs=0.05)


def looks(tables: list[Array], chosen: int) -> Observation:
    """A choice with what movers see who look one, two and three plies ahead."""
    values = tables[0]
    return attrs.evolve(
        chose(values, chosen), alternatives=lambda plies=1: ((tables[plies - 1], chosen),)
    )


def chosen_at(horizon: int, row: list[float], count: int, *, seed: int) -> list[Observation]:
    """The best of four random moves by what is seen so many plies ahead."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        tables = [rng.uniform(0, 100, (4, len(row))) for _ in range(3)]
        found.append(looks(tables, int(np.argmax(tables[horizon - 1] @ row))))
    return found


def chances_of_horizons(seen: list[Observation], precision: float) -> list[float]:
    """Of seat 1 of two, by Bayes' rule over all rows of a grid and all horizons."""
    sums = [0.0, 0.0, 0.0]
    for plies in (1, 2, 3):
        for a in np.linspace(-1, 1, 41):
            for b in np.linspace(0.025, 1, 40):
                weight = 1.0
                for observation in seen:
                    ((values, chosen),) = observation.alternatives(plies)
                    merits = [a * v[0] + b * v[1] for v in values]
                    mean = sum(merits) / len(merits)
                    spread = math.sqrt(sum((m - mean) ** 2 for m in merits) / len(merits))
                    powers = [math.exp(precision * (m - mean) / spread) for m in merits]
                    weight *= 0.98 * powers[chosen] / sum(powers) + 0.02 / len(merits)
                sums[plies - 1] += weight
    return [entry / sum(sums) for entry in sums]


@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_likelihood_gives_horizons_the_chances_of_bayes(horizon: int) -> None:
    seen = chosen_at(horizon, [-0.6, 0.8], 3, seed=12 + horizon)
    made = model("likelihood", particles=6000, precision=2.0, change=0.0, farthest=3)
    beliefs = made.start(2, 0, np.random.default_rng(7))
    for observation in seen:
        beliefs = made.observe(beliefs, observation)
    cloud = beliefs[1][1]
    found = [cloud.weights[cloud.horizons == plies].sum() for plies in (1, 2, 3)]
    assert found == pytest.approx(chances_of_horizons(seen, 2.0), abs=0.03)


@pytest.mark.parametrize(("horizon", "told"), [(1, 1), (2, 2), (3, 0)])
def test_likelihood_learns_how_far_a_mover_looks(horizon: int, told: int) -> None:
    made = model("likelihood", farthest=3)
    beliefs = made.start(3, 0, np.random.default_rng(7))
    assert made.horizons(beliefs) == (1, 1, 1)
    for observation in chosen_at(horizon, [-0.6, 0.8, 0.2], 30, seed=3):
        beliefs = made.observe(beliefs, observation)
    assert made.horizons(beliefs) == (1, told, 1)


def test_only_likelihood_beyond_one_ply_tells_horizons() -> None:
    for offer in MODELS:
        made = model(offer.name) if offer.name != "known" else model("known", matrix="1:0/0:1")
        beliefs = made.start(2, 0, np.random.default_rng(1))
        assert made.horizons(beliefs) is None


@pytest.mark.parametrize("name", ["advantage", "likelihood", "adaptive"])
def test_more_choices_bring_the_row_nearer(name: str) -> None:
    """One choice can be lucky: the mean over twenty choosers."""
    rng = np.random.default_rng(6)
    angles = []
    for seed in range(20):
        row = [rng.uniform(-1, 1), rng.uniform(0, 1), rng.uniform(-1, 1)]
        seen = choices(row, 20, seed=seed)
        angles.append([degrees(after(model(name), seen[:n]), row) for n in (0, 1, 20)])
    none, one, twenty = np.mean(angles, axis=0)
    assert none > one > 1.5 * twenty


def test_likelihood_follows_a_switch_if_it_expects_one() -> None:
    old, new = [-0.9, 0.3, 0.3], [0.9, 0.3, -0.3]
    seen = choices(old, 30, seed=8) + choices(new, 6, seed=9)
    follows = degrees(after(model("likelihood", change=0.1), seen), new)
    stays = degrees(after(model("likelihood", change=0.0), seen), new)
    assert follows < 30
    assert follows < stays - 20


def test_adaptive_forgets_after_a_switch_and_not_before() -> None:
    old, new = [-0.9, 0.3, 0.3], [0.9, 0.3, -0.3]
    before, later = choices(old, 30, seed=10), choices(new, 5, seed=11)
    long, adaptive = model("advantage", k=34), model("adaptive")
    assert after(adaptive, before) != after(model("advantage", k=1), before)
    assert degrees(after(adaptive, before + later), new) < 40
    assert degrees(after(long, before + later), new) > 90


def test_one_choice_that_no_row_explains_teaches_next_to_nothing() -> None:
    """It gives away everything for nothing: a lapse, and no reason to think of other rows."""
    folly = chose(np.array([[50.0, 100, 50], [50, 0, 50]]), 1)
    before = choices([0, 1, -1], 12, seed=5)
    # No row changes by itself, so that nothing but the lapse explains it.
    made = model("likelihood", precision=1000.0, change=0.0)
    beliefs = made.start(3, 0, np.random.default_rng(7))
    for observation in before:
        beliefs = made.observe(beliefs, observation)
    row = made.matrix(beliefs)[1]
    after_it = made.matrix(made.observe(beliefs, folly))[1]
    assert after_it == pytest.approx(row, abs=0.02)
