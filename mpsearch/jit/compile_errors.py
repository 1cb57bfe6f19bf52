"""One line for what numba says in eighty when a function cannot be compiled."""

from __future__ import annotations

import dis
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mpsearch.jit.fingerprint import functions

_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_UNDEFINED = re.compile(r"NameError: (name '(?P<name>\w+)' is not defined)")
_ATTRIBUTE = re.compile(r"(no|Unknown) attribute '(?P<name>\w+)'")
_NOISE = re.compile(r"^(Failed in |During: |Traceback|There are |$)")


def explain_failure(error: Exception, plain: Callable[..., Any]) -> str:
    """What is wrong in `plain`, or in what it calls, and in which line."""
    undefined = _UNDEFINED.search(str(error))
    if isinstance(error, KeyError):  # numba's answer to a field that a record does not have
        what, place = f"the record has no field {error}", _place_of(error.args[0], plain, "ATTR")
    elif undefined is not None:
        what, place = undefined[1], _place_of(undefined["name"], plain, "GLOBAL")
    elif attribute := _ATTRIBUTE.search(_reason(error)):
        what, place = _reason(error), _place_of(attribute["name"], plain, "ATTR")
    else:
        what, place = _reason(error), _first_place(error, plain)
    return f"{place} cannot be compiled: {what}"


def _place_of(name: str, plain: Callable[..., Any], kind: str) -> str:
    """Where a name is used as an attribute (`ATTR`) or looked up (`GLOBAL`)."""
    for function in functions(plain):
        line: int | None = None
        for step in dis.get_instructions(function):
            line = step.starts_line or line
            if step.argval == name and (kind in step.opname or step.opname == "LOAD_METHOD"):
                return _place(function, line)
    return _place(plain, None)


def _first_place(error: Exception, plain: Callable[..., Any]) -> str:
    """The first, innermost line of the user's own code that the message speaks of."""
    found = [(Path(m["file"]).name, int(m["line"])) for m in _PLACE.finditer(str(error))]
    location = getattr(error, "loc", None)
    if location is not None:
        found.append((Path(location.filename).name, location.line))
    for file, line in found:
        for function in functions(plain):
            code = function.__code__
            lines = [number for _, _, number in code.co_lines() if number is not None]
            if Path(code.co_filename).name == file and min(lines) <= line <= max(lines):
                return _place(function, line)
    return _place(plain, None)


def _place(function: Any, line: int | None) -> str:
    code = function.__code__
    return f"{function.__name__} ({code.co_filename}, line {line or code.co_firstlineno})"


def _reason(error: Exception) -> str:
    """The first line that says something, and the call it is about if there is one."""
    lines = [_without_records(line.strip()) for line in str(error).splitlines()]
    telling = [line for line in lines if not _NOISE.match(line)] or [type(error).__name__]
    call = next((line.removeprefix(">>> ") for line in lines if line.startswith(">>> ")), "")
    reason = telling[0].removesuffix(":").removesuffix(". Raised from None")
    return f"{reason} {call}".strip()


def _without_records(text: str) -> str:
    """The same text with `Record(...)`, which may fill pages, as `record`."""
    while (start := text.find("Record(")) >= 0:
        depth = 0
        for end in range(start + len("Record"), len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if depth == 0:
                break
        text = text[:start] + "record" + text[end + 1 :]
    return text
