"""Options: named, typed settings that users write as key=value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from mpsearch._util import cut, instead
from mpsearch.errors import UsageError

_YES = {"yes": True, "true": True, "on": True, "1": True}
_NO = {"no": False, "false": False, "off": False, "0": False}
#: The range of 64-bit integers.
_LEAST_WHOLE, _GREATEST_WHOLE = -(2**63), 2**63 - 1
#: Larger numbers would only lead to infinities and NaN.
_GREATEST = 1e15
#: Longer texts are cut in messages.
_SHOWN = 60
_KINDS = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text"}


def _known_kind(_: Any, attribute: Any, kind: type) -> None:
    if kind not in _KINDS:
        raise TypeError(f"an option's kind is one of int, float, bool, str, not {kind!r}")


def _text(_: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{attribute.name} is a text, not {value!r}")


@attrs.frozen(kw_only=True)
class Option:
    """One setting: its name, kind, default and range."""

    name: str = attrs.field(validator=_text)
    kind: type = attrs.field(validator=_known_kind)
    default: Any
    help: str = ""
    choices: tuple[Any, ...] = ()
    #: The suffix of files that can be given instead of a choice, such as `.toml`.
    files: str = attrs.field(default="", validator=_text)
    least: float | None = None
    greatest: float | None = None
    #: An example where the default says little, such as an infinite threshold.
    sample: Any = None

    @classmethod
    def whole(cls, name: str, default: int | None, **more: Any) -> Option:
        """A whole number: `Option.whole("k", 5, least=1, help="how many moves count")`."""
        return cls(name=name, kind=int, default=default, **more)

    @classmethod
    def number(cls, name: str, default: float | None, **more: Any) -> Option:
        """Any number."""
        return cls(name=name, kind=float, default=default, **more)

    @classmethod
    def text(cls, name: str, default: str | None, **more: Any) -> Option:
        """A text, or one of several `choices`."""
        return cls(name=name, kind=str, default=default, **more)

    @classmethod
    def flag(cls, name: str, default: bool, **more: Any) -> Option:
        """Yes or no."""
        return cls(name=name, kind=bool, default=default, **more)

    @property
    def confined(self) -> Option:
        """The same without files, for remote users."""
        return attrs.evolve(self, files="")

    def read(self, text: Any, *, owner: str) -> Any:
        """The value of a user's text, or of a value from Python; UsageError if it does not fit."""
        value = self._convert(text)
        what = f"{owner}: {self.name}={cut(str(text), _SHOWN)}"
        if value is None or not self._fits(value):
            raise UsageError(f"{what} is not {self.wanted()}")
        if self.kind is int and not _LEAST_WHOLE <= value <= _GREATEST_WHOLE:
            raise UsageError(f"{what} does not fit in 64 bits")
        if self.kind is float and _GREATEST < abs(value) < math.inf:
            raise UsageError(f"{what} is beyond {_GREATEST:g}")
        return value

    def write(self, value: Any) -> str:
        """The text of a value, which `read` inverts."""
        if self.kind is bool:
            return "yes" if value else "no"
        return f"{value:g}" if self.kind is float and float(f"{value:g}") == value else str(value)

    @property
    def telling(self) -> Any:
        """The sample or else the default; None if neither is informative."""
        if self.sample is not None:
            return self.sample
        return None if self.default == "" else self.default

    @property
    def example(self) -> Any:
        """An example of a value."""
        if self.telling is not None:
            return self.telling
        if self.choices:
            return self.choices[0]
        return {int: int(self.least or 1), float: self.least or 1.0}.get(self.kind, "...")

    def wanted(self) -> str:
        """What a value must be, in words."""
        if self.choices:
            names = ", ".join(self.write(choice) for choice in self.choices)
            return f"one of {names}" + (f", or a {self.files} file" if self.files else "")
        words = _KINDS[self.kind]
        if self.least is not None and self.greatest is not None:
            return f"{words} from {self.least:.16g} to {self.greatest:.16g}"
        if self.least is not None:
            return f"{words}, {self.least:.16g} or more"
        if self.greatest is not None:
            return f"{words}, {self.greatest:.16g} or less"
        return words

    def _convert(self, text: Any) -> Any:
        meant = {**_YES, **_NO}.get(str(text).lower())
        if self.kind is bool:
            return meant
        if meant is not None and {"yes", "no"} <= set(self.choices):
            return "yes" if meant else "no"
        if isinstance(text, bool):
            return None
        if self.kind is int and isinstance(text, float):
            return int(text) if text.is_integer() else None
        try:
            return self.kind(text)
        except (TypeError, ValueError):
            return None

    def _fits(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices or bool(self.files and str(value).endswith(self.files))
        if self.kind in (int, float):
            # Infinity is allowed only where it is the default, such as an infinite threshold.
            if value != value or (abs(value) == math.inf and self.default != math.inf):
                return False
            above = self.least is None or value >= self.least
            return above and (self.greatest is None or value <= self.greatest)
        return True


def whole_number(text: str) -> int | None:
    """The non-negative 64-bit integer with these decimal digits; None if it is none."""
    # Longer texts are not converted: Python is slow with them, or raises.
    if not text.isdecimal() or len(text) > len(str(_GREATEST_WHOLE)):
        return None
    number = int(text)
    return number if number <= _GREATEST_WHOLE else None


def settle(options: Iterable[Option], given: Mapping[str, Any], *, owner: str) -> dict[str, Any]:
    """The value of every option: the given one, checked, or the default."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            there = instead(name, known) if known else "it has no options"
            raise UsageError(f"{owner}: unknown option '{name}'; {there}")
    return {
        name: option.read(given[name], owner=owner) if name in given else option.default
        for name, option in known.items()
    }
