"""An evaluator can say for which players and options of its game it holds."""

from typing import Any

import attrs
import pytest

from mpsearch.agents import make_agent
from mpsearch.api import Table, set_table
from mpsearch.cli.commands import listing
from mpsearch.contracts import EvaluatorOffer
from mpsearch.errors import UsageError
from mpsearch.plugins import Catalog, installed
from mpsearch.studies.impact.evaluation import choose_evaluator
from mpsearch.testing.game_check import Check


def narrow_catalog(**holds: Any) -> Catalog:
    """The catalog, in which `share` of scramble holds for some tables only."""
    catalog = installed()
    table = dict(catalog.evaluators["scramble"])
    table["share"] = attrs.evolve(table["share"], **holds)
    return attrs.evolve(catalog, evaluators={**catalog.evaluators, "scramble": table})


NARROW = {"players": (2, 4), "game_options": {"length": 20, "plies": (100, 400)}}
WORDS = "2 or 4 players, length=20, plies=100 or 400"


def at_table(players: int, **options: Any) -> Table:
    return set_table(narrow_catalog(**NARROW), "scramble", players=players, options=options)


def test_agent_is_made_where_its_evaluator_holds() -> None:
    for table in (at_table(2), at_table(4, plies=100)):
        assert table.agent("maxn:depth=1,evaluator=share")
        assert table.space("share:stamina=2")


@pytest.mark.parametrize(
    ("players", "options", "here"),
    [
        (3, {}, "3 players, length=20, plies=400"),
        (2, {"length": 30}, "2 players, length=30, plies=400"),
        (2, {"plies": 99}, "2 players, length=20, plies=99"),
    ],
)
def test_agent_is_told_where_its_evaluator_holds(
    players: int, options: dict[str, Any], here: str
) -> None:
    table = at_table(players, **options)
    said = f"scramble: evaluator 'share' is for {WORDS}, not for {here}"
    for ask in (lambda: table.agent("maxn:evaluator=share"), lambda: table.space("share")):
        with pytest.raises(UsageError) as raised:
            ask()
        assert str(raised.value) == said
    assert table.agent("maxn:depth=1,evaluator=progress")


def test_number_of_players_is_checked_where_options_are_not_known() -> None:
    catalog = narrow_catalog(**NARROW)
    with pytest.raises(UsageError, match="is for 2 or 4 players"):
        make_agent(catalog, "scramble", catalog.game("scramble", players=3), "sos:evaluator=share")


def test_listing_says_where_it_holds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(listing, "load_catalog", lambda: narrow_catalog(**NARROW))
    listing.evaluators("scramble")
    said = capsys.readouterr().out
    assert f"share: share of all squares run and stamina left; sums to 100 (for {WORDS})" in said
    assert "progress (usual): squares run, in percent\n" in said


def test_rules_are_tried_only_where_it_holds() -> None:
    def make(game: Any, **options: Any) -> Any:
        assert game.players == 2, "it does not hold"
        return installed().evaluators["scramble"]["share"].make(game, **options)

    catalog = narrow_catalog(players=(2,), make=make)
    check = Check(catalog, "scramble", lambda **_: None, quick=True)
    assert [e.name for e in check._evaluators({"players": 2})] == ["progress", "share"]
    assert [e.name for e in check._evaluators({"players": 4, "length": 9})] == ["progress"]


def test_impact_looks_for_own_affairs_only_among_those_that_hold() -> None:
    catalog = installed()
    offers = catalog.evaluators["scramble"]
    narrow = attrs.evolve(offers["share"], name="narrow", players=(2,))
    ordered = {"share": offers["share"], "narrow": narrow, "progress": offers["progress"]}
    table = set_table(attrs.evolve(catalog, evaluators={"scramble": ordered}), "scramble")
    usual = attrs.evolve(table.offer, evaluator="share")
    chosen = choose_evaluator(attrs.evolve(table, offer=usual), None, playouts=0)
    assert chosen == ("progress", "own affairs")


def test_single_values_need_no_tuple_and_nothing_said_is_everything() -> None:
    def offer(**holds: Any) -> EvaluatorOffer:
        return EvaluatorOffer(name="a", game="b", summary="", make=print, **holds)

    assert offer(game_options={"x": True}).holds_for == "x=yes"
    assert offer(game_options={"x": 3}).holds(2, {"x": 3, "y": 4})
    assert not offer(game_options={"x": 3}).holds(2, {"x": 4})
    assert offer().holds(5, {"x": 1})
    assert offer().holds_for == ""
