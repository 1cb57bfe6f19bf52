"""Broken games."""

import itertools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import Array
from mpsearch.errors import MoveError
from support.breaches.entering import breaks
from support.breaches.sound import PLIES, SEED, SOUND, Heap, Pile


@breaks("start_is_fixed", r"new\(\) returned two different states", replay=False)
class RandomStart(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count(4)

    def new(self) -> Any:
        return Heap(left=next(self.counter))


class HeapList(list):  # type: ignore[type-arg]
    """A state that is no value: it can be changed."""

    left, mover, scores, coin = (
        property(lambda self, i=i: self[i])  # type: ignore[misc]
        for i in range(4)
    )

    def _replace(self, **changes: Any) -> Any:
        return HeapList(Heap(*self)._replace(**changes))


@breaks("states_are_values", "the state is not hashable")
class UnhashableStates(Pile):
    def new(self) -> Any:
        return HeapList(Heap())

    def play(self, state: Any, move: Any) -> Any:
        return HeapList(super().play(state, move))


class HashableHeapList(HeapList):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


@breaks("states_are_values", "playing 1 changed the state it was played from")
class ChangesStateInPlace(Pile):
    def new(self) -> Any:
        return HashableHeapList(Heap())

    def moves(self, state: Any) -> Sequence[Any]:
        return [1]

    def play(self, state: Any, move: Any) -> Any:
        state[:] = super().play(state, move)
        return state


@breaks("states_are_values", "playing [12] twice from one state gives different states")
class PlayRemembers(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def play(self, state: Any, move: Any) -> Any:
        after = super().play(state, move)
        return after._replace(scores=(next(self.counter), *after.scores[1:]))


@breaks("mover_is_a_seat", "mover is 3 in a game for 3")
class FourthSeat(Pile):
    def mover(self, state: Any) -> int:
        return 3 if state.left < 3 else super().mover(state)


@breaks("mover_is_a_seat", "mover is -3 in a game for 3")
class NoSuchMover(Pile):
    def mover(self, state: Any) -> int:
        return -3 if state.left < 3 else super().mover(state)


@breaks("moves_are_listed_once", r"some move is listed twice: \[1, 2, 1\]")
class ListsTwice(Pile):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 2, 1]


@breaks("moves_are_listed_once", "the moves change when they are listed again")
class OrderChanges(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 2] if next(self.counter) % 2 else [2, 1]


@breaks("moves_are_listed_once", "seat [012] is to move and has no moves")
class Stuck(Pile):
    def moves(self, state: Any) -> Sequence[Any]:
        return super().moves(state) if state.left > 3 else []


@breaks("games_end", rf"no end after 100000 plies \(seed {SEED}\)", replay=False)
class Endless(Pile):
    def play(self, state: Any, move: Any) -> Any:
        return state


@breaks("payoff_is_by_seat", r"the payoff has shape \(4,\), not \(3,\)")
class PaysFour(Pile):
    def payoff(self, state: Any) -> Array:
        return np.zeros(4)


@breaks("payoff_is_by_seat", r"the payoff \[inf, 0.0, 0.0\] is not finite")
class PaysInfinity(Pile):
    def payoff(self, state: Any) -> Array:
        return np.array([np.inf, 0, 0])


@breaks("chance_is_a_distribution", r"probabilities \[0.5, 0.6\] are not positive or .*")
class MoreThanCertain(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, 0.5), (1, 0.6))


@breaks("chance_is_a_distribution", "chance is listed for the game or for the search, .*")
class HidesChanceFromTheSearch(Pile):
    def tree_chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ()


@breaks("chance_is_a_distribution", r"probabilities \[0.5, 0.4\] are not positive or .*")
class MergesToLess(Pile):
    def tree_chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, 0.5), (1, 0.4)) if self.chance(state) else ()


@breaks("chance_is_a_distribution", r"probabilities \[0.0, 1.0\] are not positive or .*")
class ListsTheImpossible(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, 0.0), (1, 1.0))


@breaks("chance_is_a_distribution", r"probabilities \[nan, 1.0\] are not positive or .*")
class UndefinedProbability(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, float("nan")), (1, 1.0))

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        return 1


@breaks("chance_is_a_distribution", r"draw raised ValueError\(.*\)")
class NegativeProbability(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((0, -0.5), (1, 1.5))


@breaks("chance_is_a_distribution", "an outcome of chance is listed twice")
class OneSidedCoin(Pile):
    def chance(self, state: Any) -> Sequence[tuple[Any, float]]:
        return ((1, 0.5), (1, 0.5))


@breaks("chance_is_a_distribution", "chance lists outcomes, but lists_chance says .*")
class DeniesItsChance(Pile):
    lists_chance = False


@breaks("draws_are_reproducible", "draw gives different outcomes from equal generators")
class DrawsInTurn(Pile):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def draw(self, state: Any, rng: np.random.Generator) -> Any:
        return next(self.counter) % 2


@breaks("draws_are_possible", "[01] can be drawn, but is not possible: .* define `possible.*")
class ForgetsWhatItDraws(Pile):
    def possible(self, state: Any, outcome: Any) -> bool:
        return False


@breaks("draws_are_possible", "None is said to be a possible outcome")
class BelievesAnything(Pile):
    def possible(self, state: Any, outcome: Any) -> bool:
        return True


@breaks("texts_are_inverse", r"two moves have the same text: \['take', 'take'\]")
class OneTextForAll(Pile):
    def write(self, move: Any) -> str:
        return "take"


@breaks("texts_are_inverse", "the text ' 1' is empty, has white space at its ends, or a semicolon")
class IndentsItsMoves(Pile):
    def write(self, move: Any) -> str:
        return f" {move}"


@breaks("texts_are_inverse", "1 is written '1', which is read as 2")
class ReadsWrongly(Pile):
    def read(self, text: str) -> Any:
        return 3 - super().read(text)


@breaks("texts_are_inverse", "1 is written 'one', which is refused: 'one' is no number .*")
class RefusesWhatItWrote(Pile):
    def write(self, move: Any) -> str:
        return ["none", "one", "two"][move]


class SaysWhatIsLeft(Pile):
    """A sound game whose texts depend on the state: a move is what it leaves behind."""

    def write_in(self, state: Any, move: Any) -> str:
        return f"coin {move}" if state.coin else f"leave {state.left - move}"

    def read_in(self, state: Any, text: str) -> Any:
        found = re.fullmatch(r"(coin|leave) (\d)", text)
        if not found:
            return self.read(text)
        return int(found[2]) if found[1] == "coin" else state.left - int(found[2])


SOUND.append(("game", (SaysWhatIsLeft(), SEED, PLIES)))


@breaks("texts_are_inverse", "1 is written 'leave 5', which is refused: 'leave 5' is no number .*")
class SaysWhatItCannotRead(SaysWhatIsLeft):
    def read_in(self, state: Any, text: str) -> Any:
        return self.read(text)


@breaks("texts_are_inverse", "1 is written '1', which is refused: '1' is no remainder")
class UnderstandsOnlyItself(SaysWhatIsLeft):
    def read_in(self, state: Any, text: str) -> Any:
        if text.isdecimal():
            raise MoveError(f"'{text}' is no remainder")
        return super().read_in(state, text)


@breaks("texts_are_inverse", "the text '1;' is empty, has white space at its ends, or a semicolon")
class EndsMovesWithSemicolons(Pile):
    def write(self, move: Any) -> str:
        return f"{move};"


@breaks("nonsense_is_refused", r"read\(''\) raised ValueError\(.*\), not a MoveError", replay=False)
class ReadsCarelesslyInStates(Pile):
    def read_in(self, state: Any, text: str) -> Any:
        return int(text)


@breaks("nonsense_is_refused", r"read\(''\) raised ValueError\(.*\), not a MoveError", replay=False)
class ReadsCarelessly(Pile):
    def read(self, text: str) -> Any:
        return int(text)


@breaks("nonsense_is_refused", r"read\('-'\) is the legal move 1")
class ReadsAnything(Pile):
    def read(self, text: str) -> Any:
        return 1 if text == "-" else super().read(text)
