"""Parts named by where they are, imported when they are first asked for.

A catalog is loaded by every command, also by those that play another game. An offer that says
`make="mpsearch_hearts.game:Hearts"` costs a text; the module, and the tables it builds, are only
imported by who plays.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import attrs

from mpsearch.errors import ContractError

_WHERE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def _is_where(_: Any, attribute: Any, value: str) -> None:
    if not _WHERE.fullmatch(value):
        raise ValueError(f"make '{value}' is not of the form 'package.module:name'")


@attrs.frozen
class Deferred:
    """What `package.module:name` names, called as if it were here."""

    where: str = attrs.field(validator=_is_where)

    def __call__(self, *args: Any, **settings: Any) -> Any:
        return self.find()(*args, **settings)

    def find(self) -> Callable[..., Any]:
        """Import it; ContractError says what is wrong where that fails."""
        module, _, name = self.where.partition(":")
        try:
            found: Callable[..., Any] = getattr(importlib.import_module(module), name)
        except Exception as error:  # a plugin's module may fail in any way
            kind = type(error).__name__
            raise ContractError(f"'{self.where}' cannot be imported: {kind}: {error}") from error
        return found


def deferred(make: str | Callable[..., Any]) -> Callable[..., Any]:
    """A callable as it is; a text as the callable that it names."""
    return Deferred(make) if isinstance(make, str) else make
