"""Benchmarks: nodes per second, the effect of pruning, and the ratio to C."""

from mpsearch.studies.benchmark.beside_c import compare_with_c, find_programs
from mpsearch.studies.benchmark.searches import SearchRow, measure_game, usual_games
