"""The command line. Commands have no logic of their own; they call the layers below.

Signals are handled only once this module is imported, so it imports nothing heavy.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any

from mpsearch.cli import signals as interrupt
from mpsearch.cli.terminal.streams import open_streams, printable
from mpsearch.errors import MpsearchError, UsageError

#: The exit code after Ctrl-C, as shells count it.
INTERRUPTED = 130
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 2 wrong usage, 1 any other failure, 128 + n by signal n."""
    open_streams()
    if "_MPSEARCH_COMPLETE" in os.environ:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the shell that asks handles it
    else:
        interrupt.watch()
    code = interrupt.exit_code(run(sys.argv[1:] if arguments is None else arguments))
    sys.exit(_flushed(code))


def run(arguments: list[str]) -> int:
    """Run one command; its exit code. An error is one or two lines, never a traceback."""
    try:
        _check_words(arguments)
        return _run(arguments or ["--help"])
    except MpsearchError as error:
        if error.__cause__ is not None and os.environ.get("MPSEARCH_DEBUG"):
            raise
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except OSError as error:
        return _output_failed(error)
    except Exception as error:
        return _unexpected(error)


def _check_words(arguments: list[str]) -> None:
    """UsageError for what no name can contain; no shell passes it on, but programs may."""
    for word in arguments:
        try:
            os.fsencode(word)
        except UnicodeEncodeError:
            raise UsageError(f"{word!a} is not valid text") from None
        if "\0" in word:
            raise UsageError(f"{word!a} contains a NUL character")


def _run(arguments: list[str]) -> int:
    from typer.main import get_command

    from mpsearch.cli.app import make_app
    from mpsearch.cli.completion import better_scripts, prepare

    _show_notices()
    better_scripts()
    typed = prepare(os.environ)  # by a shell that asks for completions
    result = get_command(make_app(arguments if typed is None else typed)).main(
        args=arguments, prog_name="mpsearch", standalone_mode=False
    )
    if result == INTERRUPTED:  # typer turns a KeyboardInterrupt into this, silently
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _unexpected(error: Exception) -> int:
    # typer brings its own copy of click: its errors are known by their methods.
    message: Any = getattr(error, "format_message", None)
    if message is not None:
        context: Any = getattr(error, "ctx", None)
        hint = f"; see '{context.command_path} --help'" if context is not None else ""
        return _fail(f"{message().rstrip('.')}{hint}", 2)
    if type(error).__name__ == "Abort":
        return _fail("interrupted", INTERRUPTED)
    if os.environ.get("MPSEARCH_DEBUG"):
        raise error
    from mpsearch.plugins import plugin_fault

    what = plugin_fault(error) or f"unexpected {type(error).__name__}: {error}"
    return _fail(f"{what}\nset MPSEARCH_DEBUG=1 for a traceback", 1)


def _flushed(code: int) -> int:
    """The exit code, once all output has been written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return _output_failed(error)
    return code


def _output_failed(error: OSError) -> int:
    if error.filename is not None:
        if os.environ.get("MPSEARCH_DEBUG"):
            raise error
        return _fail(f"{error.filename}: {error.strerror}", 1)
    # Nothing more can be printed, and Python must not try at exit.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # for good
    if isinstance(error, BrokenPipeError):
        return 1  # the reader has gone, and knows
    return _fail(f"standard output cannot be written: {error.strerror}", 1)


def _fail(message: str, code: int) -> int:
    lines = [printable(line) for line in message.split("\n")]
    print("mpsearch: " + "\n".join(lines), file=sys.stderr)
    return code


def _show_notices() -> None:
    """Notices such as 'compiling ...' go to standard error, one line each."""
    import logging

    log = logging.getLogger("mpsearch")
    wanted = os.environ.get("MPSEARCH_LOG", "INFO").upper()
    if wanted not in _LEVELS:
        raise UsageError(f"MPSEARCH_LOG={wanted} is not one of {', '.join(_LEVELS)}")
    if not log.handlers:

        class Notices(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                with contextlib.suppress(OSError, ValueError):
                    print(self.format(record), file=sys.stderr, flush=True)

        log.addHandler(Notices())
        log.setLevel(wanted)
