"""A quick run of the contract over everything that is installed, without pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mpsearch.catalog import Catalog
from mpsearch.contracts import Option
from mpsearch.loading import Problem
from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.part_rules import BRANCHING_RULES, EVALUATOR_RULES

_SEED = 1
_PLIES = 60


def check_catalog(catalog: Catalog) -> list[Problem]:
    """What breaks the contract when games are made and played at random."""
    return [
        Problem(plugin=catalog.origin[name].name, what=what)
        for name in catalog.games
        for what in _check_game(catalog, name)
    ]


def _defaults(options: tuple[Option, ...]) -> dict[str, Any]:
    return {option.name: option.default for option in options}


def _check_game(catalog: Catalog, name: str) -> Iterator[str]:
    offer = catalog.games[name]
    made: list[Any] = []
    yield from _attempt(f"game '{name}'", lambda: made.append(offer.new_game()))
    if not made:
        return
    game = made[0]
    for rule, check in GAME_RULES.items():
        yield from _attempt(f"game '{name}', {rule}", check, game, _SEED, _PLIES)
    parts: list[tuple[str, Any, Any]] = [
        (f"evaluator '{e.name}' of {name}", e, EVALUATOR_RULES)
        for e in catalog.evaluators.get(name, {}).values()
    ]
    parts += [(f"branching '{b.name}' of {name}", b, BRANCHING_RULES) for b in offer.branchings]
    for what, part, rules in parts:
        try:
            thing = part.make(game, **_defaults(part.options))
        except Exception as error:
            yield f"{what}: {type(error).__name__}: {error}"
            continue
        for rule, check in rules.items():
            yield from _attempt(f"{what}, {rule}", check, game, thing, _SEED, _PLIES)


def _attempt(what: str, action: Callable[..., object], *arguments: Any) -> Iterator[str]:
    try:
        action(*arguments)
    except Exception as error:
        yield f"{what}: {error}" if str(error) else f"{what}: {type(error).__name__}"
