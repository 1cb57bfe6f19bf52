"""Search trees as text: values per seat, chosen moves, and what was pruned and why."""

from __future__ import annotations

from collections.abc import Iterator

from mpsearch.contracts import CHANCE, Game
from mpsearch.search import Node

#: Numbers of children to show per node, where all would be too many.
_BREADTHS = (64, 32, 16, 8, 6, 4, 3, 2, 1)


def fitting_breadth(root: Node, lines: int) -> int:
    """The most children per node with which a tree has at most so many lines."""
    whole = _widest(root)
    for breadth in (whole, *(b for b in _BREADTHS if b < whole)):
        if _count(root, breadth, lines) <= lines:
            return breadth
    return 1


def shown_children(node: Node, breadth: int) -> list[Node]:
    """The first so many children, with the chosen one among them."""
    shown = node.children[:breadth]
    if node.chosen is not None and not any(child is node.chosen for child in shown):
        shown[-1:] = [node.chosen]
    return shown


def _widest(node: Node) -> int:
    return max([len(node.children), 1, *map(_widest, node.children)])


def _count(node: Node, breadth: int, lines: int) -> int:
    """The number of lines of a subtree; counting stops beyond `lines`."""
    shown = shown_children(node, breadth)
    count = 1 + (node.listed > len(node.children)) + (len(node.children) > len(shown))
    for child in shown:
        if count > lines:
            break
        count += _count(child, breadth, lines - count)
    return count


def draw_tree(game: Game, root: Node, *, width: int, lines: int = 200) -> str:
    """A line per node, at most `width` wide; chosen moves are marked with `*`.

    If that is more than so many lines, only some children of each node are shown, the chosen one
    among them; if it still is, the rest is counted.
    """
    drawn = [f"{_who(root)}, value {_value(root)}"]
    drawn += _below(game, root, "", fitting_breadth(root, lines))
    if len(drawn) > lines:
        drawn[lines:] = [f"... and {len(drawn) - lines} more lines"]
    return "\n".join(line if len(line) <= width else line[: width - 3] + "..." for line in drawn)


def _below(game: Game, node: Node, indent: str, breadth: int) -> Iterator[str]:
    skipped = node.listed - len(node.children)
    shown = shown_children(node, breadth)
    more = len(node.children) - len(shown)
    for number, child in enumerate(shown):
        last = number == len(shown) - 1 and not skipped and not more
        mark = "*" if child is node.chosen else " "
        after = f"; {_who(child)}" if child.children else ""
        corner = "└" if last else "├"
        text = game.write_in(node.state, child.move)
        yield f"{indent}{corner}─{mark}{text}  {_value(child)}{after}"
        yield from _below(game, child, indent + ("   " if last else "│  "), breadth)
    if more:
        yield f"{indent}{'├' if skipped else '└'}─ {more} more"
    if skipped:
        yield f"{indent}└─ {skipped} cut, {node.cut}"


def _who(node: Node) -> str:
    return "chance" if node.seat == CHANCE else f"seat {node.seat} chooses"


def _value(node: Node) -> str:
    return " ".join(f"{value:.1f}" for value in node.value)
