"""Decisions as the search made them when every root move was a call from Python (commit 952237b).

Everything that was found then: move, values, lines, nodes, what is exact. Without pruning, so that
better pruning changes nothing here. Evaluators that change, change this too.
"""

import hashlib

import attrs
import numpy as np
import pytest
from support.turns import turns

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.plugins.catalog import load_catalog

#: Game, agent, and the digest of what it found in eight positions.
FOUND = {
    "scramble": ("maxn:depth=4", "197602f351c5b259"),
    "hearts": ("mpmix:depth=3,worlds=5,td=5,to=5", "a00bca12010fb945"),
    "hearts by mean": ("sos:depth=2,worlds=5,pool=mean", "ff728abe3ac0f5c0"),
    "hearts by nodes": ("maxn:nodes=300,worlds=5", "39eb5872c36d144d"),
    "quoridor": ("paranoid:depth=2,branching=near", "03b7c2a180c74872"),
    "risk_lite": ("maxn:depth=2", "ee0d9fbc9fb148a8"),
}


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("case", FOUND)
def test_decisions_are_as_before(case: str, threads: int) -> None:
    name, (text, digest) = case.split()[0], FOUND[case]
    game = load_catalog().game(name)
    agent = make_agent(load_catalog(), name, game, text)
    assert isinstance(agent, SearchAgent)
    agent = attrs.evolve(agent, prune=False, threads=threads)
    found = []
    for number, turn in enumerate(turns(game, 8, seed=11, share=0.2)):
        rng = np.random.default_rng(number)
        report = agent.choose(turn, agent.start(turn.seat, rng), rng).report
        behind = [(m.move, m.value.tolist(), m.exact, m.line, m.votes) for m in report.moves]
        found.append((report.move, report.nodes, report.depth, report.exact, report.line, *behind))
    assert hashlib.sha256(repr(found).encode()).hexdigest()[:16] == digest
