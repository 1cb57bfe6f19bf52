"""Messages from a browser: validated here, once, and trusted from here on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeGuard

import attrs

from mpsearch.contracts import Option, settle
from mpsearch.errors import UsageError
from mpsearch.match import SEED_BITS

#: The longest text in a message: a move, an agent, an option's value.
LONGEST_TEXT = 1000

#: Says what a field must be, if this value is not that.
Check: TypeAlias = Callable[[Any], str | None]


class MessageError(UsageError):
    """A malformed message."""


def _whole(value: Any) -> str | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
    return None if fits else "a whole number, 0 or more"


def _text(value: Any) -> str | None:
    fits = isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT
    return None if fits else f"a text of 1 to {LONGEST_TEXT} characters"


def _flag(value: Any) -> str | None:
    return None if isinstance(value, bool) else "true or false"


#: The messages of a window at a table: the fields of each type. `ply` in `play` and `undo` is how
#: many plies the sender has seen: a second click must not play into the next turn.
TABLE: dict[str, dict[str, Check]] = {
    "look": {"ply": _whole},
    "play": {"ply": _whole, "move": _text},
    "undo": {"ply": _whole},
    "why": {"ply": _whole},
    "hint": {},
    "leave": {"resign": _flag},
}
#: The messages of a window at the analysis board; `node` is the number of a position.
ANALYSIS: dict[str, dict[str, Check]] = {
    "look": {"node": _whole},
    "try": {"node": _whole, "move": _text},
    "go_on": {"node": _whole, "plies": _whole},
    "remove": {"node": _whole},
    "seat": {"seat": _whole, "agent": _text},
    "think": {"node": _whole},
    "why": {"node": _whole},
    "stop": {},
    "graph": {},
}


def read_message(text: str, kinds: Mapping[str, Mapping[str, Check]]) -> dict[str, Any]:
    """A message of one of these types, with its fields; MessageError says what is wrong."""
    message = read_object(text)
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in kinds:
        raise MessageError(f"type is not one of {', '.join(kinds)}")
    checks = kinds[kind]
    if message.keys() - {"type"} != checks.keys():
        raise MessageError(f"{kind} has the fields {', '.join(checks) or 'none'}")
    for name, check in checks.items():
        if wanted := check(message[name]):
            raise MessageError(f"{name} is not {wanted}")
    return message


def read_object(text: str | bytes) -> dict[str, Any]:
    """A JSON object; MessageError if the text is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("this is not JSON") from None
    if not isinstance(found, dict):
        raise MessageError("this is not a JSON object")
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise MessageError("the text contains an unpaired surrogate") from None
    return found


def read_seat(text: str | None) -> int | None:
    """The seat in an address, if there is one."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):
        raise MessageError("seat is not the number of a seat")
    return int(text)


@attrs.frozen(kw_only=True)
class NewTable:
    """The table that a browser asks for."""

    game: str
    players: int
    options: dict[str, Any]
    #: An agent's text per seat; `human` for a person.
    agents: tuple[str, ...]
    seed: int | None = None


def read_new_table(text: bytes) -> NewTable:
    """The table asked for; MessageError says what is wrong."""
    fields = read_object(text)
    unknown = sorted(set(fields) - {field.name for field in attrs.fields(NewTable)})
    if unknown:
        raise MessageError(f"a table has no {unknown[0]}")
    agents: Any = fields.get("agents")
    if not are_texts(agents) or not are_texts([fields.get("game")]):
        raise MessageError(
            "a table needs a game and an agent's text for each seat, "
            f"each of {LONGEST_TEXT} characters at most"
        )
    options = fields.get("options", {})
    if not isinstance(options, dict) or not are_texts(list(options.values())):
        raise MessageError("options are texts by name")
    players = Option(name="players", kind=int, default=len(agents), least=2, greatest=64)
    given = {} if fields.get("players") is None else {"players": fields["players"]}
    return NewTable(
        game=fields["game"],
        options=options,
        agents=tuple(agents),
        seed=_seed(fields.get("seed")),
        **settle((players,), given, owner="table"),
    )


def _seed(given: Any) -> int | None:
    """A seed as a number or, because JavaScript has no long ones, as text."""
    if given is None:
        return None
    text = str(given) if isinstance(given, (int, str)) and not isinstance(given, bool) else ""
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(1 << SEED_BITS))
    if not digits or int(text) >> SEED_BITS:
        raise MessageError(
            f"table: seed={text[:60]} is not a whole number from 0 to 2**{SEED_BITS} - 1"
        )
    return int(text)


def are_texts(value: Any, *, most: int = 64, longest: int = LONGEST_TEXT) -> TypeGuard[list[str]]:
    """Whether a value is a list of at most so many texts, none of them too long."""
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(isinstance(text, str) and len(text) <= longest for text in value)
    )
