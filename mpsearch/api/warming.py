"""Warm-up: what a game and its agents need is compiled and kept before somebody waits for it.

`warm_up` compiles in this process. `warm_up_elsewhere` lets a child process do it at low priority,
while this one goes on as plain Python. That everything is kept already is known from a small file
in the cache, named by all that decides it, so that numba need not be imported to find out.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import itertools
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

from mpsearch.agents import AgentText, is_program, read_agent
from mpsearch.api.game_table import Table, table_of
from mpsearch.jit import cache_folder, compile_elsewhere, jit_enabled, trusted_folder
from mpsearch.match import Setting
from mpsearch.plugins import installed

#: Plies that are played to have everything compiled that agents use.
_PLIES = 12
#: Seconds that agents have for each, if they would look deeper than so many plies.
_BRIEF_SECONDS = 0.1
_BRIEF_DEPTH = 2
_COMPILER = ("numba", "llvmlite", "numpy")
#: The child process that compiles, if any does.
_children: list[subprocess.Popen[bytes]] = []


def warm_up(setting: Setting) -> None:
    """Play the beginning of a game, and one at random to its end: what they call is then kept."""
    table = table_of(setting)
    if not jit_enabled() or table.game.rules is None:
        return
    brief = attrs.evolve(setting, agents=tuple(map(_briefly, setting.agents)))
    for _ in itertools.islice(table.plies(brief), _PLIES):
        pass
    table.play("random", seed=setting.seed)
    _mark(table, setting.agents)


def _briefly(text: str) -> str:
    """An agent that is compiled alike and thinks for a moment only."""
    if is_program(text):
        return text
    agent = read_agent(text)
    settings = dict(agent.settings)
    if "time" in settings or int(settings.get("depth", 1)) > _BRIEF_DEPTH:
        settings["time"] = str(min(float(settings.get("time", _BRIEF_SECONDS)), _BRIEF_SECONDS))
    return str(AgentText(name=agent.name, settings=tuple(settings.items())))


def warm_up_elsewhere(table: Table, agents: Iterable[str]) -> bool:
    """Let a child process compile, if that is needed; whether it is under way.

    Until it has ended this process is plain Python. Without a cache nothing could be handed on.
    """
    texts = tuple(text for text in dict.fromkeys(agents) if not is_program(text))
    if not jit_enabled() or table.game.rules is None or not texts or is_warm(table, texts):
        return False
    if trusted_folder() is None or table.catalog is not installed():
        return False
    if any(child.poll() is None for child in _children):
        return False  # one at a time: whoever comes next waits for the compiler itself
    words = ["warm", table.name, "--players", str(table.players), "--nice", "10"]
    for name, value in table.options.items():
        words += ["--option", f"{name}={_word(value)}"]
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


def _word(value: Any) -> str:
    """An option's value as the command line takes it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def is_warm(table: Table, agents: Iterable[str]) -> bool:
    """Whether all that these agents need has been compiled and kept before."""
    folder = cache_folder()
    return folder is not None and all((folder / _name(table, text)).exists() for text in agents)


def _mark(table: Table, agents: Iterable[str]) -> None:
    folder = trusted_folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            for text in agents:
                (folder / _name(table, text)).touch(mode=0o600)


def _name(table: Table, agent: str) -> str:
    """The file that says that what an agent needs at this table is kept."""
    plugin = table.catalog.origin[table.name].module.partition(":")[0].partition(".")[0]
    versions = [importlib.metadata.version(name) for name in _COMPILER]
    about = (sys.version, versions, str(table), agent, _sources("mpsearch"), _sources(plugin))
    settings = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") or name == "MPSEARCH_CHECK"
    )
    digest = hashlib.sha256(repr((about, settings)).encode()).hexdigest()
    return f"warm-{digest[:40]}"


def _sources(package: str) -> list[tuple[str, int, int]]:
    """Names, sizes and times of a package's files."""
    found = importlib.util.find_spec(package)
    folders = [] if found is None else list(found.submodule_search_locations or ())
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
    return [(str(file), (s := file.stat()).st_size, s.st_mtime_ns) for file in files]
