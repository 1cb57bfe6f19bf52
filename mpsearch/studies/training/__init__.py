"""Learned evaluators: networks that learn each seat's chances from games by themselves."""

from mpsearch.studies.training.gradient_descent import Fit, fit, new_network
from mpsearch.studies.training.positions import Positions, see
from mpsearch.studies.training.run import Plan, Round, Training, usual_agent
from mpsearch.studies.training.self_play import measure_share
