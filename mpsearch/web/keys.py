"""Keys: the tokens of a table, and the file that holds them."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

import attrs

#: Bytes of randomness in a token: 192 bits cannot be guessed.
_TOKEN_BYTES = 24
#: The file with a table's tokens is never longer than this.
_FILE_BYTES = 1 << 16


@attrs.frozen(kw_only=True)
class Keys:
    """The tokens of a table: one for each person's seat, and one for watching."""

    seats: dict[int, str]
    watch: str

    @property
    def tokens(self) -> tuple[str, ...]:
        return (*self.seats.values(), self.watch)


def new_token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def write_keys(path: Path, keys: Keys) -> None:
    text = json.dumps({"seats": keys.seats, "watch": keys.watch})
    # Whoever can read this file can play for others.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def read_keys(path: Path) -> Keys | None:
    """The tokens in a file; None if it is damaged."""
    try:
        with path.open("rb") as file:
            found: dict[str, Any] = json.loads(file.read(_FILE_BYTES))
        seats = {int(seat): str(token) for seat, token in found["seats"].items()}
        return Keys(seats=seats, watch=str(found["watch"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
