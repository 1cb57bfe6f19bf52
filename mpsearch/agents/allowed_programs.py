"""Allowed programs: the commands that agents may run, as the person at the command line said.

An agent's text may come from a record, a store, a file or a browser. None of them may make this
machine run a command: only what was allowed in this process, or by whoever started it, is run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from mpsearch.agents.text import is_program, read_agent
from mpsearch.errors import UsageError

#: Worker processes inherit it. A JSON list of commands.
VARIABLE = "MPSEARCH_PROGRAMS"


def allow_program(command: str) -> None:
    """Let agents run this command, word for word, in this process and those that it starts."""
    allowed = allowed_programs()
    if command not in allowed:
        os.environ[VARIABLE] = json.dumps([*allowed, command])


def allowed_programs() -> list[str]:
    """The commands that may be run."""
    try:
        found = json.loads(os.environ.get(VARIABLE, "[]"))
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(entry, str) for entry in found):
        raise UsageError(f"{VARIABLE} is not a JSON list of commands")
    return found


def check_agents(texts: Iterable[str]) -> None:
    """UsageError if one of these agents' texts names a command that was not allowed."""
    for text in texts:
        if is_program(text) and (command := read_agent(text).program) is not None:
            check_program(command)


def check_program(command: str) -> None:
    """UsageError unless the command was allowed."""
    if command not in allowed_programs():
        raise UsageError(
            f"program '{command}' is not allowed; --allow-program '{command}' allows it"
        )
