"""Opponent Impact: the share of states in which the mover can change what others get."""

from mpsearch.studies.impact.atlas import ATLAS_COLUMNS, AtlasEntry, AtlasPlan, make_atlas
from mpsearch.studies.impact.atlas_chart import atlas_figure
from mpsearch.studies.impact.estimate import Share, tabulate
from mpsearch.studies.impact.influence import READINGS, influence
from mpsearch.studies.impact.measurement import opponent_impact
from mpsearch.studies.impact.output import (
    IMPACT_COLUMNS,
    ImpactTable,
    impact_table,
    printed_figures,
    printed_impact,
)
from mpsearch.studies.impact.sample import (
    TOLERANCE,
    GameSample,
    Survey,
    make_surveys,
    read_depths,
    survey_games,
)
