"""Training positions: what every seat sees of each, and its share at the end."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Array, Compiled, CompiledGame, Game, State, compiled
from mpsearch.gamekit import features_of, observations


@attrs.frozen(kw_only=True, eq=False)
class Positions:
    """Sparse rows of features, P for each position."""

    #: Index and value of each feature. Shape (F,).
    index: np.ndarray[Any, np.dtype[np.int32]]
    value: np.ndarray[Any, np.dtype[np.float32]]
    #: The features of seat p at position k go from start[k * P + p] to the next start.
    #: Shape (K * P + 1,).
    start: np.ndarray[Any, np.dtype[np.int64]]
    #: Shares of the seats. Shape (K, P).
    target: np.ndarray[Any, np.dtype[np.float32]]
    #: The number of each position's game. Shape (K,).
    game: np.ndarray[Any, np.dtype[np.int64]]

    def __len__(self) -> int:
        return len(self.target)

    @classmethod
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        """Concatenate positions."""
        ends = np.cumsum([0, *(len(part.index) for part in parts)])
        starts = [part.start[:-1] + end for part, end in zip(parts, ends, strict=False)]
        return cls(
            index=np.concatenate([part.index for part in parts]),
            value=np.concatenate([part.value for part in parts]),
            start=np.concatenate([*starts, ends[-1:]]),
            target=np.concatenate([part.target for part in parts]),
            game=np.concatenate([part.game for part in parts]),
        )


def see(game: Game, states: Sequence[State], target: Array, *, number: int) -> Positions:
    """Training positions from states of game `number`."""
    looked = _look_natively if isinstance(game, CompiledGame) else _look
    index, value, counts = looked(game, states)
    return Positions(
        index=index,
        value=value,
        start=np.concatenate([[0], np.cumsum(counts)]),
        target=target.astype(np.float32),
        game=np.full(len(states), number),
    )


def _look(game: Game, states: Sequence[State]) -> tuple[Any, Any, Any]:
    rows = np.concatenate([observations(game, state) for state in states])
    at, index = np.nonzero(rows)
    counts = np.bincount(at, minlength=len(rows))
    return index.astype(np.int32), rows[at, index].astype(np.float32), counts


def _look_natively(game: Any, states: Sequence[State]) -> tuple[Any, Any, Any]:
    features = features_of(game)
    records = game.records(b"".join(states))
    rows = len(states) * game.players
    index = np.empty(rows * features.most, np.int32)
    value = np.empty(rows * features.most, np.float32)
    counts = np.empty(rows, np.int64)
    gather = _make_gather(features.write, features.most, game.players)
    length = int(gather(records, index, value, counts))
    return index[:length].copy(), value[:length].copy(), counts


@functools.lru_cache(maxsize=64)
def _make_gather(write: Compiled, most: int, players: int) -> Compiled:
    @compiled
    def gather(records: Any, index: Any, value: Any, counts: Any) -> int:
        seen = np.empty((most, 2))
        length = 0
        for k in range(len(records)):
            for seat in range(players):
                count = write(records[k], seat, seen)
                counts[k * players + seat] = count
                for i in range(count):
                    index[length] = int(seen[i, 0])
                    value[length] = seen[i, 1]
                    length += 1
        return length

    return gather
