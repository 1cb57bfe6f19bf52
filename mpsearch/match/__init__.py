"""Matches: the referee, and records of what was played."""

from mpsearch.match.reading import read_record
from mpsearch.match.record import Record, Setting, replay, rerun
from mpsearch.match.referee import Ply, play_match
from mpsearch.match.series import (
    Result,
    play_one,
    play_series,
    seatings,
    side_by_side,
    wilson,
    win_shares,
)
from mpsearch.match.writing import RecordWriter

__all__ = [
    "Ply",
    "Record",
    "RecordWriter",
    "Result",
    "Setting",
    "play_match",
    "play_one",
    "play_series",
    "read_record",
    "replay",
    "rerun",
    "seatings",
    "side_by_side",
    "wilson",
    "win_shares",
]
