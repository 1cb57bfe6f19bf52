"""Propagators: which social matrix a seat searches with, one per module."""

from mpsearch.builtin.propagators.coalition import COALITION
from mpsearch.builtin.propagators.maxn import GREEDY, MAXN, MaxN
from mpsearch.builtin.propagators.mcts import MCTS
from mpsearch.builtin.propagators.mp_mix import MP_MIX, MPMix
from mpsearch.builtin.propagators.offensive import OFFENSIVE, Offensive
from mpsearch.builtin.propagators.oriented import ORIENTED
from mpsearch.builtin.propagators.paranoid import BRS, PARANOID, Paranoid
from mpsearch.builtin.propagators.random_play import RANDOM
from mpsearch.builtin.propagators.sos import SOCIALLY_ORIENTED, SOS

PROPAGATORS = [
    MAXN,
    PARANOID,
    OFFENSIVE,
    COALITION,
    MP_MIX,
    SOCIALLY_ORIENTED,
    ORIENTED,
    BRS,
    MCTS,
    GREEDY,
    RANDOM,
]

__all__ = ["PROPAGATORS", "SOS", "MPMix", "MaxN", "Offensive", "Paranoid"]
