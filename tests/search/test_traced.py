"""The tree that a search went through, and what it left out."""

import numpy as np
import pytest

from mpsearch.agents.tree_svg import svg_tree
from mpsearch.agents.tree_text import draw_tree
from mpsearch.api.game_table import table
from mpsearch.contracts import Limits
from mpsearch.search import search
from mpsearch.search.tracing import Node, trace


def nodes(node: Node) -> int:
    return 1 + sum(nodes(child) for child in node.children)


@pytest.mark.parametrize("name", ["maxn", "paranoid", "offensive", "mpmix:td=0"])
@pytest.mark.parametrize("prune", [True, False])
def test_the_tree_is_the_search_itself(name: str, prune: bool) -> None:
    place = table("scramble", players=3)
    found = place.search(place.position(moves="+3 +1 +2"), f"{name}", seed=1)
    space, stance = place.searcher(name).space, found.report.stance
    state = place.position(moves="+3 +1 +2")
    root = trace(space, state, stance, depth=3, prune=prune)
    report = search(space, [state], stance, Limits(depth=3), prune=prune)
    assert np.array_equal(root.value, report.value)
    assert nodes(root) == report.nodes
    assert [child.move for child in root.children] == [entry.move for entry in report.moves]


def test_without_pruning_nothing_is_cut_and_values_are_those_chosen() -> None:
    place = table("scramble", players=3)
    stance = place.search(None, "maxn").report.stance
    root = trace(place.space(), place.position(), stance, depth=2, prune=False)
    for child in root.children:
        assert len(child.children) == child.listed
        assert child.cut == ""
        assert child.chosen is not None
        best = max(float(grand.value[child.seat]) for grand in child.children)
        assert float(child.chosen.value[child.seat]) == best
        assert np.array_equal(child.value, child.chosen.value)


def test_what_is_cut_is_counted_with_its_reason() -> None:
    place = table("scramble", players=3)
    stance = place.search(None, "paranoid").report.stance
    root = trace(place.space(), place.position(), stance, depth=2, prune=True)
    text = draw_tree(place.game, root, width=60)
    assert "cut, immediate: no value is better than 0" in text
    assert max(map(len, text.splitlines())) <= 60
    assert max(map(len, draw_tree(place.game, root, width=20).splitlines())) <= 20
    assert draw_tree(place.game, root, width=60, lines=3).endswith("more lines")


def test_a_wide_tree_shows_what_was_chosen_at_every_node_and_counts_the_rest() -> None:
    place = table("scramble", players=3)
    stance = place.search(place.position(), "maxn").report.stance
    root = trace(place.space(), place.position(), stance, depth=4, prune=False)
    whole = draw_tree(place.game, root, width=80, lines=10**6)
    assert " more" not in whole
    for lines in (len(whole.splitlines()), 60, 20, 9):
        text = draw_tree(place.game, root, width=80, lines=lines)
        assert len(text.splitlines()) <= lines
        # One child is chosen below every node that says who chooses.
        assert text.count("─*") == text.count("chooses"), text
        assert "more lines" not in text
        left_out = [int(line.split()[-2]) for line in text.splitlines() if line.endswith(" more")]
        assert (not left_out) == (text == whole)
        rows = svg_tree(place.game, root, stance.matrix, rows=lines)
        assert rows.count('stroke-dasharray="3 3"') == len(left_out)
        assert "more rows" not in rows
