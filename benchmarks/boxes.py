"""The effect of local bounds: nodes and time without and with them, and depth per second.

    python benchmarks/boxes.py [--game hearts] [--seconds 1] [--json]

For every setting, four random positions and one stance of each kind: the search with declared
bounds only, and with the boxes of the evaluator. How it is measured: techniques.py.
"""

from techniques import Case, run

CASES = [
    Case(game="hearts", players=4, evaluator="points", depths=(6, 8, 10)),
    Case(game="quoridor", players=4, evaluator="distance", branching="near", depths=(3, 4, 5)),
]

if __name__ == "__main__":
    run(__doc__, CASES, without={"local": frozenset()})
