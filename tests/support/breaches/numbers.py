"""Games whose actions and observations are not numbers that a learner could use."""

import itertools
from typing import Any

import numpy as np

from mpsearch.contracts import Array
from support.breaches.entering import breaks
from support.breaches.sound import PLIES, SEED, SOUND, Boast, Pile


class Numbered(Pile):
    """A sound game for learners."""

    actions = 2

    def action(self, move: Any) -> int:
        return int(move) - 1

    def observation(self, view: Any, seat: int) -> Array:
        return np.array([view.left, seat, *view.scores], dtype=np.float64)


class SeenInNumbers(Boast):
    def observation(self, view: Any, seat: int) -> Array:
        return np.array([len(view.said), *view.cards], dtype=np.float64)


SOUND.extend([("game", (Numbered(), SEED, PLIES)), ("game", (SeenInNumbers(), SEED, PLIES))])


@breaks("actions_are_numbers", r"actions \[1, 2\] are not all below 2")
class CountsFromOne(Numbered):
    def action(self, move: Any) -> int:
        return int(move)


@breaks("actions_are_numbers", r"two moves have the same action: \[0, 0\]")
class OneActionForAll(Numbered):
    def action(self, move: Any) -> int:
        return 0


@breaks("actions_are_numbers", "[12] is action [01] here and [01] elsewhere")
class RenumbersActions(Numbered):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def action(self, move: Any) -> int:
        return (int(move) - 1 + next(self.counter) // 2) % 2


@breaks(
    "observations_are_arrays_of_one_shape",
    r"the observation has shape \([34],\), not \([34],\), or no numbers",
)
class ObservesMoreAndMore(SeenInNumbers):
    def observation(self, view: Any, seat: int) -> Array:
        return np.zeros(3 + len(view.said))


@breaks("observations_are_arrays_of_one_shape", "seat 0 observes what its view does not tell")
class ObservesAtRandom(SeenInNumbers):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def observation(self, view: Any, seat: int) -> Array:
        return np.array([float(next(self.counter))])
