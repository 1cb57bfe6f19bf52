"""Broken branchings, propagators and opponent models."""

import itertools
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import (
    Array,
    Beliefs,
    Branching,
    CompiledBranching,
    Observation,
    Propagator,
    Situation,
    Stance,
    compiled,
)
from support.breaches.entering import breaks
from support.breaches.sound import SEED, Grudge, Race, Tally

# Broken branchings.


@breaks("branchings_list_legal_moves", "the branching lists no move")
class NothingWorthSearching(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1] if state.left > 3 else []


@breaks("branchings_list_legal_moves", r"the branching lists a move twice: \[1, 1\]")
class WorthSearchingTwice(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 1]


@breaks("branchings_list_legal_moves", r"the branching lists illegal moves: \[1, 3\]")
class WorthCheating(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1, 3]


@compiled
def list_by_byte(s: Any, parameters: Any, out: Any) -> int:
    out[0] = 1
    out[1] = 2
    return 1 + ((s.byte << 4) > 255)


@breaks(
    "compiled_branchings_list_as_plain_ones",
    "the moves differ between the compiled and the plain branching",
)
class ListsDiffer(CompiledBranching):
    def __init__(self) -> None:
        super().__init__(Race(), list_by_byte)


# Broken propagators.


@breaks("stances_fit_the_table", r"the matrix has shape \(2, 2\) for 3 seats")
class TwoSeatStance(Propagator):
    def stance(self, situation: Situation) -> Stance:
        return Stance(matrix=np.eye(2), label="two")


@breaks("stances_fit_the_table", r"the matrix has entries outside \[-1, 1\]: [^a-z]*")
class CaresTooMuch(Grudge):
    def stance(self, situation: Situation) -> Stance:
        stance = super().stance(situation)
        return attrs.evolve(stance, matrix=2 * stance.matrix)


@breaks("stances_fit_the_table", "the stance has no label")
class NamelessStance(Grudge):
    def stance(self, situation: Situation) -> Stance:
        return attrs.evolve(super().stance(situation), label="")


@breaks("targets_are_others", "seat 0 of 3 targets seat 0")
class TargetsItself(Grudge):
    def stance(self, situation: Situation) -> Stance:
        return attrs.evolve(super().stance(situation), target=situation.root)


@breaks("targets_are_others", "seat 0 of 3 targets seat 3")
class TargetsNobody(Grudge):
    def stance(self, situation: Situation) -> Stance:
        return attrs.evolve(super().stance(situation), target=3)


@breaks("stances_depend_on_the_situation_alone", "two stances for one situation")
class MoodyStance(Grudge):
    def __init__(self) -> None:
        self.counter = itertools.count()

    def stance(self, situation: Situation) -> Stance:
        mood = 1 / (1 + next(self.counter))
        stance = super().stance(situation)
        return attrs.evolve(stance, matrix=mood * stance.matrix)


@breaks("settled_stances_never_change", "seat 0 takes another stance than its settled one")
class ChangesItsMind(Grudge):
    def settled(self, root: int, players: int) -> Stance:
        return Stance(matrix=np.eye(players), label="settled")


# Broken opponent models.


@breaks("beliefs_are_social_matrices", r"the matrix has shape \(2, 3\) for 3 seats")
class ForgetsASeat(Tally):
    def matrix(self, beliefs: Beliefs) -> Array:
        return super().matrix(beliefs)[:2]


@breaks("beliefs_are_social_matrices", r"the matrix has entries outside \[-1, 1\]: \[\[2.0, .*")
class BelievesTooMuch(Tally):
    def matrix(self, beliefs: Beliefs) -> Array:
        return 2 * super().matrix(beliefs)


@breaks("beliefs_are_social_matrices", r"the matrix has entries outside \[-1, 1\]: \[\[nan, .*")
class BelievesTheUndefined(Tally):
    def matrix(self, beliefs: Beliefs) -> Array:
        return np.nan * super().matrix(beliefs)


@breaks("horizons_are_plies", r"the horizons of 3 seats are \(1, 1\)")
class SaysHowFarTwoLook(Tally):
    def horizons(self, beliefs: Beliefs) -> tuple[int, ...]:
        return 1, 1


@breaks("horizons_are_plies", r"the horizons of 3 seats are \(1, 2, 3\)")
class SaysThatOneLooksThreePliesAhead(Tally):
    def horizons(self, beliefs: Beliefs) -> tuple[int, ...]:
        return 1, 2, 3


@breaks("beliefs_are_values", "observing a move changed the beliefs it started from")
class ChangesBeliefsInPlace(Tally):
    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        row, moved = super().start(players, seat, rng)
        return row, set(moved)

    def observe(self, beliefs: Beliefs, observation: Observation) -> Beliefs:
        beliefs[1].add(observation.mover)
        return beliefs


@breaks("beliefs_are_reproducible", "equal observations gave different beliefs")
class OwnRandomness(Tally):
    def __init__(self) -> None:
        self.rng = np.random.default_rng(SEED)

    def start(self, players: int, seat: int, rng: np.random.Generator) -> Beliefs:
        return super().start(players, seat, self.rng)
