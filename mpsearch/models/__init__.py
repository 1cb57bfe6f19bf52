"""The comparison of opponent models, on oriented opponents whose true rows are known."""

from mpsearch.models.design import SCENARIOS, Design, Round, make_design
from mpsearch.models.measure import Measured, Sightings, measure_round, measure_rounds
from mpsearch.models.summary import Row, summarise

__all__ = [
    "SCENARIOS",
    "Design",
    "Measured",
    "Round",
    "Row",
    "Sightings",
    "make_design",
    "measure_round",
    "measure_rounds",
    "summarise",
]
