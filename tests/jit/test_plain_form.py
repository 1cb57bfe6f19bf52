"""Plain Python runs a compiled function with all that it calls, and asks once how."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mpsearch.contracts import compiled
from mpsearch.jit import compile as compiling

SOURCE = """
from mpsearch.contracts import compiled

STEP = {step}


def outer(inner):
    @compiled
    def double(x):
        return inner(x) + inner(x)

    return double


@compiled
def even(n):
    return True if n == 0 else odd(n - 1)


@compiled
def odd(n):
    return False if n == 0 else even(n - 1)


@compiled
def further(x):
    return x + STEP


@compiled
def climb(n):
    return 0 if n == 0 else further(climb(n - 1))


twice = outer(further)
{last}
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModuleType]]:
    """A module with a constant and a last line."""
    monkeypatch.setenv("MPSEARCH_JIT", "0")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)

    def written(step: int, last: str = "") -> ModuleType:
        (tmp_path / "rules_in_plain_form.py").write_text(SOURCE.format(step=step, last=last))
        importlib.invalidate_caches()
        known = sys.modules.get("rules_in_plain_form")
        return importlib.reload(known) if known else importlib.import_module("rules_in_plain_form")

    yield written
    sys.modules.pop("rules_in_plain_form", None)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """How often it was asked whether there is machine code."""
    answers: list[object] = []

    def enabled(rules: object | None = None) -> bool:
        answers.append(rules)
        return False

    monkeypatch.setattr(compiling, "jit_enabled", enabled)
    return answers


def test_functions_that_call_each_other_ask_once(
    module: Callable[..., ModuleType], asked: list[object]
) -> None:
    rules = module(step=3)
    calls: list[tuple[Any, int, Any]] = [
        *((rules.even, 10, True), (rules.odd, 10, False)),
        *((rules.climb, 5, 15), (rules.twice, 4, 14)),
    ]
    for function, given, expected in calls:
        asked.clear()
        assert function(given) == expected
        assert len(asked) == 1


def test_a_module_that_is_read_again_runs_as_it_is_now(module: Callable[..., ModuleType]) -> None:
    assert module(step=3).climb(2) == 6
    again = module(step=5)
    assert (again.climb(2), again.twice(1)) == (10, 12)


def test_a_function_may_be_called_while_its_module_is_read(
    module: Callable[..., ModuleType], asked: list[object]
) -> None:
    rules = module(step=3, last="FIRST = climb(2)\n\n\n@compiled\ndef late(x):\n    return x")
    assert rules.FIRST == 6
    assert len(asked) > 1
    asked.clear()
    assert rules.climb(2) == 6
    assert len(asked) == 1


def test_a_notebook_may_define_later_what_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MPSEARCH_JIT", "0")
    cells: dict[str, Any] = {"__name__": "__main__", "compiled": compiled}
    exec("@compiled\ndef first(x):\n    return second(x) + 1 if x else 0", cells)
    assert cells["first"](0) == 0
    exec("@compiled\ndef second(x):\n    return 10 * x", cells)
    assert cells["first"](2) == 21
    exec("@compiled\ndef second(x):\n    return 100 * x", cells)
    assert cells["first"](2) == 201
