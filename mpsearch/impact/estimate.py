"""From samples to shares with intervals, in which a game counts as one draw, not its states."""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.impact.influence import READINGS
from mpsearch.impact.sample import GameSample
from mpsearch.match import wilson

#: Into how many equal parts a game is cut for the curve over its course.
STAGES = 10

_Z = 1.959964
#: Student's 97.5 % points where the expansion below is poor.
_T = {1: 12.7062, 2: 4.3027}


@attrs.frozen(kw_only=True)
class Share:
    """A share of states, and its 95 % interval."""

    oi: float
    low: float
    high: float
    states: int


@attrs.frozen(kw_only=True)
class Table:
    """Opponent Impact of a game at one depth and in one reading."""

    depth: int
    reading: str
    games: int
    #: States in which the mover can touch some opponent.
    total: Share
    #: For a mover a and an opponent b, states of a in which it can touch b.
    pairs: dict[tuple[int, int], Share]
    #: The same as `total` for each tenth of a game.
    stages: tuple[Share, ...]


def share(hits: Sequence[float], counts: Sequence[float]) -> Share:
    """The share of states that hit, from hits and states of every game.

    States of one game resemble each other. So the variance is that of a ratio of sums over
    games, and Wilson's interval is taken with as many states as would, independent of each
    other, have that variance. Where all states agree nothing is known of how alike the states
    of a game are, and every game counts as one state.
    """
    pairs = [(hit, count) for hit, count in zip(hits, counts, strict=True) if count > 0]
    states = sum(count for _, count in pairs)
    if not pairs:
        return Share(oi=math.nan, low=0.0, high=1.0, states=0)
    games = len(pairs)
    oi = sum(hit for hit, _ in pairs) / states
    effective, z = 1.0, _Z
    if games > 1 and oi in (0.0, 1.0):
        effective = games
    elif games > 1:
        spread = sum((hit - oi * count) ** 2 for hit, count in pairs)
        variance = games / (games - 1) * spread / states**2
        effective = min(oi * (1 - oi) / variance, states) if variance > 0 else states
        z = _student(games - 1)
    low, high = wilson(oi * effective, effective, z=z)
    return Share(oi=oi, low=low, high=high, states=int(states))


def _student(freedom: int) -> float:
    """The 97.5 % point of Student's t, for as many degrees of freedom."""
    if freedom in _T:
        return _T[freedom]
    z, n = _Z, freedom
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def tabulate(samples: Sequence[GameSample]) -> list[Table]:
    """The tables of games surveyed alike, by depth and reading."""
    first = samples[0].survey
    return [
        _table(samples, k, r, depth=depth, reading=reading)
        for k, depth in enumerate(first.depths)
        for r, reading in enumerate(READINGS)
    ]


def _table(samples: Sequence[GameSample], k: int, r: int, *, depth: int, reading: str) -> Table:
    touched = [sample.touched[:, k, r, :] for sample in samples]
    anyone: list[npt.NDArray[np.bool_]] = [np.any(found, axis=1) for found in touched]
    bins = [np.arange(len(hit)) * STAGES // max(len(hit), 1) for hit in anyone]
    players = samples[0].survey.setting.players
    movers = [sample.movers for sample in samples]
    return Table(
        depth=depth,
        reading=reading,
        games=len(samples),
        total=_among(anyone, [np.ones(len(hit), dtype=np.bool_) for hit in anyone]),
        pairs={
            (a, b): _among([found[:, b] for found in touched], [who == a for who in movers])
            for a in range(players)
            for b in range(players)
            if a != b
        },
        stages=tuple(_among(anyone, [which == stage for which in bins]) for stage in range(STAGES)),
    )


def _among(hits: Sequence[npt.NDArray[np.bool_]], chosen: Sequence[npt.NDArray[np.bool_]]) -> Share:
    """The share of hits among the chosen states of every game."""
    return share(
        [int((hit & wanted).sum()) for hit, wanted in zip(hits, chosen, strict=True)],
        [int(wanted.sum()) for wanted in chosen],
    )
