"""Views as one line of JSON, for engines in other processes.

A tuple is a list, bytes are `{"bytes": "00ff"}`, a frozen set is `{"set": [...]}`, and a record is
its class name with its fields in order, `{"Position": [...]}`. Reading creates only records that
the game's own module knows.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

import attrs
import numpy as np

from mpsearch.errors import UsageError

_BYTES, _SET = "bytes", "set"


def write_value(owner: object, value: Any) -> str:
    """The text of a value of the game `owner`."""
    return json.dumps(_plain(owner, value), ensure_ascii=False, separators=(",", ":"))


def read_value(owner: object, text: str) -> Any:
    """The value that `write_value` wrote; UsageError if it is none."""
    try:
        return _value(owner, json.loads(text))
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"this is not a view of {type(owner).__name__}: {error}") from None


def _plain(owner: object, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, bytes):
        return {_BYTES: value.hex()}
    if isinstance(value, frozenset):
        return {_SET: sorted((_plain(owner, entry) for entry in value), key=json.dumps)}
    kind = type(value)
    if kind is tuple:
        return [_plain(owner, entry) for entry in value]
    names = _fields(kind)
    if names is None or _class(owner, kind.__name__) is not kind:
        raise UsageError(
            f"{type(owner).__name__} cannot write a view: a {kind.__name__} has no text of "
            "its own; its author may define `write_view` and `read_view`"
        )
    return {kind.__name__: [_plain(owner, getattr(value, name)) for name in names]}


def _value(owner: object, plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(owner, entry) for entry in plain)
    if not isinstance(plain, dict):
        return plain
    if len(plain) != 1:
        raise ValueError(f"{sorted(plain)} is not one name")
    ((name, inner),) = plain.items()
    if name == _BYTES:
        return bytes.fromhex(inner)
    if name == _SET:
        return frozenset(_value(owner, entry) for entry in inner)
    kind = _class(owner, name)
    names = None if kind is None else _fields(kind)
    if kind is None or names is None or len(names) != len(inner):
        raise ValueError(f"{name} with {len(inner)} fields is not known")
    values = [_value(owner, entry) for entry in inner]
    if hasattr(kind, "_fields"):
        return kind(*values)
    aliases = {f.name: f.alias for f in attrs.fields(kind)} if attrs.has(kind) else {}
    given = {aliases.get(n, n): v for n, v in zip(names, values, strict=True)}
    return kind(**given)


def _fields(kind: type) -> list[str] | None:
    """The fields of a record that count for equality; None if it is no record."""
    if issubclass(kind, tuple):
        return list(kind._fields) if hasattr(kind, "_fields") else None
    if attrs.has(kind):
        return [field.name for field in attrs.fields(kind) if field.eq and field.init]
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind) if field.compare and field.init]
    return None


def _class(owner: object, name: str) -> Any:
    """The record class of that name in the modules of the owner's classes."""
    for base in type(owner).__mro__:
        found = getattr(sys.modules.get(base.__module__), name, None)
        if isinstance(found, type) and _fields(found) is not None:
            return found
    return None
