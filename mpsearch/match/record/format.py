"""The record format: a game as JSON lines, complete after every move.

The first line says what was played: game, players, options, agents, seed. A line per ply follows,
chance included, and then the result. Between them there may be marks, for moves taken back or a
game resumed or resigned. An interrupted game has no result; a last line that was cut off is
ignored. Variations from an analysis are a field of the first line, which older readers skip.
`write` writes such a file, `read` reads it, and `replay` plays it again.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

import mpsearch
from mpsearch.agents import is_program
from mpsearch.contracts import CHANCE, Array, Game, Move, Player, State, forfeit_payoff, winners
from mpsearch.errors import ContractError
from mpsearch.match.referee import Ply, play_match

FORMAT = 1
#: The agent's name of a seat that a person holds.
PERSON = "human"

#: The marks of a record: moves from a ply on were taken back; the game was resumed, by the same
#: agents or by others; a seat resigned, was left to an agent, got a hint, or was hurried; a program
#: forfeited the game, which ends there.
UNDO, RESUME, SEATED, RESIGN, HINT, HURRY = "undo", "resume", "seated", "resign", "hint", "hurry"
FORFEIT, TAKEOVER = "forfeit", "takeover"
MARKS = (UNDO, RESUME, SEATED, RESIGN, HINT, HURRY, FORFEIT, TAKEOVER)


def _texts(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(texts)


@attrs.frozen(kw_only=True)
class Setting:
    """Everything that determines a game: the same setting gives the same game."""

    game: str
    players: int
    #: Options by name, as the game's own values.
    options: dict[str, Any] = attrs.field(factory=dict)
    #: An agent's text per seat.
    agents: tuple[str, ...] = attrs.field(converter=_texts)
    seed: int
    #: The start position in the game's notation; None for the usual one.
    start: str | None = None
    #: The number of random opening moves.
    opening: int = 0
    #: The most plies before the game is ended with an error; None for the game's own limit.
    most_plies: int | None = None

    def first_state(self, game: Game) -> State:
        return game.new() if self.start is None else game.from_position(self.start)

    def play(
        self, game: Game, players: Sequence[Player], *, past: Sequence[Move] = ()
    ) -> Iterator[Ply]:
        """Play the game, ply by ply, after its `past`."""
        return play_match(
            game,
            players,
            seed=self.seed,
            start=self.first_state(game),
            opening=self.opening,
            past=past,
            most_plies=self.most_plies,
        )

    @property
    def programs(self) -> tuple[int, ...]:
        return tuple(seat for seat, text in enumerate(self.agents) if is_program(text))

    @property
    def people(self) -> tuple[int, ...]:
        names = [text.partition(":")[0] for text in self.agents]
        return tuple(seat for seat, name in enumerate(names) if name == PERSON)

    def __str__(self) -> str:
        return f"{self.game}, seed {self.seed}, {' / '.join(self.agents)}"


@attrs.frozen(kw_only=True)
class Record:
    """A game that was played, finished or not."""

    setting: Setting
    #: The lines after the first, with plies that were taken back.
    lines: tuple[dict[str, Any], ...]
    #: None if the game was interrupted. Shape (P,).
    payoff: Array | None = None
    #: None if the game was interrupted; by default those that the payoff makes.
    winners: tuple[int, ...] | None = attrs.field()
    #: The variations, as `VariationTree.entries` makes them.
    variations: tuple[dict[str, Any], ...] = ()

    @winners.default
    def _best(self) -> tuple[int, ...] | None:
        return None if self.payoff is None else tuple(winners(self.payoff))

    @functools.cached_property
    def plies(self) -> tuple[dict[str, Any], ...]:
        """The plies that were not taken back."""
        return tuple(standing(self.lines))

    @property
    def marks(self) -> tuple[dict[str, Any], ...]:
        """The lines that are not plies."""
        return tuple(line for line in self.lines if "mark" in line)


def standing(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The plies in a record's lines that were not taken back."""
    plies: list[dict[str, Any]] = []
    for line in lines:
        if "mark" not in line:
            plies.append(line)
        elif line["mark"] == UNDO:
            del plies[line["ply"] :]
    return plies


def standing_marks(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The marks in a record's lines, except those at plies that were taken back."""
    marks: list[dict[str, Any]] = []
    lowest = math.inf  # the ply to which moves were taken back later
    for line in reversed(lines):
        if "mark" in line and line["ply"] <= lowest:
            marks.append(line)
            if line["mark"] == UNDO:
                lowest = line["ply"]
    return marks[::-1]


def header_entry(setting: Setting, variations: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    entries = attrs.asdict(setting)
    if setting.most_plies is None:
        del entries["most_plies"]
    if variations:
        entries["variations"] = [*variations]
    return {"record": FORMAT, "mpsearch": mpsearch.__version__, **entries}


def ply_entry(game: Game, ply: Ply) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "ply": ply.number,
        "seat": None if ply.seat == CHANCE else ply.seat,
        "move": game.write_in(ply.before, ply.move),
    }
    decision = ply.decision
    if decision is not None:
        if decision.stance is not None:
            entry["stance"] = decision.stance.label
            entry["target"] = decision.stance.target
            entry["matrix"] = decision.stance.matrix.tolist()
        if decision.value is not None:
            entry["value"] = _numbers(ply, decision.value)
            if not decision.exact:
                entry["bound"] = True
        entry["nodes"] = decision.nodes
        entry["depth"] = decision.depth
    return entry


def _numbers(ply: Ply, value: Array) -> list[float]:
    """A value vector for JSON, which has no NaN."""
    numbers: list[float] = value.tolist()
    if not all(map(math.isfinite, numbers)):
        raise ContractError(
            f"ply {ply.number}: the player at seat {ply.seat} valued its move at "
            f"{numbers}; expected a finite number for each seat, or no value"
        )
    return numbers


def result_entry(payoff: Array) -> dict[str, Any]:
    """The last line of a finished game."""
    return {"payoff": payoff.tolist(), "winners": winners(payoff)}


def mark_entry(
    mark: str, *, ply: int, seat: int | None = None, why: str | None = None
) -> dict[str, Any]:
    """The line of a mark: what happened before ply number `ply`, to which seat, and why."""
    return {"mark": mark, "ply": ply, "seat": seat} | ({} if why is None else {"why": why})


def forfeiting_seat(lines: Sequence[dict[str, Any]]) -> int | None:
    """The seat that forfeited the game, if one did: the last line says so."""
    last = lines[-1] if lines else {}
    return last.get("seat") if last.get("mark") == FORFEIT else None


def final_payoff(game: Game, state: State, lines: Sequence[dict[str, Any]]) -> Array:
    """The payoff of a game that ended in `state`, by the rules or by forfeit."""
    seat = forfeiting_seat(lines)
    return game.payoff(state) if seat is None else forfeit_payoff(game.players, seat)
