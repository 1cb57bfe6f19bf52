"""Warm-up: compile a game and its agents ahead of time.

`warm_up` compiles in this process. `warm_up_elsewhere` lets a child process do it at low priority,
while this one runs as plain Python. A small file in the cache, named by a digest of everything that
matters, says that all is compiled, so that numba need not be imported to find out.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib.metadata
import importlib.util
import itertools
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import attrs

from mpsearch.agents import is_program, read_agent
from mpsearch.api.game_table import Table, table_of
from mpsearch.jit import cache_folder, compile_elsewhere, jit_enabled, trusted_folder
from mpsearch.match import Setting, natively_at_once
from mpsearch.plugins import installed

#: Plies that are played so that everything agents use is compiled.
_PLIES = 12
#: Seconds per ply for agents that would look deeper than this many plies.
_BRIEF_SECONDS = 0.1
_BRIEF_DEPTH = 2
_COMPILER = ("numba", "llvmlite", "numpy")
#: The child process that compiles, if there is one.
_children: list[subprocess.Popen[bytes]] = []


def warm_up(setting: Setting) -> None:
    """Compile what a game and its agents use, by playing its beginning and one random game."""
    table = table_of(setting)
    if not jit_enabled() or table.game.rules is None:
        return
    brief = attrs.evolve(setting, agents=tuple(map(_briefly, setting.agents)))
    with natively_at_once():
        for _ in itertools.islice(table.plies(brief), _PLIES):
            pass
        table.play("random", seed=setting.seed)
    _mark(table, setting.agents)


def _briefly(text: str) -> str:
    """An agent that compiles the same code and thinks only briefly."""
    if is_program(text):
        return text
    agent = read_agent(text)
    settings = dict(agent.settings)
    if "time" in settings or int(settings.get("depth", 1)) > _BRIEF_DEPTH:
        seconds = min(float(settings.get("time", _BRIEF_SECONDS)), _BRIEF_SECONDS)
        agent = agent.with_settings({"time": seconds})
    return str(agent)


def warm_up_elsewhere(table: Table, agents: Iterable[str]) -> bool:
    """Let a child process compile, if that is needed; whether it does.

    Until it ends, this process runs as plain Python. Without a cache nothing could be passed on.
    """
    texts = tuple(text for text in dict.fromkeys(agents) if not is_program(text))
    if not jit_enabled() or table.game.rules is None or not texts or is_warm(table, texts):
        return False
    if trusted_folder() is None or table.catalog is not installed():
        return False
    if any(child.poll() is None for child in _children):
        return False  # one at a time: the next caller compiles by itself
    words = ["warm", table.name, "--players", str(table.players), "--nice", "10"]
    for name, value in table.options.items():
        text = ("no", "yes")[value] if isinstance(value, bool) else value
        words += ["--option", f"{name}={text}"]
    for text in texts:
        words += ["--agent", text]
    command = [sys.executable, "-m", "mpsearch", *words]
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _children[:] = [child]
    atexit.register(child.kill)
    compile_elsewhere(table.game.rules, child.wait)
    return True


def is_warm(table: Table, agents: Iterable[str]) -> bool:
    """Whether everything that these agents need is in the cache."""
    folder = cache_folder()
    return folder is not None and all((folder / _name(table, text)).exists() for text in agents)


def _mark(table: Table, agents: Iterable[str]) -> None:
    folder = trusted_folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            for text in agents:
                (folder / _name(table, text)).touch(mode=0o600)


def _name(table: Table, agent: str) -> str:
    """The file which says that an agent is compiled for this table."""
    plugin = table.catalog.origin[table.name].module.partition(":")[0].partition(".")[0]
    about = (sys.version, _versions(), str(table), agent, _sources("mpsearch"), _sources(plugin))
    settings = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") or name == "MPSEARCH_CHECK"
    )
    digest = hashlib.sha256(repr((about, settings)).encode()).hexdigest()
    return f"warm-{digest[:40]}"


@functools.cache
def _versions() -> list[str]:
    return [importlib.metadata.version(name) for name in _COMPILER]


# Once a process: a server asks for every table, and looking at all files takes 20 ms.
@functools.cache
def _sources(package: str) -> list[tuple[str, int, int]]:
    """Names, sizes and times of a package's files."""
    found = importlib.util.find_spec(package)
    folders = [] if found is None else list(found.submodule_search_locations or ())
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
    return [(str(file), (s := file.stat()).st_size, s.st_mtime_ns) for file in files]
