"""Plugins that a notebook or a script adds to its own process."""

import sys
from collections.abc import Iterator
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest
from support.site import PRELUDE

import mpsearch
from mpsearch.errors import UsageError
from mpsearch.plugins import catalog as catalogs


@pytest.fixture(autouse=True)
def nothing_stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(catalogs, "_added", {})
    catalogs.installed.cache_clear()
    yield
    catalogs.installed.cache_clear()


def notebook(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Run a notebook's cells: `made_up_notebook` is then its module."""
    module = ModuleType("made_up_notebook")
    exec(PRELUDE + dedent(code), module.__dict__)
    monkeypatch.setitem(sys.modules, "made_up_notebook", module)


RACE = """
import mpsearch
GAME = mpsearch.load_catalog().games["scramble"]
USUAL = mpsearch.load_catalog().evaluators["scramble"][GAME.evaluator]

@hookimpl
def mpsearch_games():
    import attrs
    yield attrs.evolve(GAME, name="{name}")

@hookimpl
def mpsearch_evaluators():
    import attrs
    yield attrs.evolve(USUAL, game="{name}")
"""


def test_an_added_game_is_played_and_measured_like_an_installed_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notebook(monkeypatch, RACE.format(name="race"))
    assert "race" in mpsearch.add_plugin("made_up_notebook").games
    settings: dict[str, Any] = {"players": 3, "length": 9, "seed": 1}
    added = mpsearch.play("race", "maxn", "paranoid", "random", **settings)
    known = mpsearch.play("scramble", "maxn", "paranoid", "random", **settings)
    assert [ply.move for ply in added.plies] == [ply.move for ply in known.plies]
    table = mpsearch.table("race", players=3, length=9)
    assert mpsearch.opponent_impact(table, depths="1", games=2).rows()[0]["game"] == "race"
    assert len(mpsearch.tournament(table, "maxn", "random", games=3).standings) == 2


def test_a_plugin_added_again_replaces_what_it_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook(monkeypatch, RACE.format(name="race"))
    mpsearch.add_plugin("made_up_notebook")
    before = mpsearch.table("race", players=3)
    notebook(monkeypatch, RACE.format(name="race"))
    catalog = mpsearch.add_plugin("made_up_notebook")
    assert mpsearch.table("race", players=3).offer is catalog.games["race"]
    assert before.offer is not catalog.games["race"]
    notebook(monkeypatch, RACE.format(name="sprint"))
    assert "race" not in mpsearch.add_plugin("made_up_notebook").games


def test_a_plugin_that_is_wrong_is_not_added(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook(monkeypatch, RACE.format(name="race"))
    mpsearch.add_plugin("made_up_notebook")
    notebook(monkeypatch, RACE.format(name="scramble"))
    with pytest.raises(UsageError, match="game 'scramble' is already offered by plugin core"):
        mpsearch.add_plugin("made_up_notebook", name="other")
    notebook(monkeypatch, "")
    with pytest.raises(
        UsageError, match="other: provides nothing: none of its functions is marked"
    ):
        mpsearch.add_plugin("made_up_notebook", name="other")
    assert not any(problem.plugin == "other" for problem in catalogs.installed().problems)
