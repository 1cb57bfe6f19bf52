"""One source, several forms: plain functions bound to other names than those of their modules.

The tree search is written as ordinary functions that call each other by name. Bound with a
compiler as `decorate` they are machine code; bound to functions over Python objects they are the
interpreted search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any


def bind(
    functions: Iterable[Any],
    *,
    decorate: Callable[[Any], Any] = lambda function: function,
    **instead: Any,
) -> dict[str, Any]:
    """Copies of `functions` that see each other, decorated, by name; and `instead` of some, these.

    What else the functions name is what it is in their own modules.
    """
    functions = list(functions)
    names: dict[str, Any] = {}
    for function in functions:
        names |= function.__globals__
    bound = dict(instead)
    names |= instead
    for function in functions:
        name = function.__name__
        if name not in instead:
            copy = FunctionType(function.__code__, names, name, function.__defaults__)
            copy.__kwdefaults__ = function.__kwdefaults__
            copy.__module__ = function.__module__
            names[name] = copy  # until it is decorated: it may call itself
            names[name] = bound[name] = decorate(copy)
    return bound
