"""Time per move, as tables of experiments show it."""

import time

import numpy as np
import pytest

from mpsearch.agents.search_agent import SearchAgent
from mpsearch.contracts import Beliefs, Decision, Turn
from mpsearch.experiments.games import Job, play_job
from mpsearch.jit.compile_time import compiling
from mpsearch.match import Setting


def test_the_compilers_time_is_nobodys_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision takes a second, and the compiler a hundred in the middle of it."""
    now, choose = [0.0], SearchAgent.choose

    def slowly(
        agent: SearchAgent, turn: Turn, memory: Beliefs, rng: np.random.Generator
    ) -> Decision:
        with compiling():
            now[0] += 100
        now[0] += 1
        return choose(agent, turn, memory, rng)

    monkeypatch.setattr(SearchAgent, "choose", slowly)
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    setting = Setting(game="scramble", players=3, agents=("maxn:depth=2",) * 3, seed=1)
    played, _ = play_job(Job(arm="a", number=0, setting=setting, roles=("x",) * 3))
    assert sum(log.moves for log in played.logs) > 3
    # What was compiled before, in other tests, leaves an offset that is rounded.
    moves = [log.moves for log in played.logs]
    assert [log.seconds for log in played.logs] == pytest.approx(moves)
