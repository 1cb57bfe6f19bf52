"""The store: one SQLite file per experiment, a row for every finished job.

Rows are keyed by arm and number, and a key that is there is never written again, so nothing is
counted twice. Each row is a transaction of its own in WAL mode: a process may be killed at any
instant and what it had finished is there. Only the process that runs an experiment writes. The
store decides what is still to be done; nothing else keeps track of it.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mpsearch.errors import MpsearchError, UsageError

#: What SQLite files of ours are marked with, and the layout of their tables.
APPLICATION, LAYOUT = 0x6D707372, 1
#: Seconds to wait for a reader that is just copying the file.
PATIENCE = 30.0

_TABLES = """
create table about (key text primary key, value text not null) without rowid;
create table results (
    arm text not null, number integer not null, result text not null, record blob,
    primary key (arm, number)
);
"""


class Store:
    """The finished jobs of one experiment. A path of None keeps them in memory."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self.path = path
        self.name = "the store" if path is None else str(path)
        self._lock: sqlite3.Connection | None = None
        if path is not None and read_only and not path.is_file():
            raise UsageError(f"{path}: there is no such file")
        if path is not None and not path.absolute().parent.is_dir():
            raise UsageError(f"{path}: there is no folder {path.absolute().parent}")
        with self._complaints():
            if path is not None and not read_only:
                self._lock = _locked(path)
            self._db = sqlite3.connect(
                ":memory:" if path is None else path, timeout=PATIENCE, isolation_level=None
            )
            self._prepare(read_only=read_only)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others run it."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def bind(self, about: Mapping[str, Any], *, text: str = "") -> None:
        """Say what the experiment is; a file that holds another one is refused.

        `about` decides the jobs. What differs is named, because it is the user's to mend.
        """
        with self._complaints():
            known = self.about
            if known is None:
                self._set("about", json.dumps(about, sort_keys=True))
                self._set("text", text)
                return
            plain = json.loads(json.dumps(about))
            if known != plain:
                raise UsageError(
                    f"{self.name} holds another experiment: {_difference(known, plain)}; "
                    "choose another file"
                )

    @property
    def about(self) -> dict[str, Any] | None:
        """What `bind` said; None for a new file."""
        found = self._get("about")
        return None if found is None else json.loads(found)

    @property
    def text(self) -> str:
        """The file that the experiment was begun with, as it stood there."""
        return self._get("text") or ""

    def note(self, key: str, value: Any) -> None:
        """Keep something beside the results, such as where a run was stopped."""
        with self._complaints():
            self._set(f"note.{key}", json.dumps(value))

    def noted(self, key: str) -> Any:
        """What was noted; None if nothing was."""
        found = self._get(f"note.{key}")
        return None if found is None else json.loads(found)

    def add(self, arm: str, number: int, result: Any, record: bytes | None = None) -> bool:
        """Keep a finished job; False if it was there already."""
        row = (arm, number, json.dumps(result, separators=(",", ":")), record)
        with self._complaints():
            found = self._db.execute("insert or ignore into results values (?, ?, ?, ?)", row)
        return found.rowcount == 1

    def done(self) -> set[tuple[str, int]]:
        """The keys of all finished jobs."""
        return set(self._db.execute("select arm, number from results"))

    def rows(self) -> Iterator[tuple[str, int, Any]]:
        """Arm, number and result of all finished jobs, by number, then arm."""
        rows = self._db.execute("select arm, number, result from results order by number, arm")
        for arm, number, result in rows:
            yield arm, number, json.loads(result)

    def record(self, arm: str, number: int) -> bytes | None:
        """The packed record of a finished game."""
        found = self._db.execute(
            "select record from results where arm = ? and number = ?", (arm, number)
        ).fetchone()
        return None if found is None else found[0]

    def __len__(self) -> int:
        count: int = self._db.execute("select count(*) from results").fetchone()[0]
        return count

    def _prepare(self, *, read_only: bool) -> None:
        mark: int = self._db.execute("pragma application_id").fetchone()[0]
        empty = self._db.execute("select count(*) from sqlite_master").fetchone()[0] == 0
        if empty and not read_only:
            # One transaction: a file is either ours and whole, or still empty.
            self._db.executescript(
                f"pragma journal_mode = wal; begin; {_TABLES} pragma application_id = "
                f"{APPLICATION}; pragma user_version = {LAYOUT}; commit;"
            )
        elif mark != APPLICATION:
            raise UsageError(f"{self.name} is not the store of an experiment")
        version = self._db.execute("pragma user_version").fetchone()[0]
        if version != LAYOUT:
            raise UsageError(f"{self.name} has layout {version}; this version reads {LAYOUT}")
        # In WAL mode this loses nothing when a process is killed, and a few rows, but never the
        # file, when the power fails.
        self._db.execute("pragma synchronous = normal")

    def _get(self, key: str) -> str | None:
        found = self._db.execute("select value from about where key = ?", (key,)).fetchone()
        return None if found is None else found[0]

    def _set(self, key: str, value: str) -> None:
        self._db.execute("insert or replace into about values (?, ?)", (key, value))

    @contextlib.contextmanager
    def _complaints(self) -> Iterator[None]:
        """SQLite's errors in one line: a full disk, a file that is none of ours."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise MpsearchError(
                f"{self.name} cannot be used: {error}; what was finished before is kept"
            ) from None


def _locked(path: Path) -> sqlite3.Connection:
    """A lock that ends with this process, however it ends; on a file beside the store.

    SQLite's own locks are there on every system. The store itself cannot be held, because every
    row is a transaction of its own.
    """
    lock = sqlite3.connect(path.with_name(f"{path.name}.lock"), timeout=0, isolation_level=None)
    try:
        lock.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            raise
        raise MpsearchError(
            f"{path} is in use by another run; wait for it, or choose another file"
        ) from None
    return lock


def _difference(known: Any, given: Any, where: str = "") -> str:
    """The first thing in which two documents differ, in words."""
    if isinstance(known, dict) and isinstance(given, dict):
        for key in [*known, *given]:
            if known.get(key) != given.get(key):
                place = f"{where}.{key}" if where else key
                if key not in known:
                    return f"{place} is not in it"
                if key not in given:
                    return f"it has {place}, which is not asked for"
                return _difference(known[key], given[key], place)
    return f"{where} is {json.dumps(known)} there and {json.dumps(given)} here"
