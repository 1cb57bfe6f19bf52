"""Plugins that would crash, hang or corrupt memory: the check names each and goes on.

All are the game of the tutorial with one thing wrong, installed beside the core.
"""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.site import Site, mpsearch

TUTORIAL = Path(__file__).parents[2] / "docs/tutorials/write-a-game.md"


def lastcoin() -> str:
    """The game of the tutorial, as the page has it."""
    [code] = re.findall(
        r"<!-- file: lastcoin/src\S* -->\n```python\n(.*?)```", TUTORIAL.read_text(), re.DOTALL
    )
    return str(code)


@attrs.frozen(kw_only=True)
class Fault:
    """One change of the sound plugin, and what the check must say of it."""

    old: str
    new: str
    #: In this order, in one problem.
    says: tuple[str, ...]


BRANCHING = """
@mp.compiled
def greedy(s, parameters, out):
    for coins in range(9):
        out[coins] = 1 + coins % 3
    return 1


def make_greedy(game):
    return mp.CompiledBranching(game, greedy)


COINS ="""
BRANCHING_OFFER = """evaluator="taken",
        branchings=(mp.BranchingOffer(name="greedy", summary="", make=make_greedy),)"""

FAULTS = {
    "writes beyond a field": Fault(
        old="s.taken[s.mover] += coins",
        new="s.taken[s.mover + 5] += coins",
        says=("plain functions", "index 6 is outside of 'taken', which has 6 entries", "in play"),
    ),
    "writes beyond the payoff": Fault(
        old="    out[s.mover] = 1.0",
        new="    out[s.players] = 1.0",
        says=("index 3 is outside of 'out', which has 3 entries", "in payoff"),
    ),
    "field for three seats in a game for six": Fault(
        old='("taken", "i8", 6)',
        new='("taken", "i8", 3)',
        says=("players=4", "index 3 is outside of 'taken', which has 3 entries"),
    ),
    "negative index": Fault(
        old="s.taken[s.mover] += coins",
        new="s.taken[s.mover - 1] += coins",
        says=("index -1 is outside of 'taken'", "in play"),
    ),
    "most_moves too small": Fault(
        old="most_moves=3",
        new="most_moves=2",
        says=("index 2 is outside of 'out', which has 2 entries", "in moves"),
    ),
    "evaluator writes beyond its seats": Fault(
        old="        out[s.mover] = 100.0",
        new="        out[s.mover] = 100.0\n    out[s.players] = 0.0",
        says=("evaluator 'taken'", "index 3 is outside of 'out'", "in taken"),
    ),
    "branching writes more than it says": Fault(
        old="\nCOINS =",
        new=BRANCHING,
        says=("branching 'greedy'", "index 3 is outside of 'out'", "in greedy"),
    ),
    "wrong in one rare state for three": Fault(
        old="    return min(s.coins, 3)",
        new=(
            "    if s.players == 3 and s.coins == 7 and s.taken[0] == 6 and s.taken[2] == 3:\n"
            "        for extra in range(40):\n            out[extra] = 1\n"
            "    return min(s.coins, 3)"
        ),
        says=("players=3", "compiled functions", "index is out of bounds"),
    ),
    "wrong in a local array": Fault(
        old="    s.coins -= coins",
        new="    room = np.zeros(2)\n    room[s.coins] = 1.0\n    s.coins -= coins",
        says=("IndexError: index 21 is out of bounds for axis 0 with size 2", "in play"),
    ),
    "misspelt field": Fault(
        old="    s.coins -= coins",
        new="    s.coins -= coins + s.coinz",
        says=("has no attribute", "coinz", "in play"),
    ),
    "Python that cannot be compiled": Fault(
        old="    return s.mover if s.coins else mp.OVER",
        new="    print(open.__doc__, end='')\n    return s.mover if s.coins else mp.OVER",
        says=("compiled functions", "mover (", "line", "cannot be compiled"),
    ),
    "endless loop": Fault(
        old="    s.coins -= coins",
        new="    while s.players == 5:\n        pass\n    s.coins -= coins",
        says=("players=5", "plain functions", "no progress for 4 seconds: it hangs"),
    ),
    "kills its process": Fault(
        old="        s.players, s.coins = self.players, self.coins",
        new=(
            "        import ctypes\n        s.players, s.coins = self.players, self.coins\n"
            "        self.players == 6 and ctypes.string_at(0)"
        ),
        says=("players=6", "the process was ended by SIGSEGV"),
    ),
    "option that breaks it": Fault(
        old="    s.coins -= coins",
        new="    s.taken[s.coins // 10] += 0\n    s.coins -= coins",
        says=("coins=60", "index 6 is outside of 'taken'"),
    ),
}


def broken(fault: Fault) -> str:
    """The sound plugin with one fault in it."""
    code = lastcoin()
    assert code.count(fault.old) == 1
    code = code.replace(fault.old, fault.new)
    if "make_greedy" in fault.new:
        code = code.replace('evaluator="taken"', BRANCHING_OFFER)
    return code


@pytest.fixture
def check(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """`mpsearch plugins --check --json` with such a plugin beside the core."""

    def run(code: str, *, patience: int = 600) -> list[dict[str, str]]:
        site.install("lastcoin", code)
        done = mpsearch(
            site,
            "plugins",
            "--check",
            f"--patience={patience}",
            "--json",
            plugins="lastcoin",
            MPSEARCH_JIT="1",
        )
        assert done.stderr == ""
        found: list[dict[str, str]] = json.loads(done.stdout)["problems"]
        assert done.returncode == (1 if found else 0)
        return found

    return run


@pytest.mark.parametrize("fault", FAULTS)
def test_bad_plugin_is_named_by_the_check(check: Callable[..., Any], fault: str) -> None:
    problems = check(broken(FAULTS[fault]), patience=4 if "loop" in fault else 600)
    assert {problem["plugin"] for problem in problems} == {"lastcoin"}
    said = "\n".join(problem["what"] for problem in problems)
    assert re.search(".*".join(map(re.escape, FAULTS[fault].says)), said), said
    # One for the rules and one for the evaluator, which reads what they wrote.
    assert len(said.splitlines()) <= 2


def test_sound_plugin_passes_the_check(check: Callable[..., Any]) -> None:
    assert check(lastcoin()) == []


EVALUATOR_ONLY = """
import mpsearch
import mpsearch.contracts as mp

@mp.compiled
def wild(s, parameters, out):
    for seat in range(s.players + 1):
        out[seat] = 50.0

def make_wild(game):
    return mp.CompiledEvaluator(game, wild, bounds=mp.Bounds())

@mpsearch.hookimpl
def mpsearch_evaluators():
    yield mp.EvaluatorOffer(name="wild", game="scramble", summary="", make=make_wild)
"""


def test_wrong_evaluator_is_blamed_on_the_plugin_that_brought_it(site: Site) -> None:
    site.install("critic", EVALUATOR_ONLY)
    done = mpsearch(site, "plugins", "--check", "--quick", "--json", plugins="core,critic")
    [problem] = json.loads(done.stdout)["problems"]
    assert problem["plugin"] == "critic"
    assert "evaluator 'wild'" in problem["what"]
    assert "index 4 is outside of 'out', which has 4 entries" in problem["what"]


def searched(site: Site, listing: str) -> subprocess.CompletedProcess[str]:
    """A search in machine code in which `moves` does something else three plies below the root."""
    listing = f"    if s.coins == 12:\n{listing}\n    return min(s.coins, 3)"
    site.install("lastcoin", lastcoin().replace("    return min(s.coins, 3)", listing))
    return mpsearch(
        site,
        *("search", "--game", "lastcoin", "--agent", "maxn:depth=6,time=100,prune=no"),
        *("--option", "coins=18", "--json"),
        plugins="core,lastcoin",
        MPSEARCH_JIT="1",
    )


@pytest.mark.parametrize("extra", [12, 40, 3000])
@pytest.mark.parametrize("honest", [True, False])
def test_search_never_answers_from_overwritten_memory(site: Site, extra: int, honest: bool) -> None:
    """`moves` writes too much, and may not even say so."""
    count = 3 + extra if honest else 3
    done = searched(
        site,
        f"        for k in range({3 + extra}):\n            out[k] = 1\n        return {count}",
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "most_moves" in done.stderr or "wrote beyond the end of 'moves'" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2


@pytest.mark.parametrize("count", [0, -1])
def test_search_refuses_counts_that_cannot_be(site: Site, count: int) -> None:
    done = searched(site, f"        return {count}")
    assert (done.returncode, done.stdout) == (1, "")
    assert "listed no move, or more moves than most_moves" in done.stderr
