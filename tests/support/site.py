"""A folder of made-up plugins, installed as an installer leaves them."""

import importlib.metadata
import os
import subprocess
from pathlib import Path
from textwrap import dedent

from mpsearch.plugins.catalog import Catalog, load_catalog
from support.forked import COMMAND, run_forked

#: What every made-up plugin below begins with.
PRELUDE = """
from mpsearch import hookimpl
from mpsearch.contracts import *


def game(name, evaluator="plain"):
    return GameOffer(
        name=name,
        summary=f"made by {__name__}",
        make=dict,
        players=(2, 3),
        default_players=2,
        evaluator=evaluator,
    )


def evaluator(name, game):
    return EvaluatorOffer(name=name, game=game, summary=f"made by {__name__}", make=dict)


def propagator(name):
    return PropagatorOffer(name=name, summary=f"made by {__name__}", make=dict)


def model(name):
    return OpponentModelOffer(name=name, summary=f"made by {__name__}", make=dict)


def algorithm(name):
    return SearchAlgorithmOffer(name=name, summary=f"made by {__name__}", make=dict)
"""


class Site:
    """A folder of made-up distributions, as an installer leaves them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(
        self,
        plugin: str,
        code: str,
        *,
        distribution: str = "",
        target: str = "",
        metadata: str = "",
    ) -> None:
        """A distribution with one module, `<distribution>_code`, and one entry point."""
        distribution = distribution or f"dist-{plugin}"
        module = f"{distribution.replace('-', '_')}_code"
        (self.folder / f"{module}.py").write_text(PRELUDE + dedent(code))
        info = self.folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        metadata = metadata or f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
        (info / "METADATA").write_text(metadata)
        (info / "entry_points.txt").write_text(f"[mpsearch]\n{plugin} = {target or module}\n")

    def points(self) -> list[importlib.metadata.EntryPoint]:
        return [
            point
            for distribution in importlib.metadata.distributions(path=[str(self.folder)])
            for point in distribution.entry_points
        ]

    def load(self, *, backwards: bool = False, **environ: str) -> Catalog:
        """The catalog of the core and all that is installed here."""
        points = [*core_points(), *self.points()]
        points.sort(key=lambda point: (point.name, point.value), reverse=backwards)
        return load_catalog(entry_points=points, environ=environ)


def core_points() -> list[importlib.metadata.EntryPoint]:
    return list(importlib.metadata.distribution("mpsearch").entry_points.select(group="mpsearch"))


def mpsearch(
    site: Site, *arguments: str, plugins: str = "core,broken", **environ: str
) -> subprocess.CompletedProcess[str]:
    """A run of the command line with the made-up distributions installed."""
    return run_forked(
        COMMAND,
        *arguments,
        env={
            **os.environ,
            "PYTHONPATH": str(site.folder),
            "MPSEARCH_PLUGINS": plugins,
            "MPSEARCH_JIT": "0",
            **environ,
        },
    )
