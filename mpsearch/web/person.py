"""A person at a browser: a player whose moves come from a WebSocket."""

from __future__ import annotations

import queue

import numpy as np

from mpsearch.contracts import Decision, Memory, Move, Player, PlayerOffer, Turn
from mpsearch.match import PERSON, TakenBackError


class ClosedError(Exception):
    """The table was closed while a person was thinking."""


class _LeftError(Exception):
    """The person has left the seat to an agent."""


class Person(Player):
    """Answers a turn with the move that another thread hands in."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[Move | Exception] = queue.SimpleQueue()
        #: The agent that plays on for a person who has left.
        self._stand_in: Player | None = None

    def answer(self, answer: Move | TakenBackError) -> None:
        """Make a legal move in the current turn, or take moves back, which must be allowed."""
        self._answers.put(answer)

    def leave_to(self, player: Player) -> None:
        """Let another player make the current move and all later ones."""
        self._stand_in = player
        self._answers.put(_LeftError())

    def close(self) -> None:
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


#: People as guests of a table.
GUESTS = {
    PERSON: PlayerOffer(name=PERSON, summary="a person at a browser", make=lambda game: Person())
}
