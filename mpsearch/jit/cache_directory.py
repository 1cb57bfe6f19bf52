"""The folder in which machine code is kept: it must be the user's own.

An entry is a pickle, and reading a pickle can run anything. So a folder or file that belongs to
somebody else, or that others may write to, is never read.
"""

from __future__ import annotations

import functools
import logging
import os
import stat
import sys
from pathlib import Path

log = logging.getLogger("mpsearch")


def cache_folder() -> Path | None:
    """Where machine code is kept: `MPSEARCH_CACHE`, or the user's cache folder if there is one."""
    given = os.environ.get("MPSEARCH_CACHE")
    if given:
        return Path(given)
    try:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # no HOME, and a user without an entry
        return None
    return Path(base) / "mpsearch"


def objection(path: Path, status: os.stat_result) -> str | None:
    """Why what lies in a cache is not to be trusted, and how to mend it; None if it is."""
    if os.name != "posix":
        return None
    if status.st_uid != os.geteuid():
        return f"{path} belongs to another user; set MPSEARCH_CACHE to a folder of your own"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{path} can be written by others; fix it with 'chmod go-w {path}'"
    return None


@functools.cache
def warn_once(what: str) -> None:
    log.warning("machine code is not cached: %s", what)


def trusted_folder() -> Path | None:
    """The cache folder, made if need be; None if there is none that only the user can write."""
    folder = cache_folder()
    if folder is None:
        warn_once("there is no home folder; set MPSEARCH_CACHE to a folder of your own")
        return None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        problem = objection(folder, folder.stat())
    except OSError as error:
        log.debug("the cache folder cannot be created: %s", error)
        return None
    if problem is not None:
        warn_once(problem)
        return None
    return folder
