"""mpsearch: search in games of three or more players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mpsearch.catalog import load_catalog
    from mpsearch.hookspecs import hookimpl

    __version__: str

__all__ = ["__version__", "hookimpl", "load_catalog"]


def __getattr__(name: str) -> Any:
    # Imported by those who ask for it: importing a plugin imports this package, and so does the
    # command line before it can tell people anything.
    if name == "hookimpl":
        from mpsearch.hookspecs import hookimpl

        return hookimpl
    if name == "load_catalog":
        from mpsearch.catalog import load_catalog

        return load_catalog
    if name == "__version__":
        from importlib.metadata import version

        return version("mpsearch")
    raise AttributeError(f"module 'mpsearch' has no attribute '{name}'")
