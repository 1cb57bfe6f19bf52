"""Experiments: designs, seeds, worker pools, resumable stores, statistics and reports."""

from mpsearch.experiments.analysis import Analysis, power_statement
from mpsearch.experiments.confidence_intervals import (
    Estimate,
    Z,
    clustered_mean,
    clustered_share,
    flat,
    student,
    wilson,
)
from mpsearch.experiments.design import Design
from mpsearch.experiments.design_file import make_design, read_design
from mpsearch.experiments.engines import Engine, Local, make_engine
from mpsearch.experiments.games import GameResult, Job, game_identity, play_job, record_lines
from mpsearch.experiments.hypothesis_tests import (
    ALPHA,
    detectable_errors,
    distinct_share,
    few_distinct,
    holm,
    mean_difference,
    normal_p,
    two_proportions,
)
from mpsearch.experiments.openings import usual_opening
from mpsearch.experiments.output import (
    check_files,
    csv_bytes,
    figure_bytes,
    figure_svg,
    make_frame,
    new_figure,
    parquet_bytes,
    write_files,
)
from mpsearch.experiments.plan import bind_design, stored_design
from mpsearch.experiments.plots import all_in_one
from mpsearch.experiments.ratings import rate
from mpsearch.experiments.report import (
    chance,
    csv_rows,
    game_rows,
    html_page,
    html_parts,
    html_report,
    json_report,
    text_report,
)
from mpsearch.experiments.resume import Cut, collect, ordered_answers
from mpsearch.experiments.run import analyse_store, played_games, run_until_cut
from mpsearch.experiments.seating import ROTATION, SEATINGS
from mpsearch.experiments.seeds import game_seed
from mpsearch.experiments.series import Series, series_at
from mpsearch.experiments.store import Store
from mpsearch.experiments.toml_file import TomlFile, read_toml, toml_text
from mpsearch.experiments.tournaments import tournament, tournament_design
