"""Where a game at the terminal is recorded if nobody says: beside those of the page."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from mpsearch.errors import UsageError
from mpsearch.match import LiveGame


def games_folder() -> Path:
    """The folder in which the page keeps its games, too."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "mpsearch" / "games"


def record_unasked(live: LiveGame) -> None:
    """Record a game in a new file that only its user can read; say so if that cannot be."""
    try:
        folder = games_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{live.setting.game}-{secrets.token_hex(6)}.jsonl"
        before = os.umask(0o077)
        try:
            live.record_to(path)
        finally:
            os.umask(before)
    except (OSError, RuntimeError, UsageError) as error:
        why = getattr(error, "strerror", None) or error
        print(f"mpsearch: the game is not recorded: {why}", file=sys.stderr)
