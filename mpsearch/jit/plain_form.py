"""The form in which plain Python runs a compiled function: calls of others without a detour.

Whoever calls a compiled function asks whether there is machine code for it. In a search as plain
Python the answer is the same for all that this one calls, thousands of times, and asking took up
to a third of the time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mpsearch.jit.compile import Compiled

Names = dict[str, Any]
Forms = dict["Compiled", Callable[..., Any]]

#: What a module names, and the same with the forms of compiled functions; by where its dict lies.
_modules: dict[int, tuple[Names, Names]] = {}
_lock = threading.Lock()


def plain_form(function: Compiled) -> Callable[..., Any]:
    """A copy of the function as it was written that calls such copies of other compiled ones.

    It knows the names that its module has now, as machine code would. So there is none while the
    module is imported, nor in a notebook, where names come and go: then it is the function itself.
    """
    if function.run is None:
        with _lock:
            forms: Forms = {}
            found = _form(function, forms)
            for each, form in forms.items():  # complete only now: they may call each other
                each.run = form
        return found
    return function.run


def _form(function: Compiled, forms: Forms) -> Callable[..., Any]:
    plain: Any = function.plain
    spec = plain.__globals__.get("__spec__")
    if spec is None or getattr(spec, "_initializing", False):
        itself: Callable[..., Any] = plain
        return itself
    names = _plain_names(plain.__globals__, forms)
    made = function.run or forms.get(function)
    if made is None:  # its module does not name it
        given = plain.__closure__ or ()
        cells = tuple(CellType() for _ in given)
        code, name, defaults = plain.__code__, plain.__name__, plain.__defaults__
        made = forms[function] = FunctionType(code, names, name, defaults, cells)
        made.__kwdefaults__ = plain.__kwdefaults__
        for cell, its in zip(cells, given, strict=True):
            cell.cell_contents = _instead(its.cell_contents, forms)
    return made


def _plain_names(module: Names, forms: Forms) -> Names:
    before, names = _modules.get(id(module), ({}, {}))
    if before.keys() != module.keys() or any(before[key] is not module[key] for key in module):
        names = dict(module)
        _modules[id(module)] = dict(module), names
        for key, value in module.items():
            names[key] = _instead(value, forms)
    return names


def _instead(value: Any, forms: Forms) -> Any:
    from mpsearch.jit.compile import Compiled

    return _form(value, forms) if isinstance(value, Compiled) else value
