"""Best-reply search against plain recursions, on random trees, compiled and interpreted."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from support.best_reply import best_reply, greedy_first, worst_of_one
from support.drawn import Case, cases
from support.hashtree import EVALUATORS, HashTree, hash_evaluator
from support.skipping import SkippingTree

from mpsearch.contracts import Limits, Report, SearchSpace, Stance
from mpsearch.errors import UsageError
from mpsearch.jit import jit_enabled
from mpsearch.search import make_engine, search
from mpsearch.search.best_reply.reply_tree import PlainReplies
from mpsearch.search.best_reply.search import _told, make_best_reply_search, make_replies
from mpsearch.social import paranoid

#: Boxes that are wider than need be, with some missing.
BOX = (1.0, True, True)
OTHERS = ("ordered", "greedy", "skip")


def searched(
    space: SearchSpace, state: Any, depth: int, others: str, *, interpret: bool = False
) -> Report:
    """What best-reply search says, with all its pruning."""
    root = space.game.mover(state)
    tree = make_replies(space, root, others, interpret=interpret)
    stance = Stance(matrix=paranoid(space.game.players, root), label="paranoid")
    engine = make_engine(tree.space, interpret=interpret)
    places = [tree.enter(state)]
    return _told(search(tree.space, places, stance, Limits(depth=depth), engine=engine), tree)


def expected(space: SearchSpace, state: Any, depth: int, others: str) -> Any:
    """The same by the plain recursion: move, value, and the line up to a turn that goes by."""
    game, evaluator = space.game, space.evaluator
    first = greedy_first(game, evaluator) if others == "greedy" else None
    value, line = best_reply(
        game, evaluator, state, depth, game.mover(state), skip=others == "skip", first=first
    )
    line = [*line, None]
    return line[0], value, tuple(line[: line.index(None)])


def told(report: Report) -> Any:
    return report.move, report.value.tolist(), report.line


def hash_space(rng: np.random.Generator, *, boxed: bool = False) -> SearchSpace:
    game = SkippingTree(
        int(rng.integers(2**30)),
        players=int(rng.integers(2, 6)),
        chances=int(rng.choice([0, 0, 6])),
        in_turn=bool(rng.integers(2)),
        most=3,
    )
    kind = EVALUATORS[str(rng.choice(list(EVALUATORS)))]
    box = BOX if boxed else None
    return SearchSpace(game=game, evaluator=hash_evaluator(game, **kind, box=box))


@pytest.mark.parametrize("others", OTHERS)
def test_move_value_and_line_are_those_of_the_plain_recursion(others: str) -> None:
    rng = np.random.default_rng(11)
    for _ in range(40):
        # Where turns go by, boxes are not used; one of the other two is enough to try them.
        space = hash_space(rng, boxed=others != "greedy")
        depth = int(rng.integers(1, 6))
        state = space.game.new()
        assert told(searched(space, state, depth, others)) == expected(space, state, depth, others)


@pytest.mark.parametrize("others", OTHERS)
def test_interpreted_it_gives_the_same_with_as_many_nodes(others: str) -> None:
    rng = np.random.default_rng(12)
    for _ in range(15):
        space = hash_space(rng, boxed=others != "greedy")
        state = space.game.new()
        fast = searched(space, state, 4, others)
        plain = searched(space, state, 4, others, interpret=True)
        assert (told(plain), plain.nodes) == (told(fast), fast.nodes)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=cases())
def test_any_tree_of_a_game_without_compiled_rules(case: Case) -> None:
    space = SearchSpace(game=case.game, evaluator=case.evaluator)
    assert told(searched(space, (), case.depth, "ordered")) == expected(
        space, (), case.depth, "ordered"
    )


def test_the_reply_is_the_worst_that_any_one_opponent_can_do() -> None:
    """The definition, which lets the opponents agree on a replier before any of them moves."""
    rng = np.random.default_rng(13)
    narrower = 0
    for _ in range(40):
        key, players = int(rng.integers(2**30)), int(rng.integers(3, 5))
        game = SkippingTree(key, players=players, in_turn=True, most=3)
        space = SearchSpace(game=game, evaluator=hash_evaluator(game, levels=50, box=BOX))
        state, root = game.new(), game.mover(game.new())
        value = searched(space, state, 5, "ordered").value[root]
        assert value == worst_of_one(game, space.evaluator, state, 5, root)
        stance = Stance(matrix=paranoid(game.players, root), label="paranoid")
        narrower += value > search(space, [state], stance, Limits(depth=5)).value[root]
    assert narrower > 4  # where all opponents join against the root, it gets less


def test_with_two_players_it_is_paranoid() -> None:
    rng = np.random.default_rng(14)
    for _ in range(20):
        game = SkippingTree(int(rng.integers(2**30)), players=2, in_turn=True)
        space = SearchSpace(game=game, evaluator=hash_evaluator(game, box=BOX))
        stance = Stance(matrix=paranoid(2, 0), label="paranoid")
        report = search(space, [game.new()], stance, Limits(depth=5))
        assert told(searched(space, game.new(), 5, "ordered")) == told(report)


def test_turns_go_by_only_where_the_game_lets_them() -> None:
    for kind, skips in ((HashTree, False), (SkippingTree, True)):
        game = kind(5, players=3)
        space = SearchSpace(game=game, evaluator=hash_evaluator(game))
        if skips:
            assert make_best_reply_search(space, {}, others="skip").others == "skip"
            continue
        with pytest.raises(UsageError, match="this game does not allow skipping a turn"):
            make_best_reply_search(space, {}, others="skip")


@pytest.mark.parametrize("interpret", [False, True])
def test_the_tree_is_compiled_where_the_game_is_unless_the_plain_one_is_asked_for(
    interpret: bool,
) -> None:
    space = hash_space(np.random.default_rng(15))
    tree = make_replies(space, 0, "ordered", interpret=interpret)
    assert isinstance(tree, PlainReplies) == (interpret or not jit_enabled())
