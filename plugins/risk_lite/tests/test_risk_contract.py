"""The project's contract for games, evaluators and branchings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from support.plain import fewer

from mpsearch.testing import GameSuite


class TestRiskLite(GameSuite):
    game = "risk_lite"
    settings: ClassVar[tuple[dict[str, Any], ...]] = (
        {"players": 2, "map": "straits", "rounds": 20},
        {"players": 6, "rounds": 10, "outcomes": 8},
        {"players": 3, "map": "straits", "rounds": 10, "outcomes": 1, "lead": 5},
    )
    seeds = range(fewer(2, 1))
    plies = fewer(120, 20)
    agent = "greedy"
    records = Path(__file__).parent / "records"
