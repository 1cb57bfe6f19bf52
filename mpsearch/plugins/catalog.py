"""The catalog: all offers of the installed plugins, and the problems of broken ones."""

from __future__ import annotations

import functools
import importlib.metadata
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import attrs

from mpsearch._util import mapping_field
from mpsearch.contracts import (
    EvaluatorOffer,
    Game,
    GameOffer,
    OpponentModelOffer,
    PropagatorOffer,
    SearchAlgorithmOffer,
    pick,
)
from mpsearch.errors import UsageError
from mpsearch.plugins.blame import GROUP
from mpsearch.plugins.discovery import Loaded, Problem, load_plugin
from mpsearch.plugins.weights import names_file, offer_in_file

#: The core's own plugin.
CORE = "mpsearch.builtin"
#: Number of problems that a failed look-up mentions.
_MENTIONED = 3

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class PluginInfo:
    """An installed plugin."""

    name: str
    distribution: str
    version: str
    module: str
    #: Whether MPSEARCH_PLUGINS or MPSEARCH_DISABLE excludes it.
    disabled: bool = False


@attrs.frozen(kw_only=True, repr=False, eq=False)
class Catalog:
    """Everything that can be chosen by name. Immutable."""

    games: Mapping[str, GameOffer] = mapping_field()
    #: By game, then by name.
    evaluators: Mapping[str, Mapping[str, EvaluatorOffer]] = mapping_field()
    propagators: Mapping[str, PropagatorOffer] = mapping_field()
    opponent_models: Mapping[str, OpponentModelOffer] = mapping_field()
    search_algorithms: Mapping[str, SearchAlgorithmOffer] = mapping_field()
    plugins: tuple[PluginInfo, ...]
    problems: tuple[Problem, ...]
    #: The plugin of each game.
    origin: Mapping[str, PluginInfo] = mapping_field()
    #: The name of the plugin of each offer: by kind, then by name, or by game and name.
    owners: Mapping[tuple[str, Any], str] = mapping_field()

    def __repr__(self) -> str:
        """Names only: the offers would fill pages of a notebook."""
        return f"Catalog(games={[*self.games]}, propagators={[*self.propagators]})"

    def game_offer(self, name: str) -> GameOffer:
        """The offer of a game; UsageError lists the names."""
        return self.pick(self.games, name, kind="game")

    def game(self, name: str, *, players: int | None = None, **options: Any) -> Game:
        """Make a game."""
        return self.game_offer(name).new_game(players=players, options=options)

    def evaluator_offer(self, game: str, name: str | None = None) -> EvaluatorOffer:
        """An evaluator of a game by name or file of weights; by default the game's own."""
        wanted = name if name is not None else self.game_offer(game).evaluator
        if names_file(wanted):
            return offer_in_file(game, wanted)
        return self.pick(self.evaluators.get(game, {}), wanted, kind=f"evaluator for {game}")

    def pick(self, table: Mapping[str, T], name: str, *, kind: str) -> T:
        """An entry by name; a failed look-up mentions similar names and broken plugins."""
        shown = [str(problem).split("\n")[0] for problem in self.problems[:_MENTIONED]]
        more = len(self.problems) - len(shown)
        broken = "; ".join([*shown, *([f"and {more} more"] if more else [])])
        return pick(table, name, kind=kind, note=f" (broken plugins: {broken})" if broken else "")


#: Plugins added to this process by `add_plugin`, by name.
_added: dict[str, importlib.metadata.EntryPoint] = {}


@functools.cache
def installed() -> Catalog:
    """The catalog of this process, loaded once."""
    found = importlib.metadata.entry_points(group=GROUP)
    return load_catalog(entry_points=[*found, *_added.values()])


def add_plugin(module: str = "__main__", /, *, name: str = "notebook") -> Catalog:
    """Add a module's hooks to this process as if it were installed, for notebooks and scripts.

    Adding it again under the same name replaces it. Other processes, such as the workers of
    `processes=2`, know only installed plugins.
    """
    before = _added.get(name)
    _added[name] = importlib.metadata.EntryPoint(name=name, value=module, group=GROUP)
    installed.cache_clear()
    wrong = [problem for problem in installed().problems if problem.plugin == name]
    if wrong:
        _added.pop(name)
        if before is not None:
            _added[name] = before
        installed.cache_clear()
        raise UsageError("\n".join(map(str, wrong)))
    return installed()


def load_catalog(
    *,
    entry_points: Iterable[importlib.metadata.EntryPoint] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Catalog:
    """Load every installed plugin separately: the core, then the others by name.

    `MPSEARCH_PLUGINS=a,b` loads only those, `MPSEARCH_DISABLE=a,b` all but those; the rest is not
    even imported.
    """
    found = importlib.metadata.entry_points(group=GROUP) if entry_points is None else entry_points
    environ = os.environ if environ is None else environ
    builder = _Builder()
    wanted, unwanted = _names(environ, "MPSEARCH_PLUGINS"), _names(environ, "MPSEARCH_DISABLE")
    # The first offer of a name wins, and nothing replaces parts of the core.
    ordered = sorted(found, key=lambda p: (p.value != CORE, p.name, _metadata(p, "Name")))
    for variable, names in (("MPSEARCH_PLUGINS", wanted), ("MPSEARCH_DISABLE", unwanted)):
        for name in sorted(names - {point.name for point in ordered}):
            builder.problem(name, f"named in {variable}, but not installed")
    for point in ordered:
        info = PluginInfo(
            name=point.name,
            distribution=_metadata(point, "Name"),
            version=_metadata(point, "Version"),
            module=point.value,
            disabled=(bool(wanted) and point.name not in wanted) or point.name in unwanted,
        )
        first = next((other for other in builder.plugins if other.name == info.name), None)
        if first is not None:
            builder.problem(
                info.name,
                f"{info.distribution} and {first.distribution} both register a plugin of this "
                f"name; using the one from {first.distribution}",
            )
            continue
        builder.plugins.append(info)
        if not info.disabled:
            builder.add(info, load_plugin(point))
    return builder.catalog()


def _names(environ: Mapping[str, str], variable: str) -> set[str]:
    return {name.strip() for name in environ.get(variable, "").split(",") if name.strip()}


def _metadata(point: importlib.metadata.EntryPoint, key: str) -> str:
    """The metadata of a distribution, which an unfinished uninstall may have removed."""
    if point.dist is None or key not in point.dist.metadata:
        return "?"
    return point.dist.metadata[key]


class _Builder:
    """Collects offers; the first offer of a name wins."""

    def __init__(self) -> None:
        self.plugins: list[PluginInfo] = []
        self.problems: list[Problem] = []
        #: By kind, then by name, or by game and name.
        self.offers: defaultdict[str, dict[Any, Any]] = defaultdict(dict)
        self.origin: dict[str, PluginInfo] = {}
        self.owners: dict[tuple[str, Any], str] = {}

    def problem(self, plugin: str, what: str) -> None:
        self.problems.append(Problem(plugin=plugin, what=what))

    def add(self, info: PluginInfo, loaded: Loaded) -> None:
        self.problems.extend(loaded.problems)
        for offer in loaded.offers:
            key = (offer.game, offer.name) if isinstance(offer, EvaluatorOffer) else offer.name
            if key in self.offers[offer.kind]:
                owner = self.owners[offer.kind, key]
                self.problem(
                    info.name,
                    f"{offer.kind} '{offer.name}' is already offered by plugin {owner}; "
                    "using that one",
                )
                continue
            self.offers[offer.kind][key] = offer
            self.owners[offer.kind, key] = info.name
            if isinstance(offer, GameOffer):
                self.origin[offer.name] = info

    def catalog(self) -> Catalog:
        by_game: dict[str, dict[str, EvaluatorOffer]] = {}
        for (game, name), offer in self.offers[EvaluatorOffer.kind].items():
            by_game.setdefault(game, {})[name] = offer
        for game, game_offer in self.offers[GameOffer.kind].items():
            if game_offer.evaluator not in by_game.get(game, {}):
                self.problem(
                    self.origin[game].name,
                    f"game '{game}' names the evaluator '{game_offer.evaluator}', which no "
                    "plugin offers",
                )
        return Catalog(
            games=self.offers[GameOffer.kind],
            evaluators={game: MappingProxyType(table) for game, table in by_game.items()},
            propagators=self.offers[PropagatorOffer.kind],
            opponent_models=self.offers[OpponentModelOffer.kind],
            search_algorithms=self.offers[SearchAlgorithmOffer.kind],
            plugins=tuple(self.plugins),
            problems=tuple(self.problems),
            origin=self.origin,
            owners=self.owners,
        )
