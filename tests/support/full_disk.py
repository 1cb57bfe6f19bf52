"""A disk on which files cannot grow."""

import contextlib
import resource
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Files end after so many bytes. No bytecode is written: cut off, it would break what comes."""
    usual, kept = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        sys.dont_write_bytecode = kept
