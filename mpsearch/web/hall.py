"""Hall: all tables of a server, and the tokens that open them.

Each table is two files in a folder: its record, which grows move by move, and the tokens of its
seats beside it. So a server that was killed finds everything again when it is started anew.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from pathlib import Path
from typing import Any

import attrs

from mpsearch.catalog import Catalog
from mpsearch.contracts import GameOffer, Option, settle
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match import RecordWriter, Setting, read_record
from mpsearch.table import set_table
from mpsearch.web.allowance import Allowance
from mpsearch.web.person import GUESTS
from mpsearch.web.session import Session
from mpsearch.web.story import Story

#: Bytes of randomness in a token: 192 bits cannot be guessed.
_TOKEN_BYTES = 24
_SEATS = ".seats.json"


class FullError(MpsearchError):
    """The server has as many tables or connections as it may have."""


@attrs.frozen(kw_only=True)
class Keys:
    """The tokens of a table: one per seat that a person holds, and one to watch."""

    seats: dict[int, str]
    watch: str


@attrs.frozen(kw_only=True)
class Place:
    """What a token stands for: a seat at a table, or a place to watch from."""

    session: Session
    seat: int | None


class Hall:
    """The tables of one server. Its methods may be called from any thread."""

    def __init__(
        self, catalog: Catalog, folder: Path, *, allowance: Allowance | None = None
    ) -> None:
        self.catalog = catalog
        self.folder = folder
        self.allowance = allowance or Allowance()
        self._lock = threading.Lock()
        self._places: dict[str, Place] = {}
        #: Tables of an earlier server, by token; they are taken up when somebody comes back.
        self._asleep: dict[str, Path] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            kept = sorted(folder.glob("*" + _SEATS))
        except OSError as error:
            raise UsageError(f"{folder} cannot be used for records: {error.strerror}") from None
        for path in kept:
            keys = _read_keys(path)
            if keys is not None:
                for token in (*keys.seats.values(), keys.watch):
                    self._asleep[token] = path

    def set_table(self, setting: Setting, *, record: Path | None = None) -> Keys:
        """Begin a game; UsageError if there is no such game or agent."""
        with self._lock:
            sessions = {id(p.session) for p in self._places.values() if p.session.running}
            if len(sessions) >= self.allowance.tables:
                raise FullError(f"{len(sessions)} games are under way here; no more fit")
        session = Session(self._story(setting))
        keys = Keys(seats={seat: _token() for seat in session.people}, watch=_token())
        path = self._new_record(setting) if record is None else record
        writer = RecordWriter(path, setting)
        if record is None:
            _write_keys(path.with_suffix(_SEATS), keys)
        self._open(session, keys)
        session.start(writer)
        return keys

    def show_record(self, path: Path, *, foreign: bool = False) -> Keys:
        """Open a record to be looked at; RecordError says what is wrong with it.

        A `foreign` one was sent by a browser, and may name no file of this machine.
        """
        found = read_record(path)
        setting = found.setting
        if foreign:
            offer = self.catalog.game_offer(setting.game)
            settle(confined(offer), setting.options, owner=setting.game)
        story = self._story(setting)
        story.recall(found)
        keys = Keys(seats={}, watch=_token())
        self._open(Session(story, playing=False), keys)
        return keys

    def place(self, token: str) -> Place | None:
        """What a token opens; a table of an earlier server goes on from its record."""
        with self._lock:
            if token not in self._places and token in self._asleep:
                self._wake(self._asleep[token])
            return self._places.get(token)

    def close(self) -> None:
        """Let every game end where it stands."""
        for session in {id(p.session): p.session for p in self._places.values()}.values():
            session.close()

    def _wake(self, path: Path) -> None:
        keys = _read_keys(path)
        if keys is None:
            return
        record = path.with_name(path.name.removesuffix(_SEATS) + ".jsonl")
        for token in (*keys.seats.values(), keys.watch):
            self._asleep.pop(token, None)
        found = read_record(record)
        story = self._story(found.setting)
        story.recall(found)
        session = Session(story)
        self._open(session, keys)
        if found.payoff is None:
            session.start(RecordWriter.resume(record), resumed=True)

    def _story(self, setting: Setting) -> Story:
        # With guests it is a table of its own: games go on in threads, and share no agents.
        table = set_table(
            self.catalog,
            setting.game,
            players=setting.players,
            options=setting.options,
            guests=GUESTS,
        )
        return Story(table, setting)

    def _open(self, session: Session, keys: Keys) -> None:
        places = {keys.watch: Place(session=session, seat=None)}
        places |= {token: Place(session=session, seat=s) for s, token in keys.seats.items()}
        self._places |= places

    def _new_record(self, setting: Setting) -> Path:
        return self.folder / f"{setting.game}-{secrets.token_hex(6)}.jsonl"


def confined(offer: GameOffer) -> list[Option]:
    """The options of a game as a browser may set them."""
    return [option.confined for option in offer.options]


def _token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def _write_keys(path: Path, keys: Keys) -> None:
    text = json.dumps({"seats": keys.seats, "watch": keys.watch})
    # Whoever reads this file can play for others: nobody else may.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def _read_keys(path: Path) -> Keys | None:
    """The tokens in a file; None if it was cut off or is none of ours."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        seats = {int(seat): str(token) for seat, token in found["seats"].items()}
        return Keys(seats=seats, watch=str(found["watch"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
