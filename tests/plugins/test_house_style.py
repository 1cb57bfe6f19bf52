"""The plugins of this repository are laid out alike (docs/reference/plugins.md)."""

import ast
import re
from pathlib import Path

import pytest

from mpsearch.templates import KINDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/plugins.md").read_text(encoding="utf-8")
#: What has hooks; a bridge out of mpsearch, such as plugins/pettingzoo, has none.
PACKAGES = [
    path
    for path in sorted((ROOT / "plugins").glob("*/src/mpsearch_*"))
    if "entry-points.mpsearch" in (path.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
]
MODULES = [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]
#: What a plugin may import of the core.
MAY_USE = {"mpsearch.contracts", "mpsearch.errors", "mpsearch.gamekit"}


def short(path: Path) -> str:
    return str(path.relative_to(ROOT / "plugins"))


@pytest.mark.parametrize("package", PACKAGES, ids=short)
def test_the_package_has_hooks_and_offers_apart(package: Path) -> None:
    body = ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
    hooks = [node for node in body if isinstance(node, ast.FunctionDef)]
    assert [hook.name for hook in hooks] == ["mpsearch_games", "mpsearch_evaluators"]
    others = [node for node in body[1:] if node not in hooks]  # the first is the docstring
    assert all(isinstance(node, ast.ImportFrom) for node in others)
    assert (package / "offers.py").exists()


@pytest.mark.parametrize("package", PACKAGES, ids=short)
def test_every_game_has_its_modules_under_the_usual_names(package: Path) -> None:
    """Whatever is made is made in a module, or package, of the name that the page gives it."""
    offers = (package / "offers.py").read_text(encoding="utf-8")
    made = re.findall(
        r"(\w+Offer)\(\s+name=.*?make=f?\"([\w.]+):[\w{}.]+\"", offers, flags=re.DOTALL
    )
    homes = {"GameOffer": "game", "BranchingOffer": "branchings", "PlayerOffer": "players"}
    assert "GameOffer" in {kind for kind, _ in made}
    for kind, module in made:
        if kind in homes:
            assert module.split(".")[-1] == homes[kind]


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_plugins_import_only_what_is_meant_for_them(path: Path) -> None:
    own = path.relative_to(ROOT / "plugins").parts[2]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("mpsearch") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert node.level == 0
            if module == "mpsearch":
                assert [alias.name for alias in node.names] == ["hookimpl"]
            elif module.startswith("mpsearch"):
                assert module in MAY_USE or module.split(".")[0] == own


@pytest.mark.parametrize("kind", KINDS)
def test_templates_have_modules_of_the_house_style(kind: str) -> None:
    known = set(re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.M))
    folders = [ROOT / "mpsearch" / "templates" / part for part in ("shared", kind)]
    paths = [path for folder in folders for path in folder.rglob("__package__/*.py.tmpl")]
    written = {path.name.removesuffix(".py.tmpl") for path in paths}
    assert written <= known
    assert {"__init__", "offers", "game", "options", "state", "evaluators"} <= written
