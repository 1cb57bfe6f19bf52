"""Nobody waits for the compiler, and it makes no difference who compiled, or when."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from support.turns import turns

from mpsearch.agents import SearchAgent
from mpsearch.api import Table, table
from mpsearch.api.warming import is_warm, warm_up, warm_up_elsewhere
from mpsearch.contracts import Decision, Turn
from mpsearch.jit import cache_folder, compile_elsewhere, compiling_elsewhere, jit_enabled
from mpsearch.match import Ply, Record, Setting
from mpsearch.search import TreeSearch

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")

#: Scramble's agents; with a name of their own for each kind of search.
AGENTS = ["maxn:depth=3", "paranoid:depth=4", "brs:depth=3", "mcts:nodes=40", "sos:depth=2"]


def native(agent: SearchAgent) -> bool:
    assert isinstance(agent.algorithm, TreeSearch)
    return agent.algorithm.engine_for(0)[1].native


def decided(agent: SearchAgent, turn: Turn, seed: int) -> tuple[Decision, float]:
    """A decision, and the next number of the generator behind it."""
    rng = np.random.default_rng(seed)
    decision = agent.choose(turn, agent.start(turn.seat, rng), rng)
    return decision, float(rng.random())


@pytest.mark.parametrize("text", AGENTS)
def test_plain_python_decides_as_machine_code_does(text: str) -> None:
    place = table("scramble", players=3)
    agent = place.searcher(text)
    done = threading.Event()
    for seed, turn in enumerate(turns(place.game, 6, seed=3, share=0.3)):
        expected, following = decided(agent, turn, seed)
        thread = compile_elsewhere(place.game.rules, done.wait)
        assert not jit_enabled(place.game.rules)
        found, after = decided(agent, turn, seed)
        done.set()
        thread.join()
        done.clear()
        assert (found.report, after) == (expected.report, following)


def test_machine_code_that_comes_in_the_middle_of_a_decision_ends_it_at_once() -> None:
    """The plain search would take minutes; natively, from the same numbers, a moment."""
    place = table("scramble", players=4)
    agent = place.searcher("maxn:depth=11,prune=no")
    [turn] = turns(place.game, 1, seed=1, share=1.0)
    expected = decided(agent, turn, 7)
    asked = threading.Event()

    def compiled_after_a_while() -> None:
        asked.wait()
        threading.Event().wait(0.3)

    thread = compile_elsewhere(place.game.rules, compiled_after_a_while)
    assert not native(agent)
    asked.set()
    found = decided(agent, turn, 7)
    thread.join()
    assert (found[0].report, found[1]) == (expected[0].report, expected[1])
    assert native(agent)


def test_a_game_that_changes_over_has_the_same_record() -> None:
    place = table("scramble", players=3)
    setting = place.setting("maxn:depth=3", "mpmix:td=5,to=5", "random", seed=11)
    match = place.play(*setting.agents, seed=11)
    done = threading.Event()
    thread = compile_elsewhere(place.game.rules, done.wait)
    plies = []
    for ply in place.plies(setting):
        plies.append(ply)
        if len(plies) == 9:
            done.set()
            thread.join()
    lines: Record = match.record
    moves = [place.game.write_in(ply.before, ply.move) for ply in plies]
    assert moves == [line["move"] for line in lines.lines]
    values = [ply.decision.value.tolist() for ply in plies if ply.decision and ply.seat != 2]  # type: ignore[union-attr]
    assert values == [line["value"] for line in lines.lines if line["seat"] in (0, 1)]


def test_what_is_compiled_elsewhere_concerns_its_own_game_alone() -> None:
    place, other = table("scramble", players=3), table("scramble", players=4)
    done = threading.Event()
    thread = compile_elsewhere(place.game.rules, done.wait)
    assert compiling_elsewhere(place.game.rules)
    assert place.game.rules is other.game.rules or jit_enabled(other.game.rules)
    done.set()
    thread.join()
    assert not compiling_elsewhere()


def test_a_table_is_warm_once_its_agents_have_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = table("scramble", players=3)
    monkeypatch.setattr("mpsearch.api.warming.cache_folder", lambda: tmp_path)
    monkeypatch.setattr("mpsearch.api.warming.trusted_folder", lambda: tmp_path)
    assert not is_warm(place, ["greedy"])
    warm_up(place.setting("greedy", seed=0))
    assert is_warm(place, ["greedy"])
    assert not is_warm(place, ["greedy", "maxn:depth=2"])
    assert not is_warm(table("scramble", players=4), ["greedy"])
    assert not warm_up_elsewhere(place, ["greedy"])  # there is nothing to do
    monkeypatch.setenv("MPSEARCH_CHECK", "1")
    assert not is_warm(place, ["greedy"])


def test_files_are_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server asks for every table that is made."""
    place = table("scramble", players=3)
    monkeypatch.setattr("mpsearch.api.warming.cache_folder", lambda: tmp_path)
    is_warm(place, ["greedy"])

    def looked(self: Path, pattern: str) -> None:
        pytest.fail(f"{self} was looked at again")

    monkeypatch.setattr(Path, "rglob", looked)
    assert not is_warm(place, ["greedy", "maxn"])


def test_slow_agents_think_for_a_moment_only_to_be_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = table("scramble", players=3)
    given: list[str] = []

    def plies(self: Table, setting: Setting) -> list[Ply]:
        given.extend(setting.agents)
        return []

    monkeypatch.setattr(Table, "plies", plies)
    monkeypatch.setattr(Table, "play", lambda *_, **__: None)  # one at random
    warm_up(place.setting("maxn:time=10", "paranoid:depth=8,worlds=3", "greedy", seed=1))
    assert given == ["maxn:time=0.1", "paranoid:depth=8,worlds=3,time=0.1", "greedy"]
    given.clear()
    warm_up(place.setting("maxn:time=0.01", "maxn:depth=2", "random", seed=1))
    assert given == ["maxn:time=0.01", "maxn:depth=2", "random"]


def test_without_a_cache_nothing_is_compiled_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsearch.api.warming.cache_folder", lambda: None)
    monkeypatch.setattr("mpsearch.api.warming.trusted_folder", lambda: None)
    assert not warm_up_elsewhere(table("scramble"), ["maxn:depth=2"])
    assert not compiling_elsewhere()


CHILD = """
import mpsearch, sys, time
from mpsearch.api import warm_up_elsewhere
from mpsearch.jit import compiling_elsewhere
place = mpsearch.table("scramble", players=2)
assert warm_up_elsewhere(place, ["maxn:depth=2"])
assert "numba" not in sys.modules
match = place.search(None, "maxn:depth=2")
print("numba" in sys.modules, flush=True)
while compiling_elsewhere():
    time.sleep(0.05)
assert not warm_up_elsewhere(place, ["maxn:depth=2"])
again = place.search(None, "maxn:depth=2")
print("numba" in sys.modules, again.report == match.report)
"""


def test_the_first_decision_needs_no_compiler(tmp_path: Path) -> None:
    # The search of all games may be there already; nothing says that all of scramble is.
    for name in ("begin", "search_roots", "list_roots"):
        for kept in (cache_folder() or tmp_path).glob(f"{name}-*"):
            shutil.copy(kept, tmp_path)
    run = subprocess.run(
        [sys.executable, "-c", CHILD],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "MPSEARCH_CACHE": str(tmp_path), "HOME": str(tmp_path)},
    )
    assert run.stdout.split() == ["False", "True", "True"]
