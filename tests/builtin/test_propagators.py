"""The propagators' decisions, case by case."""

from typing import Any

import numpy as np
import pytest

from mpsearch.builtin.propagators import PROPAGATORS
from mpsearch.contracts import Situation, Stance
from mpsearch.errors import UsageError
from mpsearch.social import coalition, identity, offensive, paranoid

INFINITE = float("inf")


def stance(name: str, value: list[float], *, root: int = 0, **options: Any) -> Stance:
    offer = next(offer for offer in PROPAGATORS if offer.name == name)
    settings = {option.name: option.default for option in offer.options} | options
    beliefs = np.eye(len(value)) * 0.5
    return offer.make(**settings).stance(
        Situation(root=root, value=np.array(value), beliefs=beliefs)
    )


@pytest.mark.parametrize(
    ("value", "td", "to", "label", "target"),
    [
        ([50, 20, 10], 30, 30, "paranoid", None),  # leads by exactly Td
        ([50, 21, 10], 30, 30, "maxn", None),  # leads by less
        ([20, 50, 10], 30, 30, "offensive", 1),  # another leads by exactly To
        ([21, 50, 10], 30, 30, "maxn", None),
        ([0, 50, 49], 0, 5, "maxn", None),  # two are far ahead: their edge is small
        ([50, 50, 10], 0, 0, "paranoid", None),  # a tie for the lead: the root leads
        ([10, 50, 50], 0, 0, "offensive", 1),  # a tie of others: next in turn order
        ([50, 20, 10], INFINITE, INFINITE, "maxn", None),  # above the range: pure MaxN
        ([20, 50, 10], INFINITE, 0, "offensive", 1),
        ([50, 50, 50], 0, 0, "paranoid", None),
    ],
)
def test_mpmix_switches_as_printed(
    value: list[float], td: float, to: float, label: str, target: int | None
) -> None:
    chosen = stance("mpmix", value, td=td, to=to)
    assert (chosen.label, chosen.target) == (label, target)
    matrices = {"paranoid": paranoid(3, 0), "maxn": identity(3), "offensive": offensive(3, 0, 1)}
    assert np.array_equal(chosen.matrix, matrices[label])


def test_mpmix_with_thresholds_of_zero_never_plays_maxn() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        chosen = stance("mpmix", rng.uniform(0, 100, 4).tolist(), root=2, td=0.0, to=0.0)
        assert chosen.label in ("paranoid", "offensive")


def test_an_attacker_can_weigh_its_own_value() -> None:
    """Among moves that do its target equal harm it then takes what is best for itself."""
    for name, given in (("offensive", {"target": "2"}), ("mpmix", {"to": 5})):
        plain, own = (
            stance(name, [20, 10, 50], **given),
            stance(name, [20, 10, 50], own=0.01, **given),
        )
        assert plain.matrix[0].tolist() == [0, 0, -1]
        assert own.matrix[0].tolist() == [0.01, 0, -1]
        assert own.matrix[1:].tolist() == plain.matrix[1:].tolist()


def test_offensive_finds_its_target() -> None:
    assert stance("offensive", [90, 20, 30]).target == 2
    assert stance("offensive", [90, 20, 30], target="1").target == 1
    assert stance("offensive", [10, 20, 30], target="leader").target == 2
    assert stance("offensive", [90, 20, 30], target="leader").label == "maxn"


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("offensive", {"target": "0"}, "cannot be its own target"),
        ("offensive", {"target": "3"}, "is not a seat; seats are 0 to 2"),
        ("offensive", {"target": "weakest"}, "is not a seat"),
        ("coalition", {"with": "7"}, "is not a seat"),
        ("sos", {"matrix": "1:0/0:1"}, "^matrix '1:0/0:1' has 2 rows; there are 3 players$"),
        ("mcts", {"matrix": "1:0/0:1"}, "^matrix '1:0/0:1' has 2 rows; there are 3 players$"),
    ],
)
def test_seats_and_matrices_that_do_not_fit_the_table_are_refused(
    name: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        stance(name, [1, 2, 3], **options)


def test_coalition_and_sos_use_what_they_are_given() -> None:
    given: dict[str, Any] = {"with": "2"}  # a word of Python's own
    assert np.array_equal(stance("coalition", [1, 2, 3, 4], **given).matrix, coalition(4, [0, 2]))
    assert np.array_equal(stance("sos", [1, 2]).matrix, np.eye(2) * 0.5)
    assert stance("sos", [1, 2], matrix="1:-1/0:1").matrix.tolist() == [[1, -1], [0, 1]]


def test_the_edge_is_the_lead_over_the_second_however_many_play() -> None:
    assert stance("mpmix", [50, 45, 0, 0], td=10, to=10).label == "maxn"
    assert stance("mpmix", [0, 45, 50, 0], td=10, to=10).label == "maxn"
    assert stance("mpmix", [50, 40, 0, 0], td=10, to=10).label == "paranoid"


def test_a_tie_for_the_lead_goes_to_who_moves_next_and_not_to_the_lowest_seat() -> None:
    assert stance("mpmix", [50, 10, 10, 50], root=2, td=0, to=0).target == 3
    assert stance("offensive", [50, 10, 10, 50], root=2, target="leader").target == 3
    assert stance("offensive", [50, 10, 10, 50], root=2).target == 3
