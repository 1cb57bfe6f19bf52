"""Plain functions over guarded memory: an index that machine code would not check is an error.

Python raises for an index beyond the end, but NumPy takes a negative one from the end, where
compiled code with a wrong index may read or write anything. Guarded records and arrays refuse
both, and say which field it was.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

import numpy as np

from mpsearch.jit.compile import Compiled, run_by

_NUMBERS = (int, np.integer)


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Run every compiled function as plain Python over guarded records and arrays."""
    plain: weakref.WeakKeyDictionary[Compiled, Callable[..., Any]] = weakref.WeakKeyDictionary()

    def run(function: Compiled, arguments: tuple[Any, ...]) -> Any:
        if function not in plain:
            plain[function] = _with_guarded_constants(function.plain)
        names = function.plain.__code__.co_varnames
        return plain[function](*(guard(a, n) for a, n in zip(arguments, names, strict=False)))

    with run_by(run):
        yield


def guard(value: Any, name: str) -> Any:
    """The same memory behind guards; anything but arrays and records is left as it is."""
    if isinstance(value, np.void) and not isinstance(value, GuardedRecord):
        return value.getfield(np.dtype((GuardedRecord, value.dtype)))
    if type(value) is np.ndarray:
        value = value.view(GuardedArray)
        value.label = name
    return value


class GuardedArray(np.ndarray[Any, Any]):
    """An array that refuses every index outside 0 to its length."""

    #: What it is called in the rules, for messages.
    label = ""

    def __array_finalize__(self, source: Any) -> None:
        self.label = getattr(source, "label", "")

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return guard(super().__getitem__(index), self.label)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        super().__setitem__(index, value)

    def _check(self, index: Any) -> None:
        parts = index if isinstance(index, tuple) else (index,)
        for part, length in zip(parts, self.shape, strict=False):
            if part is None or part is Ellipsis:  # what follows belongs to another axis
                return
            if isinstance(part, _NUMBERS) and not isinstance(part, bool):
                if not 0 <= part < length:
                    raise self._beyond(part, length)
            elif isinstance(part, np.ndarray) and part.dtype.kind in "iu":
                for number in part.ravel().tolist():
                    if not 0 <= number < length:
                        raise self._beyond(number, length)

    def _beyond(self, index: Any, length: int) -> IndexError:
        return IndexError(f"index {index} is outside of '{self.label}', which has {length} entries")


class GuardedRecord(np.record):  # type: ignore[misc]  # numpy's hints call it final; it is not
    """A record whose fields are guarded."""

    def __getattribute__(self, name: str) -> Any:
        dtype = super().__getattribute__("dtype")
        return self[name] if name in dtype.names else super().__getattribute__(name)

    def __getitem__(self, name: Any) -> Any:
        return guard(super().__getitem__(name), str(name))


def _with_guarded_constants(plain: Any) -> Callable[..., Any]:
    """A function that reads the arrays of its module, and those it closes over, through guards."""
    arrays = {
        name: guard(value, name)
        for name, value in plain.__globals__.items()
        if type(value) is np.ndarray
    }
    cells = tuple(
        _guarded_cell(cell, name)
        for cell, name in zip(plain.__closure__ or (), plain.__code__.co_freevars, strict=True)
    )
    made = FunctionType(
        plain.__code__, {**plain.__globals__, **arrays}, plain.__name__, plain.__defaults__, cells
    )
    made.__kwdefaults__ = plain.__kwdefaults__
    return made


def _guarded_cell(cell: CellType, name: str) -> CellType:
    try:
        return CellType(guard(cell.cell_contents, name))
    except ValueError:  # not yet filled
        return cell
