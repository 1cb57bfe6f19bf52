"""Dialect: a text protocol that programs of one game use, for `mpsearch engine --protocol NAME`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from mpsearch.contracts.game import Move, State


class Dialect(ABC):
    """Answers the lines of a controller. It keeps the game; the agent is asked for moves."""

    @abstractmethod
    def answer(self, line: str, choose: Callable[[State], Move]) -> str | None:
        """What is printed for a line, whatever it is; nothing for None.

        `choose` lets the agent decide for the seat to move in a state.
        """

    @property
    def over(self) -> bool:
        """Whether the controller has ended the conversation."""
        return False
