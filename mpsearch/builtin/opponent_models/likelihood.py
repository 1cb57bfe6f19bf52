"""Which orientations explain the choices: a particle filter over rows."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, array_field, frozen_array
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.social import chance_of_choice, identity, is_forced, random_row

#: Share of moves taken to be made for reasons that no row explains.
LAPSE = 0.02
#: How far particles are shaken when they are drawn anew, so that no two stay equal.
SHAKE = 0.1


@attrs.frozen(kw_only=True)
class Cloud:
    """What one seat may care about: N rows of length 1, and how likely each is."""

    #: Shape (N, P).
    rows: Array = array_field()
    #: Shape (N,), sums to 1.
    weights: Array = array_field()
    #: Choices seen so far.
    seen: int = 0


@attrs.frozen(kw_only=True)
class Likelihood(OpponentModel):
    """Row i is the mean of the orientations that explain seat i's choices.

    A mover is taken to choose by softmax over what the moves are worth to it, and now and then
    to change its orientation altogether. Before each choice a share `change` of the rows is
    therefore drawn anew; then every row is weighed by the chance it gave to the choice.

    Each seat is taken to wish itself well, as in `random_row`.
    """

    particles: int
    precision: float
    change: float

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        # Beliefs are values, so later randomness comes from a number drawn now.
        seed = int(rng.integers(2**63))
        flat = np.full(self.particles, 1 / self.particles)
        clouds = tuple(
            Cloud(rows=_prior(self.particles, players, i, rng), weights=flat)
            for i in range(players)
        )
        return seed, clouds

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        seed, clouds = beliefs
        worlds = observation.alternatives()
        if is_forced(worlds):
            return beliefs
        seat = observation.mover
        cloud: Cloud = clouds[seat]
        rng = np.random.default_rng([seed, seat, cloud.seen])
        rows, weights = np.array(cloud.rows), np.array(cloud.weights)
        fresh = rng.random(len(rows)) < self.change
        rows[fresh] = _prior(int(fresh.sum()), rows.shape[1], seat, rng)
        weights[fresh] = 1 / len(rows)
        chances = chance_of_choice(rows, worlds, precision=self.precision)
        weights *= (1 - LAPSE) * chances + LAPSE / np.mean([len(values) for values, _ in worlds])
        weights /= weights.sum()
        if 1 / (weights**2).sum() < len(rows) / 2:
            rows = _drawn_anew(rows, weights, seat, rng)
            weights = np.full(len(rows), 1 / len(rows))
        now = Cloud(rows=rows, weights=weights, seen=cloud.seen + 1)
        return seed, (*clouds[:seat], now, *clouds[seat + 1 :])

    def matrix(self, beliefs: Beliefs) -> Array:
        _, clouds = beliefs
        selfish = identity(len(clouds))
        return frozen_array(
            # Rounding may leave a mean of rows of length 1 a hair beyond 1.
            [
                np.clip(cloud.weights @ cloud.rows, -1, 1) if cloud.seen else selfish[i]
                for i, cloud in enumerate(clouds)
            ]
        )


def _prior(count: int, players: int, seat: int, rng: np.random.Generator) -> Array:
    drawn = np.array([random_row(players, seat, rng) for _ in range(count)])
    return _unit(drawn.reshape(count, players))


def _drawn_anew(rows: Array, weights: Array, seat: int, rng: np.random.Generator) -> Array:
    """Rows in proportion to their weights, at even steps (systematic resampling), shaken."""
    steps = (np.arange(len(rows)) + rng.random()) / len(rows)
    chosen = np.minimum(np.searchsorted(np.cumsum(weights), steps), len(rows) - 1)
    shaken = rows[chosen] + rng.normal(0, SHAKE, rows.shape)
    shaken[:, seat] = np.abs(shaken[:, seat])
    return _unit(shaken)


def _unit(rows: Array) -> Array:
    scaled: Array = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


OFFER = OpponentModelOffer(
    name="likelihood",
    summary="the orientations that explain each seat's choices, allowing for changes",
    make=Likelihood,
    options=(
        Option.whole("particles", 200, least=2, greatest=100_000, help="rows tried per seat"),
        Option.number(
            "precision",
            4.0,
            least=0,
            greatest=1000,
            help="how sharply movers prefer what they value more",
        ),
        Option.number(
            "change",
            0.05,
            least=0,
            greatest=1,
            help="chance that a seat changes its orientation before a move",
        ),
    ),
)
