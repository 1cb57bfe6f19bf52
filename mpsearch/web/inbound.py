"""Messages from a browser: checked here once, and trusted from here on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar, cast

import attrs

from mpsearch.contracts import Option, settle
from mpsearch.errors import UsageError
from mpsearch.match import SEED_BITS

#: A move's text is never longer than this.
LONGEST_MOVE = 1000


class MessageError(UsageError):
    """A message that is not one of those below."""


def check_number(_: Any, attribute: Any, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
        raise MessageError(f"{attribute.name} is not a whole number, 0 or more")


def check_move(_: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_MOVE:
        raise MessageError("move is not a text of 1 to 1000 characters")


@attrs.frozen(kw_only=True)
class Look:
    """Show the position after so many plies."""

    ply: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Play:
    """Make this move, as ply number `ply`: a second click must not play into the next turn."""

    ply: int = attrs.field(validator=check_number)
    move: str = attrs.field(validator=check_move)


@attrs.frozen(kw_only=True)
class Undo:
    """Take back the moves since one's last, when so many plies have been played."""

    ply: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Why:
    """Explain the decision that was ply number `ply`."""

    ply: int = attrs.field(validator=check_number)


@attrs.frozen(kw_only=True)
class Hint:
    """Say what others would do here."""


def _flag(_: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, bool):
        raise MessageError(f"{attribute.name} is not true or false")


@attrs.frozen(kw_only=True)
class Leave:
    """Let an agent play on in one's place, because one gives up or has to go."""

    resign: bool = attrs.field(validator=_flag)


Message: TypeAlias = Look | Play | Undo | Why | Hint | Leave

#: What a window at a table may send.
TABLE: dict[str, type[Message]] = {
    "look": Look,
    "play": Play,
    "undo": Undo,
    "why": Why,
    "hint": Hint,
    "leave": Leave,
}

T = TypeVar("T")


def read_message(text: str, kinds: Mapping[str, type[T]]) -> T:
    """The message of one of these kinds that a text stands for; MessageError says what is wrong."""
    fields = read_object(text)
    name = fields.pop("type", None)
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise MessageError(f"type is not one of {', '.join(kinds)}")
    names = [field.name for field in attrs.fields(cast(Any, kind))]
    if sorted(fields) != sorted(names):
        raise MessageError(f"{kind.__name__.lower()} has the fields {', '.join(names) or 'none'}")
    return kind(**fields)


def read_object(text: str | bytes) -> dict[str, Any]:
    """A JSON object; MessageError if it is none."""
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
    """A seat in an address; None where there is none."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):
        raise MessageError("seat is not the number of a seat")
    return int(text)


@attrs.frozen(kw_only=True)
class NewTable:
    """What a browser asks for when it sets a table."""

    game: str
    players: int
    options: dict[str, Any]
    #: An agent's text per seat; `human` for a person.
    agents: tuple[str, ...]
    seed: int | None = None


def read_new_table(text: bytes) -> NewTable:
    """The table that is asked for; MessageError says what is wrong."""
    fields = read_object(text)
    unknown = sorted(set(fields) - {field.name for field in attrs.fields(NewTable)})
    if unknown:
        raise MessageError(f"a table has no {unknown[0]}")
    agents: Any = fields.get("agents")
    if not _texts(agents) or not _texts([fields.get("game")]):
        raise MessageError(
            "a table needs a game and an agent's text for each seat, "
            f"each of {LONGEST_MOVE} characters at most"
        )
    options = fields.get("options", {})
    if not isinstance(options, dict) or not _texts(list(options.values())):
        raise MessageError("options are texts by name")
    players = Option(name="players", kind=int, default=len(agents), least=2, greatest=64)
    given = {} if fields.get("players") is None else {"players": fields["players"]}
    numbers = settle((players,), given, owner="table")
    seed = _seed(fields.get("seed"))
    return NewTable(
        game=fields["game"], options=options, agents=tuple(agents), seed=seed, **numbers
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


def _texts(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= 64
        and all(isinstance(text, str) and len(text) <= LONGEST_MOVE for text in value)
    )
