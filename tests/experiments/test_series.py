"""Many games: the same on any number of processes, rotated, counted with intervals."""

import math

import numpy as np
import pytest

from mpsearch.experiments import GameResult, tournament, wilson


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    asked = ("plunder", "greedy", "random", "random")
    alone = tournament(*asked, games=7, seed=7, players=3, cards=2)
    both = tournament(*asked, games=7, seed=7, players=3, cards=2, processes=2)
    assert both.played == alone.played


def result(payoff: list[float]) -> GameResult:
    return GameResult(
        arm="", number=0, roles=("x", "y", "y"), payoff=np.array(payoff), plies=1, identity=""
    )


def test_a_tie_shares_the_win_and_a_draw_gives_nothing() -> None:
    assert result([1, 2, 0]).shares() == [0, 1, 0]
    assert result([2, 2, 0]).shares() == [0.5, 0.5, 0]
    assert result([1, 1, 1]).shares() == [0, 0, 0]


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    # Published in Newcombe 1998, table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(
    wins: int, games: int, low: float, high: float
) -> None:
    assert [round(end, 4) for end in wilson(wins, games)] == [low, high]
    assert wilson(0, 0) == (0.0, 1.0)


def test_better_players_win_more() -> None:
    """MaxN against two random players: a third would be chance; 60 games, 3.5 sigma."""
    found = tournament(
        "scramble", "maxn", "random", "random", games=60, opening=0, players=3, length=12
    )
    wins = {row.role: row.wins.mean for row in found.standings}
    assert wins["maxn"] > 1 / 3 + 3.5 * math.sqrt(2 / 9 / 60)
