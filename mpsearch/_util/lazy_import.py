"""Lazy imports: parts named by their module, and optional packages.

Every command loads the catalog. An offer with `make="mpsearch_hearts.game:Hearts"` costs only a
string; the module and its tables are imported when the game is played.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import attrs

from mpsearch.errors import ContractError, MpsearchError

_WHERE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def _is_where(_: Any, attribute: Any, value: str) -> None:
    if not _WHERE.fullmatch(value):
        raise ValueError(f"make '{value}' is not of the form 'package.module:name'")


@attrs.frozen
class Deferred:
    """A callable `package.module:name`, imported when it is first called."""

    where: str = attrs.field(validator=_is_where)

    def __call__(self, *args: Any, **settings: Any) -> Any:
        return self.find()(*args, **settings)

    def find(self) -> Callable[..., Any]:
        """Import it; ContractError if that fails."""
        module, _, name = self.where.partition(":")
        try:
            found: Callable[..., Any] = getattr(importlib.import_module(module), name)
        except Exception as error:  # a plugin's module may fail in any way
            kind = type(error).__name__
            raise ContractError(f"'{self.where}' cannot be imported: {kind}: {error}") from error
        return found


def deferred(make: str | Callable[..., Any]) -> Callable[..., Any]:
    """The callable itself, or the one that a text names."""
    return Deferred(make) if isinstance(make, str) else make


def optional_import(module: str, *, by: str, extra: str) -> Any:
    """Import a module that an extra of mpsearch installs; MpsearchError says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MpsearchError(
            f"{by} needs the package {package}: pip install 'mpsearch[{extra}]'"
        ) from None
