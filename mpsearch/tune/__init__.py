"""Tuning: numbers in an agent's text, made better by playing."""

from mpsearch.tune.run import Generation, measure_gain, tune
from mpsearch.tune.task import Knob, Task, make_task

__all__ = ["Generation", "Knob", "Task", "make_task", "measure_gain", "tune"]
