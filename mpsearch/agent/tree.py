"""A traced search as a drawing in text: values per seat, who chose, what was cut and why."""

from __future__ import annotations

from collections.abc import Iterator

from mpsearch.contracts import CHANCE, Game
from mpsearch.search.traced import Node


def draw_tree(game: Game, root: Node, *, width: int, lines: int = 200) -> str:
    """A line per node, at most `width` wide; chosen moves are marked with `*`.

    After so many lines the rest is counted, not shown.
    """
    drawn = [f"{_who(root)}, value {_value(root)}"]
    drawn += _below(game, root, "")
    if len(drawn) > lines:
        drawn[lines:] = [f"... and {len(drawn) - lines} more lines"]
    return "\n".join(line if len(line) <= width else line[: width - 3] + "..." for line in drawn)


def _below(game: Game, node: Node, indent: str) -> Iterator[str]:
    skipped = node.listed - len(node.children)
    for number, child in enumerate(node.children):
        last = number == len(node.children) - 1 and not skipped
        mark = "*" if child is node.chosen else " "
        after = f"; {_who(child)}" if child.children else ""
        corner = "└" if last else "├"
        text = game.write_in(node.state, child.move)
        yield f"{indent}{corner}─{mark}{text}  {_value(child)}{after}"
        yield from _below(game, child, indent + ("   " if last else "│  "))
    if skipped:
        yield f"{indent}└─ {skipped} cut, {node.cut}"


def _who(node: Node) -> str:
    return "chance" if node.seat == CHANCE else f"seat {node.seat} chooses"


def _value(node: Node) -> str:
    return " ".join(f"{value:.1f}" for value in node.value)
