"""Matches: the referee, and records of what was played."""

from mpsearch.match.record import Record, Setting, read_record, replay, rerun
from mpsearch.match.referee import Ply, play_match
from mpsearch.match.series import Result, play_series, seatings, wilson, win_shares

__all__ = [
    "Ply",
    "Record",
    "Result",
    "Setting",
    "play_match",
    "play_series",
    "read_record",
    "replay",
    "rerun",
    "seatings",
    "wilson",
    "win_shares",
]
