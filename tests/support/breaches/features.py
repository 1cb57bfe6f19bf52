"""Games whose features are wrong."""

from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Compiled, Features, Field, compiled
from support.breaches.entering import breaks
from support.breaches.sound import PLIES, RULES, SEED, SOUND, Race


def seen_by(write: Compiled) -> Features:
    """What such a function shows."""
    return Features(write=write, inputs=3, most=2)


@compiled
def left(s: Any, seat: int, out: Any) -> int:
    out[0, 0] = 2
    out[0, 1] = s.left
    return 1


class SeesWhatIsLeft(Race):
    features = seen_by(left)


class DeclaresFields(Race):
    rules = attrs.evolve(RULES, fields=(Field(name="left", values=(0, 6)),))


SOUND.append(("game", (SeesWhatIsLeft(), SEED, PLIES)))
SOUND.append(("game", (DeclaresFields(), SEED, PLIES)))


@compiled
def three_features(s: Any, seat: int, out: Any) -> int:
    for k in range(3):
        out[k, 0] = k
        out[k, 1] = 1.0
    return 3


@breaks("features_are_inputs", "seat 0 sees 3 features; most is 2")
class SeesTooMany(Race):
    features = seen_by(three_features)


@compiled
def no_such_input(s: Any, seat: int, out: Any) -> int:
    out[0, 0] = 3
    out[0, 1] = 1.0
    return 1


@breaks("features_are_inputs", r"seat 0 sees inputs \[3.0\]; there are 3")
class SeesNoSuchInput(Race):
    features = seen_by(no_such_input)


@compiled
def one_input_twice(s: Any, seat: int, out: Any) -> int:
    for k in range(2):
        out[k, 0] = seat
        out[k, 1] = 1.0
    return 2


@breaks("features_are_inputs", r"seat 0 sees an input twice: \[0.0, 0.0\]")
class SeesOneInputTwice(Race):
    features = seen_by(one_input_twice)


@compiled
def no_number(s: Any, seat: int, out: Any) -> int:
    out[0, 0] = 0
    out[0, 1] = np.nan
    return 1


@breaks("features_are_inputs", r"seat 0 sees values that are not finite: \[nan\]")
class SeesNoNumber(Race):
    features = seen_by(no_number)


@compiled
def changes_the_state(s: Any, seat: int, out: Any) -> int:
    s.left = 1
    return 0


@breaks("features_leave_the_state", "the features of seat 0 changed the state")
class ChangesWhatItSees(Race):
    features = seen_by(changes_the_state)


CALLS = np.zeros(1)


@compiled
def counts_calls(s: Any, seat: int, out: Any) -> int:
    out[0, 0] = 0
    CALLS[0] += 1.0
    out[0, 1] = CALLS[0]
    return 1


@breaks("features_leave_the_state", "the features of seat 0 change when they are asked again")
class SeesOtherwiseEachTime(Race):
    features = seen_by(counts_calls)


@compiled
def by_byte(s: Any, seat: int, out: Any) -> int:
    out[0, 0] = 0
    out[0, 1] = s.byte << 4
    return 1


@breaks(
    "compiled_features_are_the_plain_ones",
    "features of seat 0 differ between compiled and plain rules",
)
class FeaturesDiffer(Race):
    features = seen_by(by_byte)


def seen_together(write_all: Compiled) -> Features:
    """What seats see by such a function for all, where each by itself sees what is left."""
    return Features(write=left, write_all=write_all, inputs=3, most=2)


@compiled
def all_left(s: Any, out: Any, counts: Any) -> None:
    for seat in range(len(counts)):
        counts[seat] = left(s, seat, out[seat])


class SeesWhatIsLeftTogether(Race):
    features = seen_together(all_left)


SOUND.append(("game", (SeesWhatIsLeftTogether(), SEED, PLIES)))


@compiled
def last_of_all_sees_more(s: Any, out: Any, counts: Any) -> None:
    for seat in range(len(counts)):
        counts[seat] = left(s, seat, out[seat])
    counts[len(counts) - 1] = 2


@breaks(
    "features_of_all_seats_are_those_of_each",
    r"the features of seat \d are others when all seats are asked",
)
class SeesMoreTogether(Race):
    features = seen_together(last_of_all_sees_more)


@compiled
def all_see_the_least(s: Any, out: Any, counts: Any) -> None:
    for seat in range(len(counts)):
        counts[seat] = left(s, seat, out[seat])
        out[seat, 0, 1] = min(s.left, 3)


@breaks(
    "features_of_all_seats_are_those_of_each",
    "the features of seat 0 are others when all seats are asked",
)
class SeesLessTogether(Race):
    features = seen_together(all_see_the_least)


@compiled
def all_change_the_state(s: Any, out: Any, counts: Any) -> None:
    s.left = 1
    for seat in range(len(counts)):
        counts[seat] = left(s, seat, out[seat])


@breaks("features_of_all_seats_are_those_of_each", "the features of all seats changed the state")
class ChangesWhatAllSee(Race):
    features = seen_together(all_change_the_state)
