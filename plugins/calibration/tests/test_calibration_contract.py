"""The contract that every game must meet."""

from __future__ import annotations

from typing import Any, ClassVar

from mpsearch.testing import GameSuite


class TestBingo(GameSuite):
    game = "bingo"


class TestGoFish(GameSuite):
    game = "go_fish"
    settings: ClassVar[tuple[dict[str, Any], ...]] = (
        # So small that every world is counted.
        {"players": 2, "ranks": 2, "hand": 1, "ask": "held"},
        {"players": 2, "ranks": 6, "hand": 4, "ask": "held"},
        {"players": 3, "ranks": 7},
        {"players": 4, "ranks": 5, "hand": 3, "asks": 30},
    )
    seeds = range(1)
    plies = 40


class TestTwoPhase(GameSuite):
    game = "two_phase"
