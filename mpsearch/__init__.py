"""mpsearch: search in games of three or more players.

The front door, for scripts and notebooks: `table`, `play`, `tournament`, `explain`,
`opponent_impact`, `review`, `load_catalog`. For plugins: `hookimpl`, `add_plugin`.
"""

from __future__ import annotations

# Not from `typing`: Ctrl-C during an import shows Python's traceback, so this one imports nothing.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mpsearch.api import explain as explain
    from mpsearch.api import play as play
    from mpsearch.api import table as table
    from mpsearch.experiments import tournament as tournament
    from mpsearch.plugins import add_plugin as add_plugin
    from mpsearch.plugins import hookimpl as hookimpl
    from mpsearch.plugins import load_catalog as load_catalog
    from mpsearch.studies.impact import opponent_impact as opponent_impact
    from mpsearch.studies.review import review as review

    __version__: str

#: Where everything is. Imported by those who ask for it: importing a plugin imports this package,
#: and so does the command line before it can tell people anything.
_HOMES = {
    "add_plugin": "mpsearch.plugins",
    "explain": "mpsearch.api",
    "hookimpl": "mpsearch.plugins",
    "load_catalog": "mpsearch.plugins",
    "opponent_impact": "mpsearch.studies.impact",
    "play": "mpsearch.api",
    "review": "mpsearch.studies.review",
    "table": "mpsearch.api",
    "tournament": "mpsearch.experiments",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        # Found once: it is read from a file, and stands in every record.
        globals()[name] = version("mpsearch")
        return globals()[name]
    raise AttributeError(f"module 'mpsearch' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
