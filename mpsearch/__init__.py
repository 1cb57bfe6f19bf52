"""mpsearch: search in games of three or more players.

The front door, for scripts and notebooks: `table`, `play`, `tournament`, `explain`,
`opponent_impact`, `load_catalog`. For plugins: `hookimpl`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from mpsearch.hookspecs import hookimpl

if TYPE_CHECKING:
    from mpsearch.catalog import load_catalog
    from mpsearch.experiments.tournament import tournament
    from mpsearch.impact.front import opponent_impact
    from mpsearch.table import explain, play, table

__version__ = version("mpsearch")
__all__ = [
    "__version__",
    "explain",
    "hookimpl",
    "load_catalog",
    "opponent_impact",
    "play",
    "table",
    "tournament",
]

#: Where each part of the front door is. Importing a plugin imports this package, so nothing is
#: loaded before somebody asks for it.
_DOORS = {
    "explain": "mpsearch.table",
    "load_catalog": "mpsearch.catalog",
    "opponent_impact": "mpsearch.impact.front",
    "play": "mpsearch.table",
    "table": "mpsearch.table",
    "tournament": "mpsearch.experiments.tournament",
}


def __getattr__(name: str) -> Any:
    if name not in _DOORS:
        raise AttributeError(f"module 'mpsearch' has no attribute '{name}'")
    return getattr(import_module(_DOORS[name]), name)


def __dir__() -> list[str]:
    return __all__
