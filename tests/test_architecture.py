"""The tiers: none imports a higher one, nobody past a face; the core imports no game."""

import graphlib
from pathlib import Path

import pytest
from support.imports import UNKNOWN, imports

import mpsearch

ROOT = Path(mpsearch.__file__).parent
PLUGINS = Path(__file__).parents[1] / "plugins"

#: From the lowest tier to the highest. Packages of one tier may use each other, but in no circle.
TIERS = (
    ("errors", "_util", "jit"),
    ("contracts", "gamekit", "social"),
    ("search",),
    ("plugins", "agents"),
    ("match", "api", "engine"),
    ("experiments",),
    ("studies",),
    ("testing", "templates", "web", "cli", "__main__"),
)
TIER = {name: number for number, tier in enumerate(TIERS) for name in tier}
#: Packages whose parts are packages with faces of their own, side by side.
NESTED = {"studies"}
#: What the core's own plugin may use: it is part of the core, and lends plugins its matrices.
BUILTIN_MAY_USE = {"errors", "_util", "jit", "contracts", "gamekit", "social", "plugins", "builtin"}
#: What the core's own plugin may name in an offer: it is imported when an agent uses it.
BUILTIN_MAY_NAME = {"mpsearch.search"}
#: What every other plugin may use of mpsearch: docs/reference/plugins.md.
PLUGIN_MAY_USE = {"contracts", "errors", "gamekit", "hookimpl"}
#: What brings no hooks but takes tables out to others, and so may use them.
OUTWARD, OUTWARD_MAY_USE = {"mpsearch_pettingzoo"}, {"contracts", "errors", "table", "api"}
#: Names of the package itself that are no package of it, and where they come from.
FRONT = {
    "__version__": "errors",
    "__file__": "errors",
    "hookimpl": "plugins",
    "load_catalog": "plugins",
    "table": "api",
    "play": "api",
    "explain": "api",
    "tournament": "experiments",
    "opponent_impact": "studies",
}
#: Modules that import what a text names which they are given, or make up themselves.
BY_NAME = {"mpsearch._util.lazy_import", "mpsearch.jit", "mpsearch.jit.compile", "mpsearch.cli.app"}


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


def face_of(name: str) -> str:
    """The package through whose `__init__` a name is to be imported."""
    parts = name.split(".")
    return ".".join(parts[: 3 if parts[1:2] and parts[1] in NESTED else 2])


def breaches(source: str, module: str, *, package: bool = False) -> set[str]:
    """The imports of a module that its place forbids."""
    used = imports(source, module, package=package)
    wrong = {UNKNOWN} & used - ({UNKNOWN} if module in BY_NAME else set())
    own = module.split(".")[0]
    if own != "mpsearch":
        return wrong | {name for name in used if not _plugin_may(name, own)}
    return wrong | {name for name in used if not _core_may(name, module)}


def past_the_face(source: str, module: str, *, package: bool = False) -> set[str]:
    """The imports of a module that reach into another package, past its `__init__`."""
    return {
        name
        for name in imports(source, module, package=package)
        if name.startswith("mpsearch.")
        and face_of(name) not in (face_of(module), name)
        and (name in CORE or name.rpartition(".")[0] not in (face_of(name), "mpsearch"))
        and not _is_attribute(name)
    }


def _is_attribute(name: str) -> bool:
    """Whether a dotted name ends in attributes of something that a face exports."""
    face = face_of(name)
    rest = name[len(face) + 1 :].split(".")
    return f"{face}.{rest[0]}" not in CORE


def _plugin_may(name: str, own: str) -> bool:
    first, _, rest = name.partition(".")
    if first == "mpsearch":
        return rest.split(".")[0] in (OUTWARD_MAY_USE if own in OUTWARD else PLUGIN_MAY_USE)
    return first == own or not first.startswith("mpsearch_")


def _core_may(name: str, module: str) -> bool:
    first, _, rest = name.partition(".")
    if first != "mpsearch":
        return not first.startswith("mpsearch_")
    if not rest:
        return True  # what is then taken from it is looked at by itself
    used, own = FRONT.get(rest.split(".")[0], rest.split(".")[0]), module.split(".")[1]
    if used == own:
        return True
    if own == "builtin":
        return used in BUILTIN_MAY_USE or name in BUILTIN_MAY_NAME
    return TIER.get(used, len(TIERS)) <= TIER[own]


def uses() -> dict[str, set[str]]:
    """Which packages each package imports."""
    found: dict[str, set[str]] = {}
    for module, (source, package) in CORE.items():
        names = imports(source, module, package=package)
        faces = {face_of(name) for name in names if name.startswith("mpsearch.")}
        found.setdefault(face_of(module), set()).update(faces - {face_of(module)})
    return found


@pytest.mark.parametrize("module", CORE)
def test_no_import_of_the_core_points_upwards_or_to_a_plugin(module: str) -> None:
    source, package = CORE[module]
    assert breaches(source, module, package=package) == set()


@pytest.mark.parametrize("module", PLUGIN)
def test_a_plugin_imports_the_contracts_and_nothing_else_of_mpsearch(module: str) -> None:
    source, package = PLUGIN[module]
    assert breaches(source, module, package=package) == set()


@pytest.mark.parametrize("module", CORE)
def test_no_import_goes_past_the_face_of_a_package(module: str) -> None:
    source, package = CORE[module]
    assert past_the_face(source, module, package=package) == set()


def test_no_packages_import_each_other_in_a_circle() -> None:
    graph = {package: used & CORE.keys() for package, used in uses().items()}
    assert tuple(graphlib.TopologicalSorter(graph).static_order())


def test_every_package_has_a_tier() -> None:
    assert {module.split(".")[1] for module in CORE} == {*TIER, "builtin"}


def test_every_plugin_is_looked_at() -> None:
    folders = {path.parent.name for path in PLUGINS.glob("*/pyproject.toml")}
    assert {module.split(".")[0] for module in PLUGIN} == {f"mpsearch_{name}" for name in folders}


#: For each kind of breach a module that commits it, and the import that must be named.
BREACHES = {
    "upwards": ("mpsearch.search.x", "from mpsearch.cli import run", "mpsearch.cli.run"),
    "a module": ("mpsearch.search.x", "import mpsearch.agents.text", "mpsearch.agents.text"),
    "in a function": (
        "mpsearch.search.x",
        "def f():\n    from mpsearch import plugins",
        "mpsearch.plugins",
    ),
    "under another name": ("mpsearch.jit.x", "import mpsearch.agents as a", "mpsearch.agents"),
    "relative": ("mpsearch.search.x", "from ..agents import text", "mpsearch.agents.text"),
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
        "GameOffer(make='mpsearch.builtin.games.scramble:Scramble')",
        "mpsearch.builtin.games.scramble",
    ),
}


@pytest.mark.parametrize("kind", BREACHES)
def test_each_kind_of_breach_is_caught(kind: str) -> None:
    module, source, named = BREACHES[kind]
    assert named in breaches(source, module)


#: Imports past a face, in a module of another package.
REACHING = {
    "a name": ("from mpsearch.search.decision import search", "mpsearch.search.decision.search"),
    "a module": ("import mpsearch.jit.cache", "mpsearch.jit.cache"),
    "a module, from": ("from mpsearch.jit import cache", "mpsearch.jit.cache"),
    "deep": (
        "from mpsearch.search.tree.engine import Engine",
        "mpsearch.search.tree.engine.Engine",
    ),
    "a study": (
        "from mpsearch.studies.impact.measurement import measure",
        "mpsearch.studies.impact.measurement.measure",
    ),
    "by attribute": ("from mpsearch import match\nmatch.undo.undo_point", "mpsearch.match.undo"),
}


@pytest.mark.parametrize("kind", REACHING)
def test_each_way_past_a_face_is_caught(kind: str) -> None:
    source, named = REACHING[kind]
    assert named in past_the_face(source, "mpsearch.cli.x")


SOUND = {
    "downwards": ("mpsearch.cli.x", "from mpsearch.search import search"),
    "within a package": ("mpsearch.search.x", "from .plan import Plan\nfrom . import engine"),
    "the version": ("mpsearch.match.x", "import mpsearch\nprint(mpsearch.__version__)"),
    "a plugin": (
        "mpsearch_x.game",
        "import numpy as np\nfrom mpsearch import hookimpl\nfrom mpsearch.gamekit import painted\n"
        "from .cards import SUITS\nMAKE = 'mpsearch_x.game:Game'",
    ),
}


@pytest.mark.parametrize("kind", SOUND)
def test_what_is_allowed_is_let_through(kind: str) -> None:
    module, source = SOUND[kind]
    assert breaches(source, module) == set()
    assert past_the_face(source, module) == set()


def test_relative_imports_of_a_package_begin_in_it() -> None:
    """In an `__init__` one dot is the package itself; in a module of it, the one around."""
    assert imports("from . import a", "p.q", package=True) == {"p.q.a"}
    assert imports("from . import a", "p.q") == {"p.a"}
    assert imports("from ...a import b", "p.q.r.s") == {"p.a.b"}
