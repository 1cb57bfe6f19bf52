"""TOML files whose errors name the key and its line."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from mpsearch.contracts import instead
from mpsearch.errors import UsageError

_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(
    r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)

#: Far more than any design needs; an endless file, such as a device, is refused.
MOST_BYTES, DEEPEST = 2**20, 32


class TomlFile:
    """The values of a file, and the line of each key."""

    def __init__(self, text: str, *, name: str) -> None:
        self.text = text
        self.name = name
        try:
            self.values: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{name}: not TOML: {error}") from None
        except RecursionError:
            raise _too_deep(name) from None
        if _depth(self.values) > DEEPEST:
            raise _too_deep(name)

    def fail(self, key: str, what: str) -> NoReturn:
        """UsageError about a key, written with dots: `arms.maxn`."""
        where = self.line(key)
        place = self.name if where is None else f"{self.name}:{where}"
        raise UsageError(f"{place}: {key}: {what}")

    def line(self, key: str) -> int | None:
        """The line of a key, or of the table it would be in; None if there is none.

        The standard parser does not say, so the text is scanned again.
        """
        path = tuple(key.split("."))
        found: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(self.text.splitlines(), start=1):
            if header := _HEADER.match(line):
                table = _names(header[1])
                found.setdefault(table, number)
            elif entry := _KEY.match(line):
                found.setdefault((*table, *_names(entry[1])), number)
        while path and path not in found:
            path = path[:-1]
        return found.get(path)

    def check_keys(self, known: Sequence[str]) -> None:
        """UsageError for an unknown key at the top level, with the nearest known one."""
        for key in self.values:
            if key not in known:
                self.fail(key, f"unknown key; {instead(key, known)}")


def _too_deep(name: str) -> UsageError:
    return UsageError(f"{name}: tables or lists nested more than {DEEPEST} deep")


def _depth(values: Any) -> int:
    """The nesting depth of tables and lists, counted up to DEEPEST + 1."""
    level, layer = 0, [values]
    while layer and level <= DEEPEST:
        level += 1
        inner = [v.values() if isinstance(v, dict) else v for v in layer]
        layer = [v for part in inner for v in part if isinstance(v, (dict, list))]
    return level


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def read_toml(path: Path) -> TomlFile:
    """Read a file; UsageError says what is wrong."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise UsageError(f"{path} is not a design: it has more than {MOST_BYTES} bytes")
        text = content.decode("utf-8").replace("\r\n", "\n")
        return TomlFile(text, name=str(path))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"{path} cannot be read: {why}") from None


def toml_text(values: Mapping[str, Any]) -> str:
    """TOML with these values: texts, numbers, lists, and tables of them."""
    lines = [f"{_key(k)} = {_written(v)}" for k, v in values.items() if not isinstance(v, dict)]
    for name, table in values.items():
        if isinstance(table, dict):
            lines += ["", f"[{_key(name)}]"]
            lines += [f"{_key(key)} = {_written(value)}" for key, value in table.items()]
    return "\n".join([*lines, ""])


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else _written(name)


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(k)} = {_written(v)}' for k, v in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, float):
        return repr(value)  # as JSON, but for numbers without end
    return json.dumps(value, ensure_ascii=False)
