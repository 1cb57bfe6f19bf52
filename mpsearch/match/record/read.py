"""Reading a record: every field of every line is validated here, once."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from mpsearch._util import cut
from mpsearch.contracts import frozen_array
from mpsearch.errors import RecordError
from mpsearch.match.record.format import FORMAT, MARKS, UNDO, Record, Setting

Check: TypeAlias = Callable[[Any], bool]

#: Longer texts are truncated in messages.
_SHOWN = 60
#: A million plies take less; this stops at devices, which never end.
MOST_BYTES = 2**28
_ABSENT = object()


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read a record; RecordError says which line and field is wrong, and what would be right."""
    head, *rest = _lines(Path(path))
    setting = _setting(head)
    players = setting.players
    payoff = winners = None
    if rest and "payoff" in rest[-1].entry:
        result = rest.pop()
        numbers = f"{players} numbers"
        payoff = frozen_array(result.take("payoff", _vector(players), numbers))
        wanted = f"a list of seats from 0 to {players - 1}"
        winners = tuple(result.take("winners", lambda v: _are_seats(v, players), wanted))
    plies = 0
    for line in rest:
        if "mark" in line.entry:
            _check_mark(line, plies, players)
            if line.entry["mark"] == UNDO:
                plies = line.entry["ply"]
        else:
            _check_ply(line, plies, players)
            plies += 1
    lines = tuple(line.entry for line in rest)
    return Record(
        setting=setting,
        lines=lines,
        payoff=payoff,
        winners=winners,
        variations=_variations(head, plies, players),
    )


class _Line:
    """One line of a record, and where it is."""

    def __init__(self, where: str, entry: dict[str, Any]) -> None:
        self.where = where
        self.entry = entry

    def take(self, name: str, fits: Check, wanted: str, *, default: Any = _ABSENT) -> Any:
        """A field's value. `default` is for a field that may be absent."""
        value = self.entry.get(name, default)
        if value is _ABSENT:
            raise RecordError(f"{self.where}: {name} is missing; expected {wanted}")
        if value is not default and not fits(value):
            raise RecordError(f"{self.where}: {name} is {_shown(value)}, not {wanted}")
        return value


def _lines(path: Path) -> list[_Line]:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: cannot be read as a record: {error}") from None
    if len(data) > MOST_BYTES:
        raise RecordError(f"{path}: no record has more than {MOST_BYTES} bytes")
    if not data:
        raise RecordError(f"{path}: the record is empty: its game never started")
    # Not `splitlines`: texts may contain other line separators.
    *whole, last = data.split(b"\n")
    found = [_line(path, number, line) for number, line in enumerate(whole, start=1)]
    if last:  # cut off, or complete except for the newline
        try:
            found.append(_line(path, len(whole) + 1, last))
        except RecordError:
            if not found:
                raise
    return found


def _line(path: Path, number: int, line: bytes) -> _Line:
    where = f"{path}: line {number}"
    try:
        entry = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except RecursionError:
        raise RecordError(f"{where} is not a valid record line: nested too deep") from None
    except ValueError as error:
        raise RecordError(f"{where} is not a JSON object: {error}") from None
    if not isinstance(entry, dict):
        raise RecordError(f"{where} is not a JSON object: {_shown(entry)}")
    return _Line(where, entry)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number of JSON")


def _setting(head: _Line) -> Setting:
    if not _is_whole(head.entry.get("record")) or head.entry["record"] != FORMAT:
        raise RecordError(f"{head.where} is not the head of a record of format {FORMAT}")
    players = head.take("players", _at_least(1), "a number of players")
    texts, whole = f"a text for each of {players} players", "a whole number, 0 or more"
    return Setting(
        game=head.take("game", _is_text, "the name of a game"),
        players=players,
        options=head.take("options", _is_flat, "an object of texts, numbers, true and false"),
        agents=head.take("agents", _vector(players, _is_text), texts),
        seed=head.take("seed", _at_least(0), whole),
        start=head.take("start", _is_text, "a position or null", default=None),
        opening=head.take("opening", _at_least(0), whole, default=0),
        most_plies=head.take("most_plies", _at_least(1), "a whole number, 1 or more", default=None),
    )


def _check_mark(line: _Line, plies: int, players: int) -> None:
    line.take("mark", lambda mark: mark in MARKS, f"one of {', '.join(MARKS)}")
    line.take("ply", lambda n: _is_whole(n) and 0 <= n <= plies, f"a ply from 0 to {plies}")
    seat = f"a seat from 0 to {players - 1}, or null"
    line.take("seat", lambda s: s is None or _is_seat(s, players), seat, default=None)
    line.take("why", _is_text, "a text", default=None)


def _check_ply(line: _Line, number: int, players: int) -> None:
    seat = f"a seat from 0 to {players - 1}, or null"
    line.take("ply", lambda n: _is_whole(n) and n == number, f"{number}, the number of the ply")
    line.take("seat", lambda s: s is None or _is_seat(s, players), f"{seat} for chance")
    line.take("move", _is_text, "a text")
    line.take("stance", _is_text, "a text", default=None)
    line.take("target", lambda s: _is_seat(s, players), seat, default=None)
    line.take("value", _vector(players), f"{players} numbers", default=None)
    line.take("bound", lambda mark: mark is True, "true, or not there", default=None)
    rows = f"{players} rows of {players} numbers"
    line.take("matrix", _vector(players, _vector(players)), rows, default=None)
    for name in ("nodes", "depth"):
        line.take(name, _at_least(0), "a whole number, 0 or more", default=0)


def _variations(head: _Line, plies: int, players: int) -> tuple[dict[str, Any], ...]:
    """The variations of a game of so many plies."""
    found = head.take("variations", lambda v: isinstance(v, list), "a list", default=[])
    for number, entry in enumerate(found):
        line = _Line(f"{head.where}: variations[{number}]", entry)
        if not isinstance(entry, dict):
            raise RecordError(f"{line.where} is not a JSON object: {_shown(entry)}")
        earlier = f"null, or a number of an earlier entry, below {number}"

        def known(after: Any, below: int = number) -> bool:
            return after is None or (_is_whole(after) and 0 <= after < below)

        after = line.take("after", known, earlier)
        if after is None:
            first = line.take("ply", _is_whole, f"a ply from 0 to {plies}")
            ply = min(max(first, 0), plies)
        else:
            ply = found[after]["ply"] + 1
        _check_ply(line, ply, players)
        line.take("agent", _is_text, "a text", default=None)
    return tuple(found)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _at_least(least: int) -> Check:
    return lambda value: _is_whole(value) and value >= least


def _is_number(value: Any) -> bool:
    try:
        return (_is_whole(value) or isinstance(value, float)) and math.isfinite(value)
    except OverflowError:  # a whole number too large for a float
        return False


def _is_seat(value: Any, players: int) -> bool:
    return _is_whole(value) and 0 <= value < players


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(entry, (str, bool)) or _is_number(entry) for entry in value.values()
    )


def _vector(length: int, fits: Check = _is_number) -> Check:
    return lambda value: (
        isinstance(value, list) and len(value) == length and all(fits(entry) for entry in value)
    )


def _are_seats(value: Any, players: int) -> bool:
    return isinstance(value, list) and all(_is_seat(seat, players) for seat in value)


def _shown(value: Any) -> str:
    return cut(json.dumps(value, ensure_ascii=False), _SHOWN)
