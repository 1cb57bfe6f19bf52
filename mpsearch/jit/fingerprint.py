"""A digest of everything that compiling a function depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from mpsearch.jit.compiled import Compiled


def fingerprint(function: Callable[..., Any], *, salt: str = "") -> str:
    """A digest of a function's code, the functions it calls and the constants it reads.

    Comments and line numbers do not count; a changed constant in another module does.
    """
    digest = hashlib.sha256(salt.encode())
    for part in _parts(function, seen=set()):
        digest.update(repr(part).encode())
    return digest.hexdigest()


def _parts(value: Any, *, seen: set[int]) -> Iterator[Any]:
    if isinstance(value, Compiled):
        value = value.plain
    # A numba dispatcher keeps the function it was made from.
    value = getattr(value, "py_func", value)
    if isinstance(value, FunctionType):
        if id(value) in seen:
            return
        seen.add(id(value))
        yield value.__qualname__
        yield from _code(value.__code__)
        for name, used in _referenced(value):
            yield name
            yield from _parts(used, seen=seen)
    elif isinstance(value, np.ndarray):
        yield value.dtype.descr, value.shape, value.tobytes()
    elif isinstance(value, np.dtype):
        yield value.descr, value.itemsize
    elif isinstance(value, ModuleType):
        yield value.__name__
    elif isinstance(value, (tuple, list, frozenset)):
        for item in value:
            yield from _parts(item, seen=seen)
    elif isinstance(value, type) or callable(value):
        yield getattr(value, "__qualname__", type(value).__qualname__)
    else:
        yield value


def _code(code: CodeType) -> Iterator[Any]:
    yield code.co_code, code.co_names, code.co_varnames, code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield constant


def _names(code: CodeType) -> set[str]:
    inner = (_names(c) for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*inner)


def _referenced(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The global, closed-over and module-attribute values that a function's code names."""
    names = sorted(_names(function.__code__))
    for name in names:
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        yield name, value
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in ("numpy", "math"):
            yield from ((f"{name}.{n}", getattr(value, n)) for n in names if hasattr(value, n))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # an unfilled cell: the function's own name while it is being made
            continue
