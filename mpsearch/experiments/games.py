"""Games of an experiment: the job to play one, its result and its record."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from mpsearch._util import array_field
from mpsearch.api import table_of
from mpsearch.contracts import Array, Decision, Game, frozen_array, snap, winners
from mpsearch.errors import ForfeitError
from mpsearch.jit import PlayClock
from mpsearch.match import (
    FORFEIT,
    Ply,
    Setting,
    final_payoff,
    header_entry,
    mark_entry,
    ply_entry,
    record_line,
    result_entry,
)

#: Bar width of the histogram of leading edges, on the evaluators' scale of 0 to 100.
EDGE = 5
#: zlib level: 50 us for the record of a short game of Quoridor.
PACKING = 6
#: Plies written at a time: one after the other they take a quarter of the time of each alone,
#: after a search has used the caches; more would keep their searches in memory for too long.
WAITING = 64


@attrs.frozen(kw_only=True)
class Job:
    """A game to be played: one number of one arm."""

    arm: str
    number: int
    setting: Setting
    #: The name of each seat's agent in tables, by default its text.
    roles: tuple[str, ...] = attrs.field()

    @roles.default
    def _texts(self) -> tuple[str, ...]:
        return self.setting.agents

    def __str__(self) -> str:
        return f"arm '{self.arm}', game {self.number} (seed {self.setting.seed})"


@attrs.define(kw_only=True)
class SeatLog:
    """Statistics of one seat in a game, filled while it is played."""

    moves: int = 0
    nodes: int = 0
    #: Thinking time without compiling.
    seconds: float = attrs.field(default=0.0, eq=False)
    #: Turns by the label of the stance.
    stances: dict[str, int] = attrs.field(factory=dict)
    #: Turns by leading edge in bars of width EDGE, where the seat led and where another did.
    ahead: dict[int, int] = attrs.field(factory=dict)
    behind: dict[int, int] = attrs.field(factory=dict)
    #: The greatest leading edge at one of its turns, its own and another's.
    most_ahead: float | None = None
    most_behind: float | None = None

    def add(self, seat: int, decision: Decision, seconds: float) -> None:
        """Count a move of the seat."""
        self.moves += 1
        self.nodes += decision.nodes
        self.seconds += seconds
        if decision.stance is not None:
            label = decision.stance.label
            self.stances[label] = self.stances.get(label, 0) + 1
        if decision.outlook is not None:
            outlook = decision.outlook.tolist()
            second, first = sorted(outlook)[-2:]
            edge = first - second
            bar = int(edge // EDGE)
            # A seat that ties for the lead leads, as in MP-Mix.
            if snap(outlook[seat]) == snap(first):
                self.ahead[bar] = self.ahead.get(bar, 0) + 1
                self.most_ahead = max(self.most_ahead or 0.0, snap(edge))
            else:
                self.behind[bar] = self.behind.get(bar, 0) + 1
                self.most_behind = max(self.most_behind or 0.0, snap(edge))

    def ordered(self) -> SeatLog:
        """The same, sorted by label and bar."""
        return attrs.evolve(
            self,
            stances=dict(sorted(self.stances.items())),
            ahead=dict(sorted(self.ahead.items())),
            behind=dict(sorted(self.behind.items())),
        )


@attrs.frozen(kw_only=True)
class GameResult:
    """A finished game. Equal for equal games, whatever time they took."""

    arm: str
    number: int
    roles: tuple[str, ...]
    #: Shape (P,).
    payoff: Array = array_field()
    plies: int
    #: Equal exactly for games with the same agents, moves and outcomes of chance.
    identity: str
    #: The seat that forfeited, if one did.
    forfeit: int | None = None
    logs: tuple[SeatLog, ...] = ()

    def shares(self) -> list[float]:
        """Each seat's share of the win: 1, an equal part in a tie, or 0."""
        best = winners(self.payoff)
        return [1 / len(best) if seat in best else 0.0 for seat in range(len(self.payoff))]

    def won(self, role: str) -> float:
        """The share of all seats of a role together."""
        shares = self.shares()
        return sum(share for share, own in zip(shares, self.roles, strict=True) if own == role)

    def won_per_seat(self, role: str) -> float:
        """The same divided by its number of seats; 0 if it has none."""
        return self.won(role) / max(len(self.seats(role)), 1)

    def seats(self, role: str) -> list[int]:
        """The seats of a role."""
        return [seat for seat, own in enumerate(self.roles) if own == role]

    def document(self) -> dict[str, Any]:
        """The result for JSON, without its arm and number."""
        return {
            "roles": list(self.roles),
            "payoff": self.payoff.tolist(),
            "plies": self.plies,
            "identity": self.identity,
            **({} if self.forfeit is None else {"forfeit": self.forfeit}),
            "logs": [attrs.asdict(log) for log in self.logs],
        }


def read_result(arm: str, number: int, document: dict[str, Any]) -> GameResult:
    """The result that `document` wrote."""
    logs = tuple(
        SeatLog(**{**log, "ahead": _bars(log["ahead"]), "behind": _bars(log["behind"])})
        for log in document["logs"]
    )
    given = {**document, "roles": tuple(document["roles"]), "logs": logs}
    return GameResult(arm=arm, number=number, **given)


def _bars(bars: dict[str, int]) -> dict[int, int]:
    return {int(bar): count for bar, count in bars.items()}


def play_job(job: Job) -> tuple[GameResult, bytes]:
    """Play a game; its result and its compressed record."""
    setting = job.setting
    table = table_of(setting)
    log = _GameLog(table.game, setting)
    clock = PlayClock()
    forfeit: ForfeitError | None = None
    try:
        for ply in table.plies(setting):
            log.add(ply, clock.seconds())
            clock.start()
    except ForfeitError as error:
        forfeit = error
    payoff, moves = log.close(forfeit)
    result = GameResult(
        arm=job.arm,
        number=job.number,
        roles=job.roles,
        payoff=payoff,
        plies=len(moves),
        identity=game_identity(setting.agents, moves),
        forfeit=None if forfeit is None else forfeit.seat,
        logs=tuple(seat.ordered() for seat in log.seats),
    )
    return result, zlib.compress("\n".join([*log.lines, ""]).encode(), PACKING)


def game_identity(agents: Sequence[str], moves: Iterable[str]) -> str:
    """A digest, equal for games with the same agents at the same seats and the same moves."""
    text = "\n".join([*agents, "", *moves])
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def record_lines(packed: bytes) -> str:
    """The text of a compressed record."""
    return zlib.decompress(packed).decode()


class _GameLog:
    """The record and the seat logs of a game while it is played; plies are written in batches."""

    def __init__(self, game: Game, setting: Setting) -> None:
        self._game, self._setting = game, setting
        self._last: Ply | None = None
        self._waiting: list[tuple[Ply, float]] = []
        self._moves: list[str] = []
        self.lines = [record_line(header_entry(setting))]
        self.seats = [SeatLog() for _ in setting.agents]

    def add(self, ply: Ply, seconds: float) -> None:
        """Add a ply and the mover's thinking time."""
        self._waiting.append((ply, seconds))
        if len(self._waiting) == WAITING:
            self._write()

    def close(self, forfeit: ForfeitError | None) -> tuple[Array, list[str]]:
        """End the game; its payoff and all its moves."""
        self._write()
        marks = []
        if forfeit is not None:
            marks.append(
                mark_entry(FORFEIT, ply=len(self._moves), seat=forfeit.seat, why=forfeit.why)
            )
            self.lines.append(record_line(marks[0]))
        last = self._last
        state = self._setting.first_state(self._game) if last is None else last.state
        payoff = frozen_array(final_payoff(self._game, state, marks))
        self.lines.append(record_line(result_entry(payoff)))
        return payoff, self._moves

    def _write(self) -> None:
        entries = [ply_entry(self._game, ply) for ply, _ in self._waiting]
        self._moves += [entry["move"] for entry in entries]
        self.lines += map(record_line, entries)
        for ply, seconds in self._waiting:
            if ply.decision is not None:
                self.seats[ply.seat].add(ply.seat, ply.decision, seconds)
            self._last = ply
        self._waiting.clear()
