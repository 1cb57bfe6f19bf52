"""Search problems drawn at random: trees without end, every kind of matrix and evaluator."""

from collections.abc import Callable, Sequence

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, SearchSpace
from support.hashtree import EVALUATORS, MOST_MOVES, HashTree, hash_evaluator
from support.matrices import MATRICES

#: The parameters of an evaluator's boxes; None: it has none.
Box = tuple[float, bool, bool] | None


def drawn_problems(
    kind: str,
    evaluator: str,
    players: int,
    *,
    count: int,
    salt: Sequence[int] = (),
    ends: Sequence[int] = (4, 9, 50),
    chances: Sequence[int] = (0, 0, 6),
    most: int | None = None,
    depths: tuple[int, int] = (1, 6),
    box: Callable[[np.random.Generator, int], Box] = lambda rng, number: None,
) -> list[tuple[SearchSpace, Array, int]]:
    """So many spaces, each with a matrix and a depth below the second of `depths`.

    Trees have fewer moves than `most`; `box` draws the boxes of the problem of a number.
    """
    seed = [sorted(MATRICES).index(kind), sorted(EVALUATORS).index(evaluator), players, *salt]
    rng = np.random.default_rng(seed)
    found: list[tuple[SearchSpace, Array, int]] = []
    while len(found) < count:
        game = HashTree(
            int(rng.integers(1, 2**31)),
            players=players,
            ends=int(rng.choice(ends)),
            chances=int(rng.choice(chances)),
            in_turn=bool(rng.integers(2)),
            most=MOST_MOVES if most is None else int(rng.integers(2, most)),
        )
        if game.mover(game.new()) in (CHANCE, OVER):
            continue
        values = hash_evaluator(game, box=box(rng, len(found)), **EVALUATORS[evaluator])
        space = SearchSpace(game=game, evaluator=values)
        found.append((space, MATRICES[kind](players, rng), int(rng.integers(*depths))))
    return found
