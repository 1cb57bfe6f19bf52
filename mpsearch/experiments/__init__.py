"""Experiments: designs, seeds, worker pools, stores that resume, statistics, reports."""

from mpsearch.experiments.analysis import Analysis, power_statement
from mpsearch.experiments.confidence_intervals import (
    Estimate,
    Z,
    clustered_mean,
    clustered_share,
    student,
    wilson,
)
from mpsearch.experiments.design import Design
from mpsearch.experiments.design_file import make_design, read_design
from mpsearch.experiments.engines import Engine, Local, make_engine
from mpsearch.experiments.export import game_rows, parquet_bytes
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
    write_files,
)
from mpsearch.experiments.plan import bind_design, stored_design
from mpsearch.experiments.plots import all_in_one
from mpsearch.experiments.ratings import rate
from mpsearch.experiments.report import (
    chance,
    csv_rows,
    html_figure,
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
from mpsearch.experiments.store import Store
from mpsearch.experiments.toml_file import TomlFile, read_toml, toml_text
from mpsearch.experiments.tournaments import Results, tournament, tournament_design

__all__ = [
    "ALPHA",
    "ROTATION",
    "SEATINGS",
    "Analysis",
    "Cut",
    "Design",
    "Engine",
    "Estimate",
    "GameResult",
    "Job",
    "Local",
    "Results",
    "Store",
    "TomlFile",
    "Z",
    "all_in_one",
    "analyse_store",
    "bind_design",
    "chance",
    "check_files",
    "clustered_mean",
    "clustered_share",
    "collect",
    "csv_bytes",
    "csv_rows",
    "detectable_errors",
    "distinct_share",
    "few_distinct",
    "figure_bytes",
    "figure_svg",
    "game_identity",
    "game_rows",
    "game_seed",
    "holm",
    "html_figure",
    "html_page",
    "html_parts",
    "html_report",
    "json_report",
    "make_design",
    "make_engine",
    "make_frame",
    "mean_difference",
    "new_figure",
    "normal_p",
    "ordered_answers",
    "parquet_bytes",
    "play_job",
    "played_games",
    "power_statement",
    "rate",
    "read_design",
    "read_toml",
    "record_lines",
    "run_until_cut",
    "stored_design",
    "student",
    "text_report",
    "toml_text",
    "tournament",
    "tournament_design",
    "two_proportions",
    "usual_opening",
    "wilson",
    "write_files",
]
