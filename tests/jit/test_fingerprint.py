"""What the name of a cache entry covers, and what cannot be covered."""

import enum
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numba.extending
import numpy as np
import pytest

from mpsearch.jit import compiled
from mpsearch.jit.binding import bind
from mpsearch.jit.fingerprint import fingerprint
from mpsearch.search.pruning import local_bounds
from mpsearch.search.tree import alpha_beta, backup, move_ordering


def function(source: str, **used: Any) -> Any:
    """The function `f` of a source that uses the given globals."""
    namespace = dict(used)
    exec(source, namespace)
    return namespace["f"]


def module(name: str, **contents: Any) -> Any:
    made: Any = ModuleType(name)
    vars(made).update(contents)
    return made


def closing_over(value: Any) -> Any:
    def f(x: Any) -> Any:
        return x + value

    return f


def closing_over_module(value: Any) -> Any:
    def f(x: Any) -> Any:
        return x + value.K

    return f


def calling(body: str, wrap: Callable[[Any], Any] = lambda plain: plain) -> Any:
    """A function that calls another with this body."""
    return function("def f(x): return g(x)", g=wrap(function(f"def f(x): return {body}")))


def dispatcher(plain: FunctionType) -> Any:
    from mpsearch.jit.numba_backend import njit

    return njit(plain, cached=False)


K = "def f(x): return x + K"
PAIRS: dict[str, tuple[Any, Any]] = {
    "code": (function("def f(x): return x + 1"), function("def f(x): return x - 1")),
    "number": (function("def f(x): return x + 1"), function("def f(x): return x + 2")),
    "kind of number": (function("def f(x): return x + 1"), function("def f(x): return x + 1.0")),
    "numbers that read the same in a row": (
        function("def f(x): return x * 1.5 + 12"),
        function("def f(x): return x * 1.51 + 2"),
    ),
    "inner function": (
        function("def f(x): return [y + 1 for y in x]"),
        function("def f(x): return [y + 2 for y in x]"),
    ),
    "default": (function("def f(x, k=1): return x * k"), function("def f(x, k=2): return x * k")),
    "default of a keyword": (
        function("def f(x, *, k=1): return x * k"),
        function("def f(x, *, k=2): return x * k"),
    ),
    "global": (function(K, K=1), function(K, K=2)),
    "kind of global": (function(K, K=1), function(K, K=True)),
    "tuple": (function(K, K=(1, 2)), function(K, K=(2, 1))),
    "tuple that reads the same in a row": (function(K, K=(1, 12)), function(K, K=(11, 2))),
    "nesting of a tuple": (function(K, K=((1, 2), 3)), function(K, K=(1, (2, 3)))),
    "enumeration": (
        function("def f(x): return K.A", K=enum.IntEnum("K", {"A": 1})),
        function("def f(x): return K.A", K=enum.IntEnum("K", {"A": 2})),
    ),
    "constant of a module": (
        function("def f(x): return m.K", m=module("m", K=1)),
        function("def f(x): return m.K", m=module("m", K=2)),
    ),
    "constant of a submodule": (
        function("def f(x): return m.n.K", m=module("m", n=module("m.n", K=1))),
        function("def f(x): return m.n.K", m=module("m", n=module("m.n", K=2))),
    ),
    "closure": (closing_over(1), closing_over(2)),
    "closure over a module": (
        closing_over_module(module("m", K=1)),
        closing_over_module(module("m", K=2)),
    ),
    "called function": (calling("x + 1"), calling("x + 2")),
    "called compiled function": (calling("x + 1", compiled), calling("x + 2", compiled)),
    "called dispatcher": (calling("x + 1", dispatcher), calling("x + 2", dispatcher)),
    "dtype": (
        function(K, K=np.dtype([("a", "i8"), ("b", "i4")])),
        function(K, K=np.dtype([("a", "i8"), ("b", "i8")])),
    ),
    "alignment of a dtype": (
        function(K, K=np.dtype([("a", "i4"), ("b", "i8")])),
        function(K, K=np.dtype([("a", "i4"), ("b", "i8")], align=True)),
    ),
    "contents of an array": (
        # Longer than NumPy prints in full.
        function(K, K=np.arange(5000)),
        function(K, K=np.where(np.arange(5000) == 2500, 0, np.arange(5000))),
    ),
    "shape of an array": (function(K, K=np.zeros(4)), function(K, K=np.zeros((2, 2)))),
    "kind of an array": (function(K, K=np.zeros(4)), function(K, K=np.zeros(4, "i8"))),
}


@pytest.mark.parametrize("what", PAIRS)
def test_fingerprint_covers(what: str) -> None:
    first, second = PAIRS[what]
    assert fingerprint(first).digest != fingerprint(second).digest
    assert fingerprint(first) == fingerprint(first)


def test_fingerprint_ignores_comments_and_line_numbers() -> None:
    plain = function("def f(x):\n    return x + 1\n")
    commented = function("# why\n\n\ndef f(x):\n    # because\n\n    return x + 1  # so\n")
    assert plain.__code__.co_firstlineno != commented.__code__.co_firstlineno
    assert fingerprint(plain) == fingerprint(commented)


def test_fingerprint_is_of_the_function_whatever_wraps_it() -> None:
    plain = function("def f(x): return x + 1")
    assert fingerprint(compiled(plain)) == fingerprint(plain)
    assert fingerprint(dispatcher(plain)) == fingerprint(plain)


def test_fingerprint_covers_its_salt() -> None:
    assert fingerprint(closing_over(1), salt="numba 1") != fingerprint(
        closing_over(1), salt="numba 2"
    )


def test_fingerprint_of_functions_that_call_each_other_ends() -> None:
    source = "def f(x): return g(x - 1) if x else {}\ndef g(x): return f(x)"
    assert fingerprint(function(source.format(0))) != fingerprint(function(source.format(1)))


def test_fingerprint_is_the_same_in_every_process() -> None:
    script = (
        "from mpsearch.jit.fingerprint import fingerprint\n"
        "K = frozenset({'one', 'two', 'three'})\n"
        "def g(x): return x in {'some', 'texts', 'whose', 'order', 'varies'}\n"
        "def f(x): return g(x) or x in K\n"
        "print(fingerprint(f).digest)"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


#: The modules that the compiled search is made of, beside its root.
PARTS = {
    module.__name__.rpartition(".")[2]: Path(str(module.__file__)).read_text()
    for module in (alpha_beta, backup, local_bounds, move_ordering)
}


def search_of(sources: Mapping[str, str]) -> str:
    """The fingerprint of the search that these sources make, over rules that do nothing."""
    made: dict[str, dict[str, Any]] = {}
    for name, source in sources.items():
        made[name] = {"__name__": "variant"}
        exec(source, made[name])

    functions = [function for names in made.values() for function in names["FUNCTIONS"]]
    return fingerprint(bind(functions)["try_root"]).digest


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("alpha_beta", "its > best", "its >= best"),
        ("backup", "LINE = 32", "LINE = 33"),
        ("alpha_beta", "context.nodes += 1", "context.nodes += 2"),
        ("local_bounds", "total += step", "total -= step"),
        ("move_ordering", "return k - 1", "return k + 1"),
    ],
)
def test_fingerprint_covers_all_that_the_search_is_made_of(module: str, old: str, new: str) -> None:
    source = PARTS[module]
    assert old in source
    as_it_is = search_of(PARTS)
    assert search_of({**PARTS, module: "# moved down\n" + source}) == as_it_is
    assert search_of({**PARTS, module: source.replace(old, new)}) != as_it_is


def vectorized() -> Any:
    decorate: Any = numba.vectorize
    return decorate(["i8(i8)"])(function("def f(x): return x + 1"))


def c_function() -> Any:
    return numba.cfunc("i8(i8)")(function("def f(x): return x + 1"))


def overloaded() -> Any:
    stub = function("def f(x): raise NotImplementedError")
    numba.extending.overload(stub)(lambda x: lambda x: x + 1)
    return stub


def test_fingerprint_covers_what_writes_code() -> None:
    """An intrinsic, and the plain functions that it calls while it is compiled."""

    def caller(word: str) -> Any:
        written = function(f"def f(): return '{word}'")
        made: Any = numba.extending.intrinsic(function("def f(context, x): return g()", g=written))
        return function("def f(x): return h(x)", h=made)

    assert fingerprint(caller("add")).opaque == ()
    assert fingerprint(caller("add")) == fingerprint(caller("add"))
    assert fingerprint(caller("add")) != fingerprint(caller("sub"))


@pytest.mark.parametrize("make", [vectorized, c_function, overloaded])
def test_function_whose_code_cannot_be_read_is_opaque(make: Callable[[], Any]) -> None:
    caller = function("def f(x): return g(x)", g=make())
    assert fingerprint(caller).opaque
    above = function("def f(x): return g(x)", g=compiled(caller))
    assert fingerprint(above).opaque


@pytest.mark.parametrize("used", [math.sqrt, np.sqrt, np.int64, numba.int64, len, ValueError])
def test_what_changes_only_with_its_version_is_not_opaque(used: Any) -> None:
    assert fingerprint(function("def f(x): return g(x)", g=used)).opaque == ()


def test_field_named_like_a_function_of_the_module_is_not_opaque() -> None:
    def helper() -> None:
        """Never called by f, whose record has a field of this name."""

    assert fingerprint(function("def f(s): return s.helper", helper=helper)).opaque == ()


def test_what_uses_an_opaque_function_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MPSEARCH_JIT", raising=False)
    monkeypatch.setenv("MPSEARCH_CACHE", str(tmp_path))
    assert compiled(function("def f(x): return g(x)", g=vectorized()))(41) == 42
    assert list(tmp_path.iterdir()) == []
    assert compiled(closing_over(1))(41) == 42
    assert len(list(tmp_path.iterdir())) == 1
