"""Explanations in words: sentences that say why a seat moved as it did.

They are generated from its stance, social matrix and values, alike for every propagator and game.
Terminal, page and notebook show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs
import numpy as np

from mpsearch.contracts import Array, Decision, Move, Propagator, Report, RootMove, Stance, snap
from mpsearch.social import identity, paranoid, plain_rows

#: The share of a row's greatest entry from which a seat is said to care, and to care a lot.
_CARES, _CARES_A_LOT = 0.1, 0.4
#: Smaller differences of values are not mentioned.
_NOTABLE = 0.05


@attrs.frozen
class Names:
    """What seats are called: "you" for the reader's, others by name if they have one."""

    you: int | None = None
    #: By seat; a seat whose name is empty, or not there, is called by its number.
    given: Sequence[str] = ()

    def of(self, seat: int) -> str:
        """A seat inside a sentence."""
        if seat == self.you:
            return "you"
        return (self.given[seat] if seat < len(self.given) else "") or f"seat {seat}"

    def subject(self, seat: int) -> str:
        """A seat at the beginning of a sentence."""
        name = self.of(seat)
        return name[0].upper() + name[1:]

    def verb(self, seat: int, word: str) -> str:
        """A verb as it follows a seat."""
        return word if seat == self.you else f"{word}s"

    def it(self, seat: int) -> str:
        """The seat that the last sentence was about."""
        return "you" if seat == self.you else "it"

    def again(self, seat: int) -> str:
        """Another seat that was just mentioned: "it", but a name is repeated."""
        name = self.of(seat)
        return "it" if name == f"seat {seat}" else name

    def itself(self, seat: int) -> str:
        """The seat that the sentence is about."""
        return "yourself" if seat == self.you else "itself"


def reasons(
    decision: Decision,
    *,
    seat: int,
    write: Callable[[Move], str],
    propagator: Propagator | None = None,
    legal: int | None = None,
    you: int | None = None,
    names: Sequence[str] = (),
) -> tuple[str, ...]:
    """Sentences that say why a decision was made; none if no stance stands behind it.

    `legal` is the number of legal moves, `propagator` the one that took the stance, if known. `you`
    is the reader's seat; `names` are those of the seats, see `Names`.
    """
    if decision.stance is None:
        return ()
    called = Names(you, names)
    said = [_stance_sentence(called, seat, decision.stance, decision.outlook, propagator)]
    said += _move_sentences(called, seat, decision, write, legal)
    return tuple(said)


def stance_words(matrix: Array, seat: int, names: Names = Names()) -> str:
    """What a seat plays for by its matrix, and what it expects of others, as a predicate."""
    players = len(matrix)
    plays = f"{names.verb(seat, 'play')} for {names.itself(seat)}"
    expects = names.verb(seat, "expect")
    rows = plain_rows(matrix)
    if np.array_equal(rows, identity(players)):
        return f"{plays} and {expects} everybody else to do so too"
    if np.array_equal(rows, paranoid(players, seat)):
        return f"{plays} and {expects} all others to work against {names.it(seat)}"
    own = _row_words(names, rows[seat], [seat])
    others = [other for other in range(players) if other != seat]
    if np.array_equal(rows[others], identity(players)[others]):
        return f"{own} and {expects} everybody else to play for themselves"
    told = [
        f"that {listed(map(names.of, group))} {_row_words(names, rows[group[0]], group)}"
        for group in _alike(rows, others)
    ]
    return f"{own}. {names.it(seat).capitalize()} {expects} {listed(told)}"


def _alike(rows: Array, seats: Iterable[int]) -> list[list[int]]:
    """Seats, grouped by what they do."""
    groups: dict[str, list[int]] = {}
    for seat in seats:
        groups.setdefault(_row_words(Names(), rows[seat], [seat]), []).append(seat)
    return list(groups.values())


def _row_words(names: Names, row: Array, seats: Sequence[int]) -> str:
    """What seats with this row, of greatest entry 1, work for: "plays for itself, against seat 2".

    Seats that they care about a little are mentioned if there are none that they care about a lot.
    """
    seat, several = seats[0], len(seats) > 1
    end = "" if several or seat == names.you else "s"
    itself = "themselves" if several else names.itself(seat)
    others = [other for other in range(len(row)) if other != seat]
    strong = [other for other in others if abs(row[other]) >= _CARES_A_LOT]
    meant = strong or [other for other in others if abs(row[other]) >= _CARES]
    little = "" if strong else "a little "
    aims = []
    for word, sign in (("against", -1), ("for", 1)):
        whom = [names.of(other) for other in meant if sign * row[other] > 0]
        aims += [f"{little}{word} {listed(whom)}"] if whom else []
    if row[seat] >= _CARES_A_LOT:
        return f"play{end} {listed([f'for {itself}', *aims])}"
    if row[seat] <= -_CARES:
        return f"work{end} {listed([f'against {itself}', *aims])}"
    return f"work{end} {listed(aims)}" if aims else f"care{end} about nobody"


def _stance_sentence(
    names: Names,
    seat: int,
    stance: Stance,
    outlook: Array | None,
    propagator: Propagator | None,
) -> str:
    title = stance.label if propagator is None else propagator.title
    target = stance.target
    weighs = propagator is not None and propagator.weighs_lead
    if not weighs or outlook is None:
        who = names.subject(seat)
        if target is not None:
            return f"{who} ({title}) {names.verb(seat, 'work')} against {names.of(target)} alone."
        return f"{who} ({title}) {stance_words(stance.matrix, seat, names)}."
    second, first = np.sort(outlook)[-2:]
    leads = [int(k) for k in np.flatnonzero(snap(outlook) == snap(first))]
    edge = f"by {number(first - second)}" if first - second >= _NOTABLE else "by next to nothing"
    if target is not None:
        who, verb = names.subject(target), names.verb(target, "lead")
        turned = f"so {title} turned against {names.again(target)}"
        if leads == [target]:
            return f"{who} {verb} {edge}, {turned}."
        strongest = "are" if target == names.you else "is"
        return f"{who} {strongest} the strongest of the others, {turned}."
    does = stance_words(stance.matrix, seat, names)
    if leads == [seat]:
        if not np.array_equal(stance.matrix, paranoid(len(outlook), seat)):
            edge = edge.replace("by ", "by only ") if edge[-1].isdigit() else edge
        lead = f"{names.subject(seat)} {names.verb(seat, 'lead')} {edge}"
    elif len(leads) == 1:
        lead = f"Nobody is far ahead ({names.of(leads[0])} {edge})"
    else:
        lead = f"Nobody leads ({listed(map(names.of, leads))} are level)"
    return f"{lead}, so {title} takes the stance of {stance.label}: {names.of(seat)} {does}."


def _move_sentences(
    names: Names,
    seat: int,
    decision: Decision,
    write: Callable[[Move], str],
    legal: int | None,
) -> list[str]:
    assert decision.stance is not None
    row, report = decision.stance.matrix[seat], decision.report
    if legal == 1:
        return [f"{write(decision.move)} was the only legal move."]
    if not snap(row).any():
        return ["All moves are equal to who cares about nobody: any will do."]
    if report is None:
        return _expectation(names, seat, decision)
    said = []
    chosen = next((entry for entry in report.moves if entry.move == decision.move), None)
    if report.worlds > 1 and chosen is not None and chosen.votes:
        said.append(
            f"{write(decision.move)} was best in {chosen.votes} of {report.worlds} worlds that "
            f"fit what {names.of(seat)} {names.verb(seat, 'know')}."
        )
    compared = None if chosen is None else _comparison(names, seat, report, chosen, row, write)
    return said + ([compared] if compared else _expectation(names, seat, decision))


def _comparison(
    names: Names,
    seat: int,
    report: Report,
    chosen: RootMove,
    row: Array,
    write: Callable[[Move], str],
) -> str | None:
    """What the chosen move does to every seat, compared with another move.

    That is the best for the seat itself if it was not chosen, and otherwise its next choice. None
    without exact values.
    """
    others = [entry for entry in report.moves if entry.move != chosen.move]
    if not chosen.exact or not others or not all(entry.exact for entry in others):
        return None
    selfish = max(others, key=lambda entry: float(entry.value[seat]))
    nearest = max(others, key=lambda entry: (float(row @ entry.value), entry.votes))
    if snap(selfish.value[seat]) > snap(chosen.value[seat]):
        other, what = selfish, f"which is better for {names.of(seat)}"
    elif snap(float(row @ (chosen.value - nearest.value))) == 0:
        other, what = nearest, "equally good by that measure"
    else:
        other, what = nearest, "the next choice"
    effects = _effects(names, seat, chosen.value - other.value)
    about = " in the samples" if report.sampled else ""
    return f"Compared with {write(other.move)}, {what}, {write(chosen.move)} {effects}{about}."


def _effects(names: Names, seat: int, change: Array) -> str:
    """Who gains and who loses by a move, the mover first."""
    said = []
    if change[seat] >= _NOTABLE:
        said.append(f"gains {number(change[seat])} for {names.of(seat)}")
    elif change[seat] <= -_NOTABLE:
        said.append(f"loses {number(-change[seat])} for {names.of(seat)}")
    for verb, sign in (("takes {} from {}", -1), ("gives {} to {}", 1)):
        first, _, then = verb.partition(" ")
        amounts = [
            then.format(number(abs(by)), names.of(other))
            for other, by in enumerate(change)
            if other != seat and sign * by >= _NOTABLE
        ]
        if amounts:
            said.append(f"{first} {listed(amounts)}")
    return listed(said) if said else "is worth the same to everybody"


def _expectation(names: Names, seat: int, decision: Decision) -> list[str]:
    """What the mover expects for each seat."""
    if decision.value is None:
        return []
    who = f"{names.subject(seat)} {names.verb(seat, 'expect')}"
    if decision.outlook is None:
        amounts = [
            f"{number(value)} for {names.itself(other) if other == seat else names.of(other)}"
            for other, value in enumerate(decision.value)
        ]
        return [f"{who} {listed(amounts)}."]
    changes = [
        f"{names.itself(other) if other == seat else names.of(other)} to "
        f"{'gain' if by > 0 else 'lose'} {number(abs(by))}"
        for other, by in enumerate(decision.value - decision.outlook)
        if abs(by) >= _NOTABLE
    ]
    return [f"{who} {listed(changes)} from here." if changes else f"{who} nothing to change."]


def number(value: float) -> str:
    """A value or a difference with at most one decimal."""
    text = f"{value:.1f}"
    return text.removesuffix(".0").replace("-", "\N{MINUS SIGN}")


def listed(words: Iterable[str]) -> str:
    """Words as a list: "a, b and c"."""
    *first, last = list(words) or [""]
    return f"{', '.join(first)} and {last}" if first else last
