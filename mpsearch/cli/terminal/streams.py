"""Standard streams, which may be closed, or unable to print some characters."""

from __future__ import annotations

import codecs
import io
import os
import sys

from mpsearch._util import printable as printable

#: ASCII replacements for the characters of pictures.
_PLAIN = str.maketrans("·∙∘◦─│┌┐└┘━┃═║▶★♠♣♥♦▁▂▃▄▅▆▇█", ".:o,-|++++=H##>*SCHD01234567")


def open_streams() -> None:
    """Make sure that every standard stream exists, and can print any character somehow."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            # The lowest free number is the closed stream's own: nothing else may get it.
            file = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115  # for good
            if file.fileno() != number:
                os.dup2(file.fileno(), number)
            setattr(sys, name, file)
    codecs.register_error("mpsearch-plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="mpsearch-plain")


def at_terminal() -> bool:
    """Whether a person can be asked. Notebooks run `!commands` in a terminal that nobody sees."""
    return sys.stdin.isatty() and "JPY_PARENT_PID" not in os.environ


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The error handler of our streams: a similar character, or else an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end
