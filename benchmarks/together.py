"""The joint effect of local bounds and move ordering for general matrices.

    python benchmarks/together.py [--game hearts] [--propagator "sos mild"] [--seconds 1] [--json]

Twelve random positions for every setting, each with a matrix of its own: the search with declared
bounds only and moves in the game's own order, and with all techniques. How it is measured:
techniques.py.
"""

from techniques import SEED, Case, run

CASES = [
    Case(game="hearts", players=4, evaluator="points", depths=(4, 6, 8)),
    Case(game="quoridor", players=4, evaluator="distance", branching="near", depths=(2, 3, 4)),
]

if __name__ == "__main__":
    run(
        __doc__,
        CASES,
        without={"local": frozenset(), "ordering": frozenset()},
        kinds=("sos mild", "sos random"),
        seeds=(SEED, SEED + 1, SEED + 2),
    )
