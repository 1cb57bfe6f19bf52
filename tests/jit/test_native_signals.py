"""Signals that arrive while native code runs in the main thread."""

import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from mpsearch.contracts import Limits, SearchSpace, Stance
from mpsearch.jit.signals import heard, heard_by, stopped_by_signals
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import make_engine, search
from mpsearch.social import identity

if sys.platform == "win32":
    pytest.skip("signals as on Unix", allow_module_level=True)


@pytest.fixture(autouse=True)
def harmless() -> Iterator[None]:
    """A handler that does nothing, and nobody who listens before or after."""
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    listener = signal.set_wakeup_fd(-1)
    yield
    assert signal.set_wakeup_fd(listener) == -1
    signal.signal(signal.SIGUSR1, before)


def test_a_signal_stops_what_runs() -> None:
    stopped = threading.Event()
    with stopped_by_signals(stopped.set) as told:
        assert told
        os.kill(os.getpid(), signal.SIGUSR1)
        assert stopped.wait(30)
    stopped.clear()
    heard()  # it is over: nothing is stopped any more
    assert not stopped.is_set()


def test_where_somebody_else_listens_we_are_not_told_and_leave_it_so() -> None:
    receiver, sender = os.pipe()
    os.set_blocking(sender, False)
    signal.set_wakeup_fd(sender)
    with stopped_by_signals(lambda: None) as told:
        assert not told
    stopped = threading.Event()
    heard_by(sender)  # unless whoever listens passes it on
    try:
        with stopped_by_signals(stopped.set) as told:
            assert told
            heard()
            assert stopped.is_set()
    finally:
        heard_by(-1)
        assert signal.set_wakeup_fd(-1) == sender
        os.close(receiver)
        os.close(sender)


def test_other_threads_get_no_signals() -> None:
    told: list[bool] = []

    def run() -> None:
        with stopped_by_signals(lambda: None) as answer:
            told.append(answer)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert told == [True]


def test_signals_that_raise_nothing_change_no_search() -> None:
    """The search is stopped, found not to be wanted stopped, and done again elsewhere."""
    game = load_catalog().game("scramble")
    evaluator = load_catalog().evaluator_offer("scramble").make(game)
    space = SearchSpace(game=game, evaluator=evaluator)
    stance = Stance(matrix=identity(4), label="maxn")
    engine, limits = make_engine(space), Limits(nodes=150_000)
    quiet = search(space, [game.new()], stance, limits, engine=engine)
    arrived: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: arrived.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        disturbed = [search(space, [game.new()], stance, limits, engine=engine) for _ in range(3)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert arrived
    assert disturbed == [quiet] * 3
