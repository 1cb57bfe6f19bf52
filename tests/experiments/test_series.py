"""Many games: the same on any number of processes, rotated, counted with intervals."""

import math

import numpy as np
import pytest

from mpsearch.experiments import Result, play_series, seatings, wilson, win_shares
from mpsearch.match import Setting


def settings(count: int) -> list[Setting]:
    seats = seatings(["greedy", "random", "random"], count)
    return [
        Setting(game="plunder", players=3, options={"cards": 2}, agents=agents, seed=7 + k)
        for k, agents in enumerate(seats)
    ]


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    alone = list(play_series(settings(7)))
    assert [result.setting for result in alone] == settings(7)
    assert list(play_series(settings(7), processes=2)) == alone


def test_seatings_give_everybody_every_seat() -> None:
    assert seatings(["a", "b", "c"], 4) == [
        ("a", "b", "c"),
        ("c", "a", "b"),
        ("b", "c", "a"),
        ("a", "b", "c"),
    ]


def result(payoff: list[float]) -> Result:
    setting = Setting(game="g", players=3, agents=("x", "y", "y"), seed=0)
    return Result(setting=setting, payoff=np.array(payoff), plies=1)


def test_a_tie_shares_the_win_and_a_draw_gives_nothing() -> None:
    assert result([1, 2, 0]).shares() == [0, 1, 0]
    assert result([2, 2, 0]).shares() == [0.5, 0.5, 0]
    assert result([1, 1, 1]).shares() == [0, 0, 0]
    assert win_shares([result([1, 2, 0]), result([2, 2, 0])]) == {"x": (0.5, 2), "y": (1.5, 4)}


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
    seats = seatings(["maxn", "random", "random"], 60)
    games = [
        Setting(game="scramble", players=3, options={"length": 12}, agents=agents, seed=k)
        for k, agents in enumerate(seats)
    ]
    won, _ = win_shares(play_series(games))["maxn"]
    assert won / 60 > 1 / 3 + 3.5 * math.sqrt(2 / 9 / 60)
