"""Search trees as text: values per seat, chosen moves, and what was pruned and why."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import attrs

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


@attrs.frozen(kw_only=True)
class Row:
    """One line of a drawing: a node, or the number of nodes left out or pruned."""

    depth: int
    #: The parent's row, and the lines that lead down to this one.
    above: int
    indent: str
    text: str
    node: Node | None = None
    #: The seat that chose among it and its siblings, and whether it was chosen.
    judge: int = CHANCE
    chosen: bool = False


def tree_rows(game: Game, root: Node, breadth: int) -> Iterator[Row]:
    """A tree from the root down, with so many children of each node."""
    numbers = itertools.count(1)

    def below(node: Node, depth: int, above: int, indent: str) -> Iterator[Row]:
        shown = shown_children(node, breadth)
        more, pruned = len(node.children) - len(shown), node.listed - len(node.children)
        rest = [f"{more} more"] * (more > 0) + [f"{pruned} cut, {node.cut}"] * (pruned > 0)
        left = len(shown) + len(rest)
        for child in shown:
            number, left = next(numbers), left - 1
            yield Row(
                depth=depth,
                above=above,
                indent=indent + ("├" if left else "└"),
                text=game.write_in(node.state, child.move),
                node=child,
                judge=node.seat,
                chosen=child is node.chosen,
            )
            yield from below(child, depth + 1, number, indent + ("│  " if left else "   "))
        for text in rest:
            _, left = next(numbers), left - 1
            corner = "├" if left else "└"
            yield Row(depth=depth, above=above, indent=indent + corner, text=text)

    yield Row(depth=0, above=0, indent="", text="", node=root)
    yield from below(root, 1, 0, "")


def draw_tree(game: Game, root: Node, *, width: int, lines: int = 200) -> str:
    """A line per node, at most `width` wide; chosen moves are marked with `*`.

    If that is more than so many lines, only some children of each node are shown, the chosen one
    among them; if it still is, the rest is counted.
    """
    drawn = [_line(row) for row in tree_rows(game, root, fitting_breadth(root, lines))]
    if len(drawn) > lines:
        drawn[lines:] = [f"... and {len(drawn) - lines} more lines"]
    return "\n".join(line if len(line) <= width else line[: width - 3] + "..." for line in drawn)


def _line(row: Row) -> str:
    if row.node is None:
        return f"{row.indent}─ {row.text}"
    value = " ".join(f"{value:.1f}" for value in row.node.value)
    if row.depth == 0:
        return f"{_who(row.node)}, value {value}"
    mark, after = "*" if row.chosen else " ", f"; {_who(row.node)}" if row.node.children else ""
    return f"{row.indent}─{mark}{row.text}  {value}{after}"


def _who(node: Node) -> str:
    return "chance" if node.seat == CHANCE else f"seat {node.seat} chooses"
