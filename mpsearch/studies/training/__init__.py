"""Training of learned evaluators: networks that predict each seat's share, by self-play."""

from mpsearch.studies.training.gradient_descent import Fit, fit, new_network
from mpsearch.studies.training.positions import Positions, see
from mpsearch.studies.training.run import Plan, Round, Training, usual_agent
from mpsearch.studies.training.self_play import measure_share
