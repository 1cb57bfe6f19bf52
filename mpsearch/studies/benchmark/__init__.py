"""How fast searches are, what pruning is worth, and how that compares with C."""

from mpsearch.studies.benchmark.beside_c import compare_with_c, find_programs
from mpsearch.studies.benchmark.searches import SearchRow, measure_game, usual_games
