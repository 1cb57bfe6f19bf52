"""Recording a game at the terminal whose record nobody named."""

from __future__ import annotations

import sys

from mpsearch.errors import UsageError
from mpsearch.match import LiveGame, unused_path, usual_folder


def record_unasked(live: LiveGame) -> None:
    """Record a game in a new file; say so if that is not possible."""
    try:
        folder = usual_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        live.record_to(unused_path(folder, live.setting.game))
    except (OSError, RuntimeError, UsageError) as error:
        why = getattr(error, "strerror", None) or error
        print(f"mpsearch: the game is not recorded: {why}", file=sys.stderr)
