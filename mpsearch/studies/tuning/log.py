"""The log of a tuning run: a JSON line per generation, written before the next begins.

A resumed run reads it and drops a last line that was cut off. A run whose disk is full goes on
without its log. A log has one writer at a time.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
import os
from pathlib import Path
from typing import Any

from mpsearch.errors import RecordError, UsageError

_NOTICES = logging.getLogger("mpsearch")


class Log:
    """The log file of one run, locked until it is closed; without a path, no log."""

    def __init__(self, path: Path | None, head: dict[str, Any]) -> None:
        self.path = path
        self._file: int | None = None
        #: The challenger's share of every generation in the log.
        self.shares: list[float] = []
        if path is None:
            return
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise UsageError(f"--log {path} cannot be written: {error.strerror}") from None
        try:
            _hold(self._file, path)
            self._size = self._read(path, json.loads(json.dumps(head)))
        except BaseException:
            self.close()
            raise
        if self._size == 0:
            self.add(head)

    def add(self, entry: dict[str, Any]) -> None:
        """Add a line; if the disk is full, warn and go on without the log."""
        if self._file is None:
            return
        left = (json.dumps(entry) + "\n").encode()
        try:
            while left:
                left = left[os.write(self._file, left) :]
            self._size = os.fstat(self._file).st_size
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
            message = "%s can no longer be written: %s; tuning continues without it"
            _NOTICES.warning(message, self.path, error.strerror)
            self.close()

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, path: Path, head: dict[str, Any]) -> int:
        """Read the log; the number of bytes in whole lines."""
        if not path.is_file():
            raise UsageError(f"--log {path} is not a file")
        *whole, last = path.read_bytes().split(b"\n")
        entries = [_entry(path, number, line) for number, line in enumerate(whole, start=1)]
        assert self._file is not None
        size = sum(len(line) + 1 for line in whole)
        if last:
            # It was cut off while it was written, or only its newline was lost.
            os.ftruncate(self._file, size)
            with contextlib.suppress(RecordError):
                entries.append(_entry(path, len(whole) + 1, last))
                os.write(self._file, last + b"\n")
                size += len(last) + 1
        if entries and entries[0] != head:
            raise RecordError(f"{path} is the log of another run; choose another file")
        self.shares = [_share(path, n, entry) for n, entry in enumerate(entries[1:])]
        return size


def _hold(file: int, path: Path) -> None:
    """Lock the file until it is closed or this process ends."""
    try:
        import fcntl
    except ImportError:  # Windows: no lock
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"--log {path} is in use by another run; wait for it or choose another file"
        ) from None


def _entry(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise RecordError(f"{path}: line {number} is not a JSON object")
    return entry


def _share(path: Path, number: int, entry: dict[str, Any]) -> float:
    share = entry.get("share")
    if entry.get("number") != number:
        raise RecordError(f"{path}: line {number + 2} is not generation {number}")
    if not isinstance(share, (int, float)) or not (math.isfinite(share) and 0 <= share <= 1):
        raise RecordError(f"{path}: line {number + 2}: the share {share} is not from 0 to 1")
    return float(share)
