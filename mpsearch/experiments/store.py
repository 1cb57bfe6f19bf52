"""The result store: one SQLite file per experiment, a row for every finished job.

Rows are keyed by arm and number and never overwritten, so nothing counts twice. Each row is its
own transaction in WAL mode: finished jobs survive a kill at any instant. Only the process that
runs an experiment writes. The store alone says which jobs are left.

Every row has a digest. Opening checks all digests and SQLite's own structures, and refuses a
damaged file. Stores of layout 1 have no digests and are used as they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mpsearch._util import printable
from mpsearch.errors import MpsearchError, UsageError

#: SQLite's application id, the layout of the tables, and the old layout without digests.
APPLICATION, LAYOUT, BARE = 0x6D707372, 2, 1
#: Seconds to wait for a reader that is copying the file.
TIMEOUT = 30.0

_TABLES = """
create table about (key text primary key, value text not null, digest blob) without rowid;
create table results (
    arm text not null, number integer not null, result text not null, record blob, digest blob,
    primary key (arm, number)
);
"""
#: SQLite errors that do not mean damage, such as a full disk or a lock.
_OUTSIDE = ("FULL", "READONLY", "BUSY", "LOCKED", "IOERR", "CANTOPEN", "PERM", "AUTH", "NOTADB")
#: Bytes of the digest of a row without its record; the record's digest follows.
_SUM = 12
#: Greatest length of a quoted SQLite message, which may contain a damaged row.
_MOST = 200


class DamagedStoreError(MpsearchError):
    """A store that is not as it was written."""

    def __init__(self, name: str, what: object) -> None:
        text = printable(what)
        short = text if len(text) <= _MOST else f"{text[:_MOST]}..."
        super().__init__(
            f"{name} is damaged ({short}); restore a backup, or start again in another file"
        )


class Store:
    """The finished jobs of one experiment; in memory if the path is None."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self.path = path
        self.name = "the store" if path is None else str(path)
        self._lock: sqlite3.Connection | None = None
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        #: Whether its rows have digests.
        self._sums = True
        if path is not None:
            _check_path(path, read_only=read_only)
        try:
            with self._errors_in_one_line():
                if path is not None and not read_only:
                    self._lock = _locked(path)
                if path is not None:
                    self._db = sqlite3.connect(path, timeout=TIMEOUT, isolation_level=None)
                self._prepare(read_only=read_only)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release its lock."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def bind(self, about: Mapping[str, Any], *, text: str = "") -> None:
        """Bind the store to an experiment; UsageError if it holds another one.

        `about` determines the jobs.
        """
        with self._errors_in_one_line():
            known = self.about
            if known is None:
                self._set("about", json.dumps(about, sort_keys=True))
                self._set("text", text)
                return
            plain = json.loads(json.dumps(about))
            if known != plain:
                raise UsageError(
                    f"{self.name} holds a different experiment: {_difference(known, plain)}; "
                    "choose another file"
                )

    @property
    def about(self) -> dict[str, Any] | None:
        """What `bind` said; None for a new file."""
        found = self._read("about")
        return None if found is None else dict(found)

    @property
    def text(self) -> str:
        """The text of the design file that the experiment started with."""
        with self._errors_in_one_line():
            return self._get("text") or ""

    def note(self, key: str, value: Any) -> None:
        """Store a value beside the results, such as where a run stopped."""
        with self._errors_in_one_line():
            self._set(f"note.{key}", json.dumps(value))

    def noted(self, key: str) -> Any:
        """The value of a note; None if there is none."""
        return self._read(f"note.{key}")

    def add(self, arm: str, number: int, result: Any, record: bytes | None = None) -> bool:
        """Store a finished job; False if it was already stored."""
        text = json.dumps(result, separators=(",", ":"))
        row: tuple[Any, ...] = (arm, number, text, record)
        if self._sums:
            row = (*row, _row_sum(arm, number, text) + _sum(record or b""))
        marks = ", ".join("?" * len(row))
        with self._errors_in_one_line():
            found = self._run(f"insert or ignore into results values ({marks})", *row)
        return found.rowcount == 1

    def done(self) -> set[tuple[str, int]]:
        """The keys of all finished jobs."""
        with self._errors_in_one_line():
            return set(self._run("select arm, number from results"))

    def rows(self) -> Iterator[tuple[str, int, Any]]:
        """Arm, number and result of all finished jobs, by number, then arm."""
        with self._errors_in_one_line():
            rows = self._run("select arm, number, result from results order by number, arm")
            for arm, number, result in rows:
                yield arm, number, self._json(result)

    def record(self, arm: str, number: int) -> bytes | None:
        """The compressed record of a finished game."""
        more = ", digest" if self._sums else ""
        with self._errors_in_one_line():
            found = self._run(
                f"select record{more} from results where arm = ? and number = ?", arm, number
            ).fetchone()
        if found is None:
            return None
        if self._sums and _sum(found[0] or b"") != found[1][_SUM:]:
            raise self.damaged(f"the record of game {number} of arm '{arm}'")
        return None if found[0] is None else bytes(found[0])

    def __len__(self) -> int:
        with self._errors_in_one_line():
            count: int = self._run("select count(*) from results").fetchone()[0]
        return count

    def damaged(self, what: object) -> DamagedStoreError:
        """The error to raise for a part that makes no sense."""
        return DamagedStoreError(self.name, what)

    def _prepare(self, *, read_only: bool) -> None:
        mark: int = self._run("pragma application_id").fetchone()[0]
        empty = self._run("select count(*) from sqlite_master").fetchone()[0] == 0
        if empty and not read_only:
            # One transaction: a file is either complete or still empty.
            self._db.executescript(
                f"pragma journal_mode = wal; begin; {_TABLES} pragma application_id = "
                f"{APPLICATION}; pragma user_version = {LAYOUT}; commit;"
            )
        elif mark != APPLICATION:
            raise UsageError(f"{self.name} is not the store of an experiment")
        version = self._run("pragma user_version").fetchone()[0]
        if version not in (BARE, LAYOUT):
            raise UsageError(
                f"{self.name} has layout {version}; this version reads {BARE} and {LAYOUT}"
            )
        self._sums = version == LAYOUT
        self._check()
        # In WAL mode a killed process loses nothing; a power failure may lose a few rows.
        self._run("pragma synchronous = normal")

    def _check(self) -> None:
        """Refuse a damaged file."""
        # Unlike quick_check this compares the index, which says what is left to play, with the
        # table.
        found = self._run("pragma integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise self.damaged(str(found).splitlines()[-1])
        columns = [row[1] for row in self._run("pragma table_info(results)")]
        if ("digest" in columns) != self._sums:
            raise self.damaged("its layout")
        if not self._sums:
            return
        for key, value, digest in self._run("select key, value, digest from about"):
            if _sum(key, value) != digest:
                raise self.damaged(f"its entry '{key}'")
        rows = list(self._run("select rowid, arm, number, result, digest from results"))
        for _, arm, number, result, digest in rows:
            if not isinstance(digest, bytes) or _row_sum(arm, number, result) != digest[:_SUM]:
                raise self.damaged(f"game {number} of arm '{arm}'")
        # Rows are only ever added.
        if max((row[0] for row in rows), default=0) != len(rows):
            raise self.damaged("rows are missing")

    def _run(self, command: str, *values: Any) -> sqlite3.Cursor:
        return self._db.execute(command, values)

    def _read(self, key: str) -> Any:
        with self._errors_in_one_line():
            found = self._get(key)
        return None if found is None else self._json(found)

    def _json(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise self.damaged(error) from None

    def _get(self, key: str) -> str | None:
        found = self._run("select value from about where key = ?", key).fetchone()
        return None if found is None else str(found[0])

    def _set(self, key: str, value: str) -> None:
        row = (key, value, _sum(key, value)) if self._sums else (key, value)
        marks = ", ".join("?" * len(row))
        self._run(f"insert or replace into about values ({marks})", *row)

    @contextlib.contextmanager
    def _errors_in_one_line(self) -> Iterator[None]:
        """Report SQLite's errors in one line: a full disk, a foreign or a damaged file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            name = str(getattr(error, "sqlite_errorname", "")).removeprefix("SQLITE_")
            if not name.startswith(_OUTSIDE):
                raise self.damaged(error) from None
            raise MpsearchError(
                f"{self.name} cannot be used: {error}; games finished before are kept"
            ) from None


def _check_path(path: Path, *, read_only: bool) -> None:
    """UsageError for a path that cannot be a store, before SQLite creates files beside it."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; a store is a file")
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is a device or a pipe; a store is a file")
        if read_only and not path.exists():
            raise UsageError(f"{path}: there is no such file")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"{path}: there is no folder {path.absolute().parent}")
    except OSError as error:
        raise UsageError(f"{path} cannot be used: {error.strerror}") from None


def _sum(*parts: str | bytes) -> bytes:
    """A digest of texts or bytes."""
    digest = hashlib.blake2b(digest_size=_SUM)
    for part in parts:
        content = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.digest()


def _row_sum(arm: str, number: int, result: str) -> bytes:
    return _sum(arm, str(number), result)


def _locked(path: Path) -> sqlite3.Connection:
    """A lock on a file beside the store, released when this process ends in any way.

    SQLite's locks work on every system. The store itself cannot be locked, because every row is
    its own transaction.
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
    """The first difference between two documents, in words."""
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
