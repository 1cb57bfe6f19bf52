"""Dialect: a game's own text protocol, for `mpsearch engine --protocol NAME`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from mpsearch.contracts.game import Move, State


class Dialect(ABC):
    """Answers the lines of a controller. It tracks the game and asks the agent for moves."""

    @abstractmethod
    def answer(self, line: str, choose: Callable[[State], Move]) -> str | None:
        """The answer to any line; None prints nothing.

        `choose` asks the agent for a move of the seat to move in a state.
        """

    @property
    def over(self) -> bool:
        """Whether the controller has ended the session."""
        return False
