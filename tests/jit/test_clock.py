"""What counts as compiling, and what as playing."""

import gc
import threading
import time

import pytest

from mpsearch.contracts import compiled
from mpsearch.jit import PlayClock, jit_enabled
from mpsearch.jit.compile_time import compile_seconds, compiling


class Hands:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    made = Hands()
    monkeypatch.setattr(time, "perf_counter", made)
    return made


def test_compiling_is_not_counted_as_playing(hands: Hands) -> None:
    clock = PlayClock()
    hands.now += 1
    with compiling():
        hands.now += 10
        with compiling():  # within another it counts once
            hands.now += 20
    hands.now += 2
    assert clock.seconds() == 3
    clock.start()
    hands.now += 4
    assert clock.seconds() == 4


def test_what_fails_to_compile_was_compiling_as_long_as_it_took(hands: Hands) -> None:
    def fail() -> None:
        with compiling():
            hands.now += 5
            raise ValueError("no")

    clock = PlayClock()
    with pytest.raises(ValueError, match="no"):
        fail()
    with compiling():
        hands.now += 5
    assert clock.seconds() == 0


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_the_first_call_of_a_compiled_function_compiles_and_the_second_does_not() -> None:
    @compiled
    def twice(x: int) -> int:
        return 2 * x

    before = compile_seconds()
    assert twice(3) == 6
    first = compile_seconds()
    assert twice(4) == 8
    assert before < first == compile_seconds()


def test_garbage_is_looked_for_rarely_while_any_thread_compiles() -> None:
    usual = gc.get_threshold()
    inside, on, out = threading.Event(), threading.Event(), threading.Event()

    def other() -> None:
        with compiling():
            inside.set()
            assert on.wait(60)
        out.set()

    thread = threading.Thread(target=other)
    with compiling():
        thread.start()
        assert inside.wait(60)
        assert gc.get_threshold() > usual
    assert gc.get_threshold() > usual  # the other one is still at it
    on.set()
    assert out.wait(60)
    thread.join()
    assert gc.get_threshold() == usual


def test_who_looks_for_no_garbage_is_left_alone() -> None:
    usual = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with compiling():
            assert gc.get_threshold()[0] == 0
        assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*usual)
