"""Matches: the referee, and records of what was played."""

from mpsearch.match.played import Match
from mpsearch.match.reading import read_record
from mpsearch.match.record import Record, Setting
from mpsearch.match.referee import Ply, play_match
from mpsearch.match.replaying import replay, rerun, unasked
from mpsearch.match.taking_back import TakenBackError, recalled, undo_point
from mpsearch.match.writing import RecordWriter

__all__ = [
    "Match",
    "Ply",
    "Record",
    "RecordWriter",
    "Setting",
    "TakenBackError",
    "play_match",
    "read_record",
    "recalled",
    "replay",
    "rerun",
    "unasked",
    "undo_point",
]
