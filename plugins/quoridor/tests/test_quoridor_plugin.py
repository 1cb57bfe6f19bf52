"""The plugin as users get it: the contract, the paper's agents, and running uncompiled."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mpsearch_quoridor.offers import EVALUATORS, QUORIDOR
from mpsearch_quoridor.players import PRESETS
from support.plain import fewer, same_digest

from mpsearch.agents import make_agent
from mpsearch.api.game_table import table
from mpsearch.api.line_ups import company
from mpsearch.contracts import Offer, Option
from mpsearch.match import play_match
from mpsearch.plugins.catalog import load_catalog
from mpsearch.testing import GameSuite

#: Every agent compiles a search of its own, which takes longer than the games.
SLOW = pytest.mark.slow


class TestContract(GameSuite):
    game = "quoridor"
    settings = (
        {"players": 2, "size": 5},
        {"players": 3, "size": 5, "behind": "none", "plies": 50},
        {"players": 4, "trace": False},
    )
    seeds = range(1)
    plies = 60
    # Published for two players; for three and four equal to the slow rules at smaller sizes.
    perft = (
        ({"players": 2}, (131, 16677, 2062264)),
        ({"players": 3}, (131, 16677, 2062101)),
        ({"players": 4}, (131, 16677, 2062065)),
    )
    records = Path(__file__).parent / "records"


def finish(
    names: list[str], *, players: int = 2, seed: int = 1, **options: Any
) -> tuple[int, list[float]]:
    """The number of plies and the payoff of a whole game between agents."""
    catalog = load_catalog()
    game = catalog.game("quoridor", players=players, **options)
    agents = [make_agent(catalog, "quoridor", game, name) for name in names]
    plies = list(play_match(game, agents, seed=seed))
    return len(plies), game.payoff(plies[-1].state).tolist()


@pytest.mark.parametrize(
    "name",
    [p.name if p.name == "genetic100" else pytest.param(p.name, marks=SLOW) for p in PRESETS],
)
def test_every_agent_of_the_paper_beats_a_random_player_from_either_seat(name: str) -> None:
    for seat in (0, 1):
        seats = ["random", "random"]
        seats[seat] = name
        plies, payoff = finish(seats, size=fewer(7, 5))
        assert payoff[seat] == 1, (plies, payoff)


@pytest.mark.slow
def test_deeper_search_wins_more_games() -> None:
    """Depth 4 beats depth 2, depth 2 beats depth 1, depth 1 beats random play.

    With all moves: with walls near pawns only, depth 2 loses to depth 1 (see README).
    """
    search = "paranoid:evaluator=features,branching=all,depth={}"
    ladder = [search.format(4), search.format(2), search.format(1), "random"]
    for better, worse in itertools.pairwise(ladder):
        wins = 0.0
        for seed in range(10):
            wins += finish([better, worse], seed=seed, size=7)[1][0]
            wins += finish([worse, better], seed=seed, size=7)[1][1]
        assert wins > 12, (better, worse, wins)


@pytest.mark.slow
def test_sos_and_maxn_finish_a_game_among_players_of_random_orientation() -> None:
    rows = "1:0.3:-0.7:0.2/-0.4:0.8:0.1:0.5/0.9:-0.2:0.6:-0.8/0.2:-0.9:0.4:0.3"
    one_ply = f"sos:depth=1,branching=near,matrix={rows}"
    seats = ["sos:depth=2,branching=near", "maxn:depth=2,branching=near", one_ply, one_ply]
    plies, payoff = finish(seats, players=4)
    assert plies < 400
    assert sum(payoff) == 1


PLAIN = """
import hashlib
import numpy as np
from mpsearch.plugins.catalog import load_catalog

catalog = load_catalog()
digest = hashlib.sha256()
for players in (2, 3, 4):
    game = catalog.game("quoridor", players=players, size=5, plies=40)
    offer = catalog.game_offer("quoridor")
    branchings = [b.make(game, **{o.name: o.default for o in b.options}) for b in offer.branchings]
    evaluators = [
        e.make(game, **{o.name: o.default for o in e.options} | extra)
        for e in catalog.evaluators["quoridor"].values()
        if e.holds(players, {"size": 5})
        for extra in [{"walkers": 0.5} if e.name == "features" else {}]
    ]
    rng = np.random.default_rng(players)
    state = game.new()
    while game.mover(state) >= 0:
        for lister in [game, *branchings]:
            digest.update(repr(list(lister.moves(state))).encode())
        for evaluator in evaluators:
            digest.update(repr(np.round(evaluator.values(state), 9).tolist()).encode())
        moves = game.moves(state)
        state = game.play(state, moves[int(rng.integers(len(moves)))])
        digest.update(state)
print(digest.hexdigest())
"""


def test_uncompiled_rules_evaluators_and_branchings_give_the_same_results() -> None:
    same_digest(PLAIN)


def test_listing_games_does_not_compile_anything() -> None:
    code = "import sys, mpsearch as m; m.load_catalog(); sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_readme_names_everything_that_is_offered() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    offered: list[Offer | Option] = [*QUORIDOR.options, *QUORIDOR.branchings]
    offered += [*QUORIDOR.insights, *EVALUATORS]
    offered += [option for evaluator in EVALUATORS for option in evaluator.options]
    assert [offer.name for offer in offered if f"`{offer.name}`" not in readme] == []
    for preset in PRESETS:
        assert f"| `{preset.name}` | `{preset.text}` |" in readme


@pytest.mark.slow
def test_the_company_of_four_builds_walls() -> None:
    """With the usual evaluator alone nobody gains by a wall, and games are mere races."""
    place = table("quoridor", players=4)
    match = place.play(*company(place.offer, 4), seed=0)
    built = [place.game.write(ply.move) for ply in match.plies]
    assert sum(text.endswith(("h", "v")) for text in built) >= 4
