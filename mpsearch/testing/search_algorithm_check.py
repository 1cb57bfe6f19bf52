"""The contract check of one search algorithm in its own process.

`python -m mpsearch.testing.search_algorithm_check NAME` prints JSON lines: what it is about to run,
and what it found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from mpsearch.api import Table, set_table
from mpsearch.errors import UsageError
from mpsearch.plugins import Catalog, load_catalog
from mpsearch.testing.json_lines import json_lines, rarer_collections
from mpsearch.testing.search_algorithm_rules import SEARCH_ALGORITHM_RULES, algorithm_maker
from mpsearch.testing.smoke_test import describe

_SEED = 1


def check(catalog: Catalog, name: str, say: Callable[..., None]) -> None:
    """Check every rule in an open and a hidden game; a broken rule is reported once."""
    offer = catalog.search_algorithms[name]
    plugin = catalog.owners[offer.kind, name]
    found: set[str] = set()
    for table in _tables(catalog):
        make = algorithm_maker(offer, table.offer)
        space = table.space(table.offer.evaluator)
        subject = f"search algorithm '{name}' in {table.name}"
        say(running=subject, plugin=plugin)
        try:
            make(space)
        except UsageError:
            continue  # it refuses this game
        except Exception as error:
            say(finding=f"{subject}: it cannot be made: {describe(error)}", plugin=plugin)
            return
        for rule, keep in SEARCH_ALGORITHM_RULES.items():
            if rule in found:
                continue
            say(running=f"{subject}, {rule}", plugin=plugin)
            try:
                keep(make, space, _SEED)
            except Exception as error:
                found.add(rule)
                say(finding=f"{subject}, {rule}: {describe(error)}", plugin=plugin)


def _tables(catalog: Catalog) -> Iterator[Table]:
    """The first open and the first hidden game of the catalog."""
    seen: set[bool] = set()
    for name in catalog.games:
        try:
            table = set_table(catalog, name)
        except Exception:  # the game's own check reports it
            continue
        if table.game.hidden not in seen:
            seen.add(table.game.hidden)
            yield table
        if len(seen) == 2:
            return


def main() -> None:
    rarer_collections()
    say = json_lines()
    (name,) = sys.argv[1:]
    check(load_catalog(), name, say)
    say(done=name)


if __name__ == "__main__":
    main()
