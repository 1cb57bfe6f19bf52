"""Tuning: optimise the parameters of an agent by self-play."""

from mpsearch.studies.tuning.methods import METHODS
from mpsearch.studies.tuning.run import Generation, measure_gain, tune
from mpsearch.studies.tuning.task import Parameter, Task, make_task
