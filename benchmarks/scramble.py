"""Scramble: the compiled search against the same search written by hand in C.

Before anything is timed, both must return the same nodes, values, move and expected line.
"""

from __future__ import annotations

import ctypes
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from harness import arguments, compile_c, duel, pointer, print_result

from mpsearch import load_catalog
from mpsearch._util.arrays import Array
from mpsearch.contracts import (
    CompiledGame,
    Evaluator,
    Game,
    Limits,
    Report,
    SearchSpace,
    Stance,
    State,
)
from mpsearch.search import make_engine, make_plan, search
from mpsearch.search.tree.backup import LINE
from mpsearch.social import identity, paranoid, random_matrix

SOURCE = Path(__file__).with_suffix(".c")
PLAYERS = 4
#: The state searched: seat 0 moves in the middle of a game that can end within the search.
SQUARES, STAMINAS = (11, 9, 12, 8), (3, 4, 2, 5)
MATRIX_SEED = 7
#: What one stamina is worth to the `share` evaluator.
STAMINA = 0.5


@attrs.frozen(kw_only=True)
class Answer:
    """What both sides must agree on."""

    nodes: int
    move: int
    #: By root move and seat.
    values: list[list[float]]
    line: list[int]


@attrs.frozen(kw_only=True)
class Case:
    """One search to be timed."""

    evaluator: str
    propagator: str
    matrix: Array
    prune: bool
    depth: int


def middle(game: CompiledGame) -> State:
    """The state that is searched."""
    s = game.record(game.new())
    s.square[:PLAYERS] = SQUARES
    s.stamina[:PLAYERS] = STAMINAS
    return s.tobytes()


def evaluators(game: CompiledGame) -> dict[str, Evaluator]:
    """Both evaluators of scramble, by name."""
    offers = load_catalog().evaluators["scramble"]
    return {
        "progress": offers["progress"].make(game),
        "share": offers["share"].make(game, stamina=STAMINA),
    }


def cases(root: int, *, depth: int, deep: int) -> list[Case]:
    """Every search for both evaluators: `depth` plies without pruning, `deep` with it."""
    matrices = [
        ("maxn", identity(PLAYERS), False),
        ("random", random_matrix(PLAYERS, np.random.default_rng(MATRIX_SEED)), False),
        ("paranoid", paranoid(PLAYERS, root), True),
    ]
    return [
        Case(
            evaluator=evaluator,
            propagator=name,
            matrix=matrix,
            prune=prune,
            depth=deep if prune else depth,
        )
        for evaluator in ("progress", "share")
        for name, matrix, prune in matrices
    ]


def our_search(space: SearchSpace, state: State, case: Case) -> Callable[[], Report]:
    """The search of mpsearch as a user calls it, with the engine made beforehand."""
    engine = make_engine(space)
    stance = Stance(matrix=case.matrix, label=case.propagator)
    limits = Limits(depth=case.depth)
    # C tries moves in the game's own order, and is to visit the same nodes.
    plain = frozenset[str]()
    return lambda: search(
        space, [state], stance, limits, prune=case.prune, ordering=plain, engine=engine
    )


def flat(game: Game, state: State) -> np.ndarray[Any, Any]:
    """A state as the numbers that search_root in C reads, in its order."""
    assert isinstance(game, CompiledGame)
    s = game.record(state)
    single = [s.mover, s.players, s.length, s.plies_left, s.finished]
    return np.array([*s.square, *s.stamina, *single], dtype=np.int64)


def c_search(
    library: ctypes.CDLL, space: SearchSpace, state: State, case: Case
) -> Callable[[], Answer]:
    """The search in C, with the matrix and the bounds that mpsearch uses."""
    plan = make_plan(case.matrix, space.evaluator.bounds, prune=case.prune)
    assert plan.kind == ("deep" if case.prune else "none")
    moves = space.game.moves(state)
    record = flat(space.game, state)
    matrix, most = np.ascontiguousarray(plan.matrix), np.ascontiguousarray(plan.most)
    values = np.zeros((len(moves), PLAYERS))
    best, length = np.zeros(1, np.int64), np.zeros(1, np.int64)
    line = np.zeros(LINE + 1, np.int64)
    library.search_root.restype = ctypes.c_int64

    def run() -> Answer:
        nodes = library.search_root(
            pointer(record),
            pointer(matrix),
            pointer(most),
            ctypes.c_double(STAMINA),
            ctypes.c_int(plan.column),
            ctypes.c_int(case.depth),
            pointer(values),
            pointer(best),
            pointer(line),
            pointer(length),
        )
        return Answer(
            nodes=nodes,
            move=moves[best[0]],
            values=values.tolist(),
            line=line[: length[0]].tolist(),
        )

    return run


def answer(report: Report) -> Answer:
    """A report of mpsearch, as far as it is compared."""
    return Answer(
        nodes=report.nodes,
        move=report.move,
        values=[m.value.tolist() for m in report.moves],
        line=list(report.line),
    )


def measure(case: Case, space: SearchSpace, state: State, *, pairs: int) -> dict[str, Any]:
    """Check that both sides agree, then time them."""
    ours = our_search(space, state, case)
    theirs = c_search(
        compile_c(SOURCE, PLAYERS=PLAYERS, EVALUATE=case.evaluator), space, state, case
    )
    expected, found = theirs(), answer(ours())
    if found != expected:
        raise SystemExit(f"{case.propagator}: the searches differ:\n{found}\n{expected}")
    times = duel(ours, theirs, pairs=pairs)
    seconds = statistics.median(times.ours)
    return {
        "game": "scramble",
        "evaluator": case.evaluator,
        "propagator": case.propagator,
        "pruning": "deep" if case.prune else "none",
        "depth": case.depth,
        "nodes": found.nodes,
        "seconds": seconds,
        "nodes_per_second": round(found.nodes / seconds),
        "c_nodes_per_second": round(found.nodes / statistics.median(times.theirs)),
        "ratio_to_c": times.ratio,
        "least": min(times.ratios),
        "greatest": max(times.ratios),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--depth", type=int, default=12, help="plies without pruning")
    parser.add_argument("--deep", type=int, default=15, help="plies with alpha-beta")
    parser.add_argument("--pairs", type=int, default=9, help="how often both sides are timed")
    given = parser.parse_args()
    game = load_catalog().game("scramble", players=PLAYERS)
    assert isinstance(game, CompiledGame)
    state = middle(game)
    made = evaluators(game)
    rows = [
        measure(
            case,
            SearchSpace(game=game, evaluator=made[case.evaluator]),
            state,
            pairs=given.pairs,
        )
        for case in cases(game.mover(state), depth=given.depth, deep=given.deep)
    ]
    print_result(rows, as_json=given.json)


if __name__ == "__main__":
    main()
