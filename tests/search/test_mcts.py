"""Monte-Carlo tree search: against plain objects, compiled as interpreted, and where it leads."""

import os
import signal
import threading
from typing import Any

import attrs
import numpy as np
import pytest
from support.hashtree import STATE, HashTree, evaluate, hash_evaluator
from support.matrices import MATRICES
from support.sampling import nodes_by_way, sampled_tree

from mpsearch.contracts import (
    Bounds,
    CompiledBranching,
    CompiledEvaluator,
    Decision,
    Game,
    Limits,
    Player,
    Report,
    SearchRequest,
    SearchSpace,
    Stance,
    Turn,
    compiled,
)
from mpsearch.errors import ContractError
from mpsearch.gamekit import below
from mpsearch.jit import jit_enabled, make_frames
from mpsearch.search import make_plan, search
from mpsearch.search.mcts.compiled import _context_type as context_type
from mpsearch.search.mcts.engine import Sampling, Start, UctWorkspace, make_uct_engine
from mpsearch.search.mcts.search import MonteCarloSearch
from mpsearch.search.tree.compiled_parts import frame_type, make_parts
from mpsearch.search.tree.engine import Goal
from mpsearch.social import identity, paranoid

SEED = 3


@compiled
def hide(s: Any, seat: int) -> None:
    """Nobody may know how often the game ends, and so a policy sees a zero there."""
    s.ends = 0


@compiled
def last_or_any(s: Any, moves: Any, count: int, stream: Any) -> Any:
    """The last move, or any: it tells whether `s` was hidden by drawing less."""
    if s.ends != 0 or s.key % 3 == 0:
        return below(stream, count)
    return count - 1


class HiddenTree(HashTree):
    hidden = True
    rules = attrs.evolve(HashTree.rules, hide=hide)

    def view(self, state: Any, seat: int) -> Any:
        records = np.frombuffer(bytearray(state), STATE)
        records["ends"] = 0
        return records.tobytes()

    def world(self, view: Any, rng: np.random.Generator) -> Any:
        return view


class LastOrAny(Player):
    policy = last_or_any

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, turn: Turn, memory: Any, rng: np.random.Generator) -> Decision:
        return Decision(move=turn.moves[self.index(turn.view, turn.moves, rng)])

    def index(self, view: Any, moves: Any, rng: np.random.Generator) -> int:
        s = np.frombuffer(view, STATE)[0]
        if s["ends"] != 0 or s["key"] % 3 == 0:
            return int(rng.integers(len(moves)))
        return len(moves) - 1


def paths(workspace: UctWorkspace) -> dict[tuple[Any, ...], tuple[int, list[float]]]:
    """Visits and totals of every node, by the moves that lead there."""
    players = workspace.space.game.players
    nodes = nodes_by_way(workspace).items()
    return {way: (int(n.visits), list(n.total[:players])) for way, n in nodes}


def grown(
    space: SearchSpace,
    sampling: Sampling,
    matrix: Any,
    *,
    iterations: int,
    depth: int,
    room: int | None = None,
    **how: Any,
) -> dict[tuple[Any, ...], tuple[int, list[float]]]:
    """The tree that an engine grows, with room for so many moves."""
    engine = make_uct_engine(space, sampling, **how)
    workspace = engine.workspace()
    assert isinstance(workspace, UctWorkspace)
    start = Start(space.game.new(), np.random.default_rng(SEED), depth)
    plan = make_plan(matrix, space.evaluator.bounds, prune=False)
    moves = workspace.load(start, plan, Goal(1, 1, iterations))
    if room is not None:
        workspace.context.keep_room = room
    workspace.run(list(range(len(moves))), len(moves))
    workspace.inspect()
    assert int(workspace.context.kept) <= int(workspace.context.keep_room)
    return paths(workspace)


def any_space(
    rng: np.random.Generator, kind: type[HashTree] = HashTree, *, players: int | None = None
) -> SearchSpace:
    game = kind(
        int(rng.integers(2**30)),
        players=int(rng.integers(2, 5)) if players is None else players,
        chances=int(rng.choice([0, 5])),
        in_turn=bool(rng.integers(2)),
    )
    return SearchSpace(game=game, evaluator=hash_evaluator(game, levels=20))


@pytest.mark.parametrize("bot", [False, True])
def test_every_node_is_visited_as_often_as_by_plain_objects(bot: bool) -> None:
    """Compiled and interpreted, with every matrix, with chance, at random and with a policy."""
    rng = np.random.default_rng(21)
    for make in MATRICES.values():
        space = any_space(rng, HiddenTree if bot else HashTree)
        game: Any = space.game
        player = LastOrAny(game) if bot else None
        cut = int(rng.choice([0, 2, 1000]))
        sampling = Sampling(player=player, cut=cut, explore=float(rng.choice([0.2, 1.4])))
        plan = make_plan(make(game.players, rng), space.evaluator.bounds, prune=False)
        depth = int(rng.choice([2, 400]))
        counts = {"iterations": int(rng.integers(6, 120)), "depth": depth}

        def choose(state: Any, moves: Any, rng: np.random.Generator, player: Any = player) -> int:
            return int(player.index(player.game.view(state, 0), moves, rng))

        tree = sampled_tree(
            game,
            space.evaluator,
            game.new(),
            plan.matrix,
            rng=np.random.default_rng(SEED),
            explore=sampling.explore,
            cut=cut,
            choose=choose if bot else None,
            **counts,
        )
        expected = tree.paths()
        assert grown(space, sampling, plan.matrix, interpret=True, **counts) == expected
        assert grown(space, sampling, plan.matrix, **counts) == expected
        room = int(rng.choice([0, 9]))  # most moves are listed anew then
        assert grown(space, sampling, plan.matrix, room=room, **counts) == expected


@compiled
def too_high(s: Any, moves: Any, count: int, stream: Any) -> Any:
    return count


class TooHigh(LastOrAny):
    """A policy that is at fault."""

    policy = too_high


class BlindTree(HiddenTree):
    """Hidden, and machine code does not know how."""

    rules = HashTree.rules


@pytest.mark.skipif(not jit_enabled(), reason="only compiled searches have policies")
def test_it_is_compiled_unless_a_policy_would_see_too_much_and_a_wrong_policy_is_named() -> None:
    rng = np.random.default_rng(25)
    natives = []
    for kind, bot in ((HashTree, False), (HiddenTree, True), (BlindTree, False), (BlindTree, True)):
        space = any_space(rng, kind, players=3)
        player = LastOrAny(space.game) if bot else None
        natives.append(make_uct_engine(space, Sampling(player=player)).native)
    assert natives == [True, True, True, False]
    space = any_space(rng, HiddenTree, players=3)
    sampling = Sampling(player=TooHigh(space.game))
    with pytest.raises(ContractError, match="a policy chose a move that it was not given"):
        decided(space, [space.game.new()], Limits(nodes=9), sampling=sampling)


@compiled
def only_the_first(s: Any, parameters: Any, out: Any) -> int:
    out[0] = 0
    return 1


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_parts_are_compiled_for_this_search_as_for_calls_from_python() -> None:
    """Otherwise the same function would be compiled twice."""
    import numba

    from mpsearch.jit import njit

    typeof: Any = numba.typeof
    game = HashTree(5, players=3)
    values, first = compiled(evaluate.plain), compiled(only_the_first.plain)
    evaluator = CompiledEvaluator(game, values, bounds=Bounds(), parameters=[5, 1, 0])
    branching = CompiledBranching(game, first)
    _, listing, _, value = make_parts(game.rules, values, first)

    def both(frames: Any, contexts: Any) -> None:
        listing(frames[0], contexts[0])
        value(frames[0], contexts[0])

    frames = make_frames(frame_type(game.rules, 3), 1)
    njit(both, cached=False)._compile_for_args(frames, np.zeros(1, context_type(8)))
    for function, parameters, out in (
        (values, evaluator.parameters, np.zeros(3)),
        (first, branching.parameters, np.zeros(5, np.int64)),
    ):
        [(_, *types)] = function.native().signatures  # type: ignore[attr-defined]
        assert types == [typeof(parameters), typeof(out)]


def decided(
    space: SearchSpace, worlds: list[Any], limits: Limits, *, matrix: Any = None, **how: Any
) -> Report:
    sampling = how.pop("sampling", Sampling())
    rival = MonteCarloSearch(space=space, sampling=sampling)
    players = space.game.players
    stance = Stance(matrix=identity(players) if matrix is None else matrix, label="any")
    settings: dict[str, Any] = {
        "root": space.game.mover(worlds[0]),
        "rng": np.random.default_rng(SEED),
        "shuffle": True,
        "pool": "vote",
        "exact": False,
        "prune": True,
        "threads": 1,
    }
    return rival.search(worlds, stance, limits, SearchRequest(**{**settings, **how}))


@pytest.mark.parametrize("opposed", [False, True])
def test_it_comes_to_the_choice_of_a_full_search(opposed: bool) -> None:
    """Small trees evaluated where the full search does: at 20,000 iterations at least 57 of 60
    choices are as good as that of MaxN, or of Paranoid, to the seat that moves."""
    count = 60 if jit_enabled() else 6  # as plain Python an iteration takes 50 times as long
    rng = np.random.default_rng(22)
    right = 0
    for _ in range(count):
        game = HashTree(int(rng.integers(2**30)), players=3, in_turn=True, most=3)
        space = SearchSpace(game=game, evaluator=hash_evaluator(game, levels=6))
        matrix = paranoid(3, 0) if opposed else identity(3)
        stance = Stance(matrix=matrix, label="any")
        full = search(space, [game.new()], stance, Limits(depth=4), exact=True, prune=False)
        best = max(float(move.value[0]) for move in full.moves)
        limits = Limits(depth=4, nodes=20_000)
        found = decided(
            space, [game.new()], limits, matrix=matrix, sampling=Sampling(cut=0, explore=1.0)
        )
        chosen = next(move for move in full.moves if move.move == found.move)
        right += float(chosen.value[0]) == best
    assert right >= 0.95 * count


def test_worlds_share_the_iterations_and_threads_change_nothing() -> None:
    rng = np.random.default_rng(23)
    space = any_space(rng)
    worlds = [space.game.new()] * 5
    one = decided(space, worlds, Limits(nodes=200))
    assert one.nodes == 200
    assert one.worlds == sum(move.votes for move in one.moves) == 5
    assert len({move.value[0] for move in one.moves}) > 1
    assert decided(space, worlds, Limits(nodes=200), threads=3) == one
    assert decided(space, worlds, Limits(nodes=200), rng=np.random.default_rng(9)) != one


@pytest.mark.parametrize("most", [1, 5])
def test_every_root_move_is_tried_once_whatever_the_number_of_nodes(most: int) -> None:
    game = HashTree(8, players=3, in_turn=True, most=most)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game))
    moves = len(game.moves(game.new()))
    assert (moves > 1) == (most > 1)
    assert decided(space, [game.new()], Limits(nodes=1)).nodes == moves
    assert decided(space, [game.new()], Limits(depth=1)).nodes == moves


def test_time_ends_it_and_a_full_tree_does_not() -> None:
    space = any_space(np.random.default_rng(24))
    timed = decided(space, [space.game.new()] * 3, Limits(seconds=0.05))
    assert timed.nodes >= 3
    engine = make_uct_engine(space, Sampling())
    workspace = engine.workspace()
    start = Start(space.game.new(), np.random.default_rng(SEED), 400)
    plan = make_plan(identity(space.game.players), space.evaluator.bounds, prune=False)
    moves = workspace.load(start, plan, Goal(1, 1, 500))
    workspace.context.room = 40
    standing = workspace.run(list(range(len(moves))), len(moves))
    assert (standing.nodes, int(workspace.context.used)) == (500, 40)


def test_ctrl_c_ends_a_game_that_does_not() -> None:
    """Without it this test would never end."""
    game = HashTree(5, players=3, ends=10**15, in_turn=True)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game))
    decided(space, [game.new()], Limits(nodes=1), sampling=Sampling(cut=1))  # compiled now
    # A background job ignores it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            decided(space, [game.new()], Limits(nodes=10))
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
