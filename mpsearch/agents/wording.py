"""Reasons: why a seat moved as it did, in words.

They are made from the stance it took, its social matrix and the values it found, and so are alike
for every propagator and every game. Terminal, page and notebook show these sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs
import numpy as np

from mpsearch.contracts import Array, Decision, Move, Propagator, Report, RootMove, Stance, snap
from mpsearch.social import identity, paranoid, plain_rows

#: From which part of a row's greatest entry on a seat is said to care, and to care a lot.
_CARES, _CARES_A_LOT = 0.1, 0.4
#: Differences of values below this are not spoken of.
_NOTABLE = 0.05


@attrs.frozen
class Names:
    """How seats are called: "you" for the seat of whoever reads, and by number for all others."""

    you: int | None = None

    def of(self, seat: int) -> str:
        """A seat inside a sentence."""
        return "you" if seat == self.you else f"seat {seat}"

    def subject(self, seat: int) -> str:
        """A seat at the beginning of a sentence."""
        return self.of(seat).capitalize()

    def verb(self, seat: int, word: str) -> str:
        """A verb as it follows a seat."""
        return word if seat == self.you else f"{word}s"

    def it(self, seat: int) -> str:
        """A seat that was just named."""
        return "you" if seat == self.you else "it"

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
) -> tuple[str, ...]:
    """Sentences that say why a decision was made; none if no stance stands behind it.

    `legal` is the number of legal moves, `propagator` the one that took the stance, if known.
    """
    if decision.stance is None:
        return ()
    names = Names(you)
    said = [_stance_sentence(names, seat, decision.stance, decision.outlook, propagator)]
    said += _move_sentences(names, seat, decision, write, legal)
    return tuple(said)


def stance_words(matrix: Array, seat: int, *, you: int | None = None) -> str:
    """What a seat does by its matrix, and what it takes others to do, as a predicate."""
    names, players = Names(you), len(matrix)
    plays = f"{names.verb(seat, 'play')} for {names.itself(seat)}"
    takes = f"{names.verb(seat, 'expect')}"
    rows = plain_rows(matrix)
    if np.array_equal(rows, identity(players)):
        return f"{plays} and {takes} everybody else to do so too"
    if np.array_equal(rows, paranoid(players, seat)):
        return f"{plays} and {takes} all others to work against {names.it(seat)}"
    own = _row_words(names, rows[seat], seat, plural=seat == you)
    others = _others_words(names, rows, seat)
    return f"{own}, and {takes} {others}" if others else own


def _others_words(names: Names, rows: Array, root: int) -> str:
    """What the others are taken to do, those who do the same together."""
    alike: dict[str, list[int]] = {}
    for seat, row in enumerate(rows):
        if seat != root:
            alike.setdefault(_row_words(names, row, seat, infinitive=True), []).append(seat)
    told = []
    for words, seats in alike.items():
        if len(seats) > 1:
            words = words.replace("for itself", "for themselves").replace("yourself", "themselves")
        told.append(f"{_listed(map(names.of, seats))} to {words}")
    return _listed(told)


def _row_words(
    names: Names, row: Array, seat: int, *, plural: bool = False, infinitive: bool = False
) -> str:
    """What a seat with this row, of greatest entry 1, works for: "plays for itself"."""
    base = plural or infinitive

    def verb(word: str) -> str:
        return word if base else f"{word}s"

    others = [other for other in range(len(row)) if other != seat]
    said = []
    if row[seat] >= _CARES_A_LOT:
        said.append(f"{verb('play')} for {names.itself(seat)}")
    elif row[seat] <= -_CARES:
        said.append(f"{verb('work')} against {names.itself(seat)}")
    for word, sign in (("work{} against", -1), ("work{} for", 1)):
        for adverb, low, high in (("", _CARES_A_LOT, 9.0), (" a little", _CARES, _CARES_A_LOT)):
            meant = [names.of(other) for other in others if low <= sign * row[other] < high]
            if meant:
                phrase = word.format("" if base else "s").replace(" ", f"{adverb} ", 1)
                said.append(f"{phrase} {_listed(meant)}")
    return _listed(said) if said else ("care" if base else "cares") + " about nobody"


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
        return f"{who} ({title}) {stance_words(stance.matrix, seat, you=names.you)}."
    second, first = np.sort(outlook)[-2:]
    leads = [int(k) for k in np.flatnonzero(snap(outlook) == snap(first))]
    edge = number(first - second)
    if target is not None:
        who, verb = names.subject(target), names.verb(target, "lead")
        turned = f"so {title} turned against {names.it(target)}"
        if leads == [target]:
            return f"{who} {verb} by {edge}, {turned}."
        strongest = "are" if target == names.you else "is"
        return f"{who} {strongest} the strongest of the others, {turned}."
    does = stance_words(stance.matrix, seat, you=names.you)
    if leads == [seat]:
        only = "" if np.array_equal(stance.matrix, paranoid(len(outlook), seat)) else "only "
        lead = f"{names.subject(seat)} {names.verb(seat, 'lead')} by {only}{edge}"
    elif len(leads) == 1:
        lead = f"Nobody is far ahead ({names.of(leads[0])} by {edge})"
    else:
        lead = f"Nobody leads ({_listed(map(names.of, leads))} are level)"
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
        view = "you know" if seat == names.you else "it knows"
        said.append(
            f"{write(decision.move)} was best in {chosen.votes} of {report.worlds} worlds that "
            f"fit what {view}."
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
    """What the chosen move does to every seat beside another; None if no other has exact values.

    The other is the best for the seat itself if that was not chosen, and else its next choice.
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
        said.append(f"costs {names.of(seat)} {number(-change[seat])}")
    for verb, sign in (("takes {} from {}", -1), ("gives {} to {}", 1)):
        first, _, then = verb.partition(" ")
        amounts = [
            then.format(number(abs(by)), names.of(other))
            for other, by in enumerate(change)
            if other != seat and sign * by >= _NOTABLE
        ]
        if amounts:
            said.append(f"{first} {_listed(amounts)}")
    return _listed(said) if said else "is worth the same to everybody"


def _expectation(names: Names, seat: int, decision: Decision) -> list[str]:
    """What the mover expects to come of it for each seat."""
    if decision.value is None:
        return []
    who = f"{names.subject(seat)} {names.verb(seat, 'expect')}"
    if decision.outlook is None:
        amounts = [
            f"{number(value)} for {names.itself(other) if other == seat else names.of(other)}"
            for other, value in enumerate(decision.value)
        ]
        return [f"{who} {_listed(amounts)}."]
    changes = [
        f"{names.itself(other) if other == seat else names.of(other)} to "
        f"{'gain' if by > 0 else 'lose'} {number(abs(by))}"
        for other, by in enumerate(decision.value - decision.outlook)
        if abs(by) >= _NOTABLE
    ]
    return [f"{who} {_listed(changes)} from here." if changes else f"{who} nothing to change."]


def number(value: float) -> str:
    """A value or a difference in as few signs as it takes."""
    text = f"{value:.1f}"
    return text.removesuffix(".0").replace("-", "\N{MINUS SIGN}")


def _listed(words: Iterable[str]) -> str:
    """Words as a list: "a, b and c"."""
    *first, last = list(words) or [""]
    return f"{', '.join(first)} and {last}" if first else last
