"""Insights: sure things, deeper search without walls, and the named openings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpsearch_quoridor.offers import INSIGHTS
from mpsearch_quoridor.openings import OPENINGS

from mpsearch.agents import make_agent
from mpsearch.contracts import Turn
from mpsearch.match import play_match
from mpsearch.plugins.catalog import load_catalog


def advice(
    name: str, position: str, *, players: int = 2, seed: int = 0, **options: Any
) -> tuple[str | None, int]:
    game = load_catalog().game("quoridor", players=players)
    state = game.from_position(position)
    offer = next(insight for insight in INSIGHTS if insight.name == name)
    insight = offer.make(game, **{o.name: o.default for o in offer.options} | options)
    turn = Turn(seat=game.mover(state), view=state, moves=tuple(game.moves(state)))
    found = insight.advice(turn, np.random.default_rng(seed))
    return (None if found.move is None else game.write(found.move)), found.deeper


@pytest.mark.parametrize(
    ("position", "deeper"),
    [
        ("e2,e8 9,10 -/- 0", 0),
        ("e2,e8 0,10 -/- 0", 1),
        ("e2,e8 9,0 -/- 0", 1),
    ],
)
def test_search_goes_deeper_once_somebody_is_out_of_walls(position: str, deeper: int) -> None:
    assert advice("deepen", position) == (None, deeper)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("e6,a8 5,0 -/- 0", "e7"),  # 3 steps against 7, and no walls against it
        ("e6,a8 5,1 -/- 0", None),  # the other still has a wall
        ("e6,a4 5,0 -/- 0", None),  # equal distances are not shorter
        ("e5,a5 5,0 -/- 0", None),  # the same
    ],
)
def test_a_sure_thing_is_walked_home(position: str, move: str | None) -> None:
    assert advice("sure_thing", position) == (move, 0)


def test_a_sure_thing_goes_around_walls() -> None:
    found = {advice("sure_thing", "e6,a8 5,0 d6h/- 0", seed=seed)[0] for seed in range(20)}
    assert found == {"f6"}


def test_a_sure_thing_needs_all_opponents_to_be_farther() -> None:
    ahead = "e6,b5,e5,h5 0,0,0,0 -/-/-/- 0"
    assert advice("sure_thing", ahead, players=4)[0] == "e7"
    behind = "e6,g5,e5,h5 0,0,0,0 -/-/-/- 0"  # seat 1 is two steps from the east side
    assert advice("sure_thing", behind, players=4)[0] is None


def opening_moves(name: str, seat: int) -> list[str]:
    """What an agent with the book plays against one that only walks."""
    catalog = load_catalog()
    game = catalog.game("quoridor")
    book = f"greedy:branching=near,insights=book,opening={name}"
    texts = ["greedy:branching=near"] * 2
    texts[seat] = book
    agents = [make_agent(catalog, "quoridor", game, text) for text in texts]
    longest = max(len(line) for line in OPENINGS[name])
    moves = []
    for ply in play_match(game, agents, seed=1):
        if ply.seat == seat:
            moves.append(game.write(ply.move))
        if len(moves) == longest:
            return moves
    return moves


def test_openings_are_played_by_both_seats() -> None:
    assert opening_moves("reed", 0) == ["c6h", "f6h"]
    assert opening_moves("reed", 1) == ["f3h", "c3h"]
    shiller = opening_moves("shiller", 0)
    assert shiller[:3] == ["e2", "e3", "e4"]
    assert shiller[3] in ("c1v", "d1v", "e1v", "f1v")
    assert opening_moves("shiller", 1)[3] in ("c8v", "d8v", "e8v", "f8v")


def test_the_ala_opening_is_four_walls_behind_and_beside_the_pawn() -> None:
    assert advice("book", "e4,e6 10,10 -/- 0", opening="ala")[0] == "d3h"
    assert advice("book", "e4,e6 9,10 d3h/- 0", opening="ala")[0] == "f3h"
    assert advice("book", "e4,e6 8,10 d3h,f3h/- 0", opening="ala")[0] == "c4v"
    assert advice("book", "e4,e6 7,10 d3h,f3h,c4v/- 0", opening="ala")[0] == "g4v"
    assert advice("book", "e4,e6 6,10 d3h,f3h,c4v,g4v/- 0", opening="ala")[0] is None
    assert advice("book", "e4,e6 10,10 -/- 1", opening="ala")[0] == "e6h"


def test_a_disturbed_opening_is_given_up() -> None:
    assert advice("book", "d4,e6 10,10 -/- 0", opening="ala")[0] is None
    assert advice("book", "e4,e6 9,10 a1h/- 0", opening="ala")[0] is None
    # The other seat has put a wall where the next one would go.
    assert advice("book", "e4,e6 10,9 -/d3h 0", opening="ala")[0] is None


def test_openings_are_for_two_players() -> None:
    start = "e1,a5,e9,i5 5,5,5,5 -/-/-/- 0"
    assert advice("book", start, players=4)[0] is None


def test_any_opening_is_chosen_at_random() -> None:
    seen = {advice("book", "e1,e9 10,10 -/- 0", seed=seed)[0] for seed in range(30)}
    assert seen == {"c6h", "e2"}
