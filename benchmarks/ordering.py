"""The effect of move ordering: nodes and time without and with it, and depths reached.

    python benchmarks/ordering.py [--game quoridor] [--evaluator margin] [--seconds 1] [--json]

For every setting, four random positions and one stance of each kind: the search with moves in the
game's own order, and with all ways of finding better ones. How it is measured: techniques.py.
"""

from techniques import Case, run

CASES = [
    Case(game="quoridor", players=2, evaluator="distance", branching="near", depths=(4, 5, 6)),
    Case(game="quoridor", players=2, evaluator="margin", branching="near", depths=(4, 5, 6)),
    Case(game="quoridor", players=2, evaluator="distance", depths=(1, 2, 3)),
    Case(game="quoridor", players=4, evaluator="distance", branching="near", depths=(3, 4, 5)),
    Case(game="quoridor", players=4, evaluator="margin", branching="near", depths=(2, 3, 4)),
    Case(game="quoridor", players=4, evaluator="distance", depths=(1, 2, 3)),
    Case(game="hearts", players=4, evaluator="points", depths=(6, 8, 10)),
    Case(game="hearts", players=4, evaluator="paper", depths=(5, 6, 7)),
    Case(game="risk_lite", players=4, evaluator="army_land", branching="bids", depths=(2, 3, 4)),
]

if __name__ == "__main__":
    run(__doc__, CASES, without={"ordering": frozenset()})
