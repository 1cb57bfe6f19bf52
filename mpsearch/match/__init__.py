"""Matches: the referee, live games, and records."""

from mpsearch.match.live_game import History, LiveGame
from mpsearch.match.native_play import natively_at_once
from mpsearch.match.record.format import (
    FORFEIT,
    HINT,
    HURRY,
    PERSON,
    RESIGN,
    RESUME,
    SEATED,
    TAKEOVER,
    UNDO,
    Record,
    Setting,
    final_payoff,
    header_entry,
    mark_entry,
    ply_entry,
    result_entry,
    standing_marks,
)
from mpsearch.match.record.read import read_record
from mpsearch.match.record.replay import recalled, replay, rerun, unasked
from mpsearch.match.record.write import (
    RecordWriter,
    record_line,
    unused_path,
    usual_folder,
    write_variations,
)
from mpsearch.match.referee import SEED_BITS, Ply, generators, play_match, secret_seed
from mpsearch.match.result import Match
from mpsearch.match.undo import TakenBackError, undo_point
from mpsearch.match.variations import Position, VariationTree
