"""`brs` and `mcts` at the table, like any other agent."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mpsearch.api.game_table import table
from mpsearch.cli import run
from mpsearch.contracts import OVER, Game, Limits, Move, Turn, winners
from mpsearch.search import TreeSearch
from mpsearch.search.best_reply.search import BestReplySearch
from mpsearch.search.mcts.engine import make_uct_engine
from mpsearch.search.mcts.search import MonteCarloSearch

AGENTS = ("brs:depth=3", "brs:depth=3,others=greedy", "mcts:nodes=60,cut=4")


def test_agents_are_made_of_a_stance_and_a_search() -> None:
    place = table("scramble")
    brs, mcts, mixed = (
        place.searcher(text) for text in ("brs", "mcts", "mpmix:td=5,search=mcts,time=0.1")
    )
    assert (type(brs.algorithm), brs.limits) == (BestReplySearch, Limits(depth=3))
    assert (type(mcts.algorithm), mcts.limits) == (MonteCarloSearch, Limits(nodes=1000))
    assert (type(mixed.algorithm), mixed.limits) == (MonteCarloSearch, Limits(seconds=0.1))
    assert isinstance(place.searcher("mcts:search=tree").algorithm, TreeSearch)
    assert place.searcher("mcts:depth=2").limits == Limits(depth=2, nodes=1000)
    at_once = place.searcher("mcts:cut=0").algorithm
    assert isinstance(at_once, MonteCarloSearch)
    assert at_once.sampling.cut == 0


@pytest.mark.parametrize("text", AGENTS)
def test_a_game_is_replayed_from_its_record_to_the_last_bit(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hidden hands and a die, over Python objects."""
    path = str(tmp_path / "game.jsonl")
    play = ["play", "--game", "plunder", "--seed", "4", "--record", path, "--quiet"]
    assert run([*play, "--seat", text, "--seat", "greedy", "--seat", "random"]) == 0
    assert run(["replay", path, "--check"]) == 0
    assert run(["search", "--record", path, "--ply", "3", "--agent", text, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert shown["sampled"] == text.startswith("mcts")


def test_their_trees_are_not_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "--game", "plunder", "--agent", "mcts:nodes=9", "--tree", "80"]) == 2
    assert "'mcts:nodes=9': only trees of search=tree can be drawn" in capsys.readouterr().err


@pytest.mark.parametrize("stance", ["maxn", "paranoid"])
def test_mcts_steps_home_in_quoridor(stance: str) -> None:
    """Forced wins: in endings that random play leads to, a pawn that can step home does."""
    place = table("quoridor", players=3, size=5)
    game, rng = place.game, np.random.default_rng(31)
    agent = place.searcher(f"mcts:stance={stance},nodes=150,cut=6,branching=near")
    assert isinstance(agent.algorithm, MonteCarloSearch)
    # Interpreted: a dozen decisions take less time than the compiler.
    engine = make_uct_engine(agent.space, agent.algorithm.sampling, interpret=True)
    agent.algorithm._engines.update({(None, form): engine for form in (True, False)})
    for turn, wins in itertools.islice(endings(game, rng), 6):
        assert agent.choose(turn, agent.start(turn.seat, rng), rng).move in wins


def endings(game: Game, rng: np.random.Generator) -> Iterator[tuple[Turn, list[Move]]]:
    """Turns of random games in which some move, but not any, wins at once."""
    state = game.new()
    while True:
        seat, moves = game.mover(state), tuple(game.moves(state))
        after = {move: game.play(state, move) for move in moves}
        over = [move for move in moves if game.mover(after[move]) == OVER]
        wins = [move for move in over if winners(game.payoff(after[move])) == [seat]]
        if wins and len(wins) < len(moves):
            yield Turn(seat=seat, view=state, moves=moves), wins
        state = after[moves[int(rng.integers(len(moves)))]]
        if wins or game.mover(state) == OVER:
            state = game.new()
