"""An explanation says all that a report holds, and nothing that it does not."""

from typing import Any

import attrs
import numpy as np
import pytest

import mpsearch
from mpsearch.agents.explanation import Explanation
from mpsearch.contracts import Report, Stance, Turn
from mpsearch.contracts.report import RootMove

TABLE = mpsearch.table("scramble", players=2)
FIRST, SECOND = (TABLE.game.read(text) for text in ("+1", "+2"))
ENTRIES = (
    RootMove(move=FIRST, value=np.array([10.0, 20.0]), exact=False, line=(SECOND,), votes=1),
    RootMove(move=SECOND, value=np.array([30.0, 40.0]), line=(FIRST, FIRST), votes=2),
)
STANCE = Stance(matrix=np.array([[1.0, -0.5], [0.0, 1.0]]), label="any")
REPORT = Report(
    move=SECOND,
    value=np.array([30.0, 40.0]),
    moves=ENTRIES,
    line=(SECOND, FIRST),
    stance=STANCE,
    pruning="deep",
    nodes=1234,
    depth=3,
    worlds=1,
    seconds=0.5,
)


def explained(**keywords: Any) -> Explanation:
    state = TABLE.game.new()
    turn = Turn(seat=0, view=TABLE.game.view(state, 0), moves=(FIRST, SECOND))
    parts = {"name": "scramble", "game": TABLE.game, "agent": "someone", "turn": turn}
    return Explanation(**{**parts, "report": REPORT, **keywords})


def test_a_decision_by_itself() -> None:
    assert str(explained()) == (
        """\
seat 0 to move, someone, stance any:
Seat 0 (any) plays for itself and against seat 1 and expects everybody else to
play for themselves. Seat 0 expects 30 for itself and 40 for seat 1.

  seat 0 cares    1.00  -0.50
  seat 1 cares    0.00   1.00

   move  seat 0  seat 1  wanted   votes  then
*  +2    30.00   40.00   10.00    2      +1 +1
   +1    10.00   20.00   <= 0.00  1      +2

+2  value  30.0   40.0
expected: +2 +1
1,234 nodes, depth 3, deep pruning, 0.500 s (2,468 nodes/s)"""
    )


def test_a_decision_of_a_recorded_game_in_several_worlds() -> None:
    report = attrs.evolve(
        REPORT, exact=False, stance=attrs.evolve(STANCE, target=1), worlds=3, compiling=1.25
    )
    headline, *_, value, expected, effort = str(
        explained(report=report, made=FIRST, ply=7)
    ).splitlines()
    assert headline == "ply 7, seat 0 to move, someone, played +1 (!), stance any against seat 1:"
    assert value == "+2  value  30.0   40.0 (a bound)"
    assert expected == "expected: +2 +1"
    assert effort == (
        "1,234 nodes, depth 3, 3 worlds, deep pruning, 0.500 s (2,468 nodes/s); compiled in 1.2 s"
    )


def test_the_move_that_was_made_is_marked_beside_the_chosen_one() -> None:
    rows = str(explained(made=FIRST)).splitlines()
    assert [row[:6].split() for row in rows if "+1    " in row or "+2    " in row] == [
        ["*", "+2"],
        ["!", "+1"],
    ]
    both = str(explained(made=SECOND)).splitlines()
    assert any(row.startswith("*!  +2") for row in both)


@pytest.mark.parametrize(("seconds", "said"), [(0.099, False), (0.1, True)])
def test_only_a_notable_compilation_is_mentioned(seconds: float, said: bool) -> None:
    report = attrs.evolve(REPORT, compiling=seconds)
    assert ("compiled in" in str(explained(report=report))) == said


def test_what_was_sampled_is_an_estimate_and_no_bound() -> None:
    for exact in (True, False):
        report = attrs.evolve(REPORT, sampled=True, exact=exact)
        assert "+2  value  30.0   40.0 (an estimate)\n" in str(explained(report=report))


def test_the_document_holds_every_figure() -> None:
    report = attrs.evolve(REPORT, compiling=0.25)
    assert explained(report=report, made=FIRST).document() == {
        "game": "scramble",
        "agent": "someone",
        "seat": 0,
        "move": "+2",
        "words": [
            "Seat 0 (any) plays for itself and against seat 1 and expects everybody else to play "
            "for themselves.",
            "Seat 0 expects 30 for itself and 40 for seat 1.",
        ],
        "value": [30.0, 40.0],
        "exact": True,
        "sampled": False,
        "moves": [
            {"move": "+1", "value": [10.0, 20.0], "exact": False, "votes": 1, "line": ["+2"]},
            {"move": "+2", "value": [30.0, 40.0], "exact": True, "votes": 2, "line": ["+1", "+1"]},
        ],
        "line": ["+2", "+1"],
        "stance": {"label": "any", "target": None, "matrix": [[1.0, -0.5], [0.0, 1.0]]},
        "pruning": "deep",
        "nodes": 1234,
        "depth": 3,
        "worlds": 1,
        "made": "+1",
        "seconds": 0.5,
        "compiling": 0.25,
    }
    assert explained().document()["made"] is None
