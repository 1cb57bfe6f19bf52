"""Actions as text: OpenSpiel's own words in a state, `a17` without one."""

from __future__ import annotations

import re
from collections import Counter

from mpsearch.errors import MoveError
from mpsearch_openspiel.position import Inner

#: Beyond it, numbers are no actions of any game.
_LONGEST = 9
_NUMBER = re.compile(rf"a(\d{{1,{_LONGEST}}})")


def write_action(action: int) -> str:
    """An action in no particular state."""
    return f"a{action}"


def read_action(text: str) -> int:
    """What `write_action` wrote; MoveError if it is something else."""
    found = _NUMBER.fullmatch(text)
    if not found:
        raise MoveError(f"'{text}' is neither a move here nor the number of one, such as a17")
    return int(found[1])


def said(inner: Inner) -> dict[int, str]:
    """What OpenSpiel says for each action in a state; its number is added where that is no name."""
    mover = inner.current_player()
    words = {action: _clean(inner.action_to_string(mover, action)) for action in _actions(inner)}
    times = Counter(words.values())
    return {
        action: text
        if text and times[text] == 1 and not _NUMBER.fullmatch(text)
        else f"{text} (a{action})".strip()
        for action, text in words.items()
    }


def _actions(inner: Inner) -> list[int]:
    if inner.is_terminal():
        return []
    if inner.is_chance_node():
        return [action for action, _ in inner.chance_outcomes()]
    actions: list[int] = inner.legal_actions()
    return actions


def _clean(text: str) -> str:
    """On one line, and without semicolons, which part moves."""
    return " ".join(text.replace(";", ",").split())
