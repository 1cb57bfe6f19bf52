"""What a state of a foreign game is worth: what OpenSpiel says of it, own affairs, roll-outs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import attrs
import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Bounds, Evaluator
from mpsearch_openspiel.boards import hops, steps
from mpsearch_openspiel.game import OpenSpielGame
from mpsearch_openspiel.position import Position

#: From the text of a state and that of the first state to a number for each seat; none where the
#: text has none yet.
Reader: TypeAlias = Callable[[str, str], list[float]]


class Returns(Evaluator):
    """The returns so far, on a scale from the least to the greatest that the game can end with.

    Before the end they are nothing in most games.
    """

    decisive = False

    def __init__(self, game: OpenSpielGame) -> None:
        self.bounds = Bounds()
        self.least = float(game.inner.min_utility())
        self.span = float(game.inner.max_utility()) - self.least

    def values(self, state: Position) -> Array:
        share = (np.array(state.inner.returns()) - self.least) / self.span
        values: Array = np.clip(100 * share, 0.0, 100.0)
        return values


class Rollouts(Evaluator):
    """The mean of the returns at the end of random games; their luck depends on the state alone."""

    decisive = False
    noisy = True

    def __init__(self, game: OpenSpielGame, *, number: int) -> None:
        self.game, self.number = game, number
        self.returns = Returns(game)
        self.bounds = self.returns.bounds

    def values(self, state: Position) -> Array:
        if self.game.mover(state) == OVER:
            return self.returns.values(state)
        rng = np.random.default_rng([len(state.history), *state.history])
        found: Array = np.mean([self._played_out(state, rng) for _ in range(self.number)], axis=0)
        return found

    def _played_out(self, state: Position, rng: np.random.Generator) -> Array:
        # One state, changed in place: nobody else has it.
        here = Position(state.inner.clone())
        inner = here.inner
        while (mover := self.game.mover(here)) != OVER:
            if mover == CHANCE:
                inner.apply_action(self.game.draw(here, rng))
            else:
                actions = inner.legal_actions()
                inner.apply_action(actions[int(rng.random() * len(actions))])
        return self.returns.values(here)


def _numbers(pattern: str) -> Reader:
    """The numbers in the first, and only, group that a pattern finds in a state's text."""
    compiled = re.compile(pattern)

    def read(text: str, first: str) -> list[float]:
        found = compiled.search(text)
        return [float(word) for word in found[1].split()] if found else []

    return read


def _each(pattern: str) -> Reader:
    """A number for each seat, in the order of the seats."""
    compiled = re.compile(pattern)
    return lambda text, first: [float(number) for number in compiled.findall(text)]


def _oh_hell(text: str, first: str) -> list[float]:
    """A point for each trick, and ten where that is what was said: as if it ended now."""
    rows = re.search(r"Bids: +([-\d ]+)\nTricks Won: +([\d ]+)", text)
    if rows is None:
        return []
    pairs = zip(rows[1].split(), rows[2].split(), strict=True)
    return [int(won) + 10.0 * (bid == won) for bid, won in pairs]


@attrs.frozen(kw_only=True)
class Feature:
    """Something that is a seat's own, read from what OpenSpiel prints of a state."""

    read: Reader
    #: The numbers that are worth 0 and 100; what is beyond them counts as they do.
    worst: float = 0.0
    best: float | str
    #: What everybody has where the text does not say.
    start: float = 0.0

    def scaled(self, game: OpenSpielGame, text: str, first: str) -> Array:
        """Values on a scale of 0 to 100."""
        best = self._best(game)
        # Before anything is counted nobody has any.
        found = self.read(text, first) or [self.start] * game.players
        share = (np.array(found) - self.worst) / (best - self.worst)
        values: Array = np.clip(100 * share, 0.0, 100.0)
        return values

    def _best(self, game: OpenSpielGame) -> float:
        """The best number, or the parameter of the game that says it."""
        if not isinstance(self.best, str):
            return self.best
        return float(game.parameters.get(self.best, game.foreign.options[self.best]))


#: By game; `offers` has their names.
FEATURES: Mapping[str, Feature] = MappingProxyType(
    {
        "chinese_checkers": Feature(read=hops, best=120.0),
        "cribbage": Feature(read=_numbers(r"Scores: ([\d ]+)"), best=121.0),
        "go_fish": Feature(read=_each(r"(?m):(\d+)$"), best="ranks"),
        "goofspiel": Feature(read=_numbers(r"Points: ([\d ]+)"), best=91.0),
        "hearts": Feature(read=_each(r"(?m)^[NESW]: (\d+)$"), worst=26.0, best=0.0),
        "leduc_poker": Feature(
            read=_numbers(r"Money [^:]*: ([\d. ]+)"), worst=87.0, best=126.0, start=100.0
        ),
        "maedn": Feature(read=steps, best=170.0),
        "oh_hell": Feature(read=_oh_hell, best=27.0),
        "pig": Feature(read=_numbers(r"Scores: ([\d ]+)"), best="winscore"),
        "yacht": Feature(read=_each(r"\(total: (\d+)\)"), best=300.0),
    }
)


class Own(Evaluator):
    """What is a seat's own: points, tricks, money."""

    own_affairs = True
    decisive = False

    def __init__(self, game: OpenSpielGame) -> None:
        self.game = game
        self.bounds = Bounds()
        self.feature = FEATURES[game.foreign.name]
        self.first = str(game.new())

    def values(self, state: Position) -> Array:
        return self.feature.scaled(self.game, str(state), self.first)
