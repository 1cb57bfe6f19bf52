"""Mutations: the small changes of a source that tools/mutate.py tries."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

import attrs

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@attrs.frozen(kw_only=True)
class Mutation:
    """One change of one place in a source."""

    #: The function it is in, as Python calls it; empty outside of all functions.
    function: str
    #: Where it is: first line, and the bytes it replaces.
    line: int
    start: int
    end: int
    before: str
    after: str

    def apply(self, source: str) -> str:
        """The source with this change."""
        raw = source.encode()
        return (raw[: self.start] + self.after.encode() + raw[self.end :]).decode()


def mutations(source: str) -> list[Mutation]:
    """Every mutation of a source, in the order of its lines."""
    tree = ast.parse(source)
    starts = [0]
    for row in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    raw, found = source.encode(), []
    for node, function in _places(tree):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for other in _changes(node):
            text = ast.unparse(ast.fix_missing_locations(other))
            found.append(
                Mutation(
                    function=function,
                    line=node.lineno,
                    start=start,
                    end=end,
                    before=" ".join(raw[start:end].decode().split()),
                    after=text if isinstance(node, ast.stmt) else f"({text})",
                )
            )
    return sorted(found, key=lambda m: (m.start, m.end, m.after))


def _places(
    node: ast.AST, function: str = "", scope: str = ""
) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Expressions and statements that run, with the function they are in.

    No annotations, decorators, docstrings or f-strings.
    """
    skipped: list[ast.AST | None] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        # Defaults are made where the function is.
        yield from _places(node.args, function, scope)
        skipped = [node.args, node.returns, *node.decorator_list]
        function = scope + node.name
        scope = f"{function}.<locals>."
    elif isinstance(node, ast.ClassDef):
        skipped = [*node.decorator_list]
        scope += f"{node.name}."
    elif isinstance(node, (ast.arg, ast.AnnAssign)):
        skipped = [node.annotation]
    elif isinstance(node, ast.JoinedStr) or _for_readers(node):
        return
    if isinstance(node, (ast.expr, ast.stmt)):
        yield node, function
    for child in ast.iter_child_nodes(node):
        if not any(child is other for other in skipped):
            yield from _places(child, function, scope)


def _for_readers(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:`, names given to types, and whether a field is shown in a repr."""
    if isinstance(node, ast.keyword):
        return node.arg == "repr"
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    names = {"TypeAlias", "TypeVar"}
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.annotation, ast.Name) and node.annotation.id in names
    return False


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[index] = _COMPARE[type(operator)]()
            yield changed
    elif isinstance(node, ast.BoolOp):
        changed_bool = copy.deepcopy(node)
        changed_bool.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield changed_bool
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC and not _is_text(node):
        changed_sum = copy.deepcopy(node)
        changed_sum.op = _ARITHMETIC[type(node.op)]()
        yield changed_sum
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, (int, float)):
            yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield copy.deepcopy(node.body)
        yield copy.deepcopy(node.orelse)
    elif isinstance(node, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()


def _is_text(node: ast.BinOp) -> bool:
    """Whether a text is put together, or one is filled in."""
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in ast.walk(node)
    )
