"""From samples to shares of states: of all, by pair of mover and opponent, by stage of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch.experiments import clustered_share
from mpsearch.impact.influence import READINGS
from mpsearch.impact.sample import GameSample

#: Into how many equal parts a game is cut for the curve over its course.
STAGES = 10


@attrs.frozen(kw_only=True)
class Share:
    """A share of states, and its 95 % interval."""

    oi: float
    low: float
    high: float
    states: int


@attrs.frozen(kw_only=True)
class ImpactRow:
    """Opponent Impact of a game at one depth and in one reading."""

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


def share(hits: Sequence[int], counts: Sequence[int]) -> Share:
    """The share of states that hit, from hits and states of every game."""
    found = clustered_share(hits, counts)
    return Share(oi=found.mean, low=found.low, high=found.high, states=sum(counts))


def tabulate(samples: Sequence[GameSample]) -> list[ImpactRow]:
    """The rows of games surveyed alike, by depth and reading."""
    first = samples[0].survey
    return [
        _row(samples, k, r, depth=depth, reading=reading)
        for k, depth in enumerate(first.depths)
        for r, reading in enumerate(READINGS)
    ]


def _row(samples: Sequence[GameSample], k: int, r: int, *, depth: int, reading: str) -> ImpactRow:
    touched = [sample.touched[:, k, r, :] for sample in samples]
    anyone: list[npt.NDArray[np.bool_]] = [np.any(found, axis=1) for found in touched]
    bins = [np.arange(len(hit)) * STAGES // max(len(hit), 1) for hit in anyone]
    players = samples[0].survey.setting.players
    movers = [sample.movers for sample in samples]
    games = [sample.identity for sample in samples]
    return ImpactRow(
        depth=depth,
        reading=reading,
        games=len(samples),
        distinct=len(set(games)),
        total=_among(games, anyone, [np.ones(len(hit), dtype=np.bool_) for hit in anyone]),
        pairs={
            (a, b): _among(games, [found[:, b] for found in touched], [who == a for who in movers])
            for a in range(players)
            for b in range(players)
            if a != b
        },
        stages=tuple(
            _among(games, anyone, [which == stage for which in bins]) for stage in range(STAGES)
        ),
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
    return share([met[game] for game in states], list(states.values()))
