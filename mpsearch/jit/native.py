"""numba behind one door: compilation with the project's settings and its own disk cache.

numba's own cache notices a change of the file that holds the cached function, but not of the
functions it calls or the constants it reads. Ours is keyed by the code of everything that was
compiled in (`fingerprint`), so a changed rule, evaluator or core is always a new entry.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config
from numba.extending import typeof_impl

from mpsearch.errors import ContractError
from mpsearch.jit.cache import DiskCache
from mpsearch.jit.compiled import Compiled, checking
from mpsearch.jit.explain import explain
from mpsearch.jit.fingerprint import fingerprint

log = logging.getLogger("mpsearch")

_VERSIONS = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
#: Settings of numba that change no machine code: what it prints, where it keeps its own cache,
#: how many threads there are.
_HARMLESS = ("DEBUG_CACHE", "DUMP_", "CACHE_", "CUDA", "NUMBA_", "THREADING_", "_", "COLOR_")


@typeof_impl.register(Compiled)
def _typeof_compiled(value: Compiled, _context: Any) -> Any:
    """Let numba call a Compiled function that it finds in a module as a dispatcher."""
    return types.Dispatcher(value.native())


def _settings() -> dict[str, Any]:
    """How numba is told to compile."""
    return {"nogil": True, "boundscheck": checking(), "error_model": "numpy"}


def _salt() -> str:
    """What machine code depends on besides its source; the processor is in each entry's name."""
    numbas = {
        name: value
        for name, value in sorted(vars(config).items())
        if name.isupper()
        and not name.startswith(_HARMLESS)
        and isinstance(value, (int, float, str, type(None)))
    }
    return repr((_VERSIONS, _settings(), numbas))


def njit(
    plain: Callable[..., Any], *, cached: bool = True, explains: Callable[..., Any] | None = None
) -> Any:
    """The dispatcher of `plain`; `cached=False` for a function only compiled into others.

    If it cannot be compiled, that is said of `explains`, the function that was written.

    The compiled function carries a digest of its content in its name. numba names symbols by
    function name and a counter, which is only unique within a process: without the digest,
    code loaded from the cache could be linked with another function of the same name.
    """
    found = fingerprint(plain, salt=_salt())
    named = FunctionType(
        plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__
    )
    named.__kwdefaults__ = plain.__kwdefaults__
    named.__module__ = plain.__module__
    named.__qualname__ = f"{plain.__qualname__}_{found.digest[:16]}"
    dispatcher: Any = numba.njit(**_settings())(named)
    if found.opaque:
        log.debug("%s uses %s, whose code is unknown: not kept", plain.__name__, found.opaque[0])
    elif cached:
        dispatcher._cache = DiskCache(plain.__name__, found.digest)
    _explain_failures(dispatcher, explains or plain)
    return dispatcher


def entry(plain: Callable[..., Any]) -> Any:
    """As `njit`, for a function that is called from Python and calls not itself."""
    return from_python(njit(plain))


def from_python(dispatcher: Any) -> Any:
    """The dispatcher for calls from Python; where indices are checked, it explains a wrong one."""
    if not checking():
        return dispatcher

    @functools.wraps(dispatcher.py_func)
    def checked(*arguments: Any) -> Any:
        try:
            return dispatcher(*arguments)
        except IndexError as error:
            raise ContractError(
                f"{error} in compiled code; 'mpsearch plugins --check' finds the function and line"
            ) from error

    return checked


def _explain_failures(dispatcher: Any, plain: Callable[..., Any]) -> None:
    """Let what cannot be compiled say so in one line, where a call from Python compiles it."""
    compile_for = dispatcher._compile_for_args

    def compile_or_explain(*args: Any, **kwargs: Any) -> Any:
        try:
            return compile_for(*args, **kwargs)
        except Exception as error:
            raise ContractError(explain(error, plain)) from error

    dispatcher._compile_for_args = compile_or_explain
