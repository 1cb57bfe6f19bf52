"""Replay: a recorded game by the rules alone, or rerun by its agents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Decision, Game, Memory, Move, Player, State, Turn
from mpsearch.errors import ContractError, DifferenceError, MoveError
from mpsearch.match.record.format import (
    HURRY,
    RESUME,
    SEATED,
    UNDO,
    Record,
    final_payoff,
    forfeiting_seat,
    ply_entry,
    result_entry,
)
from mpsearch.match.referee import Ply


def replay(game: Game, record: Record) -> Iterator[State]:
    """The states of a recorded game, the start first; every move and the result are checked."""
    yield record.setting.first_state(game)
    for ply in recalled(game, record):
        yield ply.state


def recalled(game: Game, record: Record) -> Iterator[Ply]:
    """The plies of a record, checked in the same way; without decisions."""
    state = record.setting.first_state(game)
    for entry in record.plies:
        ply = recalled_ply(game, state, entry, where=f"ply {entry['ply']}")
        yield ply
        state = ply.state
    _check_result(game, state, record)


def recalled_ply(game: Game, state: State, entry: dict[str, Any], *, where: str) -> Ply:
    """The ply of an entry in a state; DifferenceError if the rules forbid it there."""
    seat = CHANCE if entry["seat"] is None else entry["seat"]
    if game.mover(state) != seat:
        who = "chance" if seat == CHANCE else f"seat {seat}"
        raise DifferenceError(f"{where}: it is not the turn of {who}")
    try:
        move = game.read_in(state, entry["move"])
    except MoveError as error:
        raise DifferenceError(f"{where}: {error}") from None
    if seat == CHANCE and not game.possible(state, move):
        raise DifferenceError(f"{where}: '{entry['move']}' is not a possible outcome")
    if seat != CHANCE and move not in game.moves(state):
        why = game.objection(state, move)
        raise DifferenceError(f"{where}: '{entry['move']}' is not legal: {why}")
    return Ply(
        number=entry["ply"],
        seat=seat,
        move=move,
        decision=None,
        before=state,
        state=game.play(state, move),
    )


def unasked(record: Record) -> dict[int, str]:
    """The seats whose decisions cannot be rerun, and why."""
    programs = dict.fromkeys(record.setting.programs, "is a program")
    hurried = {line.get("seat") for line in record.marks if line["mark"] == HURRY}
    silent = {seat: "was hurried" for seat in hurried if seat is not None}
    return silent | programs | dict.fromkeys(record.setting.people, "is a person")


def rerun(game: Game, players: Sequence[Player | None], record: Record) -> None:
    """Let the players play the game again; DifferenceError says which field differs.

    The record answers for the `unasked`, and for all before new players were seated. After an undo
    or a resumption agents start afresh, as they did in the game.
    """
    setting, answer, silent = record.setting, _Recorded(), unasked(record)
    start = setting.first_state(game)
    marks = [line.get("mark") for line in record.lines]
    #: The line from which the agents in the head play.
    own = len(marks) - marks[::-1].index(SEATED) if SEATED in marks else 0
    plies: list[Ply] = []

    def begin(line: int) -> Iterator[Ply]:
        asked = [
            answer if player is None or seat in silent or line < own else player
            for seat, player in enumerate(players)
        ]
        return setting.play(game, asked, past=[ply.move for ply in plies])

    again = begin(0)
    for number, line in enumerate(record.lines):
        if marks[number] in (UNDO, RESUME, SEATED):
            del plies[line["ply"] :]
            again = begin(number + 1)
        elif marks[number] is None:
            state = plies[-1].state if plies else start
            answer.expect(game, state, line)
            try:
                plies.append(next(again))
            except StopIteration:
                raise DifferenceError(f"ply {line['ply']}: the game was already over") from None
            except ContractError as error:
                raise DifferenceError(f"ply {line['ply']}: {error}") from None
            played = ply_entry(game, plies[-1])
            if number < own or line["seat"] in silent:
                played = {**line, "ply": played["ply"], "seat": played["seat"]}
            if (found := _difference(line, played)) is not None:
                name, recorded, now = found
                raise DifferenceError(
                    f"ply {line['ply']}: {name} is recorded as {recorded}, but rerun as {now}"
                )
    _check_result(game, plies[-1].state if plies else start, record)


class _Recorded(Player):
    """Plays the recorded moves of seats that cannot be rerun."""

    def __init__(self) -> None:
        self._move: Move = None

    def expect(self, game: Game, state: State, line: dict[str, Any]) -> None:
        try:
            self._move = game.read_in(state, line["move"])
        except MoveError as error:
            raise DifferenceError(f"ply {line['ply']}: {error}") from None

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        return Decision(move=self._move)


def _check_result(game: Game, state: State, record: Record) -> None:
    if record.payoff is None:
        return
    if game.mover(state) != OVER and forfeiting_seat(record.lines) is None:
        raise DifferenceError("the game has a result but is not over")
    recorded = {"payoff": record.payoff.tolist(), "winners": list(record.winners or ())}
    found = _difference(recorded, result_entry(final_payoff(game, state, record.lines)))
    if found is not None:
        name, written, true = found
        raise DifferenceError(f"the result: {name} is recorded as {written}, the rules say {true}")


def _difference(recorded: dict[str, Any], played: dict[str, Any]) -> tuple[str, str, str] | None:
    """The first field that differs, as recorded and as rerun, to the last digit."""
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
