"""A particle filter over the orientations that explain a seat's choices."""

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


@attrs.frozen(kw_only=True)
class Cloud:
    """The particles of one seat: N rows of length 1 with weights."""

    #: Shape (N, P).
    rows: Array = array_field()
    #: Shape (N,), sums to 1.
    weights: Array = array_field()
    #: Choices observed so far.
    seen: int = 0


@attrs.frozen(kw_only=True)
class Likelihood(OpponentModel):
    """Row i is the mean of the orientations that explain seat i's choices.

    Movers choose by softmax over their values and occasionally change their orientation: before
    each choice a share `change` of the rows is drawn anew from the prior (`random_row`), then every
    row is weighted by the probability it gave to the choice.
    """

    particles: int
    precision: float
    change: float

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        # Beliefs are immutable, so later randomness comes from a seed drawn now.
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
            # Rounding may leave a mean of unit rows slightly beyond 1.
            [
                np.clip(cloud.weights @ cloud.rows, -1, 1) if cloud.seen else selfish[i]
                for i, cloud in enumerate(clouds)
            ]
        )


def _prior(count: int, players: int, seat: int, rng: np.random.Generator) -> Array:
    drawn = np.array([random_row(players, seat, rng) for _ in range(count)])
    return _unit(drawn.reshape(count, players))


def _drawn_anew(rows: Array, weights: Array, seat: int, rng: np.random.Generator) -> Array:
    """Systematic resampling of the rows, with noise."""
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
