"""Estimates of Opponent Impact: shares of all states, by pair of seats, by stage of the game."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.contracts import Array
from mpsearch.experiments import clustered_share, student
from mpsearch.studies.impact.influence import READINGS
from mpsearch.studies.impact.sample import GameSample

#: Into how many equal parts a game is cut for the curve over its course.
STAGES = 10


#: The reading that says how much; those of `influence` say in how many states.
SPREAD = "spread"


@attrs.frozen(kw_only=True)
class Share:
    """A share of states, or a relative spread, and its 95 % interval."""

    oi: float
    low: float
    high: float
    states: int


@attrs.frozen(kw_only=True)
class ImpactRow:
    """Opponent Impact of a game at one depth and in one reading.

    `spread` is no share of states: it says how much, not how often. It is the spread over the
    mover's moves of what an opponent gets, relative to that of what the mover gets: the root of
    the ratio of the mean variances.
    """

    depth: int
    reading: str
    games: int
    #: Those that are not equal to another.
    distinct: int
    #: States in which the mover can touch some opponent.
    total: Share
    #: For a mover a and an opponent b, states of a in which it can touch b.
    pairs: dict[tuple[int, int], Share]
    #: The same as `total` for each tenth of a game.
    stages: tuple[Share, ...]


def state_share(hits: Sequence[int], counts: Sequence[int]) -> Share:
    """The share of states that hit, from hits and states of every game."""
    found = clustered_share(hits, counts)
    return Share(oi=found.mean, low=found.low, high=found.high, states=sum(counts))


def tabulate(samples: Sequence[GameSample]) -> list[ImpactRow]:
    """The rows of games surveyed alike, by depth and reading."""
    rows = []
    for k, depth in enumerate(samples[0].survey.depths):
        for r, reading in enumerate(READINGS):
            rows.append(_row(samples, k, r, depth=depth, reading=reading))
        rows.append(_spread_row(samples, k, depth=depth))
    return rows


def relative_spread(others: Sequence[float], own: Sequence[float], states: int) -> Share:
    """The root of a ratio of sums, from the sums of every game, with Student's t.

    Not a number where no choice makes a difference to the mover: there is nothing to compare with.
    A game in which none makes a difference to anybody says nothing of how much games differ.
    """
    above, below = np.array(others), np.array(own)
    telling = (above != 0) | (below != 0)
    above, below = above[telling], below[telling]
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
    games = [sample.identity for sample in samples]
    return _by_scope(
        samples,
        depth=depth,
        reading=reading,
        anyone=[np.any(found, axis=1) for found in touched],
        each=touched,
        among=functools.partial(_among, games),
    )


def _spread_row(samples: Sequence[GameSample], k: int, *, depth: int) -> ImpactRow:
    variance = [sample.variance[:, k, :] for sample in samples]
    movers = [sample.movers for sample in samples]
    own = [v[np.arange(len(who)), who] for v, who in zip(variance, movers, strict=True)]
    players = samples[0].survey.setting.players

    def among(above: Sequence[Array], chosen: Sequence[npt.NDArray[np.bool_]]) -> Share:
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
    among: Callable[[Sequence[npt.NDArray[Any]], Sequence[npt.NDArray[np.bool_]]], Share],
) -> ImpactRow:
    """A row of what `among` says of all states, by pair of seats and by stage.

    For every game `anyone` has an entry for each state, shape (N,), and `each` one for each seat
    too, shape (N, P).
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


def _among(
    games: Sequence[str],
    hits: Sequence[npt.NDArray[np.bool_]],
    chosen: Sequence[npt.NDArray[np.bool_]],
) -> Share:
    """The share of hits among the chosen states; games that are equal are one draw."""
    met: Counter[str] = Counter()
    states: Counter[str] = Counter()
    for game, hit, wanted in zip(games, hits, chosen, strict=True):
        met[game] += int((hit & wanted).sum())
        states[game] += int(wanted.sum())
    return state_share([met[game] for game in states], list(states.values()))
