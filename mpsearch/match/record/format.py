"""Records: a game as JSON lines, whole after every move.

The first line says what was played: game, players, options, agents, seed. Then comes a line
per ply, chance included, and after the last the result. Between them there may be marks: moves
that were taken back, a game that was taken up again or resigned. A game that was interrupted has no
result; a last line that was cut off in the middle of writing is ignored. Moves that were tried in
an analysis, its variations, are a field of the first line, which readers that do not know it skip.
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

#: What can be marked in a record: moves from a ply on were taken back; the game was taken up again,
#: by the same agents or by others; somebody gave up, left the seat to an agent, asked for a hint,
#: or was hurried; a program forfeited the game, which ends there.
UNDO, RESUME, SEATED, RESIGN, HINT, HURRY = "undo", "resume", "seated", "resign", "hint", "hurry"
FORFEIT, TAKEOVER = "forfeit", "takeover"
MARKS = (UNDO, RESUME, SEATED, RESIGN, HINT, HURRY, FORFEIT, TAKEOVER)


def _texts(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(texts)


@attrs.frozen(kw_only=True)
class Setting:
    """All that decides a game: the same setting gives the same game."""

    game: str
    players: int
    #: Options by name, as the game's own values.
    options: dict[str, Any] = attrs.field(factory=dict)
    #: An agent's text per seat.
    agents: tuple[str, ...] = attrs.field(converter=_texts)
    seed: int
    #: The position it begins from, in the game's notation; None for the usual start.
    start: str | None = None
    #: How many random moves come before the players' own.
    opening: int = 0
    #: After how many plies a game that is not over is ended with an error; None: the game says.
    most_plies: int | None = None

    def first_state(self, game: Game) -> State:
        """The state in which the game begins."""
        return game.new() if self.start is None else game.from_position(self.start)

    def play(
        self, game: Game, players: Sequence[Player], *, past: Sequence[Move] = ()
    ) -> Iterator[Ply]:
        """Play it, ply by ply, after its `past`."""
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
        """The seats that outside programs hold."""
        return tuple(seat for seat, text in enumerate(self.agents) if is_program(text))

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people hold."""
        names = [text.partition(":")[0] for text in self.agents]
        return tuple(seat for seat, name in enumerate(names) if name == PERSON)

    def __str__(self) -> str:
        return f"{self.game}, seed {self.seed}, {' / '.join(self.agents)}"


@attrs.frozen(kw_only=True)
class Record:
    """A game that was played, finished or not."""

    setting: Setting
    #: What `ply_entry` and `mark_entry` made, in order; plies that were taken back are among them.
    lines: tuple[dict[str, Any], ...]
    #: None if the game was interrupted. Shape (P,).
    payoff: Array | None = None
    #: The seats that are recorded as winners; None if the game was interrupted.
    winners: tuple[int, ...] | None = None
    #: The variations as `VariationTree.entries` made them, a move before those that follow it.
    variations: tuple[dict[str, Any], ...] = ()

    @functools.cached_property
    def plies(self) -> tuple[dict[str, Any], ...]:
        """The entries of the plies that stand."""
        return tuple(standing(self.lines))

    @property
    def marks(self) -> tuple[dict[str, Any], ...]:
        """The entries of what else happened."""
        return tuple(line for line in self.lines if "mark" in line)


def standing(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The plies among the lines of a record that were not taken back."""
    plies: list[dict[str, Any]] = []
    for line in lines:
        if "mark" not in line:
            plies.append(line)
        elif line["mark"] == UNDO:
            del plies[line["ply"] :]
    return plies


def standing_marks(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The marks among the lines of a record, but for those at plies that were taken back."""
    marks: list[dict[str, Any]] = []
    lowest = math.inf  # to which ply moves were taken back later
    for line in reversed(lines):
        if "mark" in line and line["ply"] <= lowest:
            marks.append(line)
            if line["mark"] == UNDO:
                lowest = line["ply"]
    return marks[::-1]


def header_entry(setting: Setting, variations: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """The first line of a record."""
    entries = attrs.asdict(setting)
    if setting.most_plies is None:
        del entries["most_plies"]
    if variations:
        entries["variations"] = [*variations]
    return {"record": FORMAT, "mpsearch": mpsearch.__version__, **entries}


def ply_entry(game: Game, ply: Ply) -> dict[str, Any]:
    """The line of one ply."""
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
    """A value by seat as JSON has it, which knows no NaN."""
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
    """The line of a mark: what happened before ply number `ply`, to whom, and why if it is said."""
    return {"mark": mark, "ply": ply, "seat": seat} | ({} if why is None else {"why": why})


def forfeiting_seat(lines: Sequence[dict[str, Any]]) -> int | None:
    """The seat that forfeited the game, if the last line before the result says so."""
    last = lines[-1] if lines else {}
    return last.get("seat") if last.get("mark") == FORFEIT else None


def final_payoff(game: Game, state: State, lines: Sequence[dict[str, Any]]) -> Array:
    """The result of a game that ended in `state`, by the rules or because a seat forfeited it."""
    seat = forfeiting_seat(lines)
    return game.payoff(state) if seat is None else forfeit_payoff(game.players, seat)
