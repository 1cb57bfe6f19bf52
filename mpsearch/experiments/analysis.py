"""Analysis of games: standings and comparisons with their confidence intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Array
from mpsearch.experiments import hypothesis_tests
from mpsearch.experiments.confidence_intervals import Estimate, flat
from mpsearch.experiments.design import Arm, Design
from mpsearch.experiments.games import GameResult
from mpsearch.experiments.hypothesis_tests import ALPHA, Difference
from mpsearch.experiments.room import Room, rooms


@attrs.frozen(kw_only=True)
class Standing:
    """The results of one role in one arm."""

    arm: str
    role: str
    games: int
    #: Distinct games, on which the intervals rest.
    distinct: int
    #: Share of games won by its seats, ties shared.
    wins: Estimate
    #: The same if all seats were equally strong.
    equal: float
    #: Wins / (wins + losses) of a seat; games that nobody won do not count.
    won_of_decided: Estimate
    #: Mean rank, 1 for the best; equal payoffs share their ranks.
    rank: float
    payoff: float
    #: Plies per game; nodes and seconds per move of the role.
    plies: float
    nodes: float
    seconds: float
    #: Share of its turns by stance.
    stances: dict[str, float]
    #: Turns by leading edge in bars of width EDGE, where it led and where another did.
    ahead: dict[int, int]
    behind: dict[int, int]

    def flat(self) -> dict[str, Any]:
        """Flat names and numbers for tables."""
        return flat(self) | {f"stance_{label}": share for label, share in self.stances.items()}


@attrs.frozen(kw_only=True)
class Comparison:
    """The paired difference between two shares of games won."""

    first: str
    second: str
    #: With a plain 95 % interval and an uncorrected p-value.
    difference: Difference
    #: The p-value corrected for all comparisons of the experiment (Holm).
    corrected: float
    games: int
    #: Whether it is decided at this look, and the interval that is valid there.
    decided: bool
    told: Estimate

    def flat(self) -> dict[str, Any]:
        """Flat names and numbers for tables."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference.mean,
            "low": self.told.low,
            "high": self.told.high,
            "p": self.difference.p,
            "p_holm": self.corrected,
            "decided": self.decided,
            "games": self.games,
            "distinct": self.difference.draws,
        }


@attrs.frozen(kw_only=True)
class Analysis:
    """The analysis of a design's games."""

    design: Design
    games: int
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    #: What thresholds of MP-Mix can gain at most.
    rooms: tuple[Room, ...] = ()
    #: The number of this look.
    look: int
    #: Caveats for the reader.
    notes: tuple[str, ...]


def analyse(
    design: Design,
    games: Iterable[GameResult],
    *,
    look: int | None = None,
    stages: Sequence[int] = (),
    notes: Sequence[str] = (),
) -> Analysis:
    """Analyse the games so far; with looks, the intervals are those of the look.

    `stages` are the numbers of games requested one after the other, each when all games of the one
    before had been played; `notes` are further caveats.
    """
    by_arm: dict[str, list[GameResult]] = {arm.label: [] for arm in design.arms}
    for played in games:
        by_arm[played.arm].append(played)
    look = design.looks if look is None else look
    return Analysis(
        design=design,
        games=sum(map(len, by_arm.values())),
        standings=tuple(
            _standing(label, role, found)
            for label, found in by_arm.items()
            for role in dict.fromkeys(role for played in found for role in played.roles)
        ),
        comparisons=tuple(compare(design, by_arm, look=look)),
        rooms=tuple(rooms(design, by_arm)),
        look=look,
        notes=(*notes, *_notes(design, by_arm), *_extended(stages)),
    )


def _standing(label: str, role: str, games: Sequence[GameResult]) -> Standing:
    identities = [played.identity for played in games]
    seats = [(played, seat) for played in games for seat in played.seats(role)]
    logs = [played.logs[seat] for played, seat in seats]
    moves = max(sum(log.moves for log in logs), 1)
    decided = [(played, seat) for played, seat in seats if sum(played.shares()) > 0]
    stances: Counter[str] = Counter()
    ahead: Counter[int] = Counter()
    behind: Counter[int] = Counter()
    for log in logs:
        stances.update(log.stances)
        ahead.update(log.ahead)
        behind.update(log.behind)
    return Standing(
        arm=label,
        role=role,
        games=len(games),
        distinct=len(set(identities)),
        wins=hypothesis_tests.distinct_share([played.won(role) for played in games], identities),
        equal=len(seats) / sum(len(played.roles) for played in games),
        won_of_decided=hypothesis_tests.distinct_share(
            [played.shares()[seat] for played, seat in decided],
            [(played.identity, seat) for played, seat in decided],
        ),
        rank=float(np.mean([ranks(played.payoff)[seat] for played, seat in seats])),
        payoff=float(np.mean([played.payoff[seat] for played, seat in seats])),
        plies=float(np.mean([played.plies for played in games])),
        nodes=sum(log.nodes for log in logs) / moves,
        seconds=sum(log.seconds for log in logs) / moves,
        stances={name: n / stances.total() for name, n in sorted(stances.items())},
        ahead=dict(sorted(ahead.items())),
        behind=dict(sorted(behind.items())),
    )


def ranks(payoff: Array) -> Array:
    """Each seat's rank, 1 for the greatest payoff; equal payoffs share their mean rank."""
    above = (payoff[None, :] > payoff[:, None]).sum(axis=1)
    equal = (payoff[None, :] == payoff[:, None]).sum(axis=1)
    shared: Array = above + (equal + 1) / 2
    return shared


def compare(
    design: Design, by_arm: dict[str, list[GameResult]], *, look: int | None = None
) -> list[Comparison]:
    """The comparisons of a design: arms with the baseline, or else agents at one table."""
    pairs = _between_arms(design, by_arm) if design.baseline else _at_the_table(design, by_arm)
    differences = [hypothesis_tests.mean_difference(values, keys) for _, _, values, keys in pairs]
    corrected = hypothesis_tests.holm([difference.p for difference in differences])
    rows = []
    for (first, second, values, _), found, p in zip(pairs, differences, corrected, strict=True):
        decided, told = p < ALPHA, found.estimate
        if design.looks > 1:
            decided, told = hypothesis_tests.at_look(
                found,
                look=design.looks if look is None else look,
                looks=design.looks,
                questions=len(pairs),
            )
        rows.append(
            Comparison(
                first=first,
                second=second,
                difference=found,
                corrected=p,
                games=len(values),
                decided=decided,
                told=told,
            )
        )
    return rows


#: Who is compared with whom, the paired differences, and keys that are equal for equal games.
_Pair = tuple[str, str, list[float], list[Any]]


def _between_arms(design: Design, by_arm: dict[str, list[GameResult]]) -> list[_Pair]:
    pairs = []
    for first, second in design.comparisons():
        mine = {played.number: played for played in by_arm[first]}
        theirs = {played.number: played for played in by_arm[second]}
        both = sorted(mine.keys() & theirs.keys())
        hero, other = design.arm(first).roles[0], design.arm(second).roles[0]
        values = [mine[n].won(hero) - theirs[n].won(other) for n in both]
        keys = [(mine[n].identity, theirs[n].identity) for n in both]
        if both:
            pairs.append((first, second, values, keys))
    return pairs


def _at_the_table(design: Design, by_arm: dict[str, list[GameResult]]) -> list[_Pair]:
    pairs = []
    for arm in design.arms:
        hero, *others = arm.roles
        head = f"{arm.label}: " if len(design.arms) > 1 else ""
        for other in others:
            games = [p for p in by_arm[arm.label] if hero in p.roles and other in p.roles]
            # Per seat: two seats of a role win twice as often.
            values = [p.won_per_seat(hero) - p.won_per_seat(other) for p in games]
            if games:
                keys = [played.identity for played in games]
                pairs.append((f"{head}{hero}", f"{head}{other}", values, keys))
    return pairs


def _notes(design: Design, by_arm: dict[str, list[GameResult]]) -> list[str]:
    notes = []
    counts = {label: len(games) for label, games in by_arm.items()}
    if min(counts.values()) < design.games:
        notes.append(
            f"{sum(counts.values())} of {design.games * len(counts)} games are played so far"
        )
    notes.append(_uneven(design))
    for label, games in by_arm.items():
        distinct = len({played.identity for played in games})
        notes.append(hypothesis_tests.few_distinct(distinct, len(games), what=f"'{label}'"))
    played = [game for games in by_arm.values() for game in games]
    lost = Counter(game.roles[game.forfeit] for game in played if game.forfeit is not None)
    notes += [
        f"{count} games were forfeited by {role}: payoff 0, and 1 for everybody else; their "
        "records say why"
        for role, count in lost.items()
    ]
    return [note for note in notes if note]


def _uneven(design: Design) -> str:
    """A note if not all seatings are played equally often."""
    orders = design.seatings()
    if orders is None or design.games % orders.count == 0:
        return ""
    often, more = divmod(design.games, orders.count)
    if often:
        how = f"{more} of them are played {often + 1} times and the others {often}"
    elif orders.listed:
        how = f"{more} of them are played, spread over the orders"
    else:
        how = "orders are drawn at random, and each is played at every rotation"
    return (
        f"{design.games} games are not a multiple of {orders.count} seatings (all cyclic seat "
        f"orders at every rotation): {how}"
    )


def _extended(stages: Sequence[int]) -> list[str]:
    if len(stages) < 2:
        return []
    grown = ", then to ".join(map(str, stages[1:]))
    error = 100 * hypothesis_tests.extended_error(stages)
    return [
        f"extended from {stages[0]} to {grown} games of each arm after a result was known: "
        f"extending undecided experiments has a type I error rate of {error:.1f} %, not "
        f"{100 * ALPHA:g} %; plan for it with `looks`"
    ]


def power_statement(design: Design) -> str:
    """The difference that the games of a design can detect, before they are played."""
    if design.baseline:
        questions = len(design.comparisons())
        bases = [_seats_of(arm, arm.roles[0], design.players) for arm in design.arms]
        base = max(bases) / design.players
        gap = hypothesis_tests.detectable(
            design.games, base=min(base, 0.5), questions=questions, looks=design.looks
        )
        how = "games taken as independent; pairing detects less"
    else:
        questions = sum(len(arm.roles) - 1 for arm in design.arms)
        gap = _gap_at_table(design, questions)
        how = "only one agent at a table wins; differences are per seat"
    asked = f"{questions} comparisons" if questions != 1 else "1 comparison"
    arms = f" of each of {len(design.arms)} arms" if len(design.arms) > 1 else ""
    games = f"{design.games} games{arms}, {asked}"
    if gap > 1:
        return f"{games}: too few for any difference in games won to be found"
    return (
        f"{games}: a difference of {100 * gap:.1f} points in games won is detected with 80 % power "
        f"(family-wise error rate 5 %; {how})"
    )


def _seats_of(arm: Arm, role: str, players: int) -> float:
    """The number of seats of a role, or its mean where seats are drawn."""
    own = sum(seat.role == role for seat in arm.seated)
    return players * own / len(arm.seated)


def _gap_at_table(design: Design, questions: int) -> float:
    """The detectable difference of the hardest comparison at a table."""
    gaps = []
    for arm in design.arms:
        hero, *others = arm.roles
        for other in others:
            both, inverse = _both_seated(arm, hero, other, design.players)
            gaps.append(
                hypothesis_tests.detectable_at_table(
                    design.games * both,
                    base=1 / design.players,
                    inverse=inverse,
                    questions=questions,
                    looks=design.looks,
                )
            )
    return max(gaps, default=math.inf)


def _both_seated(arm: Arm, hero: str, other: str, players: int) -> tuple[float, float]:
    """The share of games in which both play, and the mean of 1/seats + 1/seats in those."""
    mine, theirs = _seats_of(arm, hero, players), _seats_of(arm, other, players)
    if not arm.drawn:
        return 1.0, 1 / mine + 1 / theirs
    p, q = mine / players, theirs / players
    both = weighted = 0.0
    for m in range(1, players):
        for t in range(1, players - m + 1):
            ways = math.comb(players, m) * math.comb(players - m, t)
            chance = ways * p**m * q**t * (1 - p - q) ** (players - m - t)
            both += chance
            weighted += chance * (1 / m + 1 / t)
    return both, weighted / both
