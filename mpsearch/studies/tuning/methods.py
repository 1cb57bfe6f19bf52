"""Optimisation methods: the genetic algorithm of the Quoridor paper, and CMA-ES.

A method is a generator. It proposes two candidates to play each other and is sent the share of
games that the second won. With the same seed and shares it proposes the same again, which is how
a run resumes.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

import attrs
import numpy as np

from mpsearch._util import optional_import
from mpsearch.studies.tuning.task import Task

#: What the parameters are set to, by name.
Numbers: TypeAlias = dict[str, float]


@attrs.frozen(kw_only=True)
class Proposal:
    """The next run-off, and the method's answer if it stopped now."""

    champion: Numbers
    challenger: Numbers
    answer: Numbers


Method: TypeAlias = Generator[Proposal, float, None]

#: Factors of a mutation.
MUTATION = (0.7, 1.3)


def genetic(task: Task) -> Method:
    """The algorithm of the Quoridor paper: one champion, one mutant, weighted average.

    The challenger is the champion with a random subset of its parameters multiplied by factors
    from [0.7, 1.3]. The next champion is the average of both, weighted by the games each won.
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
    """CMA-ES of the package `cmaes`: every candidate plays the start; the answer is the mean.

    Steps are relative to the size of the starting values.
    """
    CMA = optional_import("cmaes", by="--method cmaes", extra="tune").CMA  # noqa: N806
    start = np.array(list(task.start.values()))
    scale = np.where(start == 0, 1.0, np.abs(start))
    bounds = np.array([(p.least, p.greatest) for p in task.parameters]) / scale[:, None]
    optimiser = CMA(
        mean=start / scale, sigma=0.3, bounds=np.clip(bounds, -1e9, 1e9), seed=task.seed
    )

    def numbers(point: Any) -> Numbers:
        return {k.name: float(v) for k, v in zip(task.parameters, point * scale, strict=True)}

    while True:
        told = []
        for _ in range(optimiser.population_size):
            point = optimiser.ask()
            share = yield Proposal(
                champion=task.start, challenger=numbers(point), answer=numbers(optimiser.mean)
            )
            told.append((point, -share))
        optimiser.tell(told)


METHODS = {"genetic": genetic, "cmaes": cmaes}
