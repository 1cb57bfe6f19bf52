"""What cannot be compiled says so in one line, with the function, the file and the line."""

import re
from typing import Any

import numpy as np
import pytest

from mpsearch.errors import ContractError
from mpsearch.jit import compiled

STATES = np.zeros(2, np.dtype([("coins", "i8"), ("taken", "i8", 3)]))


def not_compiled(x: Any) -> Any:
    return x


def misspelt_field(a: Any) -> Any:
    return a[0].coinz  # HERE


def misspelt_field_written(a: Any) -> Any:
    a[0].coinz = 1  # HERE


def misspelt_name(a: Any) -> Any:
    return cions + 1  # type: ignore[name-defined]  # noqa: F821  # HERE


def call_of_plain_function(a: Any) -> Any:
    return not_compiled(a[0].coins)  # HERE


def wrong_types(a: Any) -> Any:
    return a[0].coins + "x"  # HERE


def unknown_in_numpy(a: Any) -> Any:
    return np.nosuch(a)  # type: ignore[attr-defined]  # HERE


CASES = [
    (misspelt_field, "the record has no field 'coinz'"),
    (misspelt_field_written, "the record has no field 'coinz'"),
    (misspelt_name, "name 'cions' is not defined"),
    (call_of_plain_function, "Untyped global name 'not_compiled'"),
    (wrong_types, "add(int64, Literal[str](x))"),
    (unknown_in_numpy, "has no attribute 'nosuch'"),
]


def line_of(function: Any) -> int:
    """The line marked HERE."""
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first: int = function.__code__.co_firstlineno
    return next(n for n in range(first, first + 9) if lines[n - 1].endswith("# HERE"))


@pytest.mark.parametrize(("function", "reason"), CASES)
@pytest.mark.parametrize("below", [False, True])
def test_compile_error_is_one_line(
    monkeypatch: pytest.MonkeyPatch, function: Any, reason: str, below: bool
) -> None:
    monkeypatch.delenv("MPSEARCH_JIT", raising=False)
    wrong = compiled(function)

    def caller(a: Any) -> Any:
        return wrong(a)

    with pytest.raises(ContractError) as raised:
        (compiled(caller) if below else wrong)(STATES)
    where = f"{function.__name__} ({__file__}, line {line_of(function)}) cannot be compiled: "
    assert re.fullmatch(re.escape(where) + ".*" + re.escape(reason) + ".*", str(raised.value))
