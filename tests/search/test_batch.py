"""Worlds in batches: as many natively at once as a thread takes, and nothing else is found.

The oracle is the search of one world after the other, which time limits and games without compiled
rules have anyway.
"""

import itertools
import signal
import sys
from typing import Any

import numpy as np
import pytest
from support.chain import endless
from support.interrupting import interrupted
from support.turns import turns

from mpsearch.api.game_table import table
from mpsearch.contracts import (
    OVER,
    Bounds,
    CompiledEvaluator,
    CompiledGame,
    Game,
    Limits,
    Report,
    Rules,
    SearchSpace,
    Stance,
    State,
    compiled,
)
from mpsearch.errors import ContractError
from mpsearch.jit import jit_enabled
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import make_engine, search
from mpsearch.search.tree.compiled import CompiledEngine
from mpsearch.search.tree.engine import Engine
from mpsearch.social import identity, paranoid

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="only compiled searches have batches")

CATALOG = load_catalog()
GAMES = [name for name in CATALOG.games if CATALOG.game(name).rules is not None]


class OneByOne(CompiledEngine):
    """The same search, world after world."""

    def batch(self, worlds: Any) -> None:  # type: ignore[override]
        return None


def engines(space: SearchSpace) -> tuple[Engine, Engine]:
    return make_engine(space), OneByOne(space)


def told(report: Report) -> Any:
    """All of a report, the root moves too."""
    moves = [(m.move, m.value.tolist(), m.exact, m.line, m.votes) for m in report.moves]
    return (report, report.value.tolist(), report.exact, report.nodes, moves)


def some_worlds(game: Game, rng: np.random.Generator) -> list[State]:
    """Seven worlds of one view; where nothing is hidden, seven states with the same mover."""
    for turn in turns(game, 50, seed=int(rng.integers(100)), share=0.2):
        if game.hidden:
            return game.worlds(turn.view, 7, rng)
        same = [t.view for t in turns(game, 60, seed=3, share=0.5) if t.seat == turn.seat]
        if len(same) >= 7:
            return same[:7]
    raise AssertionError("no such worlds")


LIMITS = [Limits(depth=1), Limits(depth=2), Limits(nodes=300), Limits(depth=3, nodes=40)]


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_finds_what_one_world_after_the_other_finds(name: str) -> None:
    space = table(name).searcher("maxn").space
    game = space.game
    batches, one_by_one = engines(space)
    worlds = some_worlds(game, np.random.default_rng(5))
    matrices = [identity(game.players), paranoid(game.players, game.mover(worlds[0]))]
    ways: list[dict[str, Any]] = [{}, {"pool": "mean"}, {"exact": True}, {"prune": False}]

    def found(seed: int, engine: Engine, threads: int) -> Any:
        limits, matrix, way = cases[seed]
        return told(
            search(
                space,
                worlds,
                Stance(matrix=matrix, label="some"),
                limits,
                rng=np.random.default_rng(seed) if seed % 3 else None,
                threads=threads,
                engine=engine,
                **way,
            )
        )

    cases = list(itertools.product(LIMITS, matrices, ways))
    for seed in range(len(cases)):
        oracle = found(seed, one_by_one, 1)
        for threads in (1, 2, 5):
            assert found(seed, batches, threads) == oracle


#: Worlds of a written game: each has its own number of moves, and may go wrong behind the first
#: (1), have moves of other names (2), end behind the first (3), have the moves 5, 0 and again 0
#: (4), or end soon behind the move with the greatest name (5, then 6).
ODD = np.dtype([("moves", "i8"), ("ply", "i8"), ("wrong", "i8")], align=True)


@compiled
def odd_mover(s: Any) -> int:
    if (s.wrong == 3 and s.ply > 0) or (s.wrong == 6 and s.ply > 1):
        return OVER
    return 7 if s.wrong == 1 and s.ply > 0 else s.ply % 2


@compiled
def odd_moves(s: Any, out: Any) -> int:
    for k in range(s.moves):
        out[k] = 3 * k + s.moves + (s.wrong == 2)
        if s.wrong == 4:
            out[k] = 5 if k == 0 else 0
    return s.moves


@compiled
def odd_play(s: Any, move: int) -> None:
    if s.wrong == 5 and move == 5:
        s.wrong = 6
    s.ply += 1
    s.moves = 1 + (s.moves * 5 + move * 3 + s.ply) % 2 if s.ply < 12 else 1


@compiled
def odd_payoff(s: Any, out: Any) -> None:
    out[:] = 0.0


@compiled
def odd_values(s: Any, parameters: Any, out: Any) -> None:
    out[0] = (s.moves * 31 + s.ply * 17) % 101
    out[1] = (s.moves * 47 + s.ply * 29) % 101


class Odd(CompiledGame):
    """A game without end."""

    players = 2
    rules = Rules(
        state=ODD,
        mover=odd_mover,
        moves=odd_moves,
        play=odd_play,
        payoff=odd_payoff,
        most_moves=5,
    )

    def setup(self, s: Any) -> None:
        s.moves = 2

    def read(self, text: str) -> int:
        return int(text)

    def state(self, moves: int, *, wrong: int = 0) -> State:
        s = self.record(self.new())
        s.moves, s.wrong = moves, wrong
        return s.tobytes()


ODD_GAME = Odd()
ODD_SPACE = SearchSpace(
    game=ODD_GAME, evaluator=CompiledEvaluator(ODD_GAME, odd_values, bounds=Bounds())
)
TWO = Stance(matrix=identity(2), label="maxn")


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_worlds_with_other_moves_and_more_levels_than_there_are_frames(threads: int) -> None:
    several = [ODD_GAME.state(moves) for moves in (3, 1, 5, 2, 2, 4, 1)]
    # Only the second needs more frames than there are at first.
    later = [ODD_GAME.state(2, wrong=3), *(ODD_GAME.state(moves) for moves in (3, 1, 2, 4))]
    # As many moves in each, but not the same ones.
    others = [ODD_GAME.state(3, wrong=wrong) for wrong in (0, 2, 2, 0, 2)]
    for worlds, limits in (
        (several, Limits(depth=4)),
        (several, Limits(depth=40)),
        (several, Limits(nodes=3000)),
        (later, Limits(depth=40)),
        (others, Limits(depth=4)),
    ):
        for seed in range(3):
            batches, one_by_one = (
                told(
                    search(
                        ODD_SPACE,
                        worlds,
                        TWO,
                        limits,
                        rng=np.random.default_rng(seed),
                        threads=threads,
                        engine=engine,
                    )
                )
                for engine in engines(ODD_SPACE)  # new ones: their frames must grow
            )
            assert batches == one_by_one


def test_worlds_whose_moves_begin_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands behind the moves of one of them is no move, even if it looks like one."""
    monkeypatch.setattr(np, "empty", np.zeros)
    worlds = [ODD_GAME.state(2, wrong=4), ODD_GAME.state(1, wrong=4)]
    for seed in range(4):
        batches, one_by_one = (
            told(
                search(
                    ODD_SPACE,
                    worlds,
                    TWO,
                    Limits(depth=2),
                    rng=np.random.default_rng(seed),
                    engine=engine,
                )
            )
            for engine in engines(ODD_SPACE)
        )
        assert batches == one_by_one


@compiled
def won_values(s: Any, parameters: Any, out: Any) -> None:
    out[0], out[1] = 100.0, 0.0


def test_the_mean_of_worlds_prefers_the_move_that_ends_the_game() -> None:
    """Behind the other one it is won as well, but goes on."""
    evaluator = CompiledEvaluator(ODD_GAME, won_values, bounds=Bounds(total=(100, 100)))
    space = SearchSpace(game=ODD_GAME, evaluator=evaluator)
    worlds = [ODD_GAME.state(2, wrong=5)] * 3
    for engine in engines(space):
        for seed in range(4):
            report = search(
                space,
                worlds,
                TWO,
                Limits(depth=2),
                rng=np.random.default_rng(seed),
                engine=engine,
                pool="mean",
            )
            assert (report.move, [m.move for m in report.moves]) == (5, [2, 5])


@pytest.mark.parametrize("threads", [1, 2])
def test_a_world_whose_rules_are_at_fault_is_an_error(threads: int) -> None:
    fine = [ODD_GAME.state(2)] * 5
    for worlds, words in [
        ([*fine, ODD_GAME.state(2, wrong=1), *fine], "the rules named a mover who is neither"),
        ([*fine, ODD_GAME.state(0)], "0 moves were listed; the rules declare 1 to 5"),
    ]:
        with pytest.raises(ContractError, match=words):
            search(ODD_SPACE, worlds, TWO, Limits(depth=3), threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_worlds_in_which_no_depth_is_completed_are_an_error(threads: int) -> None:
    """Chance that goes on for ever in one of them leaves it without a result."""
    space = endless(period=10**9)
    fine = endless(period=1).game.new()
    for worlds in ([space.game.new()] * 3, [fine, fine, space.game.new(), fine]):
        with pytest.raises(ContractError, match="more than 801 levels deep"):
            search(space, worlds, TWO, Limits(depth=1), threads=threads)


@pytest.mark.parametrize("name", GAMES)
def test_values_of_many_states_are_those_of_each(name: str) -> None:
    space = table(name).searcher("maxn").space
    states = some_worlds(space.game, np.random.default_rng(2))
    each = np.array([space.evaluator.values(state) for state in states])
    assert space.evaluator.all_values(states).tobytes() == each.tobytes()


@compiled
def one_too_many(s: Any, parameters: Any, out: Any) -> None:
    for k in range(3):
        out[k] = 1.0


def test_an_evaluator_that_writes_too_much_is_noticed_among_many_states() -> None:
    wrong = CompiledEvaluator(ODD_GAME, one_too_many, bounds=Bounds())
    with pytest.raises(ContractError, match="one_too_many wrote outside of its 2 values"):
        wrong.all_values([ODD_GAME.state(2)] * 3)


@pytest.mark.skipif(sys.platform == "win32", reason="signals as on Unix")
def test_signals_that_raise_nothing_change_no_batch() -> None:
    """No depth is completed when they arrive: it is all searched again."""
    game = CATALOG.game("hearts")
    space = SearchSpace(game=game, evaluator=CATALOG.evaluator_offer("hearts").make(game))
    worlds = some_worlds(game, np.random.default_rng(1))
    stance = Stance(matrix=identity(4), label="maxn")
    engine = make_engine(space)
    arrived: list[int] = []
    for these, limits in [(worlds, Limits(depth=6)), (worlds[:1], Limits(depth=7))]:
        quiet = told(search(space, these, stance, limits, engine=engine, prune=False))
        arrived.clear()
        before = signal.signal(signal.SIGALRM, lambda number, _: arrived.append(number))
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
            for _ in range(1000):  # a fast machine searches between two signals
                disturbed = search(space, these, stance, limits, engine=engine, prune=False)
                if arrived:
                    break
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert arrived
        assert told(disturbed) == quiet


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
import numpy as np
from mpsearch.api.game_table import table
from mpsearch.contracts import Stance
from mpsearch.contracts import Limits
from mpsearch.search import search
from mpsearch.social import identity
place = table("hearts")
game, space = place.game, place.searcher("maxn").space
rng = np.random.default_rng(1)
state = game.play(game.new(), game.draw(game.new(), rng))
worlds = game.worlds(game.view(state, game.mover(state)), 30, rng)
stance = Stance(matrix=identity(4), label="maxn")
threads = int(sys.argv[1])
def decide(depth):
    return search(space, worlds, stance, Limits(depth=depth), prune=False, threads=threads)
decide(1)
print("ready", flush=True)
try:
    decide(60)
except KeyboardInterrupt:
    print("interrupted", decide(1).depth, flush=True)
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_stops_a_batch_at_once(threads: str) -> None:
    assert interrupted(INTERRUPTED, threads) == "interrupted 1\n"
