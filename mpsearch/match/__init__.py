"""Matches: the referee, and records of what was played."""

from mpsearch.match.played import Match
from mpsearch.match.record import Record, Setting, read_record, replay, rerun
from mpsearch.match.referee import Ply, play_match

__all__ = [
    "Match",
    "Ply",
    "Record",
    "Setting",
    "play_match",
    "read_record",
    "replay",
    "rerun",
]
