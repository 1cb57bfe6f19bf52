"""Tuning: numbers in an agent's text, made better by playing."""

from mpsearch.tune.problem import Knob, Problem, make_problem
from mpsearch.tune.run import Generation, measure, tune

__all__ = ["Generation", "Knob", "Problem", "make_problem", "measure", "tune"]
