"""The stance of agents that search with Monte-Carlo tree search."""

from __future__ import annotations

from mpsearch.builtin.propagators.maxn import MaxN
from mpsearch.builtin.propagators.paranoid import Paranoid
from mpsearch.builtin.propagators.sos import SOS
from mpsearch.contracts import Option, Propagator, PropagatorOffer


def _make_sampled(*, stance: str, matrix: str) -> Propagator:
    """The stance of MaxN, of Paranoid or of a given matrix."""
    if matrix:
        return SOS(matrix=matrix)
    return MaxN() if stance == "maxn" else Paranoid()


MCTS = PropagatorOffer(
    name="mcts",
    summary="Monte-Carlo tree search (UCT), every seat by its row of the matrix",
    make=_make_sampled,
    options=(
        Option.text("stance", "maxn", choices=("maxn", "paranoid"), help="how seats choose"),
        Option.text("matrix", "", help="instead: rows such as 1:0/-0.5:1"),
    ),
    defaults={"search": "mcts"},
    character="curious",
)
