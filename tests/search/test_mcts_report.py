"""What Monte-Carlo tree search says about its tree, and when it has nothing to say."""

from typing import Any

import numpy as np
import pytest
from support.hashtree import HashTree, hash_evaluator
from support.sampling import Branch, sampled_tree

from mpsearch.contracts import Array, Branching, Evaluator, Game, Limits, Move, SearchSpace, State
from mpsearch.search import make_plan
from mpsearch.search.deadline import Watch
from mpsearch.search.mcts.engine import Sampling, Start, UctWorkspace, make_uct_engine
from mpsearch.search.ties import Ties
from mpsearch.search.tree.alpha_beta import BAD_MOVER
from mpsearch.search.tree.engine import Goal
from mpsearch.search.world_search import AbortedError, search_world
from mpsearch.social import identity

SEED = 3


class Spy(Evaluator):
    """Knows what was evaluated, and stops the search when it has seen enough."""

    def __init__(self, evaluator: Evaluator, enough: int = 0) -> None:
        self.evaluator = evaluator
        self.bounds = evaluator.bounds
        self.enough = enough
        self.seen: list[State] = []
        self.workspace: Any = None

    def values(self, state: State) -> Array:
        self.seen.append(state)
        if len(self.seen) == self.enough:
            self.workspace.context.stop = 1
        return self.evaluator.values(state)


def loaded(
    space: SearchSpace, sampling: Sampling, iterations: int
) -> tuple[UctWorkspace, list[Move]]:
    """A workspace with the root of the game, and its moves."""
    workspace = make_uct_engine(space, sampling, interpret=True).workspace()
    assert isinstance(workspace, UctWorkspace)
    start = Start(space.game.new(), np.random.default_rng(SEED), 400)
    plan = make_plan(identity(space.game.players), space.evaluator.bounds, prune=False)
    return workspace, workspace.load(start, plan, Goal(1, 1, iterations))


def favourite(branch: Branch, seat: int, low: float, high: float) -> tuple[Any, Branch]:
    """The child with most visits; of equals the one that is worth most, then the oldest.

    If it always won, the one of those that always did whose games ended soonest; if lost, latest.
    """

    def worth(child: Branch) -> float:
        return round(child.total[seat] / child.visits * 2**20) / 2**20

    best = max(branch.children.items(), key=lambda pair: (pair[1].visits, worth(pair[1])))
    most = worth(best[1])
    if low < most < high:
        return best
    sign = 1 if most >= high else -1
    others = [pair for pair in branch.children.items() if worth(pair[1]) == most]
    soonest = min(sign * child.ends / child.visits for _, child in others)
    equal = [pair for pair in others if sign * pair[1].ends / pair[1].visits == soonest]
    return best if best in equal else equal[-1]


@pytest.mark.parametrize("levels", [2, 50])
def test_the_choice_the_values_and_the_lines_are_those_of_the_tree(levels: int) -> None:
    """Few iterations: many moves were visited equally often, and with two values worth the same."""
    rng = np.random.default_rng(41)
    ties = 0
    for _ in range(40):
        game = HashTree(int(rng.integers(2**30)), players=3, in_turn=True, ends=50)
        space = SearchSpace(game=game, evaluator=hash_evaluator(game, levels=levels))
        iterations = int(rng.integers(6, 40))
        workspace, moves = loaded(space, Sampling(cut=0), iterations)
        standing = workspace.run(list(range(len(moves))), len(moves))
        found = workspace.found(standing.bank, len(moves))
        tree = sampled_tree(
            *(game, space.evaluator, game.new(), identity(3)),
            iterations=iterations,
            rng=np.random.default_rng(SEED),
            explore=0.5,
            cut=0,
        )
        bounds = space.evaluator.bounds.least, space.evaluator.bounds.greatest
        assert moves[standing.choice] == favourite(tree, 0, *bounds)[0]
        ties += len({child.visits for child in tree.children.values()}) < len(moves)
        for index, move in enumerate(moves):
            branch, state, line = tree.children[move], game.play(game.new(), move), []
            assert found.values[index].tolist() == [t / branch.visits for t in branch.total]
            assert found.exact[index]
            while branch.children:
                step, branch = favourite(branch, game.mover(state), *bounds)
                state = game.play(state, step)
                line.append(step)
            assert found.line(index) == tuple(line)
    assert ties > 10


def test_a_move_that_there_was_no_time_for_has_the_mean_of_all() -> None:
    game = HashTree(8, players=3, in_turn=True)
    spy = Spy(hash_evaluator(game, levels=50), enough=2)
    space = SearchSpace(game=game, evaluator=spy)
    workspace, moves = loaded(space, Sampling(cut=0), 10**6)
    spy.workspace = workspace
    assert len(moves) > 2
    standing = workspace.run(list(range(len(moves))), len(moves))
    found = workspace.found(standing.bank, len(moves))
    seen = [spy.values(game.play(game.new(), move)) for move in moves[:2]]
    assert found.values[:2].tolist() == [value.tolist() for value in seen]
    assert all((value == np.mean(seen, axis=0)).all() for value in found.values[2:])
    assert [bool(exact) for exact in found.exact] == [True, True, *[False] * (len(moves) - 2)]


def test_a_search_that_is_stopped_before_its_first_iteration_has_no_result() -> None:
    game = HashTree(8, players=3, in_turn=True)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game))
    workspace, _ = loaded(space, Sampling(), 10)
    watch = Watch()
    watch.abort()
    with pytest.raises(AbortedError):
        search_world(
            workspace,
            Start(game.new(), np.random.default_rng(SEED), 400),
            watch,
            plan=make_plan(identity(3), space.evaluator.bounds, prune=False),
            limits=Limits(nodes=10),
            ties=Ties(),
        )


class Astray(HashTree):
    """Behind two plies somebody moves who is not there."""

    def mover(self, state: State) -> int:
        return 9 if self.record(state).ply > 1 else super().mover(state)


@pytest.mark.parametrize("cut", [0, 9])
def test_a_fault_ends_the_iterations_at_once(cut: int) -> None:
    """In the tree, and behind it."""
    game = Astray(8, players=3, in_turn=True, ends=10**9)
    space = SearchSpace(game=game, evaluator=hash_evaluator(game))
    workspace, moves = loaded(space, Sampling(cut=cut), 1000)
    standing = workspace.run(list(range(len(moves))), len(moves))
    assert standing.halted == BAD_MOVER
    assert standing.nodes < 100


class First(Branching):
    """Only the first move is worth trying."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moves(self, state: State) -> list[Move]:
        return list(self.game.moves(state)[:1])


def test_random_play_outs_choose_from_the_moves_of_the_branching() -> None:
    game = HashTree(8, players=3, in_turn=True, ends=10**9)
    spy = Spy(hash_evaluator(game))
    space = SearchSpace(game=game, evaluator=spy, branching=First(game))
    workspace, moves = loaded(space, Sampling(cut=4), 5)
    workspace.run([0], len(moves))
    line = [game.new()]
    for _ in range(9):
        line.append(game.play(line[-1], game.moves(line[-1])[0]))
    assert spy.seen == line[5:]
