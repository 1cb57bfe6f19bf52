"""Plain functions over guarded memory: an index that machine code would not check is an error.

Python raises for an index beyond the end, but NumPy takes a negative one from the end, where
compiled code with a wrong index may read or write anything. Guarded records and arrays refuse
both, and say which field it was.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

import numpy as np

from mpsearch.jit.compile import Compiled, run_by

_NUMBERS = (int, np.integer)
#: Without the ways round them that subclasses take: guards are asked at every access.
_entry, _field = np.ndarray.__getitem__, np.void.__getitem__


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Run every compiled function as plain Python over guarded records and arrays."""
    plain: dict[Compiled, tuple[Callable[..., Any], tuple[str, ...]]] = {}

    def run(function: Compiled, arguments: tuple[Any, ...]) -> Any:
        known = plain.get(function)
        if known is None:
            names = function.plain.__code__.co_varnames
            known = plain[function] = _with_guarded_constants(function.plain), names
        return known[0](*map(guard, arguments, known[1]))

    with run_by(run):
        yield


def guard(value: Any, name: str) -> Any:
    """The same memory behind guards; anything but arrays and records is left as it is."""
    kind = type(value)
    if kind is np.ndarray:
        value = value.view(GuardedArray)
        value.label = name
    elif issubclass(kind, np.void) and kind is not GuardedRecord:
        value = value.getfield(np.dtype((GuardedRecord, value.dtype)))
    return value


class GuardedArray(np.ndarray[Any, Any]):
    """An array that refuses every index outside 0 to its length."""

    #: What it is called in the rules, for messages.
    label = ""

    def __array_finalize__(self, source: Any) -> None:
        self.label = getattr(source, "label", "")

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        found = _entry(self, index)  # a part of the array is guarded already
        return guard(found, self.label) if isinstance(found, np.void) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        super().__setitem__(index, value)

    def _check(self, index: Any) -> None:
        parts = index if type(index) is tuple else (index,)
        for part, length in zip(parts, self.shape, strict=False):
            kind = type(part)
            if kind is int or (kind is not bool and isinstance(part, _NUMBERS)):
                if not 0 <= part < length:
                    raise self._beyond(part, length)
            elif part is None or part is Ellipsis:  # what follows belongs to another axis
                return
            elif isinstance(part, np.ndarray) and part.dtype.kind in "iu":
                for number in part.ravel().tolist():
                    if not 0 <= number < length:
                        raise self._beyond(number, length)

    def _beyond(self, index: Any, length: int) -> IndexError:
        return IndexError(f"index {index} is outside of '{self.label}', which has {length} entries")


class GuardedRecord(np.record):  # type: ignore[misc]  # numpy's hints call it final; it is not
    """A record whose fields are guarded."""

    def __getattribute__(self, name: str) -> Any:
        try:
            return guard(_field(self, name), name)
        except ValueError:  # no field has that name
            return super().__getattribute__(name)

    def __getitem__(self, name: Any) -> Any:
        return guard(_field(self, name), str(name))


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
