"""Allowed programs: the commands that agents may run.

An agent's text may come from a record, a store, a file or a browser, and none of them may make this
machine run a command: only those allowed in this process, or by its parent, are run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from mpsearch.agents.text import is_program, read_agent
from mpsearch.errors import UsageError

#: A JSON list of commands; worker processes inherit it.
VARIABLE = "MPSEARCH_PROGRAMS"


def allow_program(command: str) -> None:
    """Let agents run exactly this command, in this process and its children."""
    allowed = allowed_programs()
    if command not in allowed:
        os.environ[VARIABLE] = json.dumps([*allowed, command])


def allowed_programs() -> list[str]:
    try:
        found = json.loads(os.environ.get(VARIABLE, "[]"))
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(entry, str) for entry in found):
        raise UsageError(f"{VARIABLE} is not a JSON list of commands")
    return found


def check_agents(texts: Iterable[str]) -> None:
    """UsageError if one of these agents names a command that is not allowed."""
    for text in texts:
        if is_program(text) and (command := read_agent(text).program) is not None:
            check_program(command)


def check_program(command: str) -> None:
    if command not in allowed_programs():
        raise UsageError(
            f"program '{command}' is not allowed; --allow-program '{command}' allows it"
        )
