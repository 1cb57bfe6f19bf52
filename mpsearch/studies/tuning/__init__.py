"""Parameter tuning: numbers in an agent's text, made better by playing."""

from mpsearch.studies.tuning.methods import METHODS
from mpsearch.studies.tuning.run import Generation, measure_gain, tune
from mpsearch.studies.tuning.task import Parameter, Task, make_task
