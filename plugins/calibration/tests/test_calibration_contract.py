"""The contract that every game must meet."""

from __future__ import annotations

from typing import Any, ClassVar

from mpsearch.testing import GameSuite


class TestBingo(GameSuite):
    game = "bingo"


class TestGoFish(GameSuite):
    game = "go_fish"
    settings: ClassVar[tuple[dict[str, Any], ...]] = (
        {"players": 2, "ranks": 6, "hand": 4, "ask": "held"},
        {"players": 3, "ranks": 13},
        {"players": 3, "ranks": 8, "ask": "held"},
        {"players": 4, "ranks": 7, "hand": 5, "asks": 30},
    )
    plies = 80


class TestTwoPhase(GameSuite):
    game = "two_phase"
