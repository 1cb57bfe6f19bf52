"""What goes wrong between a user's own Python and a compiled game is said clearly."""

import json
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from mpsearch.api.game_table import set_table
from mpsearch.contracts import CHANCE, CompiledGame
from mpsearch.errors import MoveError, UsageError
from mpsearch.match import play_match
from mpsearch.plugins.catalog import load_catalog


@pytest.fixture
def game() -> CompiledGame:
    made = load_catalog().game("scramble", players=3)
    assert isinstance(made, CompiledGame)
    return made


def test_text_given_to_play_is_refused_with_what_would_be_right(game: CompiledGame) -> None:
    with pytest.raises(MoveError) as raised:
        game.play(game.new(), "+1")
    assert str(raised.value) == (
        "'+1' is not a move, which is a whole number here; read('+1') gives the move"
    )
    assert game.play(game.new(), game.read("+1")) != game.new()


@pytest.mark.parametrize("listed", [False, True])
def test_illegal_move_given_to_play_is_refused(game: CompiledGame, listed: bool) -> None:
    state = game.new()
    if listed:
        game.moves(state)
    with pytest.raises(MoveError) as raised:
        game.play(state, 9)
    assert str(raised.value) == "move 9 is not legal for seat 0: a run is 1 to 3 squares"
    # Only a text could be read.
    with pytest.raises(MoveError, match=r"^1\.0 is not a move, which is a whole number here$"):
        game.play(state, 1.0)
    assert game.play(state, np.int64(1)) == game.play(state, 1)


def test_move_in_a_finished_game_is_refused() -> None:
    game = load_catalog().game("scramble", players=3, plies=1)
    over = game.play(game.new(), 1)
    with pytest.raises(MoveError, match=r"^move 1 is not legal: the game is over$"):
        game.play(over, 1)


def test_moves_are_not_listed_again_to_be_played(
    game: CompiledGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever plays has listed them: the check costs the referee a look-up."""
    state = game.new()
    moves = game.moves(state)
    monkeypatch.setattr(type(game), "moves", None)
    monkeypatch.setattr(type(game), "mover", None)
    assert [len(game.play(state, move)) for move in moves] == [len(state)] * len(moves)


def test_what_a_game_remembers_is_not_sent_to_other_processes(game: CompiledGame) -> None:
    fresh = pickle.dumps(game)
    game.moves(game.new())
    assert pickle.dumps(game) == fresh


def players(name: str, texts: tuple[str, ...], **options: Any) -> Any:
    table = set_table(load_catalog(), name, players=len(texts), options=options)
    return table.game, [table.agent(text) for text in texts]


@pytest.mark.parametrize(("name", "options"), [("plunder", {}), ("scramble", {"length": 30})])
def test_agent_of_another_game_is_not_seated(name: str, options: dict[str, Any]) -> None:
    _, strangers = players(name, ("random",) * 3, **options)
    game, agents = players("scramble", ("random",) * 3)
    with pytest.raises(UsageError, match=r"^seat 1 was made for .* make it with this game$"):
        next(play_match(game, [agents[0], strangers[1], agents[2]], seed=1))
    twin, twins = players("scramble", ("random",) * 3)
    assert twin is not game
    assert next(play_match(game, twins, seed=1)).seat != CHANCE


def search(**environ: str) -> dict[str, Any]:
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from mpsearch.cli import main; main()", "search", "--json"),
            *("--game", "scramble", "--agent", "maxn:depth=5", "--seed", "3"),
        ],
        env={**os.environ, "MPSEARCH_JIT": "1", **environ},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return {key: value for key, value in found.items() if key not in ("seconds", "compiling")}


def test_checked_machine_code_finds_what_unchecked_does() -> None:
    checked = search(MPSEARCH_CHECK="1")
    unchecked = search(MPSEARCH_CHECK="0")
    assert checked == unchecked
    assert checked["nodes"] > 100
