"""Lower layers never import higher ones, and the core imports no game."""

import ast
from pathlib import Path

import pytest

import mpsearch

ROOT = Path(mpsearch.__file__).parent

#: From the lowest to the highest. `builtin` is a plugin: it stands beside the layers.
LAYERS = [
    "errors",
    "display",
    "jit",
    "contracts",
    "kit",
    "social",
    "search",
    "hookspecs",
    "loading",
    "catalog",
    "agent",
    "match",
    "table",
    "experiments",
    "impact",
    "models",
    "tune",
    "testing",
    "templates",
    "web",
    "cli",
]
#: Layers side by side: none imports another.
BESIDE = {"impact", "models", "tune"}
#: What a plugin may use while it is loaded.
PLUGIN_MAY_USE = {"errors", "jit", "contracts", "kit", "social", "hookspecs", "builtin"}

MODULES = sorted(ROOT.rglob("*.py"))


def layer(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def imported_layers(path: Path) -> set[str]:
    """The parts of mpsearch that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "mpsearch":
                names = [f"mpsearch.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("mpsearch.")}
    return found - {"__version__"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_points_upwards(path: Path) -> None:
    own = layer(path)
    if own == "__init__":
        return
    used = imported_layers(path) - {own}
    if own == "builtin":
        assert used <= PLUGIN_MAY_USE
    else:
        allowed = set(LAYERS[: LAYERS.index(own)]) - (BESIDE if own in BESIDE else set())
        assert used <= allowed, f"{own} must not import {used - allowed}"


def test_every_layer_is_listed() -> None:
    assert {layer(path) for path in MODULES} == {*LAYERS, "__init__", "builtin"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_imports_no_plugin(path: Path) -> None:
    assert "mpsearch_" not in "".join(
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.lstrip().startswith(("import ", "from "))
    )
