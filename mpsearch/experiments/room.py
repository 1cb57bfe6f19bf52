"""Room: an upper bound on what a threshold of MP-Mix can gain over MaxN.

Until a threshold is first reached, MP-Mix plays like MaxN move for move. It can gain only games in
which a MaxN player reaches the threshold and does not win: P(reached) x P(lost after).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from mpsearch.agents import read_agent
from mpsearch.contracts import snap
from mpsearch.experiments.confidence_intervals import Estimate, clustered_share, flat
from mpsearch.experiments.design import Arm, Design
from mpsearch.experiments.games import EDGE, GameResult, SeatLog

#: The thresholds in agents' texts: for one's own lead and for another's.
TD, TO = "td", "to"
#: The label of MaxN's stance.
_MAXN = "maxn"


@attrs.frozen(kw_only=True)
class Room:
    """What a threshold of one agent can gain over MaxN at most."""

    arm: str
    role: str
    #: As in the agent's text: `td=10`, or `td=10 or to=20` for both.
    threshold: str
    #: Share of a seat's games in which it is reached, and the share of these not won (NaN if never
    #: reached).
    reached: float
    lost: float
    #: Their product, the greatest gain in games won.
    room: Estimate
    #: Whose games these are: a MaxN player's, or the agent's own if there is none.
    by: str
    games: int

    def flat(self) -> dict[str, Any]:
        """Flat names and numbers for tables."""
        return flat(self) | {"lost": None if math.isnan(self.lost) else self.lost}


def rooms(design: Design, by_arm: Mapping[str, Sequence[GameResult]]) -> list[Room]:
    """The room of every threshold in a design."""
    found = []
    for arm in design.arms:
        for role in arm.roles:
            text = next(seat.text for seat in arm.seated if seat.role == role)
            for limits in _thresholds(text):
                found.append(_room(arm, role, limits, _witness(design, by_arm, arm, role)))
    return [room for room in found if room is not None]


def _thresholds(text: str) -> Iterator[dict[str, float]]:
    """The finite thresholds of an agent, each alone and then both together."""
    settings = dict(read_agent(text).settings)
    known: dict[str, float] = {}
    for key in (TD, TO):
        try:
            value = float(settings.get(key, "inf"))
        except ValueError:
            continue  # another agent's key of the same name
        if math.isfinite(value):
            known[key] = value
    for key, value in known.items():
        yield {key: value}
    if len(known) == 2:
        yield known


def _witness(
    design: Design, by_arm: Mapping[str, Sequence[GameResult]], arm: Arm, role: str
) -> tuple[str, list[tuple[GameResult, list[int]]]]:
    """Games and seats of a MaxN player in the agent's place, else at its table, else its own."""
    bases = [second for first, second in design.comparisons() if first == arm.label]
    for label in bases:
        if arm.roles[0] == role:
            hero = design.arm(label).roles[0]
            seats = [(played, _selfish(played, played.seats(hero))) for played in by_arm[label]]
            if any(own for _, own in seats):
                return f"{hero} of '{label}'", seats
    games = by_arm[arm.label]
    beside = [
        (played, _selfish(played, [s for s, own in enumerate(played.roles) if own != role]))
        for played in games
    ]
    if any(own for _, own in beside):
        return "MaxN at its table", beside
    return "itself", [(played, played.seats(role)) for played in games]


def _selfish(played: GameResult, seats: Sequence[int]) -> list[int]:
    """The seats that played only MaxN and reported their evaluation."""
    return [
        seat
        for seat in seats
        if set(played.logs[seat].stances) == {_MAXN}
        and (played.logs[seat].ahead or played.logs[seat].behind)
    ]


def _room(
    arm: Arm,
    role: str,
    limits: Mapping[str, float],
    witness: tuple[str, list[tuple[GameResult, list[int]]]],
) -> Room | None:
    by, seated = witness
    reached, lost, counts = [], [], []
    for played, seats in seated:
        shares = played.shares()
        met = [seat for seat in seats if reaches(played.logs[seat], limits)]
        reached.append(len(met))
        lost.append(sum(1 - shares[seat] for seat in met))
        counts.append(len(seats))
    if not sum(counts):
        return None
    return Room(
        arm=arm.label,
        role=role,
        threshold=" or ".join(f"{key}={value:g}" for key, value in limits.items()),
        reached=sum(reached) / sum(counts),
        lost=sum(lost) / sum(reached) if sum(reached) else math.nan,
        room=clustered_share(lost, counts),
        by=by,
        games=sum(count > 0 for count in counts),
    )


def reaches(log: SeatLog, limits: Mapping[str, float]) -> bool:
    """Whether a seat reached one of the thresholds at one of its turns."""
    edges = {TD: (log.most_ahead, log.ahead), TO: (log.most_behind, log.behind)}
    for key, limit in limits.items():
        most, bars = edges[key]
        if most is None and bars:
            # Older stores have only the bar of the greatest edge.
            most = float(EDGE * max(bars))
        if most is not None and most >= snap(limit):
            return True
    return False
