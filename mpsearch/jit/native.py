"""numba behind one door: compilation with the project's settings and its own disk cache.

numba's own cache notices a change of the file that holds the cached function, but not of the
functions it calls or the constants it reads. Ours is keyed by the code of everything that was
compiled in (`fingerprint`), so a changed rule, evaluator or core is always a new entry.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import pickle
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import caching, compiler
from numba.extending import typeof_impl

from mpsearch.jit.compiled import Compiled
from mpsearch.jit.fingerprint import fingerprint

log = logging.getLogger("mpsearch")

_COMPILING = threading.RLock()
_VERSIONS = repr((sys.version, numba.__version__, llvmlite.__version__, np.__version__))


@typeof_impl.register(Compiled)
def _typeof_compiled(value: Compiled, _context: Any) -> Any:
    """Let numba call a Compiled function that it finds in a module as a dispatcher."""
    return types.Dispatcher(value.native())


def njit(plain: Callable[..., Any], *, cached: bool = True) -> Any:
    """The dispatcher of `plain`; `cached=False` for a function only compiled into others.

    The compiled function carries a digest of its content in its name. numba names symbols by
    function name and a counter, which is only unique within a process: without the digest,
    code loaded from the cache could be linked with another function of the same name.
    """
    digest = fingerprint(plain, salt=_VERSIONS)
    named = FunctionType(
        plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__
    )
    named.__module__ = plain.__module__
    named.__qualname__ = f"{plain.__qualname__}_{digest[:16]}"
    dispatcher: Any = numba.njit(nogil=True, boundscheck=False, error_model="numpy")(named)
    if cached:
        dispatcher._cache = DiskCache(plain.__name__, digest)
    return dispatcher


def cache_folder() -> Path:
    """Where machine code is kept: `MPSEARCH_CACHE`, or the user's cache folder."""
    given = os.environ.get("MPSEARCH_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mpsearch"


@functools.cache
def _announce_once() -> None:
    log.info("compiling to machine code; it is kept for next time ...")


def _announce(name: str) -> None:
    """Tell people once why it takes a while, and those who look closely every time."""
    _announce_once()
    log.debug("compiling %s", name)


class DiskCache(caching._Cache):
    """One file per function and signature, named by what was compiled in.

    A file is written whole or not at all, and read only if its digest fits, so a folder that
    cannot be written, a damaged file and two processes compiling at once do no harm: at worst
    the function is compiled again.
    """

    def __init__(self, name: str, digest: str) -> None:
        self._name = name
        self._digest = digest

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        path = self._path(sig, target_context)
        try:
            blob = path.read_bytes()
        except OSError:
            blob = b""
        digest, payload = blob[:32], blob[32:]
        if payload and hashlib.sha256(payload).digest() == digest:
            try:
                with _COMPILING:
                    target_context.refresh()
                    rebuild: Any = compiler.CompileResult._rebuild
                    return rebuild(target_context, *pickle.loads(payload))
            except Exception as problem:  # whatever is wrong with it, compiling again mends it
                log.debug("%s cannot be used: %s", path, problem)
        _announce(self._name)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.objectmode or data.lifted or data.library.has_dynamic_globals:
            return
        if ".numba.unresolved$" in data.library.get_llvm_str():
            # Mutual recursion: numba cannot load it back (its issue 6061 is open).
            log.debug("%s calls itself through a second copy: not kept", self._name)
            return
        payload = pickle.dumps(data._reduce(), protocol=pickle.HIGHEST_PROTOCOL)
        path = self._path(sig, data.target_context)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        except OSError as problem:
            log.debug("the cache folder cannot be written: %s", problem)
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, path)
        except OSError as problem:
            Path(temporary).unlink(missing_ok=True)
            log.debug("the cache could not be written: %s", problem)

    def enable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of numba's interface; entries are named by content and never go stale."""

    def _path(self, sig: Any, target_context: Any) -> Path:
        machine = target_context.codegen().magic_tuple()
        whole = hashlib.sha256(repr((self._digest, sig, machine)).encode()).hexdigest()
        return cache_folder() / f"{self._name}-{whole[:40]}.bin"
