"""How well opponent models learn: oriented opponents whose true rows are known."""

from mpsearch.learn.design import SCENARIOS, Design, Round, make_design
from mpsearch.learn.measure import Measured, Sightings, measure_round, measure_rounds
from mpsearch.learn.summary import Estimate, Row, summarise

__all__ = [
    "SCENARIOS",
    "Design",
    "Estimate",
    "Measured",
    "Round",
    "Row",
    "Sightings",
    "make_design",
    "measure_round",
    "measure_rounds",
    "summarise",
]
