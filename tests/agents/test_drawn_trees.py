"""A tree that was made by hand, as text and as a picture that was looked at once."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mpsearch.agents.tree_svg import svg_tree
from mpsearch.agents.tree_text import draw_tree
from mpsearch.contracts import CHANCE
from mpsearch.search.tracing import Node

HERE = Path(__file__).parent / "trees"


class Words:
    """All that is asked of a game here: how its moves are written."""

    def write_in(self, state: Any, move: Any) -> str:
        return str(move)


GAME: Any = Words()
CARES = np.array([[1.0, 0.0], [-0.5, 1.0]])


def node(move: str | None, first: float, second: float, **more: Any) -> Node:
    return Node(move=move, value=np.array([first, second]), **more)


def tree() -> Node:
    """Seat 0 prefers `right`; below it dice decide; of seat 1's moves two were not looked at."""
    worse, better = node("a", 10, 20), node("b & c, which is a long name", 5, 30)
    left = node("left", 5, 30, seat=1, children=[worse, better], listed=4, cut="deep")
    left.chosen = better
    dice = [node("one", 40, 0), node("six", 60, 50)]
    right = node("right", 50, 25, seat=CHANCE, children=dice, listed=2)
    root = node(None, 50, 25, seat=0, children=[left, right], listed=2)
    root.chosen = right
    return root


LINES = """\
seat 0 chooses, value 50.0 25.0
├─ left  5.0 30.0; seat 1 chooses
│  ├─ a  10.0 20.0
│  ├─*b & c, which is a long name  5.0 30.0
│  └─ 2 cut, deep
└─*right  50.0 25.0; chance
   ├─ one  40.0 0.0
   └─ six  60.0 50.0"""


def test_the_tree_as_text() -> None:
    assert draw_tree(GAME, tree(), width=43) == LINES


def test_text_that_is_too_wide_or_too_long_says_so() -> None:
    assert draw_tree(GAME, tree(), width=20, lines=3).splitlines() == [
        "seat 0 chooses, v...",
        "├─*right  50.0 25...",
        "│  ├─ one  40.0 0.0",
        "... and 2 more lines",
    ]
    assert draw_tree(GAME, tree(), width=43, lines=5).splitlines()[1:] == [
        "├─*right  50.0 25.0; chance",
        "│  ├─ one  40.0 0.0",
        "│  └─ 1 more",
        "└─ 1 more",
    ]
    assert draw_tree(GAME, tree(), width=43, lines=8) == LINES


@pytest.mark.parametrize(
    ("name", "how"),
    [("whole", {}), ("cut", {"width": 260, "rows": 5}), ("narrow", {"width": 150})],
)
def test_the_tree_as_a_picture(name: str, how: dict[str, int]) -> None:
    """Kept with an element in a line. `cut` has less rows and `narrow` less room than it needs."""
    drawn = svg_tree(GAME, tree(), CARES, **how).replace("><", ">\n<")
    assert drawn == (HERE / f"{name}.svg").read_text(encoding="utf-8").rstrip("\n")


def test_a_picture_with_just_enough_rows_leaves_nothing_out() -> None:
    assert svg_tree(GAME, tree(), CARES, rows=8) == svg_tree(GAME, tree(), CARES)


@pytest.mark.parametrize("rows", [3, 8])
def test_every_text_is_inside_the_picture(rows: int) -> None:
    """Whether or not the last line says how much was left out."""
    picture = svg_tree(GAME, tree(), CARES, rows=rows)
    [height] = re.findall(r'<svg .* height="(\d+)"', picture)
    lines = [float(y) for y in re.findall(r'<text .*? y="([\d.]+)"', picture)]
    assert len(set(lines)) == rows + 1 + (rows == 3)
    assert max(lines) < int(height)
