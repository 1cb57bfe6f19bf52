"""Matches: the referee, and records of what was played."""

from mpsearch.match.record import Record, Setting, read_record, replay, rerun
from mpsearch.match.referee import Ply, play_match, rotations

__all__ = ["Ply", "Record", "Setting", "play_match", "read_record", "replay", "rerun", "rotations"]
