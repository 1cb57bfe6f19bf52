"""One run over everything that is installed, within a given time.

Breadth first: every game that needs no compiler is searched with the first propagator, then what
must be compiled is compiled and searched so too, and then come the other propagators.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from mpsearch.bench.cases import STANCES
from mpsearch.bench.decisions import AGENT, DecisionRow, measure_decision, warm_up
from mpsearch.bench.searches import (
    ALL,
    NO_PRUNING,
    SearchRow,
    Subject,
    make_subject,
    measure_depths,
)
from mpsearch.bench.shares import CLOCK, Clock, share_out
from mpsearch.catalog import Catalog
from mpsearch.contracts import GameOffer
from mpsearch.jit.kept import NotKeptError, only_kept
from mpsearch.table import set_table

#: Propagators and techniques of a quick run, which looks at usual evaluators only. What every game
#: is searched with first comes first.
QUICK_STANCES = (AGENT, "paranoid", "sos random")
QUICK_TECHNIQUES = (ALL, NO_PRUNING)
#: No compilation is begun that is expected to end later than after this share of the time.
_COMPILING = 0.75
#: What was made ready is searched for so many seconds, even if nothing is left.
_SHORTEST = 0.1
#: Multi-player search is what it is about: so many seats where a game has them.
_SEATS = 4

#: A game and an evaluator.
Name = tuple[GameOffer, str]


@attrs.frozen(kw_only=True)
class BenchResult:
    """What was measured, and what the time did not suffice for."""

    searches: list[SearchRow] = attrs.field(factory=list)
    decisions: list[DecisionRow] = attrs.field(factory=list)
    #: Evaluators by name, `game.evaluator`, or what of them.
    left_out: list[str] = attrs.field(factory=list)
    #: Seconds by the clock that each took to prepare that had to be compiled.
    compiled: dict[str, float] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Part:
    """What is measured at a time."""

    subject: Subject
    kind: str
    #: A technique; None for decisions.
    way: str | None

    @property
    def text(self) -> str:
        """For people."""
        what = "decisions" if self.way is None else self.kind
        return f"{self.subject.table.name}.{self.subject.evaluator} ({what})"


def run_bench(
    catalog: Catalog,
    *,
    games: tuple[str, ...],
    seconds: float,
    quick: bool,
    seed: int,
    show: Callable[[str], None],
    clock: Clock = CLOCK,
) -> BenchResult:
    """Measure every game and evaluator, usual ones first; what takes too long is left out."""

    def prepare(name: Name) -> Subject:
        return _prepare(catalog, *name, seed=seed)

    names = list(_names(catalog, games, quick=quick))
    run = Run(prepare=prepare, quick=quick, seconds=seconds, show=show, clock=clock)
    return run.all(names)


def _names(catalog: Catalog, games: tuple[str, ...], *, quick: bool) -> Iterator[Name]:
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
    subject = make_subject(table, evaluator, seed=seed)
    if subject.usual:
        warm_up(subject)
    return subject


class Run:
    """A run and its clock."""

    def __init__(
        self,
        *,
        prepare: Callable[[Name], Subject],
        quick: bool,
        seconds: float,
        show: Callable[[str], None],
        clock: Clock,
    ) -> None:
        self.prepare = prepare
        self.kinds = QUICK_STANCES if quick else tuple(STANCES)
        self.quick = quick
        self.show = show
        self.clock = clock
        self.seconds = seconds
        self.deadline = clock.now() + seconds
        self.result = BenchResult()

    def all(self, names: Sequence[Name]) -> BenchResult:
        """Measure what there is time for."""
        ready: list[Subject] = []
        late: list[Part] = []
        cold: list[Name] = []
        behind = len(names) * len(self.kinds) * len(QUICK_TECHNIQUES)
        for subject in itertools.chain(self._kept(names, cold), self._compiled(cold)):
            ready.append(subject)
            # What was made ready is not for nothing.
            self.deadline = max(self.deadline, self.clock.now() + _SHORTEST)
            first = self._first(subject)
            behind -= len(QUICK_TECHNIQUES)
            late += self._share_out(first, later=behind)
        late += self._share_out(self._rest(ready))
        self.result.left_out.extend(dict.fromkeys(part.text for part in late))
        self._sort(names)
        return self.result

    def _kept(self, names: Iterable[Name], cold: list[Name]) -> Iterator[Subject]:
        """What needs no compiler; what does is added to `cold`."""
        for name in names:
            self._tell(_text(name))
            if self.clock.now() >= self.deadline:
                self.result.left_out.append(_text(name))
                continue
            try:
                with only_kept():
                    subject = self.prepare(name)
            except NotKeptError:
                cold.append(name)
                continue
            yield subject

    def _compiled(self, cold: Iterable[Name]) -> Iterator[Subject]:
        """Compile one after the other, while as long as the last one took is left for it."""
        until = self.deadline - (1.0 - _COMPILING) * self.seconds
        took = 0.0
        for name in cold:
            began = self.clock.now()
            if began >= self.deadline or began + took > until:
                self.result.left_out.append(_text(name))
                continue
            self._tell(f"{_text(name)}, compiling")
            subject = self.prepare(name)
            took = self.clock.now() - began
            self.result.compiled[_text(name)] = took
            yield subject

    def _first(self, subject: Subject) -> list[Part]:
        """What is known of every game before more is known of any."""
        ways: list[str | None] = [*QUICK_TECHNIQUES, *([None] if subject.usual else [])]
        return [Part(subject=subject, kind=AGENT, way=way) for way in ways]

    def _rest(self, subjects: Sequence[Subject]) -> list[Part]:
        """The other propagators, and then what each single technique is worth."""
        main = [
            Part(subject=subject, kind=kind, way=way)
            for kind in self.kinds
            if kind != AGENT
            for subject in subjects
            for way in QUICK_TECHNIQUES
        ]
        single = [
            Part(subject=subject, kind=kind, way=way)
            for kind in self.kinds
            for subject in subjects
            for way in subject.techniques()
            if way not in QUICK_TECHNIQUES
        ]
        return main if self.quick else main + single

    def _share_out(self, parts: Sequence[Part], *, later: int = 0) -> list[Part]:
        return share_out(
            parts, self._measure, deadline=self.deadline, clock=self.clock, later=later
        )

    def _measure(self, part: Part, seconds: float) -> None:
        self._tell(part.text)
        subject = part.subject
        if part.way is not None:
            rows = measure_depths(subject, part.kind, part.way, seconds=seconds, clock=self.clock)
            self.result.searches.extend(rows)
            return
        plain = [
            row
            for row in self.result.searches
            if (row.game, row.evaluator) == (subject.table.name, subject.evaluator)
            and (row.propagator, row.technique) == (AGENT, NO_PRUNING)
        ]
        speed = max(plain, key=lambda row: row.nodes).nodes_per_second
        self.result.decisions.append(measure_decision(subject, speed=speed, seconds=seconds))

    def _tell(self, text: str) -> None:
        self.show(f"{text}: {max(self.deadline - self.clock.now(), 0.0):.0f} s left")

    def _sort(self, names: Sequence[Name]) -> None:
        """Rows of a game together, in the order in which things are listed."""
        place = {(offer.name, evaluator): k for k, (offer, evaluator) in enumerate(names)}
        kind = {name: k for k, name in enumerate(self.kinds)}
        self.result.searches.sort(
            key=lambda row: (place[row.game, row.evaluator], kind[row.propagator])
        )
        first = {offer.name: k for k, (offer, _) in reversed(list(enumerate(names)))}
        self.result.decisions.sort(key=lambda row: first[row.game])


def _text(name: Name) -> str:
    offer, evaluator = name
    return f"{offer.name}.{evaluator}"
