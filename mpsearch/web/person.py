"""A person at a browser, as the referee knows them: a player who waits for a message."""

from __future__ import annotations

import queue

import numpy as np

from mpsearch.contracts import Decision, Game, Memory, Move, Player, PlayerOffer, Turn

#: The agent's text of a seat that a person holds.
HUMAN = "human"


class ClosedError(Exception):
    """The table was closed while a person was thinking."""


class Person(Player):
    """Chooses what is handed in from outside, in whatever thread that happens."""

    def __init__(self) -> None:
        self._moves: queue.SimpleQueue[Move] = queue.SimpleQueue()
        self._closed = object()

    def hand_in(self, move: Move) -> None:
        """Make a move that was checked to be legal in the turn that is waited for."""
        self._moves.put(move)

    def close(self) -> None:
        """Wait no longer."""
        self._moves.put(self._closed)

    def choose(self, turn: Turn, memory: Memory, rng: np.random.Generator) -> Decision:
        move = self._moves.get()
        if move is self._closed:
            raise ClosedError
        return Decision(move=move)


def _sit_down(game: Game) -> Person:
    return Person()


#: People as guests of a table.
PERSON = PlayerOffer(name=HUMAN, summary="a person at a browser", make=_sit_down)
