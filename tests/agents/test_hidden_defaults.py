"""Defaults that follow from what a game declares: those of `mcts` where information is hidden."""

import json
from pathlib import Path
from typing import Any

import pytest

from mpsearch.api import table
from mpsearch.cli import run
from mpsearch.experiments import make_design, read_toml, tournament_design
from mpsearch.match import read_record
from mpsearch.plugins import load_catalog

MCTS = "mcts:pool=mean,cut=1000000"


@pytest.mark.parametrize(
    ("game", "text", "pool", "cut"),
    [
        ("scramble", "mcts", "vote", 4),
        ("plunder", "mcts", "mean", 1_000_000),
        ("plunder", "maxn:search=mcts", "mean", 1_000_000),
        ("plunder", "mcts:pool=vote", "vote", 1_000_000),
        ("plunder", "mcts:cut=2", "mean", 2),
    ],
)
def test_mcts_plays_to_the_end_and_averages_worlds_where_something_is_hidden(
    game: str, text: str, pool: str, cut: int
) -> None:
    agent: Any = table(game).searcher(text)
    assert (agent.pool, agent.algorithm.sampling.cut) == (pool, cut)


def test_other_searches_vote_as_before() -> None:
    assert table("plunder").searcher("maxn").pool == "vote"
    assert table("plunder").searcher("brs").pool == "vote"


@pytest.mark.parametrize(
    ("game", "text", "spelled"),
    [
        ("plunder", "mcts", MCTS),
        ("plunder", "mcts:cut=2,nodes=9", "mcts:cut=2,nodes=9,pool=mean"),
        ("plunder", "paranoid:search=mcts", "paranoid:search=mcts,pool=mean,cut=1000000"),
        ("plunder", "maxn:depth=2", "maxn:depth=2"),
        ("plunder", "hard", "hard"),
        ("plunder", "nobody", "nobody"),
        ("scramble", "mcts", "mcts"),
    ],
)
def test_a_text_spells_out_what_the_game_decides(game: str, text: str, spelled: str) -> None:
    assert table(game).spelled_out(text) == spelled


def test_a_record_says_what_was_used(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play = ["play", "--game", "plunder", "--seed", "4", "--record", str(path), "--quiet"]
    assert run([*play, "--seat", "mcts", "--seat", "greedy", "--seat", "random"]) == 0
    assert read_record(path).setting.agents == (MCTS, "greedy", "random")
    assert run(["replay", str(path), "--check"]) == 0


def test_designs_say_what_was_used_and_keep_the_name(tmp_path: Path) -> None:
    place = table("plunder")
    (arm,) = tournament_design(place, ["mcts", "random"], games=1, seed=0).arms
    assert [(seat.role, seat.text) for seat in arm.seated[:2]] == [
        ("mcts", MCTS),
        ("random", "random"),
    ]
    file = tmp_path / "design.toml"
    file.write_text(
        'game = "plunder"\ngames = 1\n[agents]\nours = "mcts:nodes=9"\n'
        '[arms]\none = ["ours", "random", "random"]\n'
    )
    (arm,) = make_design(read_toml(file), load_catalog()).arms
    assert (arm.seated[0].role, arm.seated[0].text) == (
        "ours",
        "mcts:nodes=9,pool=mean,cut=1000000",
    )


def test_the_list_of_agents_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["agents", "--json"]) == 0
    searches = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)["searches"]}
    words = "with hidden information the defaults are pool=mean, cut=1000000"
    assert searches["mcts"]["summary"].endswith(words)
    assert "hidden" not in searches["tree"]["summary"]
