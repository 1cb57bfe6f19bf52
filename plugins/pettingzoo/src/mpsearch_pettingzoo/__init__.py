"""Games of mpsearch as PettingZoo environments: `mpsearch_pettingzoo.env("hearts")`."""

from mpsearch_pettingzoo.environment import TableEnv
from mpsearch_pettingzoo.making import Cycles, env, parallel_env

__all__ = ["Cycles", "TableEnv", "env", "parallel_env"]
