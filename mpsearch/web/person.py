"""A person at a browser, as the referee knows them: a player who waits for an answer."""

from __future__ import annotations

import queue

import numpy as np

from mpsearch.contracts import Decision, Game, Memory, Move, Player, PlayerOffer, Turn
from mpsearch.match import PERSON, TakenBackError


class ClosedError(Exception):
    """The table was closed while a person was thinking."""


class _LeftError(Exception):
    """The person has left the seat to somebody else."""


class Person(Player):
    """Answers a turn with what is handed in from outside, in whatever thread that happens."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[Move | Exception] = queue.SimpleQueue()
        #: Who plays on for a person that has left.
        self._stand_in: Player | None = None

    def hand_in(self, move: Move) -> None:
        """Make a move that was checked to be legal in the turn that is waited for."""
        self._answers.put(move)

    def take_back(self, ply: int, *, seat: int) -> None:
        """Take back all from this ply on, which was checked to be allowed."""
        self._answers.put(TakenBackError(ply, seat=seat))

    def leave_to(self, player: Player) -> None:
        """Let another player make all moves from now on, and the one that is waited for."""
        self._stand_in = player
        self._answers.put(_LeftError())

    def close(self) -> None:
        """Wait no longer."""
        self._answers.put(ClosedError())
        close = getattr(self._stand_in, "close", None)
        if close is not None:
            close()

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        while self._stand_in is None:
            answer = self._answers.get()
            if isinstance(answer, _LeftError):
                continue
            if isinstance(answer, Exception):
                raise answer
            return Decision(move=answer)
        player = self._stand_in
        return player.choose(turn, player.start(turn.seat, rng), rng)


def _new_person(game: Game) -> Person:
    return Person()


#: People as guests of a table.
GUESTS = {PERSON: PlayerOffer(name=PERSON, summary="a person at a browser", make=_new_person)}
