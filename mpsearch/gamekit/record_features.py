"""Features of games that write none: the fields of the state's record, seen from a seat.

Fields with declared values become one-hot inputs; others are numbers. Entries by seat start with
the observing seat, so that one network serves all. If no field is declared by seat, it is unknown
whose a number is, and every seat has inputs of its own.
"""

from __future__ import annotations

import functools
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Compiled, CompiledGame, Features, Field, Rules, compiled, fields_of


def features_of(game: CompiledGame) -> Features:
    """The features of a game: its own, or the fields of its record."""
    return game.features or record_features(game.rules, game.players)


@functools.lru_cache(maxsize=64)
def record_features(rules: Rules, players: int) -> Features:
    """The fields of the record of these rules as features."""
    places: list[_Place] = []
    inputs = most = 0
    for field in fields_of(rules.state, rules.fields):
        place = _place(rules.state[field.name], field, players, base=inputs)
        places.append(place)
        inputs += place.rows * place.columns * place.width
        most += place.rows * place.columns
    rotates = any(field.by_seat for field in rules.fields)
    return Features(
        write=_join([_writer(place, players) for place in places], 0 if rotates else inputs),
        inputs=inputs if rotates else inputs * players,
        most=most,
    )


@attrs.frozen(kw_only=True)
class _Place:
    """The inputs of a field."""

    name: str
    scalar: bool
    by_seat: bool
    seats: bool
    #: The shape of the field's entries.
    rows: int
    columns: int
    #: Inputs of an entry: one for each value from `least`, or one for the number.
    width: int
    least: int
    base: int


def _place(kind: np.dtype[Any], field: Field, players: int, *, base: int) -> _Place:
    rows, *others = kind.shape or (1,)
    values = (0, players - 1) if field.seats else field.values
    return _Place(
        name=field.name,
        scalar=not kind.shape,
        by_seat=field.by_seat,
        seats=field.seats,
        rows=min(rows, players) if field.by_seat else rows,
        columns=int(np.prod(others)),
        width=1 if values is None else values[1] - values[0] + 1,
        least=0 if values is None else values[0],
        base=base,
    )


def _writer(place: _Place, players: int) -> Compiled:
    """put(s, seat, out, count, shift) -> count, for the inputs of one field."""
    name, rows, columns = place.name, place.rows, place.columns
    width, least, base = place.width, place.least, place.base
    by_seat, seats = place.by_seat, place.seats

    if place.scalar:

        @compiled
        def entry(s: Any, at: int) -> Any:
            return s[name]
    else:

        @compiled
        def entry(s: Any, at: int) -> Any:
            return s[name].flat[at]

    @compiled
    def put(s: Any, seat: int, out: Any, count: int, shift: int) -> int:
        for row in range(rows):
            place = (row + seat) % players if by_seat else row
            for column in range(columns):
                value = entry(s, place * columns + column)
                first = shift + base + (row * columns + column) * width
                if width == 1:
                    if value != 0:
                        out[count, 0] = first
                        out[count, 1] = value
                        count += 1
                    continue
                if seats and 0 <= value < players:
                    value = (value - seat + players) % players
                which = int(value) - least
                if 0 <= which < width:
                    out[count, 0] = first + which
                    out[count, 1] = 1.0
                    count += 1
        return count

    return put


def _join(writers: list[Compiled], shift: int) -> Compiled:
    """All fields one after the other; the inputs of consecutive seats are `shift` apart."""
    whole = functools.reduce(_both, writers)

    @compiled
    def write(s: Any, seat: int, out: Any) -> Any:
        return whole(s, seat, out, 0, seat * shift)

    return write


def _both(first: Compiled, second: Compiled) -> Compiled:
    @compiled
    def both(s: Any, seat: int, out: Any, count: int, shift: int) -> Any:
        return second(s, seat, out, first(s, seat, out, count, shift), shift)

    return both
