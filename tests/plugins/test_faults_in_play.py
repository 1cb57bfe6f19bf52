"""Plugins that go wrong while a game is played: the message names the plugin and what is right.

All are the game of the tutorial with one thing wrong, installed beside the core.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from support.site import Site, mpsearch

from mpsearch.plugins import discovery

from .test_bad_plugins import lastcoin

#: The game as a class of its own methods, in Python alone.
PLAIN_GAME = """
import math
import numpy as np
import mpsearch
import mpsearch.contracts as mp


class Count(mp.Game):
    def __init__(self, players):
        self.players = players

    def new(self):
        return 0

    def mover(self, state):
        return state % self.players if state < 9 else mp.OVER

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return state + move

    def payoff(self, state):
        return np.arange(self.players) + 1.0

    def read(self, text):
        return int(text)


class Taken(mp.Evaluator):
    bounds = mp.Bounds()

    def __init__(self, game):
        self.players = game.players

    def values(self, state):
        return np.arange(self.players) + 1.0


class Sure(mp.Player):
    def __init__(self, game):
        pass

    def choose(self, turn, memory, rng):
        return mp.Decision(move=turn.moves[0], value=[1.0] * 3)


@mpsearch.hookimpl
def mpsearch_games():
    yield mp.GameOffer(
        name="count", summary="", make=Count, players=(3, 3), default_players=3, evaluator="taken",
        bots=(mp.PlayerOffer(name="sure", summary="", make=Sure),),
    )


@mpsearch.hookimpl
def mpsearch_evaluators():
    yield mp.EvaluatorOffer(name="taken", game="count", summary="", make=Taken)
"""


@attrs.frozen(kw_only=True)
class Fault:
    """One change of a sound game, who plays it, and what is said."""

    old: str
    new: str
    says: str
    agent: str = "random"


PAYOFF = "return np.arange(self.players) + 1.0\n\n    def read"
VALUES = "return np.arange(self.players) + 1.0\n\n\nclass Sure"
RIGHT = "expected an array of 3 finite numbers, one for each seat"
PLAIN_FAULTS = {
    "payoff for two of three seats": Fault(
        old=PAYOFF,
        new=PAYOFF.replace("arange(self.players)", "arange(2)"),
        says=f"plugin count: dist_count_code.Count.payoff returned [1.0, 2.0]; {RIGHT}",
    ),
    "payoff that is no array": Fault(
        old=PAYOFF,
        new=PAYOFF.replace("np.arange(self.players) + 1.0", "'seat 0'"),
        says=f"plugin count: dist_count_code.Count.payoff returned 'seat 0'; {RIGHT}",
    ),
    "payoff that is not a number": Fault(
        old=PAYOFF,
        new=PAYOFF.replace("+ 1.0", "+ math.nan"),
        says=f"plugin count: dist_count_code.Count.payoff returned [nan, nan, nan]; {RIGHT}",
    ),
    "payoff that raises": Fault(
        old=PAYOFF,
        new=PAYOFF.replace("return", "raise ValueError('no winner')\n        return"),
        says="plugin count: ValueError: no winner, in payoff (dist_count_code.py, line",
    ),
    "moves that raise": Fault(
        old="return [1, 2]",
        new="return [[1], [1]][state]",
        says="plugin count: IndexError: list index out of range, in moves (dist_count_code.py,",
    ),
    "evaluator that raises": Fault(
        old=VALUES,
        new=VALUES.replace("return", "raise KeyError('seat')\n        return"),
        says="plugin count: KeyError: 'seat', in values (dist_count_code.py, line",
        agent="maxn:depth=2",
    ),
    "evaluator that raises below the root only": Fault(
        old=VALUES,
        new=VALUES.replace("return", "assert state < 2, 'too far'\n        return"),
        says="plugin count: AssertionError: too far, in values (dist_count_code.py, line",
        agent="maxn:depth=2",
    ),
    "evaluator that is not a number": Fault(
        old=VALUES,
        new=VALUES.replace("+ 1.0", "+ math.nan"),
        says=f"plugin count: dist_count_code.Taken returned [nan, nan, nan]; {RIGHT}",
        agent="maxn:depth=2",
    ),
    "evaluator that is not a number below the root only": Fault(
        old=VALUES,
        new=VALUES.replace("+ 1.0", "+ (1.0 if state == 0 else math.nan)"),
        says=f"plugin count: dist_count_code.Taken led a search to [nan, nan, nan]; {RIGHT}",
        agent="maxn:depth=2",
    ),
    "evaluator for too many seats": Fault(
        old=VALUES,
        new=VALUES.replace("arange(self.players)", "arange(4)"),
        says=f"plugin count: dist_count_code.Taken returned [1.0, 2.0, 3.0, 4.0]; {RIGHT}",
        agent="maxn:depth=2",
    ),
    "player whose value is not a number": Fault(
        old="value=[1.0] * 3",
        new="value=[math.inf] * 3",
        says="ply 0: the player at seat 0 valued its move at [inf, inf, inf]; expected a "
        "finite number for each seat, or no value",
        agent="sure",
    ),
    "game without end": Fault(
        old="if state < 9 else mp.OVER",
        new="if state < 9 else 0",
        says="plugin count: dist_count_code.Count: the game is not over after 10,000 plies; "
        "allow more with --most-plies, or in the game itself with 'most_plies'",
    ),
    "game without end that declares a length": Fault(
        old="class Count(mp.Game):",
        new="class Count(mp.Game):\n    most_plies = 3",
        says="plugin count: dist_count_code.Count: the game is not over after 3 plies",
    ),
}


def play(
    site: Site, game: str, *more: str, agent: str = "random", jit: str = "0"
) -> subprocess.CompletedProcess[str]:
    words = ("play", "--game", game, "--seat", agent, "--seat", agent, "--seat", agent)
    return mpsearch(site, *words, "--seed", "1", *more, plugins=f"core,{game}", MPSEARCH_JIT=jit)


@pytest.mark.parametrize("what", PLAIN_FAULTS)
def test_fault_in_play_names_the_plugin_and_what_would_be_right(
    site: Site, what: str, tmp_path: Path
) -> None:
    fault, record = PLAIN_FAULTS[what], tmp_path / "game.jsonl"
    assert PLAIN_GAME.count(fault.old) == 1
    site.install("count", PLAIN_GAME.replace(fault.old, fault.new))
    done = play(site, "count", "--quiet", "--record", str(record), agent=fault.agent)
    assert (done.returncode, done.stdout) == (1, "")
    assert fault.says in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
    lines = record.read_text().splitlines()
    assert not any("payoff" in line or "NaN" in line or "Infinity" in line for line in lines)


def test_sound_game_is_played(site: Site) -> None:
    site.install("count", PLAIN_GAME)
    for agent in ("random", "maxn:depth=2", "sure"):
        done = play(site, "count", "--quiet", agent=agent)
        assert (done.returncode, done.stderr) == (0, "")
        assert "seat 2" in done.stdout


def test_user_says_after_how_many_plies_a_game_is_stopped(site: Site, tmp_path: Path) -> None:
    site.install("count", PLAIN_GAME)
    record = tmp_path / "game.jsonl"
    done = play(site, "count", "--quiet", "--most-plies", "4", "--record", str(record))
    assert done.returncode == 1
    assert "not over after 4 plies" in done.stderr
    head, *plies = map(json.loads, record.read_text().splitlines())
    assert (head["most_plies"], len(plies)) == (4, 4)
    resumed = mpsearch(
        site, "play", "--resume", str(record), "--most-plies", "20", plugins="core,count"
    )
    assert resumed.returncode == 0, resumed.stderr


def test_games_of_a_tournament_are_stopped_too(site: Site) -> None:
    site.install("count", PLAIN_GAME)
    words = ("tournament", "--game", "count", "--agent", "random", "--games", "2", "--opening", "0")
    done = mpsearch(site, *words, "--most-plies", "4", plugins="core,count")
    assert done.returncode == 1
    assert "not over after 4 plies" in done.stderr


def test_an_opening_of_a_game_without_end_is_found_all_the_same(site: Site) -> None:
    site.install("count", PLAIN_GAME.replace("if state < 9 else mp.OVER", "if state < 9 else 0"))
    words = ("tournament", "--game", "count", "--agent", "random", "--games", "1")
    done = mpsearch(site, *words, plugins="core,count")
    assert done.returncode == 1
    assert "not over after 10,000 plies" in done.stderr


WRITES = {
    "next to its seats": "    out[s.players] = 1.0",
    "a little further": "    out[s.players + 1] = 1.0",
    "much further": "    out[s.players + 60] = 1.0",
    "before its seats": "    out[s.mover - 2 * s.players - 1] = 1.0",
}


@pytest.mark.parametrize("where", WRITES)
def test_compiled_payoff_that_writes_elsewhere_names_no_winner(site: Site, where: str) -> None:
    code = lastcoin()
    assert code.count("    out[s.mover] = 1.0\n") == 1
    site.install("lastcoin", code.replace("    out[s.mover] = 1.0", WRITES[where]))
    done = play(site, "lastcoin", "--quiet", jit="1")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        "plugin lastcoin: dist_lastcoin_code.payoff wrote outside of its 3 values, one for each "
        "seat" in done.stderr
    )


@pytest.mark.parametrize("agent", ["greedy", "maxn:depth=2"])
def test_compiled_evaluator_that_is_not_a_number_is_named(site: Site, agent: str) -> None:
    code = lastcoin()
    assert code.count("out[seat] = min(s.taken[seat], 99)") == 1
    nan = "out[seat] = min(s.taken[seat], 99) + (np.nan if s.coins < 15 else 0.0)"
    site.install("lastcoin", code.replace("out[seat] = min(s.taken[seat], 99)", nan))
    done = play(site, "lastcoin", "--json", agent=agent, jit="1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "plugin lastcoin: dist_lastcoin_code.taken " in done.stderr
    assert f"[nan, nan, nan]; {RIGHT}" in done.stderr


def test_compiled_evaluator_that_raises_is_named(site: Site) -> None:
    raising = (
        "def taken(s, parameters, out):\n    if s.coins < 15:\n        raise ValueError('few')"
    )
    code = lastcoin()
    old = "def taken(s, parameters, out):  # what a state is worth to each seat, 0 to 100"
    assert code.count(old) == 1
    site.install("lastcoin", code.replace(old, raising))
    done = play(site, "lastcoin", "--json", agent="maxn:depth=4", jit="1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "ValueError: few" in done.stderr
    assert "plugin lastcoin: dist_lastcoin_code.taken" in done.stderr


SUITE = """
from mpsearch.testing import GameSuite, PropagatorSuite

class TestGame(GameSuite):
    game = "count"

class TestPropagator(PropagatorSuite):
    propagator = "calm"
"""


def test_missing_hookimpl_is_said_under_pytest(site: Site) -> None:
    site.install("count", PLAIN_GAME.replace("@mpsearch.hookimpl\n", ""))
    (site.folder / "test_count.py").write_text(SUITE)
    environ = {"PYTHONPATH": str(site.folder), "MPSEARCH_PLUGINS": "core,count"}
    done = subprocess.run(
        [*(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"), "test_count.py"],
        env={**os.environ, **environ},
        cwd=site.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    marked = "count: provides nothing: none of its functions is marked with mpsearch.hookimpl"
    assert f"unknown game 'count'; choose from plunder, scramble (broken plugins: {marked}" in (
        " ".join(done.stdout.split())
    )
    assert "unknown propagator 'calm'" in done.stdout
    assert "KeyError" not in done.stdout


def test_plugin_that_ends_the_process_is_named_and_everything_goes_on(site: Site) -> None:
    site.install("quits", "import os\nos._exit(7)")
    done = mpsearch(site, "plugins", "--json", plugins="core,quits")
    assert done.returncode == 0
    [problem] = json.loads(done.stdout)["problems"]
    assert problem == {
        "plugin": "quits",
        "what": "cannot be imported: it calls os._exit(7), which would end mpsearch",
    }


def test_a_signal_while_a_plugin_is_loaded_is_not_the_plugins_problem(site: Site) -> None:
    site.install(
        "waits",
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(60)",
    )
    done = mpsearch(site, "plugins", plugins="core,waits")
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, "mpsearch: terminated\n")


def test_plugin_may_fork_when_it_is_imported(site: Site) -> None:
    forks = """
    import os
    if (child := os.fork()) == 0:
        os._exit(5)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5

    @hookimpl
    def mpsearch_propagators():
        return [propagator("calm")]
    """
    site.install("forks", forks)
    done = mpsearch(site, "plugins", "--json", plugins="core,forks")
    assert json.loads(done.stdout)["problems"] == []


def test_plugin_that_takes_long_to_load_is_named_while_it_does(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It waits until it has been named: no clock decides."""
    waits = """
    import logging, threading
    named = threading.Event()

    class Listener(logging.Handler):
        def emit(self, record):
            named.set()

    # At the root and last: whoever else listens has heard of it by then.
    listener = Listener()
    logging.getLogger().addHandler(listener)
    assert named.wait(60)
    logging.getLogger().removeHandler(listener)

    @hookimpl
    def mpsearch_propagators():
        return [propagator("calm")]
    """
    site.install("waits", waits)
    monkeypatch.setattr(discovery, "PATIENCE", 0.01)
    catalog = site.load(MPSEARCH_PLUGINS="waits")
    assert "calm" in catalog.propagators
    assert catalog.problems == ()
    assert (
        "plugin waits is still loading after 0.01 s; MPSEARCH_DISABLE=waits skips it"
    ) in caplog.text
