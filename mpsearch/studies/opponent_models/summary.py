"""Summaries of rounds, with confidence intervals clustered by game."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import attrs
import numpy as np

from mpsearch.contracts import Array
from mpsearch.experiments import Estimate, clustered_mean, distinct_share, mean_difference
from mpsearch.studies.opponent_models.measure import PRECISIONS, RoundResult

#: Bins of the curve of angles: number of the mover's moves already seen, from and below.
STAGES = ((0, 1), (1, 2), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64), (64, 128))


@attrs.frozen(kw_only=True)
class ModelRow:
    """The results of one model in one scenario."""

    scenario: str
    model: str
    games: int
    distinct: int
    #: Watched moves of opponents, and those that were not forced.
    moves: int
    choices: int
    #: Degrees between the true and the learned row before each move.
    angle: Estimate
    #: Log loss of each choice, at the precision that fits best.
    log_loss: Estimate
    precision: float
    #: The log loss of indifference.
    uniform_loss: float
    #: Share of the learner's own games won, ties shared.
    wins: Estimate
    #: Paired differences to the baseline; negative is better for angle and loss.
    angle_gap: Estimate
    loss_gap: Estimate
    wins_gap: Estimate
    #: Mean angle by number of moves seen: (from, below, degrees, moves).
    curve: tuple[tuple[int, int, float, int], ...]


def summarise(measured: Sequence[RoundResult], *, baseline: str) -> list[ModelRow]:
    """A row for each scenario and model, in the order measured."""
    scenarios = list(dict.fromkeys(m.scenario for m in measured))
    return [
        _row([m for m in measured if m.scenario == scenario], model, baseline)
        for scenario in scenarios
        for model in measured[0].shares
    ]


def _row(rounds: Sequence[RoundResult], model: str, baseline: str) -> ModelRow:
    games = [m.identity for m in rounds]
    own = [m.predictions[model] for m in rounds]
    base = [m.predictions[baseline] for m in rounds]
    # The precision with the least loss.
    best, theirs = (
        int(np.argmin(np.sum([s.losses.sum(axis=0) for s in predictions], axis=0)))
        for predictions in (own, base)
    )
    losses = [s.losses[:, best] for s in own]
    return ModelRow(
        scenario=rounds[0].scenario,
        model=model,
        games=len(rounds),
        distinct=len(set(games)),
        moves=sum(len(s.angles) for s in own),
        choices=sum(len(loss) for loss in losses),
        angle=_at_least_zero(clustered([s.angles for s in own], games)),
        log_loss=_at_least_zero(clustered(losses, games)),
        precision=PRECISIONS[best],
        uniform_loss=clustered([s.losses[:, 0] for s in own], games).mean,
        wins=distinct_share([m.shares[model] for m in rounds], games),
        angle_gap=clustered([a.angles - b.angles for a, b in zip(own, base, strict=True)], games),
        loss_gap=clustered(
            [a - b.losses[:, theirs] for a, b in zip(losses, base, strict=True)], games
        ),
        wins_gap=Estimate(mean=0.0, low=0.0, high=0.0)
        if model == baseline
        else mean_difference(
            [m.shares[model] - m.shares[baseline] for m in rounds], games
        ).estimate,
        curve=_curve(
            np.concatenate([s.angles for s in own]), np.concatenate([s.seen for s in own])
        ),
    )


def clustered(games: Sequence[Array], identities: Sequence[str]) -> Estimate:
    """The mean over all entries; games of one identity are one draw."""
    sums: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for game, identity in zip(games, identities, strict=True):
        sums[identity] += float(game.sum())
        counts[identity] += len(game)
    return clustered_mean(list(sums.values()), list(counts.values()))


def _at_least_zero(found: Estimate) -> Estimate:
    """The interval of a non-negative quantity; one game alone has an open one."""
    if math.isinf(found.low):
        return found
    return attrs.evolve(found, low=max(found.low, 0.0))


def _curve(angles: Array, seen: Array) -> tuple[tuple[int, int, float, int], ...]:
    found = []
    for first, below in STAGES:
        inside = angles[(seen >= first) & (seen < below)]
        if len(inside):
            found.append((first, below, float(inside.mean()), len(inside)))
    return tuple(found)
