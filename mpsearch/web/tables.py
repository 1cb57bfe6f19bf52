"""Tables: all tables of a server, and the tokens that open them.

Each table is two files in a folder: its record, which grows move by move, and the tokens of its
seats. So a server that was killed finds its tables when it is restarted, and a table that everybody
has left needs no memory: it sleeps in its files until somebody comes back.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import attrs

from mpsearch.api import Table, table_of
from mpsearch.contracts import GameOffer, Option, settle
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.match import Setting, read_record, secret_seed, unused_path
from mpsearch.plugins import Catalog, names_file
from mpsearch.web.budget import Engines, check_agent
from mpsearch.web.keys import Keys, new_token, read_keys, write_keys
from mpsearch.web.person import GUESTS
from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.session import Session

log = logging.getLogger("mpsearch.web")

_SEATS = ".seats.json"


class FullError(MpsearchError):
    """The server has as many tables or uploads as its limits allow."""


class DamagedError(MpsearchError):
    """A sleeping table cannot be restored."""


@attrs.frozen(kw_only=True)
class Place:
    """What a token opens: a seat at a table, or a place to watch from."""

    session: Session
    seat: int | None


class _Files(NamedTuple):
    record: str
    #: Whether the record is only looked at; its one token is for watching.
    shown: bool


@attrs.frozen(kw_only=True, eq=False)
class _Awake:
    session: Session
    keys: Keys
    #: None for a table whose tokens are in no file: it must not be put to sleep.
    files: _Files | None


class Tables:
    """The tables of one server. Its methods may be called from any thread."""

    def __init__(self, catalog: Catalog, folder: Path, *, limits: RateLimit | None = None) -> None:
        self.catalog = catalog
        self.folder = folder
        self.limits = limits or RateLimit()
        self._engines = Engines.of(self.limits)
        #: Guards all below; notified when a table has woken or fallen asleep.
        self._changed = threading.Condition()
        self._places: dict[str, Place] = {}
        self._awake: set[_Awake] = set()
        #: The files of sleeping tables, by token.
        self._asleep: dict[str, _Files] = {}
        #: Records of tables that are waking or falling asleep, and how many are waking.
        self._busy: set[str] = set()
        self._opening = 0
        #: Uploaded records by token, the oldest first.
        self._uploads: dict[str, Path] = {}
        self._upload_folder: tempfile.TemporaryDirectory[str] | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            kept = sorted(folder.glob("*" + _SEATS))
        except OSError as error:
            raise UsageError(f"{folder} cannot be used for records: {error.strerror}") from None
        for path in kept:
            keys = read_keys(path)
            if keys is not None:
                record = path.with_name(path.name.removesuffix(_SEATS) + ".jsonl")
                self._asleep |= dict.fromkeys(keys.tokens, _Files(str(record), shown=False))

    @property
    def awake(self) -> int:
        return len(self._awake)

    def set_table(
        self,
        setting: Setting,
        *,
        record: Path | None = None,
        client: str = "",
        limited: bool = False,
    ) -> Keys:
        """Begin a game; UsageError if there is no such game or agent.

        `limited` refuses agents that are given more than the server allows.
        """
        if limited:
            refuse_files(setting.agents)
        with self._room():
            table = self._table(setting)
            texts = tuple(table.spelled_out(text) for text in setting.agents)
            setting = attrs.evolve(setting, agents=texts)
            if limited:
                for text in setting.agents:
                    check_agent(table.agent(text), text, self.limits)
            session = Session(table, setting, engines=self._engines, client=client)
            keys = Keys(seats={seat: new_token() for seat in session.people}, watch=new_token())
            path = unused_path(self.folder, setting.game) if record is None else record
            session.live.record_to(path)
            session.save_to = path
            files = None
            if record is None:
                files = _Files(str(path), shown=False)
                write_keys(path.with_suffix(_SEATS), keys)
            # Before it can be put to sleep: a game that has not started cannot be closed.
            session.start()
            self._open(_Awake(session=session, keys=keys, files=files))
        return keys

    def rematch(self, session: Session, client: str = "") -> Keys:
        """The one rematch of a finished game: the same players, other cards and dice."""
        if not session.playing or not session.live.over:
            raise UsageError("a rematch is possible after the game")
        with session.rematching:
            if session.rematch is None:
                setting = attrs.evolve(session.live.setting, seed=secret_seed())
                session.rematch = self.set_table(setting, client=client, limited=True)
            return session.rematch

    def show_record(self, path: Path) -> Keys:
        """Open a record to look at; RecordError says what is wrong with it."""
        with self._room():
            keys = Keys(seats={}, watch=new_token())
            self._open(self._shown(path, keys))
        return keys

    def upload(self, content: bytes, *, client: str = "") -> Keys:
        """Open a record that a browser sent; it may not name a file of this machine."""
        with self._changed:
            if self._upload_folder is None:
                self._upload_folder = tempfile.TemporaryDirectory(prefix="mpsearch-")
            path = Path(self._upload_folder.name) / f"{secrets.token_hex(8)}.jsonl"
        path.write_bytes(content)
        try:
            with self._room():
                setting = read_record(path).setting
                offer = self.catalog.game_offer(setting.game)
                settle(confined(offer), setting.options, owner=setting.game)
                refuse_files(setting.agents)
                keys = Keys(seats={}, watch=new_token())
                shown = self._shown(path, keys, client=client)
                self._forget_uploads()
                self._open(shown)
                self._uploads[keys.watch] = path
        except BaseException as error:
            path.unlink(missing_ok=True)
            if isinstance(error, MpsearchError) and not isinstance(error, FullError):
                raise UsageError(str(error).replace(f"{path}", "the file")) from None
            raise
        return keys

    def known(self, token: str) -> bool:
        return token in self._places or token in self._asleep

    def record_of(self, token: str) -> tuple[Path, int | None] | None:
        """The record of the game that a token opens, and its seat, without waking the table.

        None if there is no such game, or if it is a record that is only looked at.
        """
        with self._changed:
            found, files = self._places.get(token), self._asleep.get(token)
        if found is not None:
            path = found.session.live.path
            return (path, found.seat) if path is not None and found.session.playing else None
        if files is None or files.shown:
            return None
        record = Path(files.record)
        keys = read_keys(record.with_suffix(_SEATS))
        seats = {} if keys is None else {held: seat for seat, held in keys.seats.items()}
        return record, seats.get(token)

    def place(self, token: str, *, client: str = "") -> Place | None:
        """What a token opens; a sleeping table wakes, and this client pays for its searches.

        DamagedError says why it cannot, FullError that there is no room for it now.
        """
        with self._changed:
            while token not in self._places:
                files = self._asleep.get(token)
                if files is None:
                    return None
                if files.record not in self._busy:
                    self._busy.add(files.record)
                    break
                self._changed.wait()
            else:
                found = self._places[token]
                found.session.visited = time.monotonic()
                return found
        try:
            with self._room():
                self._wake(token, files, client)
        finally:
            with self._changed:
                self._busy.discard(files.record)
                self._changed.notify_all()
        return self._places.get(token)

    def put_to_sleep(self, seconds: float) -> int:
        """Put tables to sleep that everybody left so many seconds ago; returns their number."""
        with self._changed:
            left = self._left_before(time.monotonic() - seconds)
            for table in left:
                self._leave(table)
        for table in left:
            self._end(table)
        return len(left)

    def _left_before(self, then: float) -> list[_Awake]:
        """The tables that may sleep and that nobody has visited since."""
        return [
            table
            for table in self._awake
            if table.files is not None
            and not table.session.listeners
            and table.session.visited <= then
        ]

    def close(self) -> None:
        for table in tuple(self._awake):
            table.session.close()
        self._engines.close()
        if self._upload_folder is not None:
            self._upload_folder.cleanup()

    @contextlib.contextmanager
    def _room(self) -> Iterator[None]:
        """Make room for one more table; FullError if people sit at all of them."""
        asleep = None
        with self._changed:
            if len(self._awake) + self._opening >= self.limits.tables:
                left = self._left_before(time.monotonic())
                if not left:
                    raise FullError(f"the server is full: people sit at {len(self._awake)} tables")
                asleep = min(left, key=lambda table: table.session.visited)
                self._leave(asleep)
            self._opening += 1
        try:
            if asleep is not None:
                self._end(asleep)
            yield
        finally:
            with self._changed:
                self._opening -= 1

    def _leave(self, table: _Awake) -> None:
        """Forget a table except for its files; nobody can wake it before `_end`."""
        assert table.files is not None
        self._awake.discard(table)
        self._busy.add(table.files.record)
        for token in table.keys.tokens:
            self._places.pop(token, None)
            self._asleep[token] = table.files

    def _end(self, table: _Awake) -> None:
        assert table.files is not None
        table.session.close()
        table.session.join()
        with self._changed:
            self._busy.discard(table.files.record)
            self._changed.notify_all()

    def _wake(self, token: str, files: _Files, client: str) -> None:
        record = Path(files.record)
        try:
            if files.shown:
                keys = Keys(seats={}, watch=token)
                self._open(self._shown(record, keys, client=client))
                return
            kept = read_keys(record.with_suffix(_SEATS))
            found = read_record(record)
            setting = found.setting
            if kept is None or sorted(kept.seats) != sorted(setting.people):
                raise UsageError("the file with the tokens of its seats does not fit")
            session = Session(
                self._table(setting), setting, found, engines=self._engines, client=client
            )
            with contextlib.suppress(OSError):  # older ones could be read by others
                record.chmod(0o600)
            session.save_to = record
            if found.payoff is None:
                session.resume(record)
            self._open(_Awake(session=session, keys=kept, files=files))
        except FullError:
            raise
        except Exception as error:  # files or plugins may have changed in any way
            if not isinstance(error, MpsearchError):
                log.exception("%s", record)
            why = str(error).replace(files.record, "its record")
            raise DamagedError(f"this table cannot be restored: {why}") from None

    def _shown(self, path: Path, keys: Keys, *, client: str = "") -> _Awake:
        found = read_record(path)
        setting = found.setting
        table = self._table(setting)
        session = Session(
            table, setting, found, engines=self._engines, client=client, playing=False
        )
        # Another process may be playing an unfinished game in the same file.
        if found.payoff is not None or self._is_upload(path):
            session.save_to = path
        return _Awake(session=session, keys=keys, files=_Files(str(path), shown=True))

    def _is_upload(self, path: Path) -> bool:
        folder = self._upload_folder
        return folder is not None and path.parent == Path(folder.name)

    def _forget_uploads(self) -> None:
        """Make room for one more upload: the oldest that nobody looks at is removed."""
        with self._changed:
            while len(self._uploads) >= self.limits.uploads:
                for token, path in self._uploads.items():
                    place = self._places.get(token)
                    if str(path) not in self._busy and (
                        place is None or not place.session.listeners
                    ):
                        break
                else:
                    raise FullError(f"{len(self._uploads)} records are open; the server is full")
                del self._uploads[token]
                self._asleep.pop(token, None)
                self._places.pop(token, None)
                self._awake -= {table for table in self._awake if table.keys.watch == token}
                path.unlink(missing_ok=True)

    def _table(self, setting: Setting) -> Table:
        # With guests it is a table of its own: games run in threads, and share no agents.
        return table_of(setting, catalog=self.catalog, guests=GUESTS)

    def _open(self, table: _Awake) -> None:
        session, keys = table.session, table.keys
        places = {keys.watch: Place(session=session, seat=None)}
        places |= {token: Place(session=session, seat=s) for s, token in keys.seats.items()}
        with self._changed:
            self._places |= places
            self._awake.add(table)
            for token in keys.tokens:
                self._asleep.pop(token, None)


def confined(offer: GameOffer) -> list[Option]:
    """A game's options, without the values that name files."""
    return [option.confined for option in offer.options]


def refuse_files(agents: Iterable[str]) -> None:
    """UsageError if an agent names a file of this machine, such as its weights."""
    for text in agents:
        pairs = (pair.partition("=") for pair in text.partition(":")[2].split(","))
        if any(key == "evaluator" and names_file(value) for key, _, value in pairs):
            raise UsageError(f"agent '{text}' names a file on the server, which is not allowed")
