"""The front door: a game to play, and those who sit down to it."""

from mpsearch.api.explain_record import last_decision, look_back, searches
from mpsearch.api.filmstrip import animation, make_filmstrip, picture, size
from mpsearch.api.game_table import Table, explain, play, set_table, table, table_of
from mpsearch.api.line_ups import MIXED, STRENGTHS, advisers, alone, by_appeal, company, hints
from mpsearch.api.warming import is_warm, warm_up, warm_up_elsewhere
