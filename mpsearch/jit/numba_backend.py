"""numba behind one door: compilation with the project's settings and its own disk cache.

numba's own cache notices a change of the file that holds the cached function, but not of the
functions it calls or the constants it reads. Ours is keyed by the code of everything that was
compiled in (`fingerprint`), so a changed rule, evaluator or core is always a new entry.
"""

from __future__ import annotations

import functools
import itertools
import logging
import os
import secrets
import sys
from collections.abc import Callable
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.bytecode import FunctionIdentity
from numba.extending import typeof_impl

from mpsearch.errors import ContractError
from mpsearch.jit import compile_lock
from mpsearch.jit.cache import DiskCache
from mpsearch.jit.compile import Compiled, checking
from mpsearch.jit.compile_errors import explain_failure
from mpsearch.jit.compile_time import compiling
from mpsearch.jit.fingerprint import fingerprint

log = logging.getLogger("mpsearch")

_VERSIONS = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
#: Settings of numba that change no machine code: what it prints, where it keeps its own cache,
#: how many threads there are.
_HARMLESS = ("DEBUG_CACHE", "DUMP_", "CACHE_", "CUDA", "NUMBA_", "THREADING_", "_", "COLOR_")
#: Counts with what is kept on disk: entries that were made otherwise are not read.
_FORMAT = 3


def _name_symbols_apart() -> None:
    """Let no symbol of this process have a name that one of another process has.

    numba names a symbol by the function, the types of its arguments and a counter. The counter
    and the code that stands for a record's type begin anew in every process, so that one function
    compiled by two processes for two sizes of a game gets one name twice, and code loaded from
    the cache would be linked with the wrong one. So the counter begins at random.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))


_name_symbols_apart()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_name_symbols_apart)


@typeof_impl.register(Compiled)
def _typeof_compiled(value: Compiled, _context: Any) -> Any:
    """Let numba call a Compiled function that it finds in a module as a dispatcher."""
    return types.Dispatcher(value.native())


def _settings() -> dict[str, Any]:
    """How numba is told to compile."""
    return {
        "nogil": True,
        "boundscheck": checking(),
        "error_model": "numpy",
        # Nobody calls from C; leaving that way in out makes compiling 7 % quicker. Leaving out the
        # one from Python, where machine code alone calls, gains twice as much. (Leaving out the
        # optimisation of what is optimised again where it is called made searches slower.)
        "no_cfunc_wrapper": True,
    }


def _salt() -> str:
    """What machine code depends on besides its source; the processor is in each entry's name."""
    numbas = {
        name: value
        for name, value in sorted(vars(config).items())
        if name.isupper()
        and not name.startswith(_HARMLESS)
        and isinstance(value, (int, float, str, type(None)))
    }
    return repr((_FORMAT, _VERSIONS, _settings(), numbas))


#: Machine code that is called by its address must not go away.
_KEPT_ALIVE: list[Any] = []


def njit(
    plain: Callable[..., Any],
    *,
    cached: bool = True,
    internal: bool = False,
    inlined: bool = False,
    explains: Callable[..., Any] | None = None,
) -> Any:
    """The dispatcher of `plain`; `cached=False` for a function only compiled into others.

    An `internal` one is called by machine code alone, an `inlined` one is part of what calls it.
    If it cannot be compiled, that is said of `explains`, the function that was written.
    """
    with compiling():
        how = _settings() | {"no_cpython_wrapper": internal or not cached, "forceinline": inlined}
        dispatcher: Any = numba.njit(**how)(plain)
        if cached:
            _keep(dispatcher, salt=f"{_salt()} {internal} {inlined}")
    _explain_failures(dispatcher, explains or plain)
    return dispatcher


def _keep(dispatcher: Any, *, salt: str) -> None:
    """Let the machine code of a dispatcher be kept on disk, if all that it depends on is known."""
    plain = dispatcher.py_func
    found = fingerprint(plain, salt=salt)
    if found.opaque:
        log.debug("%s uses %s, whose code is unknown: not kept", plain.__name__, found.opaque[0])
    else:
        dispatcher._cache = DiskCache(plain.__name__, found.digest)


def overload(dispatcher: Any, *arguments: Any) -> Any:
    """The machine code of a function for arguments like these."""
    kinds = tuple(map(dispatcher.typeof_pyval, arguments))
    if kinds not in dispatcher.overloads:
        dispatcher._compile_for_args(*arguments)
    return dispatcher.overloads[kinds]


def is_compiled(dispatcher: Any, *arguments: Any) -> bool:
    """Whether there is machine code for arguments like these, in this process or kept."""
    kinds = tuple(map(dispatcher.typeof_pyval, arguments))
    cache = dispatcher._cache
    return kinds in dispatcher.overloads or (
        isinstance(cache, DiskCache) and cache.holds(kinds, dispatcher.targetctx)
    )


def address_of(found: Any) -> int:
    """Where machine code is, which must not go away: see `addresses`."""
    address: int = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    return address


def function_address(dispatcher: Any, *arguments: Any) -> int:
    """Where the machine code of a function for arguments like these is; it stays there."""
    _KEPT_ALIVE.append(dispatcher)
    return address_of(overload(dispatcher, *arguments))


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
            with compiling():
                return compile_for(*args, **kwargs)
        except Exception as error:
            raise ContractError(explain_failure(error, plain)) from error
        finally:
            compile_lock.release()  # it is still held if something could not be compiled

    dispatcher._compile_for_args = compile_or_explain
