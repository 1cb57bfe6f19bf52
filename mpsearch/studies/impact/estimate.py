"""Estimates of Opponent Impact over all states, by pair of seats and by stage of the game."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.contracts import Array
from mpsearch.experiments import clustered_share, student
from mpsearch.studies.impact.influence import READINGS
from mpsearch.studies.impact.sample import GameSample

Flags: TypeAlias = npt.NDArray[np.bool_]

#: Number of equal parts of a game for the curve over its course.
STAGES = 10
#: The reading that says how much; those of `influence` say how often.
SPREAD = "spread"


@attrs.frozen(kw_only=True)
class Share:
    """A share of states, or a relative spread, with its 95 % interval."""

    oi: float
    low: float
    high: float
    states: int


@attrs.frozen(kw_only=True)
class ImpactRow:
    """Opponent Impact of a game at one depth and in one reading.

    The reading `spread` says how much rather than how often: the spread of an opponent's values
    over the mover's moves relative to the spread of the mover's own, as the root of the ratio of
    their mean variances.
    """

    depth: int
    reading: str
    games: int
    distinct: int
    #: States in which the mover can affect some opponent.
    total: Share
    #: By mover a and opponent b: states of a in which it can affect b.
    pairs: dict[tuple[int, int], Share]
    #: As `total`, for each tenth of a game.
    stages: tuple[Share, ...]


def tabulate(samples: Sequence[GameSample]) -> list[ImpactRow]:
    """A row for each depth and reading, from games surveyed alike."""
    rows = []
    for k, depth in enumerate(samples[0].survey.depths):
        for r, reading in enumerate(READINGS):
            rows.append(_row(samples, k, r, depth=depth, reading=reading))
        rows.append(_spread_row(samples, k, depth=depth))
    return rows


def relative_spread(others: Sequence[float], own: Sequence[float], states: int) -> Share:
    """The root of a ratio of sums over games, with an interval by Student's t.

    NaN where no choice makes a difference to the mover. Games in which no choice makes a
    difference to anybody are left out: they say nothing about how much games differ.
    """
    above, below = np.array(others), np.array(own)
    informative = (above != 0) | (below != 0)
    above, below = above[informative], below[informative]
    if not below.sum() > 0:
        return Share(oi=math.nan, low=0.0, high=math.inf, states=states)
    ratio, games = above.sum() / below.sum(), len(above)
    error = np.inf
    if games > 1:
        rest = above - ratio * below
        error = np.sqrt(games / (games - 1) * (rest**2).sum()) / below.sum()
        error *= student(games - 1)
    low, middle, high = (float(max(0.0, ratio + by)) ** 0.5 for by in (-error, 0.0, error))
    return Share(oi=middle, low=low, high=high, states=states)


def _row(samples: Sequence[GameSample], k: int, r: int, *, depth: int, reading: str) -> ImpactRow:
    touched = [sample.touched[:, k, r, :] for sample in samples]

    def among(hits: Sequence[Flags], chosen: Sequence[Flags]) -> Share:
        """The share of hits among the chosen states; equal games are one draw."""
        met: Counter[str] = Counter()
        states: Counter[str] = Counter()
        for sample, hit, wanted in zip(samples, hits, chosen, strict=True):
            met[sample.identity] += int((hit & wanted).sum())
            states[sample.identity] += int(wanted.sum())
        found = clustered_share([met[game] for game in states], list(states.values()))
        return Share(oi=found.mean, low=found.low, high=found.high, states=states.total())

    return _by_scope(
        samples,
        depth=depth,
        reading=reading,
        anyone=[np.any(found, axis=1) for found in touched],
        each=touched,
        among=among,
    )


def _spread_row(samples: Sequence[GameSample], k: int, *, depth: int) -> ImpactRow:
    variance = [sample.variance[:, k, :] for sample in samples]
    movers = [sample.movers for sample in samples]
    own = [v[np.arange(len(who)), who] for v, who in zip(variance, movers, strict=True)]
    players = samples[0].survey.setting.players

    def among(above: Sequence[Array], chosen: Sequence[Flags]) -> Share:
        sums: dict[str, list[float]] = {}
        for sample, a, o, wanted in zip(samples, above, own, chosen, strict=True):
            entry = sums.setdefault(sample.identity, [0.0, 0.0])
            entry[0] += float(a[wanted].sum())
            entry[1] += float(o[wanted].sum())
        states = sum(int(wanted.sum()) for wanted in chosen)
        others, own_sums = ([entry[i] for entry in sums.values()] for i in (0, 1))
        return relative_spread(others, own_sums, states)

    return _by_scope(
        samples,
        depth=depth,
        reading=SPREAD,
        anyone=[(v.sum(axis=1) - o) / (players - 1) for v, o in zip(variance, own, strict=True)],
        each=variance,
        among=among,
    )


def _by_scope(
    samples: Sequence[GameSample],
    *,
    depth: int,
    reading: str,
    anyone: Sequence[npt.NDArray[Any]],
    each: Sequence[npt.NDArray[Any]],
    among: Callable[[Sequence[npt.NDArray[Any]], Sequence[Flags]], Share],
) -> ImpactRow:
    """The row of what `among` makes of all states, of each pair of seats and of each stage.

    For every game, `anyone` has shape (N,) for its N states and `each` shape (N, P).
    """
    players = samples[0].survey.setting.players
    movers = [sample.movers for sample in samples]
    bins = [np.arange(len(who)) * STAGES // max(len(who), 1) for who in movers]
    return ImpactRow(
        depth=depth,
        reading=reading,
        games=len(samples),
        distinct=len({sample.identity for sample in samples}),
        total=among(anyone, [np.ones(len(who), dtype=np.bool_) for who in movers]),
        pairs={
            (a, b): among([found[:, b] for found in each], [who == a for who in movers])
            for a in range(players)
            for b in range(players)
            if a != b
        },
        stages=tuple(among(anyone, [which == stage for which in bins]) for stage in range(STAGES)),
    )
