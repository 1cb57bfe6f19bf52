"""Compiled games that differ from their plain rules, and turns that go by."""

import itertools
from collections.abc import Sequence
from typing import Any

import attrs

from mpsearch.contracts import OVER, compiled
from support.breaches.entering import breaks
from support.breaches.sound import PLAYERS, RULES, Heap, Patient, Race


@breaks("declared_moves_suffice", "2 moves are listed; most_moves is 1")
class DeclaresTooFew(Race):
    rules = attrs.evolve(RULES, most_moves=1)


@compiled
def five_outcomes(s: Any, out: Any, probabilities: Any) -> int:
    for i in range(5):
        out[i] = i
        probabilities[i] = 0.2
    return 5


@breaks("declared_moves_suffice", "5 moves are listed; most_moves is 2")
class DeclaresTooFewOutcomes(Race):
    rules = attrs.evolve(RULES, chance=five_outcomes)


@compiled
def mover_by_byte(s: Any) -> int:
    if s.left == 0:
        return OVER
    return 1 if (s.byte << 4) > 255 else 0


@breaks("compiled_rules_play_as_plain_ones", "mover differs between compiled and plain rules")
class MoverDiffers(Race):
    rules = attrs.evolve(RULES, mover=mover_by_byte)


@compiled
def moves_by_byte(s: Any, out: Any) -> int:
    out[0] = 1
    out[1] = 2
    return 2 if (s.byte << 4) > 255 else 1


@breaks("compiled_rules_play_as_plain_ones", "moves differ between compiled and plain rules")
class MovesDiffer(Race):
    rules = attrs.evolve(RULES, moves=moves_by_byte)


@compiled
def play_by_byte(s: Any, move: int) -> None:
    s.left -= 1
    s.mover = 1 if (s.byte << 4) > 255 else 0


@breaks("compiled_rules_play_as_plain_ones", "play [12] differs between compiled and plain rules")
class PlayDiffers(Race):
    rules = attrs.evolve(RULES, play=play_by_byte)


@compiled
def payoff_by_byte(s: Any, out: Any) -> None:
    out[0] = s.byte << 4


@breaks("compiled_rules_play_as_plain_ones", "payoff differs between compiled and plain rules")
class PayoffDiffers(Race):
    rules = attrs.evolve(RULES, payoff=payoff_by_byte)


@compiled
def chance_by_byte(s: Any, out: Any, probabilities: Any) -> int:
    for i in range(2):
        out[i] = i
        probabilities[i] = 0.5
    if (s.byte << 4) > 255:
        probabilities[0] = 0.25
        probabilities[1] = 0.75
    return 2


@breaks("compiled_rules_play_as_plain_ones", "chance differs between compiled and plain rules")
class ChanceDiffers(Race):
    rules = attrs.evolve(RULES, chance=chance_by_byte)


@breaks("turns_go_by_to_another_seat", "seat 0 skips its turn, and the mover is 0")
class SkipsToItself(Patient):
    def skip(self, state: Any) -> Any:
        return state


@breaks("turns_go_by_to_another_seat", "skipping twice from one state gives .*", replay=False)
class SkipsAtRandom(Patient):
    def __init__(self) -> None:
        self.skipped = itertools.count()

    def skip(self, state: Any) -> Any:
        return state._replace(mover=1, scores=(next(self.skipped),) * PLAYERS)


@breaks("turns_go_by_to_another_seat", "seat 1 has no moves after a turn was .*", replay=False)
class SkipsToNothing(Patient):
    def moves(self, state: Any) -> Sequence[Any]:
        return [] if state == Heap(mover=1) else super().moves(state)


@compiled
def skip_by_byte(s: Any) -> None:
    s.mover = 1 - s.mover
    s.left = 2 if (s.byte << 4) > 255 else 1


@breaks("turns_go_by_to_another_seat", "skip differs between compiled and .*", replay=False)
class SkipDiffers(Race):
    rules = attrs.evolve(RULES, skip=skip_by_byte)
