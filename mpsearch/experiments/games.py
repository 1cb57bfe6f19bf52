"""A game of an experiment: the job to play it, and its result and record when it is played."""

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

#: The width of a bar in the histogram of leading edges, on the evaluators' scale of 0 to 100.
EDGE = 5
#: zlib's usual effort: 50 us for the record of a short game of Quoridor.
PACKING = 6
#: How many plies of a game wait to be written down: enough to share the cost of coming back to it,
#: few enough that the searches behind them are not kept for a whole game.
WAITING = 64


@attrs.frozen(kw_only=True)
class Job:
    """A game to be played: one number of one arm."""

    arm: str
    number: int
    setting: Setting
    #: What the agent at each seat is called in tables; its text if not said.
    roles: tuple[str, ...] = attrs.field()

    @roles.default
    def _texts(self) -> tuple[str, ...]:
        return self.setting.agents

    def __str__(self) -> str:
        return f"arm '{self.arm}', game {self.number} (seed {self.setting.seed})"


@attrs.define(kw_only=True)
class SeatLog:
    """What one seat did in a game; it grows while the game is played."""

    moves: int = 0
    nodes: int = 0
    #: How long it thought, the compiler's time not counted.
    seconds: float = attrs.field(default=0.0, eq=False)
    #: Turns by the label of the stance.
    stances: dict[str, int] = attrs.field(factory=dict)
    #: Turns by leading edge, in bars of width EDGE: where the seat led, and where another did.
    ahead: dict[int, int] = attrs.field(factory=dict)
    behind: dict[int, int] = attrs.field(factory=dict)
    #: The greatest leading edge at one of its turns: of its own, and of another.
    most_ahead: float | None = None
    most_behind: float | None = None

    def add(self, seat: int, decision: Decision, seconds: float) -> None:
        """A move of the seat, and how long it thought."""
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
            # Whoever ties for the lead leads, as in MP-Mix.
            if snap(outlook[seat]) == snap(first):
                self.ahead[bar] = self.ahead.get(bar, 0) + 1
                self.most_ahead = max(self.most_ahead or 0.0, snap(edge))
            else:
                self.behind[bar] = self.behind.get(bar, 0) + 1
                self.most_behind = max(self.most_behind or 0.0, snap(edge))

    def ordered(self) -> SeatLog:
        """The same in the order of labels and bars."""
        return attrs.evolve(
            self,
            stances=dict(sorted(self.stances.items())),
            ahead=dict(sorted(self.ahead.items())),
            behind=dict(sorted(self.behind.items())),
        )


@attrs.frozen(kw_only=True)
class GameResult:
    """A game that was played to its end. Equal for equal games, whatever time they took."""

    arm: str
    number: int
    roles: tuple[str, ...]
    #: Shape (P,).
    payoff: Array = array_field()
    plies: int
    #: Equal for games with the same agents, moves and outcomes of chance, and for no others.
    identity: str
    #: The seat that forfeited it, if one did.
    forfeit: int | None = None
    logs: tuple[SeatLog, ...] = ()

    def shares(self) -> list[float]:
        """What each seat won of this game: all, an equal part, or nothing."""
        best = winners(self.payoff)
        return [1 / len(best) if seat in best else 0.0 for seat in range(len(self.payoff))]

    def won(self, role: str) -> float:
        """What the seats of a role won of it together."""
        shares = self.shares()
        return sum(share for share, own in zip(shares, self.roles, strict=True) if own == role)

    def seats(self, role: str) -> list[int]:
        """Where a role sat."""
        return [seat for seat, own in enumerate(self.roles) if own == role]

    def document(self) -> dict[str, Any]:
        """As JSON has it, but for its arm and number."""
        return {
            "roles": list(self.roles),
            "payoff": self.payoff.tolist(),
            "plies": self.plies,
            "identity": self.identity,
            **({} if self.forfeit is None else {"forfeit": self.forfeit}),
            "logs": [attrs.asdict(log) for log in self.logs],
        }


def read_result(arm: str, number: int, document: dict[str, Any]) -> GameResult:
    """The game that `document` wrote."""
    logs = [
        SeatLog(**{**log, "ahead": _bars(log["ahead"]), "behind": _bars(log["behind"])})
        for log in document["logs"]
    ]
    return GameResult(
        arm=arm,
        number=number,
        roles=tuple(document["roles"]),
        payoff=document["payoff"],
        plies=document["plies"],
        identity=document["identity"],
        forfeit=document.get("forfeit"),
        logs=tuple(logs),
    )


def _bars(bars: dict[str, int]) -> dict[int, int]:
    return {int(bar): count for bar, count in bars.items()}


def play_job(job: Job) -> tuple[GameResult, bytes]:
    """Play a game: its result, and its packed record."""
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
    """A text that is equal for equal games: the same agents at the same seats, the same moves."""
    text = "\n".join([*agents, "", *moves])
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def record_lines(packed: bytes) -> str:
    """The record that was packed, as the text of its file."""
    return zlib.decompress(packed).decode()


class _GameLog:
    """The lines of a game's record and the logs of its seats, while it is played.

    Plies wait until there are some: one after the other they take a quarter of the time that each
    takes alone, after a search that has used the processor's caches for itself.
    """

    def __init__(self, game: Game, setting: Setting) -> None:
        self._game, self._setting = game, setting
        self._last: Ply | None = None
        self._waiting: list[tuple[Ply, float]] = []
        self._moves: list[str] = []
        self.lines = [record_line(header_entry(setting))]
        self.seats = [SeatLog() for _ in setting.agents]

    def add(self, ply: Ply, seconds: float) -> None:
        """A ply, and how long whoever moved took for it."""
        self._waiting.append((ply, seconds))
        if len(self._waiting) == WAITING:
            self._write()

    def close(self, forfeit: ForfeitError | None) -> tuple[Array, list[str]]:
        """The end of the game: its payoff, and all its moves."""
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
