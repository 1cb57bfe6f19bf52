"""The comparison of opponent models, on oriented opponents whose true rows are known."""

from mpsearch.models.design import SCENARIOS, ModelDesign, Round, make_model_design
from mpsearch.models.measure import Measured, Sightings, measure_round, measure_rounds
from mpsearch.models.summary import ModelRow, summarise

__all__ = [
    "SCENARIOS",
    "Measured",
    "ModelDesign",
    "ModelRow",
    "Round",
    "Sightings",
    "make_model_design",
    "measure_round",
    "measure_rounds",
    "summarise",
]
