"""The command line. Commands have no logic of their own; they call the layers below."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from mpsearch.errors import MpsearchError, UsageError


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 2 wrong usage, 1 any other failure."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run one command; its exit code. An error is one or two lines, never a traceback."""
    from typer.main import get_command

    from mpsearch.cli.app import make_app

    _show_notices()
    try:
        result = get_command(make_app(arguments)).main(
            args=arguments, prog_name="mpsearch", standalone_mode=False
        )
        return result if isinstance(result, int) else 0
    except UsageError as error:
        return _fail(str(error), 2)
    except MpsearchError as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return _fail("interrupted", 1)
    except BrokenPipeError:
        # Whoever read our output has gone; nothing more can be said to them.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if os.environ.get("MPSEARCH_DEBUG"):
            raise
        return _unexpected(error)


def _unexpected(error: Exception) -> int:
    # typer brings its own copy of click: its errors are known by what they can do.
    message: Any = getattr(error, "format_message", None)
    if message is not None:
        context: Any = getattr(error, "ctx", None)
        hint = f"; see '{context.command_path} --help'" if context is not None else ""
        return _fail(f"{message().rstrip('.')}{hint}", 2)
    if type(error).__name__ == "Abort":
        return _fail("interrupted", 1)
    return _fail(
        f"unexpected {type(error).__name__}: {error}\nset MPSEARCH_DEBUG=1 to see where", 1
    )


def _fail(message: str, code: int) -> int:
    print(f"mpsearch: {message}", file=sys.stderr)
    return code


def _show_notices() -> None:
    """Notices such as 'compiling ...' go to standard error, one line each."""
    log = logging.getLogger("mpsearch")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(message)s"))
        log.addHandler(handler)
        log.setLevel(os.environ.get("MPSEARCH_LOG", "INFO").upper())
