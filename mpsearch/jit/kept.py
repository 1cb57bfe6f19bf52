"""Whether machine code may be made, or only taken from where it was kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


class NotKeptError(Exception):
    """A function would have to be compiled where only kept machine code was to be used."""


_only = False


@contextlib.contextmanager
def only_kept() -> Iterator[None]:
    """While this lasts, in all threads, what is not in the cache raises NotKeptError."""
    global _only
    before, _only = _only, True
    try:
        yield
    finally:
        _only = before


def refuse(name: str) -> None:
    """NotKeptError if nothing may be compiled now."""
    if _only:
        raise NotKeptError(name)
