"""The contract that every game must meet, for both presets and the odd flags."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from mpsearch.testing import GameSuite


class TestHearts(GameSuite):
    game = "hearts"
    settings: ClassVar[tuple[dict[str, Any], ...]] = (
        {"limit": 30},
        {"preset": "standard", "limit": 30},
        {"preset": "standard", "moon": "subtract", "jack": "yes", "limit": 30},
        {"single": "yes"},
        {"end": "trick", "limit": 12, "lead": 5},
    )
    seeds = range(1)
    plies = 80
    records = Path(__file__).parent / "records"
