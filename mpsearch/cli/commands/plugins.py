"""plugins, install, uninstall: list, check, add and remove plugins."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
from typing import Annotated

import typer

from mpsearch.cli.options import Json, print_json, print_rows
from mpsearch.cli.signals import interruptible
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.plugins import GROUP, Catalog, Problem, load_catalog

#: The core's own plugin.
OWN_PLUGIN = "core"

Names = Annotated[
    list[str], typer.Argument(help="Packages to install: names or paths, as for pip.")
]


def plugins(
    as_json: Json = False,
    check: Annotated[
        bool, typer.Option("--check", help="Test everything the plugins offer; exit 1 on failure.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="With --check: test default settings only.")
    ] = False,
    thorough: Annotated[
        bool,
        typer.Option(
            "--thorough", help="With --check: test every option with every number of players."
        ),
    ] = False,
    patience: Annotated[
        float,
        typer.Option(
            min=1, help="With --check: seconds without progress before a test counts as hung."
        ),
    ] = 240.0,
) -> int:
    """List the installed plugins and report broken ones."""
    if quick and thorough:
        raise UsageError("--quick and --thorough cannot be combined")
    if (quick or thorough) and not check:
        raise UsageError(f"{'--quick' if quick else '--thorough'} says what --check tries: add it")
    catalog = load_catalog()
    problems = list(catalog.problems)
    if check:
        from mpsearch.testing import check_catalog

        with interruptible():  # the exception ends the children too
            problems += check_catalog(
                catalog, quick=quick, thorough=thorough, patience=patience, tell=_progress
            )
    if as_json:
        fields = ("name", "distribution", "version", "module", "disabled")
        found = [{name: getattr(info, name) for name in fields} for info in catalog.plugins]
        told = [{"plugin": p.plugin, "what": p.what} for p in problems]
        print_json({"plugins": found, "problems": told})
    else:
        _print_plugins(catalog, problems)
        if check and not problems:
            more = " in default settings; --check without --quick tries more" if quick else ""
            print(f"all plugins keep the contract{more}")
    return 1 if check and problems else 0


def _progress(what: str) -> None:
    """Show what is being checked, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\033[Kchecking {what[:70]}", end="\n" if not what else "", file=sys.stderr)


def _print_plugins(catalog: Catalog, problems: list[Problem]) -> None:
    broken = {problem.plugin for problem in problems}
    rows = []
    for info in catalog.plugins:
        state = "disabled" if info.disabled else "broken" if info.name in broken else "ok"
        rows.append((info.name, info.distribution, info.version, state))
    print_rows(("plugin", "distribution", "version", "state"), rows)
    for problem in problems:
        print(f"problem: {problem}")


def install(names: Names) -> None:
    """Install plugins into the environment that mpsearch runs in."""
    _refuse_flags(names)
    _installer("install", names)


def uninstall(
    names: Annotated[
        list[str], typer.Argument(help="Plugins to remove, by plugin or package name.")
    ],
) -> None:
    """Remove plugins from the environment that mpsearch runs in."""
    _refuse_flags(names)
    # Nothing is imported: plugins may be broken.
    points = importlib.metadata.entry_points(group=GROUP)
    plugins = {point.name: point.dist.name for point in points if point.dist is not None}
    _installer("uninstall", list(dict.fromkeys(_distribution(name, plugins) for name in names)))


def _refuse_flags(names: list[str]) -> None:
    for name in names:
        if name.startswith("-"):
            raise UsageError(
                f"'{name}' is an option, not a package; to pass options, run pip or uv "
                f"yourself: {' '.join(_command('install', ['NAME']))}"
            )


def _distribution(name: str, plugins: dict[str, str]) -> str:
    """The distribution with this name, or with a plugin of this name."""
    by_name = {_normal(distribution): distribution for distribution in plugins.values()}
    found = plugins.get(name) or by_name.get(_normal(name))
    if found is None:
        there = ", ".join(sorted(set(plugins) - {OWN_PLUGIN})) or "none"
        raise UsageError(f"'{name}' is not an installed plugin; choose from {there}")
    if _normal(found) == "mpsearch":
        raise UsageError(
            f"'{name}' is mpsearch itself, which cannot remove itself while running; use "
            f"{' '.join(_command('uninstall', ['mpsearch']))}"
        )
    return found


def _normal(name: str) -> str:
    """A distribution's name, normalized as in the packaging standards."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _command(verb: str, names: list[str]) -> list[str]:
    """The command of pip if this environment has it, otherwise of uv."""
    if importlib.util.find_spec("pip") is not None:
        yes = ["--yes"] if verb == "uninstall" else []
        return [sys.executable, "-m", "pip", verb, *yes, *names]
    if uv := shutil.which("uv"):
        return [uv, "pip", verb, "--python", sys.executable, *names]
    raise MpsearchError(
        "neither pip nor uv is available: run "
        f"'{sys.executable} -m ensurepip', or put uv on the PATH"
    )


def _installer(verb: str, names: list[str]) -> None:
    command = _command(verb, names)
    with interruptible():  # the exception ends the child too
        done = subprocess.run(command, check=False)
    if done.returncode != 0:
        raise MpsearchError(f"'{' '.join(command)}' failed with exit code {done.returncode}")
