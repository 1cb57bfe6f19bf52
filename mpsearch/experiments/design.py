"""Experimental designs: arms of line-ups, and the games that every arm plays.

Game number g has the same seed in every arm, and so the same chance, seats, random opening and
drawn orientations. Arms are compared game by game; where they differ in one agent only, that agent
is the cause.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.agents import presets_of, read_agent
from mpsearch.api import Table
from mpsearch.contracts import Array
from mpsearch.experiments.games import Job
from mpsearch.experiments.seating import FIXED, ORDERS, ROTATION, Seatings, seatings
from mpsearch.experiments.seeds import game_seed
from mpsearch.experiments.series import Series
from mpsearch.social import identity, random_row

#: Placeholders besides the varied parameters: the orientation that a seat draws for each game, and
#: the matrix of all that were drawn.
ROW, MATRIX = "row", "matrix"
_HOLE = re.compile(r"\{(\w+)\}")
#: Random streams of a game's seed that nothing else uses.
_ROWS, _DRAWS = 101, 102


@attrs.frozen(kw_only=True)
class Seated:
    """One place of a line-up: its name, and the agent's text with placeholders."""

    role: str
    text: str


@attrs.frozen(kw_only=True)
class Arm:
    """A line-up with its parameters filled in."""

    name: str
    #: The varied parameters and their values here.
    parameters: Mapping[str, Any] = attrs.field(factory=dict)
    #: One per seat; if drawn, every seat draws one of them in every game.
    seated: tuple[Seated, ...]
    drawn: bool = False

    @property
    def label(self) -> str:
        """Its name and parameters, the key of its games in a store."""
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.parameters.items())])

    @property
    def roles(self) -> list[str]:
        """Its roles; the first is compared with other arms."""
        return list(dict.fromkeys(seat.role for seat in self.seated))


@attrs.frozen(kw_only=True)
class Design(Series):
    """An experimental design."""

    name: str
    arms: tuple[Arm, ...]
    games: int
    #: How seats change from game to game, one of SEATINGS. None: as in the store, or all cyclic
    #: orders.
    seating: str | None = None
    #: A longer game is an error; None: the game's own limit.
    most_plies: int | None = None
    #: The name of the arm that others are compared with.
    baseline: str | None = None
    #: Number of equally spaced looks at which the experiment may stop; 1: only at the end.
    looks: int = 1
    about: str = ""

    def arm(self, label: str) -> Arm:
        """An arm by its label."""
        return next(arm for arm in self.arms if arm.label == label)

    def jobs(self) -> Iterator[Job]:
        """All games, arm by arm within each number, so that any prefix is balanced."""
        for number in range(self.games):
            for arm in self.arms:
                yield self.job(arm, number)

    def job(self, arm: Arm, number: int) -> Job:
        """One game of an arm."""
        seed = game_seed(self.seed, number)
        seated = self._seats(arm, number, seed)
        setting = self.setting(oriented_texts([seat.text for seat in seated], seed), number)
        return Job(
            arm=arm.label,
            number=number,
            roles=tuple(seat.role for seat in seated),
            setting=attrs.evolve(setting, most_plies=self.most_plies),
        )

    @property
    def seated_by(self) -> str:
        """How seats change from game to game, one of SEATINGS."""
        return self.seating or ORDERS

    def seatings(self) -> Seatings | None:
        """The seatings played in all arms; None without orders.

        Places are alike if their agents are alike in every arm.
        """
        line_ups = [arm.seated for arm in self.arms if not arm.drawn]
        if not line_ups or self.seated_by != ORDERS:
            return None
        return seatings(tuple(zip(*line_ups, strict=True)))

    def comparisons(self) -> list[tuple[str, str]]:
        """Arms to compare, each with the baseline of the same parameters."""
        return [
            (arm.label, base.label)
            for arm in self.arms
            for base in self.arms
            if arm.name != self.baseline
            and base.name == self.baseline
            and all(arm.parameters.get(k, value) == value for k, value in base.parameters.items())
        ]

    def document(self) -> dict[str, Any]:
        """All that determines the games, for JSON; more games may be requested later."""
        entries = attrs.asdict(self)
        # A limit on plies changes no game that ends, and a longer game has no result.
        for name in ("name", "about", "games", "looks", "baseline", "seating", "most_plies"):
            del entries[name]
        # Stores from before there were orders have `rotate`.
        if self.seated_by == ORDERS:
            entries["seating"] = ORDERS
        else:
            entries["rotate"] = self.seated_by == ROTATION
        arms = {
            arm.label: {"seats": [seat.text for seat in arm.seated], "drawn": arm.drawn}
            for arm in self.arms
        }
        return {**entries, "arms": arms}

    def check(self, table: Table) -> None:
        """Make every agent once, to find mistakes in texts before the first game."""
        for arm in self.arms:
            for text in self.job(attrs.evolve(arm, drawn=False), 0).setting.agents:
                table.agent(text)

    def _seats(self, arm: Arm, number: int, seed: int) -> list[Seated]:
        if arm.drawn:
            rng = np.random.default_rng([seed, _DRAWS])
            return [arm.seated[k] for k in rng.integers(len(arm.seated), size=self.players)]
        if number == 0 or self.seated_by == FIXED:
            return list(arm.seated)
        if (orders := self.seatings()) is not None:
            return [arm.seated[place] for place in orders[number]]
        count = len(arm.seated)
        return [arm.seated[(seat - number) % count] for seat in range(count)]


def stored_seating(document: Mapping[str, Any]) -> str:
    """The seating in a design's document, old or new."""
    if "rotate" in document:
        return ROTATION if document["rotate"] else FIXED
    return str(document.get("seating", ORDERS))


def oriented_texts(texts: Sequence[str], seed: int) -> tuple[str, ...]:
    """Texts with `{row}` and `{matrix}` filled in from the orientations that the seats draw.

    `{row}` is the seat's own row, itself first; `{matrix}` has the rows of all seats with `{row}`
    and selfish rows for the others.
    """
    if not any(hole in text for text in texts for hole in (f"{{{ROW}}}", f"{{{MATRIX}}}")):
        return tuple(texts)
    players = len(texts)
    matrix = np.array(identity(players))
    for seat, text in enumerate(texts):
        # A stream for each seat: a draw does not depend on the other seats.
        row = random_row(players, seat, np.random.default_rng([seed, _ROWS, seat]))
        if f"{{{ROW}}}" in text:
            matrix[seat] = np.round(row, 6)
    shown = "/".join(_row_text(row) for row in matrix)
    return tuple(
        text.replace(f"{{{MATRIX}}}", shown).replace(
            f"{{{ROW}}}", _row_text(np.roll(matrix[seat], -seat))
        )
        for seat, text in enumerate(texts)
    )


def _row_text(row: Array) -> str:
    """The rounded entries; short, because every record has them."""
    return ":".join(f"{entry:.6g}" for entry in row)


def holes(text: str) -> list[str]:
    """The placeholders in a text."""
    return list(dict.fromkeys(_HOLE.findall(text)))


def expand(
    name: str, seated: Sequence[Seated], vary: Mapping[str, Sequence[Any]], *, drawn: bool = False
) -> list[Arm]:
    """An arm for every combination of the varied parameters in a line-up."""
    used = [key for key in vary if any(key in holes(seat.text) for seat in seated)]
    arms = []
    for values in itertools.product(*(vary[key] for key in used)):
        parameters = dict(zip(used, values, strict=True))
        filled = [
            attrs.evolve(seat, text=_fill(seat.text, parameters), role=_fill(seat.role, parameters))
            for seat in seated
        ]
        arms.append(Arm(name=name, parameters=parameters, seated=tuple(filled), drawn=drawn))
    return arms


def _fill(text: str, parameters: Mapping[str, Any]) -> str:
    for key, value in parameters.items():
        text = text.replace(f"{{{key}}}", f"{value:g}" if isinstance(value, float) else str(value))
    return text


def with_limits(text: str, limits: Mapping[str, Any], table: Table) -> str:
    """An agent's text with limits, if it searches and has none of its own or by default."""
    if not limits:
        return text
    agent = read_agent(text)
    named = presets_of(table.catalog, table.offer, table.players, table.options)
    if agent.name in named:
        settings = {**dict(read_agent(named[agent.name].text).settings), **dict(agent.settings)}
    else:
        settings = dict(agent.settings)
        if agent.name not in table.catalog.propagators:
            return text
        settings |= table.catalog.propagators[agent.name].defaults
    if {"depth", "nodes", "time"} & set(settings):
        return text
    return str(agent.with_settings(limits))
