"""A particle filter over the orientations, and horizons, that explain a seat's choices."""

from __future__ import annotations

import attrs
import numpy as np

from mpsearch._util import Array, array_field, frozen_array
from mpsearch.contracts import Beliefs, Observation, OpponentModel, OpponentModelOffer, Option
from mpsearch.social import chance_of_choice, identity, is_forced, random_row

#: Lapse rate: the share of moves that no row explains.
LAPSE = 0.02
#: Standard deviation of the noise added on resampling, so that particles stay different.
SHAKE = 0.1
#: The horizon of a mover that looks farther than the others: weighted as 3 plies.
_FARTHER = 3


@attrs.frozen(kw_only=True)
class Cloud:
    """The particles of one seat: N rows of length 1, each with a horizon, with weights."""

    #: Shape (N, P).
    rows: Array = array_field()
    #: Plies that a mover with this row looks ahead. Shape (N,).
    horizons: Array = array_field()
    #: Shape (N,), sums to 1.
    weights: Array = array_field()
    #: Choices observed so far.
    seen: int = 0


@attrs.frozen(kw_only=True)
class Likelihood(OpponentModel):
    """Row i is the mean of the orientations that explain seat i's choices.

    Movers choose by softmax over their values and occasionally change their orientation: before
    each choice a share `change` of the particles is drawn anew from the prior (rows by
    `random_row`, horizons of 1 to `farthest` plies alike), then every particle is weighted by the
    probability it gave to the choice.
    """

    particles: int
    precision: float
    change: float
    farthest: int

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        # Beliefs are immutable, so later randomness comes from a seed drawn now.
        seed = int(rng.integers(2**63))
        flat = np.full(self.particles, 1 / self.particles)
        clouds = tuple(
            Cloud(
                rows=_prior(self.particles, players, i, rng),
                horizons=self._horizons(self.particles, rng),
                weights=flat,
            )
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
        rows, horizons = np.array(cloud.rows), np.array(cloud.horizons)
        weights = np.array(cloud.weights)
        fresh = rng.random(len(rows)) < self.change
        rows[fresh] = _prior(int(fresh.sum()), rows.shape[1], seat, rng)
        horizons[fresh] = self._horizons(int(fresh.sum()), rng)
        weights[fresh] = 1 / len(rows)
        chances = np.empty(len(rows))
        for plies in range(1, self.farthest + 1):
            of = horizons == plies
            seen = worlds if plies == 1 else observation.alternatives(plies)
            chances[of] = chance_of_choice(rows[of], seen, precision=self.precision)
        weights *= (1 - LAPSE) * chances + LAPSE / np.mean([len(values) for values, _ in worlds])
        weights /= weights.sum()
        if 1 / (weights**2).sum() < len(rows) / 2:
            chosen = _resampled(weights, rng)
            rows, horizons = _shaken(rows[chosen], seat, rng), horizons[chosen]
            weights = np.full(len(rows), 1 / len(rows))
        now = Cloud(rows=rows, horizons=horizons, weights=weights, seen=cloud.seen + 1)
        return seed, (*clouds[:seat], now, *clouds[seat + 1 :])

    def matrix(self, beliefs: Beliefs) -> Array:
        _, clouds = beliefs
        selfish = identity(len(clouds))
        return frozen_array(
            # Rounding may leave a mean of unit rows slightly beyond 1.
            [
                np.clip(cloud.weights @ cloud.rows, -1, 1) if cloud.seen else selfish[i]
                for i, cloud in enumerate(clouds)
            ]
        )

    def horizons(self, beliefs: Beliefs) -> tuple[int, ...] | None:
        """The likeliest horizon of each seat; of equals, and of one not seen yet, the nearest."""
        if self.farthest == 1:
            return None
        _, clouds = beliefs
        return tuple(_likeliest(cloud) if cloud.seen else 1 for cloud in clouds)

    def _horizons(self, count: int, rng: np.random.Generator) -> Array:
        if self.farthest == 1:
            return np.ones(count)
        return rng.integers(1, self.farthest + 1, count).astype(float)


def _likeliest(cloud: Cloud) -> int:
    """In plies, 0 for all beyond two."""
    chances = np.bincount(cloud.horizons.astype(int), cloud.weights)
    return int(np.argmax(chances)) % _FARTHER


def _prior(count: int, players: int, seat: int, rng: np.random.Generator) -> Array:
    drawn = np.array([random_row(players, seat, rng) for _ in range(count)])
    return _unit(drawn.reshape(count, players))


def _resampled(weights: Array, rng: np.random.Generator) -> Array:
    """Systematic resampling: the numbers of the particles that are kept."""
    count = len(weights)
    steps = (np.arange(count) + rng.random()) / count
    chosen: Array = np.minimum(np.searchsorted(np.cumsum(weights), steps), count - 1)
    return chosen


def _shaken(rows: Array, seat: int, rng: np.random.Generator) -> Array:
    """The rows with noise."""
    shaken = rows + rng.normal(0, SHAKE, rows.shape)
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
        Option.whole(
            "farthest",
            1,
            least=1,
            greatest=_FARTHER,
            help="plies that movers may look ahead; beyond 1 it is learned, for search=horizon",
        ),
    ),
)
