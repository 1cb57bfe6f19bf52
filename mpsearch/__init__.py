"""mpsearch: search in games of three or more players."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from mpsearch.hookspecs import hookimpl

__version__ = version("mpsearch")
__all__ = ["__version__", "hookimpl", "load_catalog"]


def __getattr__(name: str) -> Any:
    # Importing a plugin imports this package: the catalog is only loaded by who asks for it.
    if name == "load_catalog":
        from mpsearch.catalog import load_catalog

        return load_catalog
    raise AttributeError(f"module 'mpsearch' has no attribute '{name}'")
