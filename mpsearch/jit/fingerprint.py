"""A digest of everything that compiling a function depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from enum import EnumMeta
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
        # No repr of ours holds a bare line break, so parts cannot run into each other.
        digest.update(repr(part).encode() + b"\n")
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
        yield value.__name__
        yield from _parts(value.__code__, seen=seen)
        yield from _parts(value.__defaults__, seen=seen)
        yield from _parts(sorted((value.__kwdefaults__ or {}).items()), seen=seen)
        for name, used in _referenced(value):
            yield name
            yield from _parts(used, seen=seen)
    elif isinstance(value, CodeType):
        yield value.co_code, value.co_names, value.co_varnames, value.co_freevars
        yield from _parts(value.co_consts, seen=seen)
    elif isinstance(value, np.ndarray):
        yield value.dtype.descr, value.shape, value.tobytes()
    elif isinstance(value, np.dtype):
        yield value.descr, value.itemsize
    elif isinstance(value, ModuleType):
        yield value.__name__
    elif isinstance(value, (tuple, list)):
        yield type(value).__qualname__, len(value), getattr(value, "_fields", ())
        for item in value:
            yield from _parts(item, seen=seen)
    elif isinstance(value, frozenset):
        # The order of a set of texts changes from process to process.
        yield sorted(map(repr, value))
    elif isinstance(value, EnumMeta):
        members: Any = value.__members__.items()
        yield value.__qualname__, [(name, member.value) for name, member in members]
    elif isinstance(value, type) or callable(value):
        yield getattr(value, "__qualname__", type(value).__qualname__)
    else:
        yield value


def _names(code: CodeType) -> set[str]:
    inner = (_names(c) for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*inner)


def _referenced(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The global, closed-over and module-attribute values that a function's code names."""
    names = sorted(_names(function.__code__))
    for name in names:
        if name in function.__globals__:
            yield from _with_attributes(name, function.__globals__[name], names)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield from _with_attributes(name, cell.cell_contents, names)
        except ValueError:  # an unfilled cell: the function's own name while it is being made
            continue


def _with_attributes(
    path: str, value: Any, names: list[str], above: tuple[Any, ...] = ()
) -> Iterator[tuple[str, Any]]:
    """A value, and if it is a module, what the names could mean in it and its submodules."""
    yield path, value
    if not isinstance(value, ModuleType) or value in above:
        return
    if value.__name__.split(".")[0] in ("numpy", "math"):
        return
    for name in names:
        if hasattr(value, name):
            inner = getattr(value, name)
            yield from _with_attributes(f"{path}.{name}", inner, names, (*above, value))
