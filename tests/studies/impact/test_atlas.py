"""The atlas: every game alike, resumable, and a failure costs one entry."""

import csv
import json
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.api.game_table import table
from mpsearch.cli import run
from mpsearch.contracts import Limits, State
from mpsearch.errors import UsageError
from mpsearch.plugins.catalog import installed
from mpsearch.search import search
from mpsearch.studies.impact import GameSample, make_surveys, survey_games
from mpsearch.studies.impact.atlas import (
    MOST_PLIES,
    PLAYOUTS,
    SEARCH,
    AtlasPlan,
    GameSize,
    make_atlas,
)
from mpsearch.studies.impact.atlas_chart import atlas_figure, ordered_games
from mpsearch.studies.impact.probe import StateSample

PLAN = AtlasPlan(games=3, most_states=4, depths=(1, 2), playouts=4, agents=("random",), seed=3)
ARGUMENTS = [
    "atlas", "--game", "plunder", "--game", "scramble", "--games", "2", "--states", "3",
    "--playouts", "3", "--depths", "1", "--seed", "3",
]  # fmt: skip


def test_a_game_has_an_entry_with_a_search_and_one_with_play_outs() -> None:
    entries = list(make_atlas(PLAN, ["scramble"]))
    assert [(entry.game, entry.way) for entry in entries] == [
        ("scramble", SEARCH), ("scramble", PLAYOUTS),
    ]  # fmt: skip
    searched, played = (entry.lines() for entry in entries)
    assert {line["kind"] for line in searched} == {"own affairs"}
    assert {(line["kind"], line["depth"]) for line in played} == {("payoff", 0)}
    assert {line["reading"] for line in searched} == {"variation", "reduction", "spread"}
    assert {line["scope"] for line in searched} == {"all", "stage"}
    whole = [line for line in searched if line["scope"] == "all"]
    assert [line["states"] for line in whole] == [3 * 4] * 6


def test_a_game_that_is_usually_played_by_two_is_measured_with_three() -> None:
    catalog = installed()
    offer = attrs.evolve(catalog.game_offer("scramble"), default_players=2)
    for players, wanted in (((2, 6), 3), ((2, 2), 2)):
        games = {"scramble": attrs.evolve(offer, players=players)}
        entry = next(make_atlas(PLAN, catalog=attrs.evolve(catalog, games=games)))
        assert {line["players"] for line in entry.lines()} == {wanted}


def test_an_interrupted_run_goes_on_and_says_the_same(tmp_path: Path) -> None:
    whole = [entry.lines() for entry in make_atlas(PLAN, ["scramble"])]
    stopped = make_atlas(PLAN, ["scramble"], folder=tmp_path)
    assert next(stopped).lines() == whole[0]
    assert [e.lines() for e in make_atlas(PLAN, ["scramble"], folder=tmp_path)] == whole
    assert sorted(path.name for path in tmp_path.glob("*.sqlite")) == [
        "scramble-play-outs.sqlite", "scramble-search.sqlite",
    ]  # fmt: skip
    other = attrs.evolve(PLAN, playouts=5)
    problems = [e.problem for e in make_atlas(other, ["scramble"], folder=tmp_path)]
    assert problems[0] == ""
    assert problems[1] != ""


def test_a_game_that_cannot_be_measured_costs_no_other() -> None:
    catalog = installed()
    broken = attrs.evolve(catalog.game_offer("plunder"), make=_broken)
    games = {"plunder": broken, "scramble": catalog.game_offer("scramble")}
    entries = list(make_atlas(PLAN, catalog=attrs.evolve(catalog, games=games)))
    assert [bool(entry.problem) for entry in entries] == [True, True, False, False]
    assert entries[0].problem == "no boards left"
    with pytest.raises(UsageError, match="unknown game 'chess'"):
        list(make_atlas(PLAN, ["chess"]))


def test_ctrl_c_ends_the_whole_atlas_and_not_an_entry() -> None:
    def stop(what: str, number: int, sample: GameSample) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(make_atlas(PLAN, ["plunder"], show=stop))


def _broken(**_: Any) -> Any:
    raise UsageError("no boards left")


def test_of_long_games_with_many_moves_fewer_states_are_played_out() -> None:
    size = GameSize.of(table("scramble"), seed=0)
    assert size.states(PLAN) == PLAN.most_states
    long = attrs.evolve(size, plies=MOST_PLIES / 10)
    assert long.states(PLAN) == 1
    assert size.leaves(1) < size.leaves(2)
    # 3 games, 4 play-outs, 2 moves, each from the middle of a game: 24 times half of its plies.
    even = attrs.evolve(size, moves=np.array([1.0, 3.0]), plies=MOST_PLIES / (24 / 2 * 3.5))
    assert even.states(PLAN) == 3


@pytest.mark.parametrize(("most", "count"), [(0, 18), (1, 1), (5, 5), (17, 17), (18, 18), (30, 18)])
def test_the_states_that_are_looked_at_lie_evenly_over_a_game(
    most: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[State] = []

    def watch(state: State) -> StateSample:
        seen.append(state)
        return StateSample(touched=np.zeros((1, 2, 3), dtype=np.bool_), variance=np.zeros((1, 3)))

    monkeypatch.setattr("mpsearch.studies.impact.sample.make_probe", lambda table, survey: watch)
    place = table("plunder", players=3, cards=6)
    surveys = make_surveys(
        place, ["random"], games=1, depths=[1], most_states=most, seed=1, opening=0
    )
    list(survey_games([surveys]))
    played = [ply.before for ply in place.plies(surveys[0].setting) if ply.decision is not None]
    places = [played.index(state) for state in seen]
    assert len(places) == count
    assert places[0] == 0
    steps = np.diff([*places, len(played)])
    assert max(steps) - min(steps) <= 1
    assert min(steps) >= 1


def test_a_search_has_a_leaf_for_every_outcome_of_chance() -> None:
    """In plunder two moves, and a card that is drawn behind them: against a search that counts."""
    place = table("plunder")
    size = GameSize.of(place, seed=0)
    assert size.leaves(1) > size.moves.mean()
    stance = place.search(None, "maxn:depth=1").report.stance
    space, nodes = place.space(), []
    for ply in (p for n in range(2) for p in place.play("random", seed=n).plies):
        if ply.decision is not None:
            limits = Limits(depth=1)
            nodes.append(search(space, [ply.before], stance, limits, prune=False).nodes)
    assert size.leaves(1) == pytest.approx(np.mean(nodes), rel=0.5)


def test_the_command_writes_table_csv_chart_and_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paths = [tmp_path / "atlas.csv", tmp_path / "atlas.svg"]
    files = ["--csv", str(paths[0]), "--plot", str(paths[1]), "--store", str(tmp_path / "kept")]
    assert run([*ARGUMENTS, *files]) == 0
    table_text = capsys.readouterr().out
    assert run([*ARGUMENTS, *files, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    with paths[0].open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(document["entries"])
    assert [line["game"] for line in lines] == [line["game"] for line in document["entries"]]
    assert document["left_out"] == {}
    assert table_text.count("play-outs") == 2
    assert "scramble" in paths[1].read_text(encoding="utf-8")
    kept = tmp_path / "file"
    kept.write_text("")
    assert run([*ARGUMENTS, "--store", str(kept)]) == 2


READ = ("variation", "spread")


def _line(game: str, way: str, kind: str, reading: str = "variation") -> dict[str, Any]:
    shares = {"oi": 0.5, "low": 0.4, "high": 0.6, "scope": "all", "depth": 1}
    return {"game": game, "way": way, "kind": kind, "reading": reading, **shares}


@pytest.mark.parametrize("shared", [True, False])
def test_games_that_are_not_to_be_compared_have_empty_dots_and_a_legend(shared: bool) -> None:
    """Only of a search: payoffs of play-outs are alike in all games."""
    kinds = {"a": "own affairs", "b": "shared out" if shared else "own affairs"}
    lines = [_line(name, SEARCH, kind) for name, kind in kinds.items()]
    lines += [_line(name, PLAYOUTS, "payoff", reading) for name in kinds for reading in READ]
    panels = atlas_figure(lines).axes
    full, empty = "full", "none" if shared else "full"
    assert [_dots(axes) for axes in panels] == [[full, empty], [full, full], [full, full]]
    legend = panels[0].get_legend()
    told = [text.get_text() for text in legend.get_texts()] if legend else []
    assert told == (["own affairs", "shared out"] if shared else [])


def test_games_of_which_nothing_is_known_come_first_and_the_others_by_their_spread() -> None:
    def line(game: str, oi: float | str | None) -> dict[str, Any]:
        return {**_line(game, PLAYOUTS, "payoff", "spread"), "oi": oi}

    known = [line("a", 0.7), line("b", "0.2"), line("c", 0.0)]
    unknown = [line("d", None), line("e", ""), _line("f", SEARCH, "own affairs")]
    assert ordered_games(known + unknown) == ["d", "e", "f", "c", "b", "a"]


def _dots(axes: Any) -> list[str]:
    """How the dots of a panel are filled, from the first game to the last."""
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_ydata())]
    return [dot.get_fillstyle() for dot in sorted(dots, key=lambda dot: dot.get_ydata()[0])]
