"""Plain functions over guarded memory refuse every index that machine code would not check."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mpsearch.jit import Compiled, compiled, jit_enabled
from mpsearch.jit.bounds_checking import guarded

PLACE = np.dtype([("x", "i4"), ("near", "i4", 2)], align=True)
STATE = np.dtype([("taken", "i8", (2, 3)), ("places", PLACE, 4), ("here", PLACE), ("turn", "i8")])
TABLE = np.arange(5)


def record() -> Any:
    return np.zeros(1, STATE).view(np.recarray)[0]


@compiled
def inner(values: Any, index: int) -> int:
    return int(values[index])


FUNCTIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "field": (lambda s, out, i: s.taken[i, 0], "'taken', which has 2"),
    "second axis": (lambda s, out, i: s.taken[0, i], "'taken', which has 3"),
    "row of a field": (lambda s, out, i: s.taken[0][i], "'taken', which has 3"),
    "record in a field": (lambda s, out, i: s.places[i].x, "'places', which has 4"),
    "field of a record in a field": (lambda s, out, i: s.places[1].near[i], "'near', which has 2"),
    "field of a nested record": (lambda s, out, i: s.here.near[i], "'near', which has 2"),
    "field by its name": (lambda s, out, i: s["taken"][i], "'taken', which has 2"),
    "argument": (lambda s, out, i: out[i], "'out', which has 3"),
    "constant of the module": (lambda s, out, i: TABLE[i], "'TABLE', which has 5"),
    "array of indices": (lambda s, out, i: out[np.array([0, i])], "'out', which has 3"),
    "function that is called": (lambda s, out, i: inner(out, i), "'out', which has 3"),
    "writing": (lambda s, out, i: out.__setitem__(i, 1), "'out', which has 3"),
}


@pytest.mark.parametrize("index", [-1, 9])
@pytest.mark.parametrize("what", FUNCTIONS)
def test_index_outside_is_refused(what: str, index: int) -> None:
    function, message = FUNCTIONS[what]
    with guarded():
        compiled(function)(record(), np.zeros(3), 0)
        with pytest.raises(IndexError, match=f"^index {index} is outside of {message} entries$"):
            compiled(function)(record(), np.zeros(3), index)


def test_array_that_is_closed_over_is_guarded() -> None:
    closed = np.zeros(2)
    with guarded(), pytest.raises(IndexError, match="index -1 is outside of 'closed'"):
        compiled(lambda i: closed[i])(-1)


def write_all(s: Any, out: Any) -> int:
    s.taken[1, 2] = 7
    s.places[3].near[1] = 8
    s.here.x = 9
    s.turn += 1
    out[:] = s.taken[1]
    copies = np.zeros(1, STATE)
    copies[0] = s
    return int(copies[0]["turn"])


def test_guards_change_nothing_else() -> None:
    s, out = record(), np.zeros(3)
    t, plain_out = record(), np.zeros(3)
    with guarded():
        assert compiled(write_all)(s, out) == 1
    assert write_all(t, plain_out) == 1
    assert s.tobytes() == t.tobytes()
    assert s.places[3].near[1] == 8
    assert out.tolist() == plain_out.tolist() == [0, 0, 7]


def test_nothing_is_compiled_while_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPSEARCH_JIT", raising=False)
    monkeypatch.setattr(Compiled, "native", None)
    with guarded():
        assert not jit_enabled()
        assert inner(np.arange(3), 2) == 2
    assert jit_enabled()
