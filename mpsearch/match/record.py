"""Records: a game as JSON lines, whole after every move.

The first line says what was played: game, players, options, agents, seed. Then comes a line
per ply, chance included, and after the last the result. A game that was interrupted has no
result; a last line that was cut off in the middle of writing is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import attrs

import mpsearch
from mpsearch.catalog import Catalog
from mpsearch.contracts import CHANCE, OVER, Array, Game, Player, State, frozen_array, winners
from mpsearch.errors import ContractError, MoveError, RecordError
from mpsearch.match.referee import Ply, play_match

FORMAT = 1
#: Fields of a setting that older records lack.
_MAY_BE_MISSING = ("start", "opening")


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

    def new_game(self, catalog: Catalog) -> Game:
        """The game that is played."""
        return catalog.game_offer(self.game).new_game(players=self.players, options=self.options)


@attrs.frozen(kw_only=True)
class Record:
    """A game that was played, finished or not."""

    setting: Setting
    #: One entry per ply, as `ply_entry` makes them.
    plies: tuple[dict[str, Any], ...]
    #: None if the game was interrupted. Shape (P,).
    payoff: Array | None = None


def header_entry(setting: Setting) -> dict[str, Any]:
    """The first line of a record."""
    return {"record": FORMAT, "mpsearch": mpsearch.__version__, **attrs.asdict(setting)}


def ply_entry(game: Game, ply: Ply) -> dict[str, Any]:
    """The line of one ply."""
    entry: dict[str, Any] = {
        "ply": ply.number,
        "seat": None if ply.seat == CHANCE else ply.seat,
        "move": game.write(ply.move),
    }
    decision = ply.decision
    if decision is not None:
        if decision.stance is not None:
            entry["stance"] = decision.stance.label
            entry["target"] = decision.stance.target
            entry["matrix"] = decision.stance.matrix.tolist()
        if decision.value is not None:
            entry["value"] = decision.value.tolist()
        entry["nodes"] = decision.nodes
        entry["depth"] = decision.depth
    return entry


def result_entry(payoff: Array) -> dict[str, Any]:
    """The last line of a finished game."""
    return {"payoff": payoff.tolist(), "winners": winners(payoff)}


def write_line(file: IO[str], entry: dict[str, Any]) -> None:
    """Add a line, and hand it to the system at once."""
    file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    file.flush()


def read_record(path: Path) -> Record:
    """Read a record; RecordError says which line is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read as a record: {error}") from None
    entries = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            if not isinstance(entry, dict):
                raise ValueError("not an object")
        except ValueError as error:
            if number == len(lines) and number > 1:
                break  # cut off while it was written
            raise RecordError(f"{path}: line {number} is not a JSON object: {error}") from None
        entries.append(entry)
    if not entries or entries[0].get("record") != FORMAT:
        raise RecordError(f"{path}: the first line is not the head of a record of format {FORMAT}")
    head, *rest = entries
    try:
        fields = attrs.fields_dict(Setting)
        known = {
            name: head[name] for name in fields if name in head or name not in _MAY_BE_MISSING
        }
        setting = Setting(**known)
    except (KeyError, TypeError) as error:
        raise RecordError(f"{path}: the head lacks {error}") from None
    payoff = None
    if rest and "payoff" in rest[-1]:
        payoff = frozen_array(rest.pop()["payoff"])
    for number, entry in enumerate(rest):
        if entry.get("ply") != number or "move" not in entry or "seat" not in entry:
            raise RecordError(f"{path}: line {number + 2} is not ply {number}")
    return Record(setting=setting, plies=tuple(rest), payoff=payoff)


def replay(game: Game, record: Record) -> Iterator[State]:
    """The states of a recorded game, the start first; every move and the result are checked."""
    state = record.setting.first_state(game)
    yield state
    for entry in record.plies:
        where = f"ply {entry['ply']}"
        seat = CHANCE if entry["seat"] is None else entry["seat"]
        if game.mover(state) != seat:
            raise RecordError(f"{where}: it is not the turn of {_who(seat)}")
        try:
            move = game.read(entry["move"])
        except MoveError as error:
            raise RecordError(f"{where}: {error}") from None
        if seat != CHANCE and move not in game.moves(state):
            why = game.objection(state, move)
            raise RecordError(f"{where}: '{entry['move']}' is not legal: {why}")
        listed = [outcome for outcome, _ in game.chance(state)] if seat == CHANCE else []
        if listed and move not in listed:
            raise RecordError(f"{where}: '{entry['move']}' is not a possible outcome")
        state = game.play(state, move)
        yield state
    if record.payoff is not None:
        if game.mover(state) != OVER:
            raise RecordError("the game has a result but is not over")
        if game.payoff(state).tolist() != record.payoff.tolist():
            raise RecordError(
                f"the result is recorded as {record.payoff.tolist()}, "
                f"the rules say {game.payoff(state).tolist()}"
            )


def rerun(game: Game, players: Sequence[Player], record: Record) -> None:
    """Let the players play it again; RecordError where it differs by a single bit."""
    setting = record.setting
    again = play_match(
        game,
        players,
        seed=setting.seed,
        start=setting.first_state(game),
        opening=setting.opening,
    )
    for entry in record.plies:
        try:
            ply = next(again)
        except StopIteration:
            raise RecordError(f"ply {entry['ply']}: the game was already over") from None
        except ContractError as error:
            raise RecordError(f"ply {entry['ply']}: {error}") from None
        if ply_entry(game, ply) != entry:
            raise RecordError(
                f"ply {entry['ply']}: recorded '{entry['move']}', "
                f"played again '{game.write(ply.move)}'"
            )


def _who(seat: int) -> str:
    return "chance" if seat == CHANCE else f"seat {seat}"
