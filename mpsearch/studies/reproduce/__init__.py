"""Reproductions of the papers' experiments: designs, printed results and verdicts on ours."""

from mpsearch.studies.reproduce.impact import IMPACT, impact_surveys, judged_impact, shipped_impact
from mpsearch.studies.reproduce.run import Reproduction, judged
from mpsearch.studies.reproduce.shipped_designs import SCALES, shipped, shipped_names
