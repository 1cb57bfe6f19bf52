"""Published figures of Opponent Impact, kept with those of the other reproductions."""

from __future__ import annotations

import functools
import importlib.resources
import tomllib
from typing import Any


def printed_impact(game: str) -> dict[int, float]:
    """What papers print of a game, by depth; depth 0 for the game as a whole."""
    return {int(depth): oi for depth, oi in printed_figures()["printed"].get(game, {}).items()}


@functools.cache
def printed_figures() -> dict[str, Any]:
    """The file with the figures, and how they are measured again."""
    file = importlib.resources.files("mpsearch") / "studies" / "reproduce" / "impact.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
