"""Machine code on disk, kept only where nobody but the user can have written it.

An entry is a pickle, and reading a pickle can run anything. So a folder or file that belongs to
somebody else, or that others may write to, is never read; the function is compiled instead.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import pickle
import tempfile
import threading
from pathlib import Path
from typing import Any

import llvmlite.binding
from numba.core import caching, compiler
from numba.core.runtime.nrt import rtsys

from mpsearch.jit import compile_lock
from mpsearch.jit.cache_directory import cache_folder, objection, trusted_folder, warn_once

log = logging.getLogger("mpsearch")

_COMPILING = threading.RLock()

#: What numba calls a function that it has yet to find when code is loaded.
_UNRESOLVED = ".numba.unresolved$"


@functools.cache
def _announce_once(kept: bool) -> None:
    log.info("compiling to machine code%s ...", "; it is cached for next time" if kept else "")


def _announce(name: str, *, folder: Path | None) -> None:
    """Tell people once why it takes a while, and those who look closely every time."""
    _announce_once(folder is not None and os.access(folder, os.W_OK | os.X_OK))
    log.debug("compiling %s", name)


def _read(path: Path) -> bytes:
    """The content of an entry, or nothing."""
    try:
        with path.open("rb") as file:
            problem = objection(path, os.fstat(file.fileno()))
            blob = file.read() if problem is None else b""
    except OSError:
        return b""
    if problem is not None:
        warn_once(problem)
    digest, payload = blob[:32], blob[32:]
    return payload if digest == _digest(path.name, payload) else b""


def _write(path: Path, payload: bytes) -> None:
    """Write an entry whole or not at all."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    except OSError as problem:
        log.debug("the cache folder cannot be written: %s", problem)
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(path.name, payload) + payload)
        os.replace(temporary, path)
    except OSError as problem:
        Path(temporary).unlink(missing_ok=True)
        log.debug("the cache could not be written: %s", problem)


def _digest(name: str, payload: bytes) -> bytes:
    """With the entry's name: a sound entry under another's name is not that other."""
    return hashlib.sha256(name.encode() + b"\0" + payload).digest()


def _names_from_outside(library: Any) -> list[str]:
    """The functions and variables that machine code takes from the rest of the process."""
    module = library._final_module
    named = (*module.functions, *module.global_variables)
    outside = (thing.name for thing in named if thing.is_declaration)
    return [name for name in outside if not name.startswith("llvm.")]


def _make_known(names: list[str], target_context: Any) -> None:
    """Let machine code that is loaded find what it takes from outside.

    numba's runtime has it all, or nearly. To import what numba knows of Python and NumPy takes as
    long as everything else before a first move, and only compiling needs it.
    """
    rtsys.initialize(target_context)
    if None in map(llvmlite.binding.address_of_symbol, names):
        target_context.refresh()


class DiskCache(caching._Cache):
    """One file per function and signature, named by what was compiled in.

    A folder that cannot be written and a damaged file do no harm: at worst the function is compiled
    again. Of processes that need it at once one compiles it.
    """

    def __init__(self, name: str, digest: str) -> None:
        self._name = name
        self._digest = digest

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        folder = trusted_folder()
        if folder is not None:
            path = folder / self._file(sig, target_context)
            found = self._load(path, target_context)
            if found is None and compile_lock.acquire(path):
                found = self._load(path, target_context)  # somebody else has compiled it
                if found is not None:
                    compile_lock.release_after(path)
            if found is not None:
                return found
        _announce(self._name, folder=folder)
        return None

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Whether there is an entry; that it can be used is not said."""
        folder = trusted_folder()
        return folder is not None and (folder / self._file(sig, target_context)).exists()

    def _load(self, path: Path, target_context: Any) -> Any:
        """What an entry holds, or None."""
        payload = _read(path)
        if payload:
            try:
                with _COMPILING:
                    names, parts = pickle.loads(payload)
                    _make_known(names, target_context)
                    rebuild: Any = compiler.CompileResult._rebuild
                    return rebuild(target_context, *parts)
            except Exception as problem:  # whatever is wrong with it, compiling again mends it
                log.debug("the entry for %s cannot be used: %s", self._name, problem)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        folder = trusted_folder()
        if folder is not None:
            path = folder / self._file(sig, data.target_context)
            self._save(path, data)
            compile_lock.release_after(path)

    def _save(self, path: Path, data: Any) -> None:
        if data.objectmode or data.lifted or data.library.has_dynamic_globals:
            return
        names = _names_from_outside(data.library)
        if any(name.startswith(_UNRESOLVED) for name in names):
            # Mutual recursion: numba cannot load it back (its issue 6061 is open).
            log.debug("%s calls itself through a second copy: not kept", self._name)
            return
        try:
            payload = pickle.dumps((names, data._reduce()), protocol=pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as problem:
            log.debug("%s cannot be kept: %s", self._name, problem)
            return
        _write(path, payload)

    def enable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of numba's interface; entries are named by content and never go stale."""

    def _file(self, sig: Any, target_context: Any) -> str:
        machine = target_context.codegen().magic_tuple()
        whole = hashlib.sha256(repr((self._digest, sig, machine)).encode()).hexdigest()
        return f"{self._name}-{whole[:40]}.bin"
