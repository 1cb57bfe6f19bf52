"""Functions that are compiled when a search first needs them, and plain Python until then.

Nothing here imports numba before a compiled function is called, so that listing games stays
fast. With `MPSEARCH_JIT=0` nothing is ever compiled: the same functions run under a debugger.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from mpsearch.errors import ContractError
from mpsearch.jit.compile_policy import compiling_elsewhere
from mpsearch.jit.compile_time import compiling
from mpsearch.jit.plain_form import plain_form

#: Runs a compiled function with its arguments in some other way than natively.
Runner: TypeAlias = Callable[["Compiled", tuple[Any, ...]], Any]

_OFF = ("", "0", "no", "off", "false")
#: What runs compiled functions instead of machine code, if anything does.
_runner: Runner | None = None


def jit_enabled(rules: object | None = None) -> bool:
    """Whether functions run natively: all that are called, or what belongs to these rules.

    `MPSEARCH_JIT=0` and `NUMBA_DISABLE_JIT=1` say no; so does a compilation by another process.
    """
    return (
        not jit_suspended(rules)
        and os.environ.get("MPSEARCH_JIT", "1").lower() not in _OFF[1:]
        and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    )


def jit_suspended(rules: object | None = None) -> bool:
    """Whether functions that could be native are not for the time being, all or those of `rules`.

    What may change from one decision to the next; `jit_enabled` also asks the environment, which
    takes longer.
    """
    return _runner is not None or compiling_elsewhere(rules)


def checking() -> bool:
    """Whether machine code checks every index: `MPSEARCH_CHECK=1`."""
    return os.environ.get("MPSEARCH_CHECK", "0").lower() not in _OFF


@contextlib.contextmanager
def run_by(runner: Runner) -> Iterator[None]:
    """Let `runner` run every compiled function of this process, whatever calls it."""
    global _runner
    before, _runner = _runner, runner
    try:
        yield
    finally:
        _runner = before


class Compiled:
    """A function over NumPy records and arrays, native when the JIT is on."""

    def __init__(self, plain: Callable[..., Any]) -> None:
        #: The function as it was written.
        self.plain = plain
        #: What runs it as plain Python; `plain_form` makes it when that is asked for.
        self.run: Callable[..., Any] | None = None
        #: Whether machine code that calls it has it inside: of what is called at every node.
        self.inlined = False
        self._native: Callable[..., Any] | None = None
        self._entry: Callable[..., Any] | None = None
        self._door: Callable[..., Any] | None = None
        self._loop: Callable[..., Any] | None = None
        functools.update_wrapper(self, plain)

    def __call__(self, *args: Any) -> Any:
        if _runner is not None:
            return _runner(self, args)
        entry = self._entry
        if entry is None:
            if not jit_enabled():
                return plain_form(self)(*args)
            entry = self._entry = _njit()(self.plain)
        try:
            return entry(*args)
        except IndexError as error:
            raise ContractError(f"{self.where}: {error} in compiled code") from error

    def on(self, records: Any, *args: Any) -> Any:
        """As a call with `records[0]`: numba takes an array ten times faster than a record."""
        if _runner is not None:
            return _runner(self, (records[0], *args))
        door = self._door
        if door is None:
            if not jit_enabled():
                return plain_form(self)(records[0], *args)
            door = self._open_door(records, args)
        try:
            try:
                return door(records, *args)
            except TypeError:  # arguments of other types than those it was opened for
                return self._open_door(records, args)(records, *args)
        except IndexError as error:
            raise ContractError(f"{self.where}: {error} in compiled code") from error
        except (ArithmeticError, AssertionError, ValueError) as error:  # what machine code raises
            kind = type(error).__name__
            raise ContractError(f"{self.where}: {kind}: {error} in compiled code") from error

    def on_each(self, records: Any, parameters: Any, out: Any, length: int) -> None:
        """Natively: a call with each of the records, which writes `length` numbers to its row."""
        if self._loop is None:
            with compiling():
                from mpsearch.jit.doors import loop_over

                self._loop = loop_over(self.native(), records, parameters, out)
        try:
            self._loop(records, parameters, out, length)
        except IndexError as error:
            raise ContractError(f"{self.where}: {error} in compiled code") from error

    def _open_door(self, records: Any, args: tuple[Any, ...]) -> Callable[..., Any]:
        with compiling():
            from mpsearch.jit.doors import door_to

            door = self._door = door_to(self.native(), records, args)
        return door

    def native(self) -> Callable[..., Any]:
        """The numba dispatcher for machine code that calls this, made once and cached on disk."""
        if self._native is None:
            self._native = _njit()(self.plain, internal=True, inlined=self.inlined)
        return self._native

    @property
    def where(self) -> str:
        """The function's name with its module, for messages."""
        return f"{self.plain.__module__}.{self.plain.__qualname__}"

    def __repr__(self) -> str:
        return f"<compiled {self.where}>"

    def __reduce__(self) -> Any:
        return _by_name, (self.plain.__module__, self.plain.__qualname__)


def _njit() -> Callable[..., Any]:
    """The way to the compiler, which takes long to import."""
    with compiling():
        from mpsearch.jit.numba_backend import njit
    return njit


def compiled(plain: Callable[..., Any]) -> Compiled:
    """Mark a function of the rules, an evaluator or a branching for native compilation.

    A compiled function may call others, read module constants and use NumPy as far as numba
    does; it must not call functions that are not compiled.
    """
    return Compiled(plain)


def _by_name(module: str, qualname: str) -> Any:
    import importlib

    found: Any = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found
