"""Lower layers never import higher ones, the core imports no game, a game only the contracts."""

from pathlib import Path

import pytest
from support.imports import UNKNOWN, imports

import mpsearch

ROOT = Path(mpsearch.__file__).parent
PLUGINS = Path(__file__).parents[1] / "plugins"

#: From the lowest to the highest. `builtin` is a plugin: it stands beside the layers.
LAYERS = [
    "errors",
    "display",
    "jit",
    "contracts",
    "kit",
    "social",
    "search",
    "rivals",
    "hookspecs",
    "loading",
    "catalog",
    "agent",
    "match",
    "table",
    "company",
    "hindsight",
    "film",
    "experiments",
    "bench",
    "impact",
    "models",
    "tune",
    "reproduce",
    "testing",
    "templates",
    "web",
    "cli",
    "__main__",
]
#: Layers side by side: none imports another.
BESIDE = {"bench", "impact", "models", "tune"}
#: What the core's own plugin may use: it is part of the core, and lends plugins its matrices.
BUILTIN_MAY_USE = {"errors", "jit", "contracts", "kit", "social", "hookspecs", "builtin"}
#: What every other plugin may use of mpsearch: docs/plugins.md.
PLUGIN_MAY_USE = {"contracts", "errors", "kit", "hookimpl"}
#: What brings no hooks but takes tables out to others, and so may use them.
OUTWARD, OUTWARD_MAY_USE = {"mpsearch_pettingzoo"}, {"contracts", "errors", "table"}
#: Names of the package itself that are no layer, and where they come from.
FRONT = {"__version__": "errors", "__file__": "errors", "hookimpl": "hookspecs"}
#: Modules that import what a text names which they are given, or make up themselves.
BY_NAME = {"mpsearch.contracts.deferred", "mpsearch.jit.compiled", "mpsearch.cli.app"}


def module_name(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(folder: Path) -> dict[str, tuple[str, bool]]:
    """Source by module, and whether it is a package's own, for all modules in a folder."""
    return {
        module_name(path, folder): (path.read_text(encoding="utf-8"), path.name == "__init__.py")
        for path in sorted(folder.rglob("*.py"))
    }


CORE = {
    module: source
    for module, source in sources(ROOT.parent).items()
    if module.startswith("mpsearch.")
}
PLUGIN = {
    module: source
    for folder in sorted(PLUGINS.glob("*/src"))
    for module, source in sources(folder).items()
}


def breaches(source: str, module: str, *, package: bool = False) -> set[str]:
    """The imports of a module that its place forbids."""
    used = imports(source, module, package=package)
    wrong = {UNKNOWN} & used - ({UNKNOWN} if module in BY_NAME else set())
    own = module.split(".")[0]
    if own != "mpsearch":
        return wrong | {name for name in used if not _plugin_may(name, own)}
    layer = module.split(".")[1]
    return wrong | {name for name in used if not _core_may(name, layer)}


def _plugin_may(name: str, own: str) -> bool:
    first, _, rest = name.partition(".")
    if first == "mpsearch":
        return rest.split(".")[0] in (OUTWARD_MAY_USE if own in OUTWARD else PLUGIN_MAY_USE)
    return first == own or not first.startswith("mpsearch_")


def _core_may(name: str, layer: str) -> bool:
    first, _, rest = name.partition(".")
    if first != "mpsearch":
        return not first.startswith("mpsearch_")
    if not rest:
        return True  # what is then taken from it is looked at by itself
    used = rest.split(".")[0]
    used = FRONT.get(used, used)
    if used == layer:
        return True
    if layer == "builtin":
        return used in BUILTIN_MAY_USE
    beside = BESIDE if layer in BESIDE else set()
    return used in set(LAYERS[: LAYERS.index(layer)]) - beside


@pytest.mark.parametrize("module", CORE)
def test_no_import_of_the_core_points_upwards_or_to_a_plugin(module: str) -> None:
    source, package = CORE[module]
    assert breaches(source, module, package=package) == set()


@pytest.mark.parametrize("module", PLUGIN)
def test_a_plugin_imports_the_contracts_and_nothing_else_of_mpsearch(module: str) -> None:
    source, package = PLUGIN[module]
    assert breaches(source, module, package=package) == set()


def test_every_layer_is_listed() -> None:
    assert {module.split(".")[1] for module in CORE} == {*LAYERS, "builtin"}


def test_every_plugin_is_looked_at() -> None:
    folders = {path.parent.name for path in PLUGINS.glob("*/pyproject.toml")}
    assert {module.split(".")[0] for module in PLUGIN} == {f"mpsearch_{name}" for name in folders}


#: For each kind of breach a module that commits it, and the import that must be named.
BREACHES = {
    "upwards": ("mpsearch.search.x", "from mpsearch.cli import run", "mpsearch.cli.run"),
    "a module": ("mpsearch.search.x", "import mpsearch.agent.text", "mpsearch.agent.text"),
    "in a function": (
        "mpsearch.search.x",
        "def f():\n    from mpsearch import catalog",
        "mpsearch.catalog",
    ),
    "under another name": ("mpsearch.jit.x", "import mpsearch.agent as a", "mpsearch.agent"),
    "relative": ("mpsearch.search.x", "from ..agent import text", "mpsearch.agent.text"),
    "relative, the package": ("mpsearch.search.x", "from .. import match", "mpsearch.match"),
    "by attribute": (
        "mpsearch.search.x",
        "import mpsearch\nmpsearch.table('scramble')",
        "mpsearch.table",
    ),
    "of the front door": ("mpsearch.search.x", "from mpsearch import play", "mpsearch.play"),
    "importlib": (
        "mpsearch.search.x",
        "import importlib\nimportlib.import_module('mpsearch.cli')",
        "mpsearch.cli",
    ),
    "importlib, relative": (
        "mpsearch.search.x",
        "from importlib import import_module as load\nload('..match', __package__)",
        "mpsearch.match",
    ),
    "importlib, named": (
        "mpsearch.search.x",
        "import importlib as i\ni.import_module(package=None, name='mpsearch.cli')",
        "mpsearch.cli",
    ),
    "__import__": ("mpsearch.search.x", "__import__('mpsearch.cli')", "mpsearch.cli"),
    "importlib, of whatever": (
        "mpsearch.search.x",
        "import importlib\nimportlib.import_module('mpsearch.' + part)",
        UNKNOWN,
    ),
    "side by side": ("mpsearch.impact.x", "from mpsearch.tune import tune", "mpsearch.tune.tune"),
    "the core, a game": ("mpsearch.cli.x", "import mpsearch_hearts", "mpsearch_hearts"),
    "the core, a part of a game": (
        "mpsearch.cli.x",
        "OFFER = 'mpsearch_hearts.game:Hearts'",
        "mpsearch_hearts.game",
    ),
    "builtin": (
        "mpsearch.builtin.x",
        "from mpsearch.search import search",
        "mpsearch.search.search",
    ),
    "a plugin, the search": ("mpsearch_x.game", "import mpsearch.search", "mpsearch.search"),
    "a plugin, the jit": ("mpsearch_x.game", "from mpsearch import jit", "mpsearch.jit"),
    "a plugin, the package": ("mpsearch_x.game", "import mpsearch as m\nm.play", "mpsearch"),
    "a plugin, another": (
        "mpsearch_x.game",
        "from mpsearch_hearts.cards import SUITS",
        "mpsearch_hearts.cards.SUITS",
    ),
    "a plugin, by name": (
        "mpsearch_x.offers",
        "GameOffer(make='mpsearch.builtin.scramble:Scramble')",
        "mpsearch.builtin.scramble",
    ),
}


@pytest.mark.parametrize("kind", BREACHES)
def test_each_kind_of_breach_is_caught(kind: str) -> None:
    module, source, named = BREACHES[kind]
    assert named in breaches(source, module)


SOUND = {
    "downwards": ("mpsearch.cli.x", "from mpsearch.search import search"),
    "within a layer": ("mpsearch.search.x", "from .plan import Plan\nfrom . import engine"),
    "the version": ("mpsearch.match.x", "import mpsearch\nprint(mpsearch.__version__)"),
    "a plugin": (
        "mpsearch_x.game",
        "import numpy as np\nfrom mpsearch import hookimpl\nfrom mpsearch.kit import painted\n"
        "from .cards import SUITS\nMAKE = 'mpsearch_x.game:Game'",
    ),
}


@pytest.mark.parametrize("kind", SOUND)
def test_what_is_allowed_is_let_through(kind: str) -> None:
    module, source = SOUND[kind]
    assert breaches(source, module) == set()


def test_relative_imports_of_a_package_begin_in_it() -> None:
    """In an `__init__` one dot is the package itself; in a module of it, the one around."""
    assert imports("from . import a", "p.q", package=True) == {"p.q.a"}
    assert imports("from . import a", "p.q") == {"p.a"}
    assert imports("from ...a import b", "p.q.r.s") == {"p.a.b"}
