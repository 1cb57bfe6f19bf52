"""Comparison of opponent models against oriented opponents whose true rows are known."""

from mpsearch.studies.opponent_models.design import SCENARIOS, ModelDesign, Round, make_model_design
from mpsearch.studies.opponent_models.measure import RoundResult, measure_round, measure_rounds
from mpsearch.studies.opponent_models.plot import draw_models
from mpsearch.studies.opponent_models.summary import ModelRow, summarise
