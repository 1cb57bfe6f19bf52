"""A digest of everything that compiling a function depends on."""

from __future__ import annotations

import dis
import functools
import hashlib
from collections.abc import Callable, Iterator
from enum import EnumMeta
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import attrs
import numpy as np

from mpsearch.jit.compile import Compiled

#: Packages whose functions change only with their version, which is in the salt.
_VERSIONED = ("builtins", "cmath", "llvmlite", "math", "numba", "numpy", "operator")


#: Instructions that look up a global name, and an attribute.
_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")


@attrs.frozen(kw_only=True)
class Fingerprint:
    """What compiling a function depends on."""

    digest: str
    #: Names of what the function uses that has code which cannot be read. While there is any, a
    #: change of it would go unnoticed.
    opaque: tuple[str, ...] = ()


class _Opaque(str):
    """The name of something whose code cannot be read."""


def fingerprint(function: Callable[..., Any], *, salt: str = "") -> Fingerprint:
    """A digest of a function's code, the functions it calls and the constants it reads.

    Comments and line numbers do not count; a changed constant in another module does.
    """
    digest = hashlib.sha256(salt.encode())
    opaque = []
    for part in _parts(function, seen=set()):
        if isinstance(part, _Opaque):
            opaque.append(str(part))
        # No repr of ours holds a bare line break, so parts cannot run into each other.
        digest.update(repr(part).encode() + b"\n")
    return Fingerprint(digest=digest.hexdigest(), opaque=tuple(opaque))


def functions(value: Any) -> Iterator[FunctionType]:
    """A function and all those it calls, as they were written."""
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        function = _written(waiting.pop())
        if isinstance(function, FunctionType) and id(function) not in seen:
            seen.add(id(function))
            yield function
            waiting.extend(used for _, used in _referenced(function))


def _written(value: Any) -> Any:
    """The function that a Compiled, a numba dispatcher or an intrinsic was made from."""
    if isinstance(value, Compiled):
        return value.plain
    return value._defn if _is_intrinsic(value) else getattr(value, "py_func", value)


def _is_versioned(value: FunctionType) -> bool:
    """Whether a function changes only with a version that is in the salt."""
    return (value.__module__ or "").split(".")[0] in _VERSIONED


def _is_intrinsic(value: Any) -> bool:
    """Whether a function is no code but writes some, when it is compiled."""
    return type(value).__name__ == "_Intrinsic"


def _parts(value: Any, *, seen: set[int], writes_code: bool = False) -> Iterator[Any]:
    writes_code = writes_code or _is_intrinsic(value)
    value = _written(value)
    if isinstance(value, FunctionType):
        if _is_versioned(value):
            yield value.__module__, value.__qualname__
            return
        if id(value) in seen:
            return
        seen.add(id(value))
        yield value.__name__
        yield from _parts(value.__code__, seen=seen)
        yield from _parts(value.__defaults__, seen=seen)
        yield from _parts(sorted((value.__kwdefaults__ or {}).items()), seen=seen)
        called = _looked_up(value.__code__, (*_GLOBALS, "LOAD_DEREF"))
        for name, used in _referenced(value):
            yield name
            plain = isinstance(used, FunctionType) and used is not value and not writes_code
            if plain and name in called and not _is_versioned(used):
                # numba calls a function that is not compiled only through an @overload.
                yield _Opaque(used.__qualname__)
            yield from _parts(used, seen=seen, writes_code=writes_code)
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
        yield _named(value)
    else:
        text = repr(value)
        yield _Opaque(type(value).__qualname__) if " at 0x" in text else text


def _named(value: Any) -> Any:
    """What stands for a type or for a callable that is no Python function."""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", repr(value))
    module = getattr(value, "__module__", None) or type(value).__module__
    if isinstance(value, type) and issubclass(value, tuple):
        return module, name, getattr(value, "_fields", ())
    harmless = isinstance(value, type) and issubclass(value, BaseException)
    if isinstance(value, (type, BuiltinFunctionType, np.ufunc)):
        harmless = harmless or module.split(".")[0] in _VERSIONED
    elif type(value).__module__.startswith("numba.core.types"):
        harmless = True  # a type, such as numba.int64
    return (module, name) if harmless else _Opaque(name)


@functools.cache
def _looked_up(code: CodeType, opnames: tuple[str, ...]) -> frozenset[str]:
    """The names that instructions of these kinds look up, in functions within it too.

    Remembered: many functions call the same ones, and to read code takes longest of all.
    """
    inner = (_looked_up(c, opnames) for c in code.co_consts if isinstance(c, CodeType))
    own = frozenset(i.argval for i in dis.get_instructions(code) if i.opname in opnames)
    return own.union(*inner)


def _referenced(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The global, closed-over and module-attribute values that a function's code names.

    The name of an attribute is no global of that name: `s.campaign` does not read `campaign`.
    """
    code = function.__code__
    attributes = sorted(_looked_up(code, _ATTRIBUTES))
    for name in sorted(_looked_up(code, _GLOBALS)):
        if name in function.__globals__:
            yield from _with_attributes(name, function.__globals__[name], attributes)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield from _with_attributes(name, cell.cell_contents, attributes)
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
