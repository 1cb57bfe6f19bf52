"""One run over everything that is installed, within a given time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import attrs

from mpsearch.bench.cases import STANCES
from mpsearch.bench.decisions import AGENT, DecisionRow, measure_decision
from mpsearch.bench.searches import (
    ALL,
    NO_PRUNING,
    SearchRow,
    Subject,
    make_subject,
    measure_depths,
)
from mpsearch.catalog import Catalog
from mpsearch.contracts import GameOffer
from mpsearch.table import set_table

#: Propagators and techniques of a quick run, which looks at usual evaluators only.
QUICK_STANCES = ("maxn", "paranoid", "sos random")
QUICK_TECHNIQUES = (ALL, NO_PRUNING)
#: No one search or decision is measured for longer, or for less, in seconds.
_LONGEST = 1.5
_SHORTEST = 0.005
#: Multi-player search is what it is about: so many seats where a game has them.
_SEATS = 4


@attrs.frozen(kw_only=True)
class BenchResult:
    """What was measured, and what the time did not suffice for."""

    searches: list[SearchRow] = attrs.field(factory=list)
    decisions: list[DecisionRow] = attrs.field(factory=list)
    #: Evaluators by name, `game.evaluator`.
    left_out: list[str] = attrs.field(factory=list)


def run_bench(
    catalog: Catalog,
    *,
    games: tuple[str, ...],
    seconds: float,
    quick: bool,
    seed: int,
    show: Callable[[str], None],
) -> BenchResult:
    """Measure every game and evaluator, usual ones first; what takes too long is left out."""
    deadline = time.monotonic() + seconds
    result = BenchResult()
    waiting = list(_subjects(catalog, games, quick=quick))
    while waiting:
        offer, evaluator = waiting.pop(0)
        left = deadline - time.monotonic()
        if left <= 0:
            result.left_out.append(f"{offer.name}.{evaluator}")
            continue
        show(f"{offer.name}, {evaluator}: {left:.0f} s left")
        subject = _prepare(catalog, offer, evaluator, seed=seed)
        share = (deadline - time.monotonic()) / (len(waiting) + 1)
        _measure(subject, result, share=share, quick=quick)
    return result


def _subjects(
    catalog: Catalog, games: tuple[str, ...], *, quick: bool
) -> Iterator[tuple[GameOffer, str]]:
    offers = [catalog.game_offer(name) for name in games]
    for offer in offers:
        yield offer, offer.evaluator
    if not quick:
        for offer in offers:
            for name in catalog.evaluators[offer.name]:
                if name != offer.evaluator:
                    yield offer, name


def _prepare(catalog: Catalog, offer: GameOffer, evaluator: str, *, seed: int) -> Subject:
    low, high = offer.players
    table = set_table(catalog, offer.name, players=min(max(low, _SEATS), high), options={})
    return make_subject(table, evaluator, seed=seed)


def _measure(subject: Subject, result: BenchResult, *, share: float, quick: bool) -> None:
    kinds = QUICK_STANCES if quick else tuple(STANCES)
    ways = [t for t in subject.techniques() if not quick or t in QUICK_TECHNIQUES]
    usual = subject.evaluator == subject.table.offer.evaluator
    parts = len(kinds) * len(ways) + usual
    seconds = max(min(share / parts, _LONGEST), _SHORTEST)
    for kind in kinds:
        for way in ways:
            result.searches.extend(measure_depths(subject, kind, way, seconds=seconds))
    if usual:
        plain = [
            row
            for row in result.searches
            if (row.game, row.evaluator) == (subject.table.name, subject.evaluator)
            and (row.propagator, row.technique) == (AGENT, NO_PRUNING)
        ]
        longest = max(plain, key=lambda row: row.nodes)
        result.decisions.append(
            measure_decision(subject, speed=longest.nodes_per_second, seconds=seconds)
        )
