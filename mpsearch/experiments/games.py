"""A game of an experiment: the job to play it, and what is kept of it when it is played."""

from __future__ import annotations

import json
import zlib
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Array, frozen_array, winners
from mpsearch.contracts.arrays import array_field
from mpsearch.experiments.series import game_identity
from mpsearch.jit import PlayClock
from mpsearch.match import Setting
from mpsearch.match.record import header_entry, ply_entry, result_entry
from mpsearch.match.referee import Ply
from mpsearch.table import table_of

#: The width of a bar in the histogram of leading edges, on the evaluators' scale of 0 to 100.
EDGE = 5
#: zlib's usual effort: 50 us for the record of a short game of Quoridor.
PACKING = 6


@attrs.frozen(kw_only=True)
class Job:
    """A game to be played: one number of one arm."""

    arm: str
    number: int
    setting: Setting
    #: What the agent at each seat is called in tables.
    roles: tuple[str, ...]

    def __str__(self) -> str:
        return f"arm '{self.arm}', game {self.number} (seed {self.setting.seed})"


@attrs.frozen(kw_only=True)
class SeatLog:
    """What one seat did in a game."""

    moves: int = 0
    nodes: int = 0
    #: How long it thought, the compiler's time not counted.
    seconds: float = attrs.field(default=0.0, eq=False)
    #: Turns by the label of the stance.
    stances: dict[str, int] = attrs.field(factory=dict)
    #: Turns by leading edge, in bars of width EDGE: where the seat led, and where another did.
    ahead: dict[int, int] = attrs.field(factory=dict)
    behind: dict[int, int] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Played:
    """A game that was played to its end. Equal for equal games, whatever time they took."""

    arm: str
    number: int
    roles: tuple[str, ...]
    #: Shape (P,).
    payoff: Array = array_field()
    plies: int
    #: Equal for games with the same agents, moves and outcomes of chance, and for no others.
    identity: str
    logs: tuple[SeatLog, ...]

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
            "logs": [attrs.asdict(log) for log in self.logs],
        }


def read_played(arm: str, number: int, document: dict[str, Any]) -> Played:
    """The game that `document` wrote."""
    logs = [
        SeatLog(**{**log, "ahead": _bars(log["ahead"]), "behind": _bars(log["behind"])})
        for log in document["logs"]
    ]
    return Played(
        arm=arm,
        number=number,
        roles=tuple(document["roles"]),
        payoff=document["payoff"],
        plies=document["plies"],
        identity=document["identity"],
        logs=tuple(logs),
    )


def _bars(bars: dict[str, int]) -> dict[int, int]:
    return {int(bar): count for bar, count in bars.items()}


def play_job(job: Job) -> tuple[Played, bytes]:
    """Play a game: what is kept of it, and its packed record."""
    setting = job.setting
    table = table_of(setting)
    lines, moves = [json.dumps(header_entry(setting), ensure_ascii=False)], []
    logs = [_Log() for _ in setting.agents]
    state, plies = setting.first_state(table.game), 0
    clock = PlayClock()
    for ply in table.plies(setting):
        seconds = clock.seconds()
        if ply.decision is not None:
            logs[ply.seat].add(ply, seconds)
        entry = ply_entry(table.game, ply)
        lines.append(json.dumps(entry, ensure_ascii=False))
        moves.append(entry["move"])
        state, plies = ply.state, plies + 1
        clock.start()
    payoff = frozen_array(table.game.payoff(state))
    played = Played(
        arm=job.arm,
        number=job.number,
        roles=job.roles,
        payoff=payoff,
        plies=plies,
        identity=game_identity(setting.agents, moves),
        logs=tuple(log.done() for log in logs),
    )
    lines.append(json.dumps(result_entry(payoff)))
    return played, zlib.compress("\n".join([*lines, ""]).encode(), PACKING)


def record_lines(packed: bytes) -> str:
    """The record that was packed, as the text of its file."""
    return zlib.decompress(packed).decode()


class _Log:
    """A SeatLog that grows."""

    def __init__(self) -> None:
        self.moves = self.nodes = 0
        self.seconds = 0.0
        self.stances: dict[str, int] = {}
        self.ahead: dict[int, int] = {}
        self.behind: dict[int, int] = {}

    def add(self, ply: Ply, seconds: float) -> None:
        decision = ply.decision
        assert decision is not None
        self.moves += 1
        self.nodes += decision.nodes
        self.seconds += seconds
        if decision.stance is not None:
            label = decision.stance.label
            self.stances[label] = self.stances.get(label, 0) + 1
        if decision.outlook is not None:
            second, first = np.sort(decision.outlook)[-2:].tolist()
            bars = self.ahead if decision.outlook[ply.seat] == first else self.behind
            bar = int((first - second) // EDGE)
            bars[bar] = bars.get(bar, 0) + 1

    def done(self) -> SeatLog:
        return SeatLog(
            moves=self.moves,
            nodes=self.nodes,
            seconds=self.seconds,
            stances=dict(sorted(self.stances.items())),
            ahead=dict(sorted(self.ahead.items())),
            behind=dict(sorted(self.behind.items())),
        )
