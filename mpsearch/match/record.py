"""Records: a game as JSON lines, whole after every move.

The first line says what was played: game, players, options, agents, seed. Then comes a line
per ply, chance included, and after the last the result. Between them there may be marks: moves
that were taken back, a game that was taken up again or resigned. A game that was interrupted has no
result; a last line that was cut off in the middle of writing is ignored. `writing` writes such
a file and `reading` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

import mpsearch
from mpsearch.contracts import CHANCE, OVER, Array, Game, Player, State, winners
from mpsearch.errors import ContractError, DifferenceError, MoveError, UsageError
from mpsearch.match.referee import Ply, play_match

FORMAT = 1


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

    def first_state(self, game: Game) -> State:
        """The state in which the game begins."""
        return game.new() if self.start is None else game.from_position(self.start)

    def __str__(self) -> str:
        return f"{self.game}, seed {self.seed}, {' / '.join(self.agents)}"


@attrs.frozen(kw_only=True)
class Record:
    """A game that was played, finished or not."""

    setting: Setting
    #: One entry per ply, as `ply_entry` makes them.
    plies: tuple[dict[str, Any], ...]
    #: None if the game was interrupted. Shape (P,).
    payoff: Array | None = None
    #: The seats that are recorded as winners; None if the game was interrupted.
    winners: tuple[int, ...] | None = None
    #: What else happened, as `mark_entry` makes them: moves taken back, a game taken up again.
    marks: tuple[dict[str, Any], ...] = ()


def header_entry(setting: Setting) -> dict[str, Any]:
    """The first line of a record."""
    return {"record": FORMAT, "mpsearch": mpsearch.__version__, **attrs.asdict(setting)}


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
            entry["value"] = decision.value.tolist()
            if not decision.exact:
                entry["bound"] = True
        entry["nodes"] = decision.nodes
        entry["depth"] = decision.depth
    return entry


def result_entry(payoff: Array) -> dict[str, Any]:
    """The last line of a finished game."""
    return {"payoff": payoff.tolist(), "winners": winners(payoff)}


#: What can be marked in a record.
UNDO, RESUME, RESIGN = "undo", "resume", "resign"
MARKS = (UNDO, RESUME, RESIGN)


def mark_entry(mark: str, *, ply: int, seat: int | None = None) -> dict[str, Any]:
    """The line of a mark. `undo` takes back all plies from `ply` on, `resume` goes on there."""
    return {"mark": mark, "ply": ply, "seat": seat}


def replay(game: Game, record: Record) -> Iterator[State]:
    """The states of a recorded game, the start first; every move and the result are checked."""
    state = record.setting.first_state(game)
    yield state
    for entry in record.plies:
        where = f"ply {entry['ply']}"
        seat = CHANCE if entry["seat"] is None else entry["seat"]
        if game.mover(state) != seat:
            raise DifferenceError(f"{where}: it is not the turn of {_who(seat)}")
        try:
            move = game.read_in(state, entry["move"])
        except MoveError as error:
            raise DifferenceError(f"{where}: {error}") from None
        if seat == CHANCE and not game.possible(state, move):
            raise DifferenceError(f"{where}: '{entry['move']}' is not a possible outcome")
        if seat != CHANCE and move not in game.moves(state):
            why = game.objection(state, move)
            raise DifferenceError(f"{where}: '{entry['move']}' is not legal: {why}")
        state = game.play(state, move)
        yield state
    _check_result(game, state, record)


def rerun(game: Game, players: Sequence[Player], record: Record) -> None:
    """Let the players play it again; DifferenceError says which field is not the same."""
    for mark in record.marks:
        if mark["mark"] != RESIGN:
            raise UsageError(
                f"the record has a mark '{mark['mark']}' at ply {mark['ply']}: agents began anew "
                "there, and cannot play it again bit for bit"
            )
    setting = record.setting
    state = setting.first_state(game)
    again = play_match(game, players, seed=setting.seed, start=state, opening=setting.opening)
    for entry in record.plies:
        try:
            ply = next(again)
        except StopIteration:
            raise DifferenceError(f"ply {entry['ply']}: the game was already over") from None
        except ContractError as error:
            raise DifferenceError(f"ply {entry['ply']}: {error}") from None
        found = _difference(entry, ply_entry(game, ply))
        if found is not None:
            name, recorded, played = found
            raise DifferenceError(
                f"ply {entry['ply']}: {name} is recorded as {recorded}, played again it is {played}"
            )
        state = ply.state
    _check_result(game, state, record)


def _check_result(game: Game, state: State, record: Record) -> None:
    if record.payoff is None:
        return
    if game.mover(state) != OVER:
        raise DifferenceError("the game has a result but is not over")
    recorded = {"payoff": record.payoff.tolist(), "winners": list(record.winners or ())}
    found = _difference(recorded, result_entry(game.payoff(state)))
    if found is not None:
        name, written, true = found
        raise DifferenceError(f"the result: {name} is recorded as {written}, the rules say {true}")


def _difference(recorded: dict[str, Any], played: dict[str, Any]) -> tuple[str, str, str] | None:
    """The first field that is not the same, as it was and as it is now, to the last digit."""
    absent = object()
    for name in dict.fromkeys([*played, *recorded]):
        before, now = recorded.get(name, absent), played.get(name, absent)
        while isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
            at = next((k for k in range(len(now)) if before[k] != now[k]), None)
            if at is None:
                break
            name, before, now = f"{name}[{at}]", before[at], now[at]
        if before != now:
            was, is_now = ("nothing" if v is absent else json.dumps(v) for v in (before, now))
            return name, was, is_now
    return None


def _who(seat: int) -> str:
    return "chance" if seat == CHANCE else f"seat {seat}"
