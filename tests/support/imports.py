"""What a module imports: by statement, relative or not, by importlib, by attribute, by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

#: Stands for a module whose name is only known when the import is made.
UNKNOWN = "?"
#: A part that an offer names by where it is: `package.module:name`.
_WHERE = re.compile(r"([A-Za-z_]\w*(?:\.\w+)+):[A-Za-z_]\w*")


def imports(source: str, module: str, *, package: bool = False) -> set[str]:
    """The dotted names of all that a module imports, wherever in it; UNKNOWN where none is said.

    `from a import b` gives `a.b`, whether b is a module or a name in one. `package` says that the
    source is that of an `__init__`.
    """
    tree = ast.parse(source)
    home = module if package else module.rpartition(".")[0]
    names = _names(tree, home)
    found = set(names.values())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            full = _full_name(node, names)
            if full is not None:
                found.add(full)
        elif isinstance(node, ast.Call):
            found |= set(_called(node, names, home))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            where = _WHERE.fullmatch(node.value)
            if where is not None:
                found.add(where[1])
    return found


def _names(tree: ast.AST, home: str) -> dict[str, str]:
    """What import statements bind: local name to dotted name."""
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                bound[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            start = _absolute("." * node.level + (node.module or ""), home)
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{start}.{alias.name}"
    return bound


def _absolute(name: str, home: str) -> str:
    """A name with dots before it, as it reads in the package `home`."""
    bare = name.lstrip(".")
    level = len(name) - len(bare)
    if not level:
        return bare
    parts = home.split(".")[: len(home.split(".")) - (level - 1)]
    return ".".join([*parts, bare] if bare else parts)


def _full_name(node: ast.expr, names: dict[str, str]) -> str | None:
    """`a.b.c` where `a` was imported; None for every other expression."""
    if isinstance(node, ast.Name):
        return names.get(node.id, "__import__" if node.id == "__import__" else None)
    if isinstance(node, ast.Attribute):
        before = _full_name(node.value, names)
        return None if before is None else f"{before}.{node.attr}"
    return None


def _called(node: ast.Call, names: dict[str, str], home: str) -> Iterator[str]:
    """The module that a call of importlib imports."""
    if _full_name(node.func, names) not in ("importlib.import_module", "__import__"):
        return
    given = [*node.args, *(word.value for word in node.keywords if word.arg == "name")]
    first = given[0] if given else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield _absolute(first.value, home)
    else:
        yield UNKNOWN
