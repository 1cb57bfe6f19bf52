"""Optimisation methods: the genetic algorithm of the Quoridor paper, and CMA-ES.

A method is a generator. It proposes two candidates that shall play each other and is sent the
share of the games that the second one won. Given the same seed and the same shares it proposes
the same again, which is how an interrupted run is resumed.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

import attrs
import numpy as np

from mpsearch.errors import MpsearchError
from mpsearch.studies.tuning.task import Task

#: What the parameters are set to, by name.
Numbers: TypeAlias = dict[str, float]


@attrs.frozen(kw_only=True)
class Proposal:
    """Who shall play next, and what the method would answer if it had to stop now."""

    champion: Numbers
    challenger: Numbers
    answer: Numbers


Method: TypeAlias = Generator[Proposal, float, None]

#: By how much a number may change in one mutation.
MUTATION = (0.7, 1.3)


def genetic(task: Task) -> Method:
    """The algorithm of the Quoridor paper: one champion, one mutant, weighted average.

    The challenger is the champion with a random subset of its numbers multiplied by factors
    from [0.7, 1.3]. Both play a run-off, and the next champion is their average, weighted by
    the share of games each won.
    """
    rng = np.random.default_rng([task.seed, 1])
    champion = task.start
    while True:
        challenger = dict(champion)
        count = int(rng.integers(1, len(task.parameters) + 1))
        for index in rng.permutation(len(task.parameters))[:count]:
            parameter = task.parameters[index]
            challenger[parameter.name] = parameter.clip(
                champion[parameter.name] * rng.uniform(*MUTATION)
            )
        share = yield Proposal(champion=champion, challenger=challenger, answer=champion)
        champion = {
            name: (1 - share) * value + share * challenger[name] for name, value in champion.items()
        }


def cmaes(task: Task) -> Method:
    """CMA-ES from the package `cmaes`: every candidate plays the start; the answer is the mean.

    Steps are relative to the size of the starting numbers.
    """
    try:
        from cmaes import CMA
    except ImportError:
        raise MpsearchError(
            "--method cmaes needs the package cmaes: pip install 'mpsearch[tune]'"
        ) from None
    start = task.start
    scale = np.array([abs(parameter.start) or 1.0 for parameter in task.parameters])
    bounds = (
        np.array([(parameter.least, parameter.greatest) for parameter in task.parameters])
        / scale[:, None]
    )
    optimiser = CMA(
        mean=np.array([parameter.start for parameter in task.parameters]) / scale,
        sigma=0.3,
        bounds=np.clip(bounds, -1e9, 1e9),
        seed=task.seed,
    )

    def numbers(point: Any) -> Numbers:
        return {k.name: float(v) for k, v in zip(task.parameters, point * scale, strict=True)}

    while True:
        told = []
        for _ in range(optimiser.population_size):
            point = optimiser.ask()
            share = yield Proposal(
                champion=start, challenger=numbers(point), answer=numbers(optimiser.mean)
            )
            told.append((point, -share))
        optimiser.tell(told)


METHODS = {"genetic": genetic, "cmaes": cmaes}
