"""What is compiled before a first move is compiled once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.hashtree import HashTree, hash_evaluator

from mpsearch._util.tolerance import snap
from mpsearch.api.game_table import set_table
from mpsearch.contracts import (
    Bounds,
    CompiledBranching,
    CompiledEvaluator,
    Limits,
    SearchSpace,
    Stance,
)
from mpsearch.jit import jit_enabled
from mpsearch.plugins.catalog import installed
from mpsearch.search import make_engine, make_plan, root_values, search
from mpsearch.search.pruning.local_plan import NEAREST
from mpsearch.social import identity

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")


def test_a_list_of_moves_has_one_type_for_python_and_for_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mpsearch.search.tree.expand import expand_address

    monkeypatch.setenv("MPSEARCH_CACHE", str(tmp_path / "cache"))
    table = set_table(installed(), "scramble", players=5, options={})
    space = table.space("progress")
    rules = space.game.rules
    assert rules is not None
    assert isinstance(space.evaluator, CompiledEvaluator)
    native: Any = rules.moves.native()
    before = set(native.signatures)  # whatever other tests had compiled in this process
    space.game.moves(space.game.new())
    expand_address(rules, 8, space.evaluator.evaluate, None)
    found = Counter(signature[0] for signature in set(native.signatures) - before)
    assert set(found.values()) <= {1}


def test_the_search_is_compiled_once_for_one_world_and_for_many_for_all_games() -> None:
    from mpsearch.search.tree.compiled import _entries

    for name, agent in (("scramble", "maxn:depth=2"), ("hearts", "maxn:depth=2,worlds=3")):
        if name in installed().games:
            table = set_table(installed(), name, options={})
            table.play(agent, "random", seed=1) if name == "scramble" else table.search(None, agent)
    for function in _entries():
        assert len(getattr(function, "signatures", [()])) <= 1


def test_a_game_is_compiled_once_for_all_numbers_of_players() -> None:
    from mpsearch.search.tree.compiled import CompiledEngine

    addresses = set()
    for players in (3, 5):
        engine = make_engine(set_table(installed(), "scramble", players=players).space("progress"))
        assert isinstance(engine, CompiledEngine)
        context = SimpleNamespace()
        engine.load_addresses(context)
        addresses.add(context.expand)
        assert context.players == players
    assert len(addresses) == 1


def test_what_boxes_need_is_compiled_for_depths_that_ask_for_them_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mpsearch.search.tree import expand

    asked = []

    def address(rules: Any, seats: int, reach: Any) -> int:
        asked.append(reach.where)
        return reach_address(rules, seats, reach)

    reach_address = expand.reach_address
    monkeypatch.setattr("mpsearch.search.tree.compiled.reach_address", address)
    game = HashTree(5, players=3, ends=50)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game, box=(0.0, False, True)))
    stance = Stance(matrix=identity(3), label="maxn")
    engine = make_engine(space)
    start = [space.game.new()]
    for depth in (1, NEAREST):
        root_values(space, start[0], stance, depth=depth, engine=engine)
        search(space, start, stance, Limits(depth=depth), engine=engine)
    assert asked == []
    deep = search(space, start, stance, Limits(depth=NEAREST + 2), engine=engine)
    assert asked
    # The same memory searches with boxes and without them, in turn.
    search(space, start, stance, Limits(depth=1), engine=engine)
    again = search(space, start, stance, Limits(depth=NEAREST + 2), engine=engine)
    fresh = search(space, start, stance, Limits(depth=NEAREST + 2))
    for other in (again, fresh):
        assert (other.move, other.nodes, other.value.tolist()) == (
            deep.move,
            deep.nodes,
            deep.value.tolist(),
        )


def test_monte_carlo_search_is_compiled_once_for_all_numbers_of_players() -> None:
    from mpsearch.search.mcts.compiled import CompiledUct
    from mpsearch.search.mcts.engine import Sampling, Start, make_uct_engine

    kernels = set()
    for players in (3, 5):
        table = set_table(installed(), "scramble", players=players, options={})
        engine = make_uct_engine(table.space("progress"), Sampling())
        assert isinstance(engine, CompiledUct)
        start: Any = Start(table.game.new(), np.random.default_rng(1), 1)
        engine.prepare(start, make_plan(identity(players), Bounds(), prune=False))
        kernels.add(engine.kernel)
    [(iterate, _)] = kernels
    assert len(getattr(iterate, "signatures", ())) == 1


def test_parts_of_other_searches_serve_any_number_of_players() -> None:
    from mpsearch.search.best_reply.compiled import CompiledReplies
    from mpsearch.search.horizon.compiled import compiled_shallow_choice

    chosen, replying = set(), set()
    for players in (3, 5):
        space = set_table(installed(), "scramble", players=players, options={}).space("progress")
        chosen.add(compiled_shallow_choice(space, identity(players), [2] * players).branch)
        replies = CompiledReplies(space, 0, "greedy").space.branching
        assert isinstance(replies, CompiledBranching)
        replying.add(replies.branch)
    assert (len(chosen), len(replying)) == (1, 1)


def test_what_several_parts_use_is_one_function() -> None:
    from mpsearch.search.tree.compiled_parts import inner

    def closing_over() -> float:
        return scale

    scale = 1.0
    assert inner(snap) is inner(snap)
    assert inner(closing_over) is not inner(closing_over)
