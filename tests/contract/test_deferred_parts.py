"""Offers that name their parts by text: nothing is imported before it is made."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mpsearch.contracts import Offer
from mpsearch.errors import ContractError
from mpsearch.plugins.catalog import load_catalog

#: Modules of plugins that are imported, and what there is in them that only a game needs.
LOADED = """
import json, sys
import numpy as np
from mpsearch.cli import run
from mpsearch.contracts import Compiled, Evaluator, Game

run({command})
found = {{}}
for name, module in list(sys.modules.items()):
    if name.startswith("mpsearch_") or name.startswith("mpsearch.builtin"):
        found[name] = sorted(
            entry
            for entry, value in vars(module).items()
            if isinstance(value, (Compiled, np.ndarray))
            or (isinstance(value, type) and issubclass(value, (Game, Evaluator)))
        )
print(json.dumps(found), file=sys.stderr)
"""


def loaded_by(*command: str) -> dict[str, list[str]]:
    """Modules of plugins that a command imports, each with the rules and tables in it."""
    code = LOADED.format(command=list(command))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(done.stderr.splitlines()[-1])
    return found


def test_listing_games_imports_no_rules_and_builds_no_tables() -> None:
    found = loaded_by("games")
    packages = {name.split(".")[0] for name in found}
    assert packages == {info.module.split(".")[0] for info in load_catalog().plugins}
    assert {name: heavy for name, heavy in found.items() if heavy} == {}


def test_playing_a_game_imports_the_rules_of_no_other() -> None:
    pytest.importorskip("mpsearch_hearts", reason="the plugin is not installed")
    seats = ["--seat", "random"] * 4
    found = loaded_by("play", "--game", "hearts", *seats, "--option", "single=yes", "--seed", "1")
    heavy = {name.split(".")[0] for name, entries in found.items() if entries}
    assert heavy == {"mpsearch_hearts"}
    assert "mpsearch_quoridor.tables" not in found


def offer(make: Any) -> Offer:
    return Offer(name="part", summary="", make=make)


def test_a_text_is_imported_when_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far_away.py").write_text("def make(*, n):\n    return n + 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    part = offer("far_away:make")
    assert "far_away" not in sys.modules
    assert part.make(n=2) == 3
    assert "far_away" in sys.modules
    monkeypatch.delitem(sys.modules, "far_away")


@pytest.mark.parametrize("text", ["far_away", "far_away:", ":make", "far away:make", "a:b.c"])
def test_a_text_that_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not of the form 'package\.module:name'"):
        offer(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no_such_module:make", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("json:no_such_name", "AttributeError: module 'json' has no attribute 'no_such_name'"),
    ],
)
def test_what_cannot_be_imported_is_said_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(ContractError) as caught:
        offer(text).make()
    assert str(caught.value) == f"'{text}' cannot be imported: {reason}"


def test_everything_that_is_offered_by_name_exists() -> None:
    catalog = load_catalog()
    games = catalog.games.values()
    offers: list[Offer] = [
        *games,
        *(part for game in games for part in (*game.branchings, *game.bots, *game.insights)),
        *(part for table in catalog.evaluators.values() for part in table.values()),
    ]
    texts = [offer.make for offer in offers if hasattr(offer.make, "find")]
    assert len(texts) >= 5  # those of the core alone
    for make in texts:
        assert callable(make.find())
