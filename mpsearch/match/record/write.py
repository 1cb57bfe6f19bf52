"""Writing records: the only code that writes games to files."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match.record.format import Setting, header_entry

#: An entry as a line of a record, without NaN. `json.dumps` would make an encoder each time.
record_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


class RecordWriter:
    """A record that grows while a game is played, complete after every line.

        with RecordWriter("game.jsonl", setting) as record:
            for ply in play_match(...):
                record.write(ply_entry(game, ply))
            record.write(result_entry(game.payoff(state)))

    An existing file is never overwritten. If the disk is full, MpsearchError says so, and the file
    still holds every line before.
    """

    def __init__(self, path: str | os.PathLike[str], setting: Setting) -> None:
        self.path = Path(path)
        self._lines = self._size = 0
        try:
            # Unbuffered: a written line is safe, whatever happens to this process.
            self._file = open(self.path, "xb", buffering=0, opener=_own)  # noqa: SIM115
        except FileExistsError:
            raise UsageError(f"{self.path} already exists; records are never overwritten") from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"{self.path} cannot be written: {why}") from None
        try:
            self.write(header_entry(setting))
        except MpsearchError:
            self._file.close()
            self.path.unlink(missing_ok=True)
            raise

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> RecordWriter:
        """Continue the record of an interrupted game, after its last ply."""
        writer = cls.__new__(cls)
        writer.path = Path(path)
        try:
            writer._file = writer.path.open("r+b", buffering=0)
            *whole, last = writer.path.read_bytes().split(b"\n")
            if last and _is_json(last):  # complete except for the newline
                whole.append(last)
            kept = b"".join(line + b"\n" for line in whole)
            writer._lines, writer._size = len(whole), len(kept)
            writer._file.write(kept)
            writer._file.truncate()
        except OSError as error:
            raise UsageError(f"{writer.path} cannot be written: {error.strerror}") from None
        return writer

    @property
    def plies(self) -> int:
        return max(self._lines - 1, 0)

    def write(self, entry: dict[str, Any]) -> None:
        # "surrogatepass" would write what cannot be read; JSON's own escapes can.
        left = f"{record_line(entry)}\n".encode("utf-8", "backslashreplace")
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), self._size)
            raise MpsearchError(
                f"{self.path} can no longer be written: {error.strerror}; "
                f"it holds {self.plies} plies"
            ) from None
        self._lines += 1
        self._size = self._file.tell()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_record(
    path: str | os.PathLike[str], setting: Setting, lines: Iterable[dict[str, Any]]
) -> None:
    """Write the lines after the head to a new file."""
    with RecordWriter(path, setting) as record:
        for line in lines:
            record.write(line)


def write_variations(path: Path, variations: Sequence[dict[str, Any]]) -> None:
    """Replace the variations of a record that nobody else writes to, atomically.

    MpsearchError if it cannot be written.
    """
    new = path.resolve()  # the target of a link is written, not the link
    new = new.with_name(f".{new.name}.{secrets.token_hex(4)}")
    try:
        head, end, rest = path.read_bytes().partition(b"\n")
        entry = {key: value for key, value in json.loads(head).items() if key != "variations"}
        if variations:
            entry["variations"] = [*variations]
        text = record_line(entry).encode("utf-8", "backslashreplace")
        with open(new, "xb", opener=_own) as file:
            file.write(text + end + rest)
        shutil.copymode(path, new)
        new.replace(path.resolve())
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise MpsearchError(f"{path} cannot be written: {error.strerror}") from None


def usual_folder() -> Path:
    """The folder of records that nobody named: the page's and the terminal's."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "mpsearch" / "games"


def unused_path(folder: Path, game: str) -> Path:
    """A new file name for the record of a game."""
    return folder / f"{game}-{secrets.token_hex(6)}.jsonl"


def _own(path: str, flags: int) -> int:
    """Open a file that nobody else can read: its seed reveals every deal to come."""
    return os.open(path, flags, 0o600)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
