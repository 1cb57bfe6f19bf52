"""games, plugins, install, uninstall: what there is, and how to get more."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from typing import Annotated

import typer

from mpsearch.catalog import Catalog, load_catalog
from mpsearch.cli.common import Json, print_json, print_rows
from mpsearch.errors import MpsearchError
from mpsearch.loading import Problem

Names = Annotated[list[str], typer.Argument(help="Packages, as pip takes them: names or paths.")]


def games(as_json: Json = False) -> None:
    """List the games that can be played."""
    catalog = load_catalog()
    rows = [
        {
            "name": name,
            "players": list(offer.players),
            "default_players": offer.default_players,
            "plugin": catalog.origin[name].name,
            "version": catalog.origin[name].version,
            "summary": offer.summary,
            "options": {o.name: o.default for o in offer.options},
            "evaluators": sorted(catalog.evaluators.get(name, {})),
            "branchings": ["all", *(branching.name for branching in offer.branchings)],
            "agents": [agent.name for agent in offer.bots],
        }
        for name, offer in sorted(catalog.games.items())
    ]
    if as_json:
        print_json(rows)
        return
    print_rows(
        ("game", "players", "plugin", "version", "what it is"),
        [
            (
                str(row["name"]),
                "-".join(map(str, dict.fromkeys(catalog.games[str(row["name"])].players))),
                str(row["plugin"]),
                str(row["version"]),
                str(row["summary"]),
            )
            for row in rows
        ],
    )
    _mention_problems(catalog)


def plugins(
    as_json: Json = False,
    check: Annotated[
        bool, typer.Option("--check", help="Try everything the plugins offer; exit 1 if broken.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="With --check: the usual settings only.")
    ] = False,
    patience: Annotated[
        float, typer.Option(min=1, help="With --check: seconds of silence that mean it hangs.")
    ] = 240.0,
) -> int:
    """List the installed plugins, and what is wrong with the broken ones."""
    catalog = load_catalog()
    problems = list(catalog.problems)
    if check:
        from mpsearch.testing.check import check_catalog

        problems += check_catalog(catalog, quick=quick, patience=patience, tell=_progress)
    if as_json:
        print_json(
            {
                "plugins": [
                    {
                        "name": info.name,
                        "distribution": info.distribution,
                        "version": info.version,
                        "module": info.module,
                        "disabled": info.disabled,
                    }
                    for info in catalog.plugins
                ],
                "problems": [{"plugin": p.plugin, "what": p.what} for p in problems],
            }
        )
    else:
        _print_plugins(catalog, problems)
        if check and not problems:
            print("everything the plugins offer keeps the contract")
    return 1 if check and problems else 0


def _progress(what: str) -> None:
    """What is being checked, on a terminal and nowhere else."""
    if sys.stderr.isatty():
        print(f"\r\033[Kchecking {what[:70]}", end="\n" if not what else "", file=sys.stderr)


def _print_plugins(catalog: Catalog, problems: list[Problem]) -> None:
    broken = {problem.plugin for problem in problems}
    print_rows(
        ("plugin", "distribution", "version", "state"),
        [
            (
                info.name,
                info.distribution,
                info.version,
                "disabled" if info.disabled else "broken" if info.name in broken else "ok",
            )
            for info in catalog.plugins
        ],
    )
    for problem in problems:
        print(f"problem: {problem}")


def _mention_problems(catalog: Catalog) -> None:
    for problem in catalog.problems:
        print(f"problem: {problem}")


def install(names: Names) -> None:
    """Install plugins into the environment that mpsearch runs in."""
    _installer(["install"], names)


def uninstall(names: Names) -> None:
    """Remove plugins from the environment that mpsearch runs in."""
    _installer(["uninstall"], names)


def _installer(verb: list[str], names: list[str]) -> None:
    """pip if this environment has it, else uv."""
    if importlib.util.find_spec("pip") is not None:
        yes = ["--yes"] if verb == ["uninstall"] else []
        command = [sys.executable, "-m", "pip", *verb, *yes, *names]
    elif uv := shutil.which("uv"):
        command = [uv, "pip", *verb, "--python", sys.executable, *names]
    else:
        raise MpsearchError("neither pip nor uv is there to install with; install one of them")
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        raise MpsearchError(f"'{' '.join(command)}' failed with exit code {done.returncode}")
