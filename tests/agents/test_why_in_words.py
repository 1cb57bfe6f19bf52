"""Reasons in words: made from stance, matrix and values, for every propagator."""

import itertools
import re
from typing import Any

import attrs
import numpy as np
import pytest

import mpsearch
from mpsearch.agents import reasons
from mpsearch.agents.why_in_words import Names, number, stance_words
from mpsearch.builtin.propagators import MPMix, Offensive
from mpsearch.contracts import Decision, Propagator, Report, RootMove, Situation
from mpsearch.plugins import installed
from mpsearch.social import coalition, identity, offensive, paranoid


def decided(
    propagator: Propagator,
    outlook: list[float],
    values: dict[str, list[float]],
    *,
    root: int = 1,
    chosen: str = "a",
    **report: Any,
) -> Decision:
    """A decision between moves with these values, after a position of this outlook."""
    stance = propagator.stance(
        Situation(root=root, value=np.array(outlook), beliefs=identity(len(outlook)))
    )
    moves = [RootMove(move=m, value=np.array(v), votes=int(m == chosen)) for m, v in values.items()]
    found = Report(
        move=chosen,
        value=np.array(values[chosen]),
        moves=moves,
        line=(chosen,),
        stance=stance,
        pruning="none",
        nodes=1,
        depth=1,
        worlds=1,
        seconds=0.0,
    )
    return Decision(
        move=chosen,
        stance=stance,
        value=found.value,
        outlook=np.array(outlook),
        report=attrs.evolve(found, **report),
    )


def words(decision: Decision, propagator: Propagator | None = None, **settings: Any) -> list[str]:
    return [*reasons(decision, seat=1, write=str, propagator=propagator, **settings)]


MIX = MPMix(td=10, to=10)
VALUES = {"a": [40.0, 30.0, 20.0], "b": [48.0, 33.0, 20.0]}


def test_mp_mix_says_who_leads_and_what_its_attack_takes_and_costs() -> None:
    decision = decided(MIX, [50.0, 30.0, 20.0], VALUES)
    assert words(decision, MIX) == [
        "Seat 0 leads by 20, so MP-Mix turned against it.",
        "Compared with b, which is better for seat 1, a loses 3 for seat 1 and takes 8 from "
        "seat 0.",
    ]
    assert words(decision, MIX, you=0) == [
        "You lead by 20, so MP-Mix turned against you.",
        "Compared with b, which is better for seat 1, a loses 3 for seat 1 and takes 8 from you.",
    ]
    assert words(decision, MIX, you=2, names=["Ada", "", "Bruno"]) == [
        "Ada leads by 20, so MP-Mix turned against Ada.",
        "Compared with b, which is better for seat 1, a loses 3 for seat 1 and takes 8 from Ada.",
    ]


@pytest.mark.parametrize(
    ("outlook", "said"),
    [
        (
            [20.0, 50.0, 30.0],
            "Seat 1 leads by 20, so MP-Mix takes the stance of paranoid: seat 1 plays for itself "
            "and expects all others to work against it.",
        ),
        (
            [20.0, 35.0, 30.0],
            "Seat 1 leads by only 5, so MP-Mix takes the stance of maxn: seat 1 plays for itself "
            "and expects everybody else to do so too.",
        ),
        (
            [35.5, 20.0, 30.0],
            "Nobody is far ahead (seat 0 by 5.5), so MP-Mix takes the stance of maxn: seat 1 plays "
            "for itself and expects everybody else to do so too.",
        ),
        (
            [30.0, 20.0, 30.0],
            "Nobody leads (seat 0 and seat 2 are level), so MP-Mix takes the stance of maxn: "
            "seat 1 plays for itself and expects everybody else to do so too.",
        ),
    ],
)
def test_mp_mix_says_why_it_does_not_attack(outlook: list[float], said: str) -> None:
    assert words(decided(MIX, outlook, VALUES), MIX)[0] == said


def test_a_target_that_does_not_lead() -> None:
    strongest = Offensive(target="strongest")
    decision = decided(strongest, [30.0, 50.0, 20.0], VALUES)
    expected = "Seat 0 is the strongest of the others, so Directed Offensive turned against it."
    assert words(decision, strongest)[0] == expected
    given = Offensive(target="2")
    decision = decided(given, [30.0, 50.0, 20.0], VALUES)
    assert words(decision, given)[0] == "Seat 1 (Directed Offensive) works against seat 2 alone."


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (identity(3), "plays for itself and expects everybody else to do so too"),
        (0.04 * identity(3), "plays for itself and expects everybody else to do so too"),
        (paranoid(3, 0), "plays for itself and expects all others to work against it"),
        (
            offensive(3, 0, 2),
            "works against seat 2 and expects everybody else to play for themselves",
        ),
        (
            coalition(3, [0, 1]),
            "plays for itself and for seat 1. It expects that seat 1 plays for itself and for "
            "seat 0 and that seat 2 works against seat 0 and seat 1",
        ),
        (
            np.array([[1.0, 0.0, 0.05], [0.0, 0.1, -0.02], [-0.2, 0.0, 0.01]]),
            "plays for itself. It expects that seat 1 plays for itself and a little against seat 2 "
            "and that seat 2 works against seat 0",
        ),
        (
            np.zeros((3, 3)),
            "cares about nobody. It expects that seat 1 and seat 2 care about nobody",
        ),
        (
            np.array([[2.0, 0.0, 0.0], [0.3, -1.0, 1.0], [-3.0, -0.6, 6.0]]),
            "plays for itself. It expects that seat 1 works against itself and for seat 2 and that "
            "seat 2 plays for itself and against seat 0",
        ),
    ],
)
def test_rows_are_normalised_and_said(matrix: Any, said: str) -> None:
    assert stance_words(matrix, 0) == said


def test_you_are_spoken_to() -> None:
    assert stance_words(paranoid(3, 0), 0, Names(you=0)) == (
        "play for yourself and expect all others to work against you"
    )
    assert stance_words(offensive(3, 1, 0), 1, Names(you=0)).startswith("works against you")
    assert stance_words(coalition(3, [0, 1]), 0, Names(you=0)) == (
        "play for yourself and for seat 1. You expect that seat 1 plays for itself and for you and "
        "that seat 2 works against you and seat 1"
    )
    assert stance_words(coalition(3, [0, 1]), 1, Names(you=0)) == (
        "plays for itself and for you. It expects that you play for yourself and for seat 1 and "
        "that seat 2 works against you and seat 1"
    )


def test_a_lead_of_next_to_nothing_is_said_so() -> None:
    leader = Offensive(target="leader")
    decision = decided(leader, [30.04, 30.0, 20.0], VALUES)
    expected = "Seat 0 leads by next to nothing, so Directed Offensive turned against it."
    assert words(decision, leader)[0] == expected
    own = words(decided(MIX, [30.0, 30.04, 20.0], VALUES), MIX)[0]
    assert own.startswith("Seat 1 leads by next to nothing, so MP-Mix takes the stance of maxn")


def test_bounds_are_not_compared_but_what_is_expected_is_told() -> None:
    decision = decided(MIX, [50.0, 30.0, 20.0], VALUES)
    bounds = [attrs.evolve(entry, exact=entry.move == "a") for entry in decision.report.moves]
    bounded = attrs.evolve(decision, report=attrs.evolve(decision.report, moves=bounds))
    assert words(bounded, MIX, you=2)[1:] == ["Seat 1 expects seat 0 to lose 10 from here."]
    recorded = attrs.evolve(decision, report=None, outlook=None)
    assert words(recorded, MIX, you=2) == [
        "Seat 1 (MP-Mix) works against seat 0 alone.",
        "Seat 1 expects 40 for seat 0, 30 for itself and 20 for you.",
    ]


def test_worlds_ties_samples_and_only_moves() -> None:
    same = {"a": [40.0, 30.0, 20.0], "b": [40.0, 33.0, 29.0]}
    decision = decided(Offensive(target="0"), [50.0, 30.0, 20.0], same)
    assert words(decision)[-1] == (
        "Compared with b, which is better for seat 1, a loses 3 for seat 1 and takes 9 from seat 2."
    )
    level = {"a": [40.0, 30.0, 20.0], "b": [40.0, 30.0, 20.0]}
    decision = decided(Offensive(target="0"), [50.0, 30.0, 20.0], level, worlds=4, sampled=True)
    assert words(decision)[-2:] == [
        "a was best in 1 of 4 worlds that fit what seat 1 knows.",
        "Compared with b, equally good by that measure, a is worth the same to everybody "
        "in the samples.",
    ]
    assert words(decision, legal=1)[1:] == ["a was the only legal move."]


def test_numbers_are_short() -> None:
    assert [number(value) for value in (12.0, 0.34, -1.26)] == ["12", "0.3", "\N{MINUS SIGN}1.3"]


@pytest.mark.parametrize("name", sorted(installed().propagators))
def test_every_propagator_is_put_into_words(name: str) -> None:
    table = mpsearch.table("scramble", players=3)
    state = table.position(moves="+3 +1 +2")
    found = table.search(state, f"{name}:depth=1")
    for you in (None, 0, 1):
        text = " ".join(found.words(you=you))
        assert text.endswith(".")
        assert not re.search(r"\b(None|nan|seat -)", text)
        assert ("seat 0" in text.lower()) == (you != 0)
    assert found.document()["words"] == list(found.words())


def test_no_number_is_said_that_the_search_did_not_find() -> None:
    """Recomputed from the report, by hand: who pays what."""
    table = mpsearch.table("scramble", players=3)
    found = table.search(table.position(moves="+3 +1"), "maxn:depth=3")
    sentence = found.words()[-1]
    match = re.match(r"Compared with (\S+), .*, (\S+) ", sentence)
    assert match is not None
    value = {found.written([entry.move])[0]: entry.value for entry in found.report.moves}
    change = value[match[2]] - value[match[1]]
    for seat, verb in itertools.product(range(3), ("takes", "gives")):
        pattern = rf"{verb} [^.]*?([\d.]+) {'from' if verb == 'takes' else 'to'} seat {seat}"
        told = re.search(pattern, sentence)
        if told:
            sign = -1 if verb == "takes" else 1
            assert float(told[1]) == pytest.approx(sign * change[seat], abs=0.051)
