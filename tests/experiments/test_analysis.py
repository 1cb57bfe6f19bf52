"""Analysis of games that were made up, so that every figure can be known by hand."""

from collections.abc import Sequence

import attrs
import numpy as np
import pytest

from mpsearch.experiments.analysis import analyse, power_statement, ranks
from mpsearch.experiments.design import Arm, Design, Seated
from mpsearch.experiments.games import GameResult, SeatLog
from mpsearch.experiments.ratings import rate
from mpsearch.experiments.report import text_report


def line_up(name: str, *roles: str) -> Arm:
    return Arm(name=name, seated=tuple(Seated(role=role, text=role) for role in roles))


def design(*arms: Arm, games: int = 4, baseline: str | None = None) -> Design:
    return Design(
        name="t", game="g", players=3, options={}, arms=arms, games=games, seed=0, baseline=baseline
    )


def played(
    arm: str, number: int, roles: Sequence[str], payoff: Sequence[float], *, identity: str = ""
) -> GameResult:
    logs = tuple(
        SeatLog(moves=2, nodes=10 * (seat + 1), seconds=0.5, stances={"maxn": 1, "paranoid": 1})
        for seat in range(len(roles))
    )
    return GameResult(
        arm=arm, number=number, roles=tuple(roles), payoff=np.array(payoff), plies=6,
        identity=identity or f"{arm} {number}", logs=logs,
    )  # fmt: skip


def test_standings_by_hand() -> None:
    found = analyse(
        design(line_up("a", "x", "y", "y")),
        [
            played("a", 0, ["x", "y", "y"], [1, 0, 0]),
            played("a", 1, ["y", "x", "y"], [1, 1, 0]),
            played("a", 2, ["y", "y", "x"], [0, 0, 0]),
            played("a", 3, ["x", "y", "y"], [0, 2, 1]),
        ],
    )
    x, y = found.standings
    assert (x.role, x.wins.mean, x.equal) == ("x", pytest.approx(1.5 / 4), pytest.approx(1 / 3))
    assert (y.role, y.wins.mean) == ("y", pytest.approx(1.5 / 4))
    # Nobody won game 2: three decided games of x, six seats of y.
    assert x.won_of_decided.mean == pytest.approx(1.5 / 3)
    assert y.won_of_decided.mean == pytest.approx(1.5 / 6)
    assert x.rank == pytest.approx((1 + 1.5 + 2 + 3) / 4)
    assert x.nodes == pytest.approx((10 + 20 + 30 + 10) / 8)
    assert (x.seconds, x.plies) == (0.25, 6)
    assert x.stances == {"maxn": 0.5, "paranoid": 0.5}
    assert [note[:31] for note in found.notes] == ["4 games are not a multiple of 3"]


def test_equal_games_are_counted_and_named() -> None:
    games = [played("a", n, ["x", "y", "z"], [1, 0, 0], identity="same") for n in range(4)]
    found = analyse(design(line_up("a", "x", "y", "z")), games)
    assert {row.distinct for row in found.standings} == {1}
    assert found.standings[0].wins.low < 0.21
    assert "only 1 of 4 games of 'a' are distinct" in found.notes[1]


def test_arms_are_compared_game_by_game() -> None:
    arms = line_up("a", "x", "z", "z"), line_up("b", "y", "z", "z")
    games = [
        played(arm, n, [role, "z", "z"], [win, 0, 1 - win])
        for arm, role, wins in (("a", "x", [1, 1, 1, 0]), ("b", "y", [1, 0, 0, 0]))
        for n, win in enumerate(wins)
    ]
    (row,) = analyse(design(*arms, baseline="b"), games).comparisons
    assert (row.first, row.second, row.games) == ("a", "b", 4)
    assert row.difference.mean == pytest.approx(0.5)
    # Two games differ, both in favour of x: the sign test says 1/2.
    assert row.difference.p == pytest.approx(0.5)


def test_only_games_that_both_arms_have_are_compared() -> None:
    arms = line_up("a", "x", "z", "z"), line_up("b", "y", "z", "z")
    games = [played("a", n, ["x", "z", "z"], [1, 0, 0]) for n in range(3)]
    games.append(played("b", 1, ["y", "z", "z"], [0, 0, 1]))
    found = analyse(design(*arms, baseline="b"), games)
    assert found.comparisons[0].games == 1
    assert "4 of 8 games are played so far" in found.notes


def test_ranks_share_what_is_equal() -> None:
    assert ranks(np.array([3.0, 5, 3, 0])).tolist() == [2.5, 1, 2.5, 4]
    assert ranks(np.zeros(3)).tolist() == [2, 2, 2]


def test_ratings_follow_strength() -> None:
    pytest.importorskip("openskill")
    games = [played("a", n, ["x", "y", "z"], [2, 1, 0]) for n in range(30)]
    found = rate(games)
    assert [rating.role for rating in found] == ["x", "y", "z"]
    assert found[0].mu > 25 > found[2].mu
    assert {rating.games for rating in found} == {30}


def test_power_is_stated_before_the_run() -> None:
    text = power_statement(design(line_up("a", "x", "y", "y"), games=500))
    # One seat against the mean of two: the variance is (1 + 1/2) / 3 a game.
    assert text.startswith("500 games, 1 comparison: a difference of 8.9 points")
    arms = line_up("a", "x", "z", "z"), line_up("b", "y", "z", "z")
    paired = power_statement(design(*arms, games=500, baseline="b"))
    assert paired.startswith("500 games of each of 2 arms, 1 comparison: a difference of 8.4 p")
    few = power_statement(design(line_up("a", "x", "y", "y"), games=2))
    assert few == "2 games, 1 comparison: too few for any difference in games won to be found"


def test_the_table_of_edges_says_how_often_a_threshold_is_met() -> None:
    log = SeatLog(moves=8, stances={"maxn": 6, "paranoid": 2}, ahead={1: 2, 4: 2}, behind={0: 4})
    game = attrs.evolve(
        played("a", 0, ["x", "y", "z"], [1, 0, 0]), logs=(log, SeatLog(), SeatLog())
    )
    found = analyse(design(line_up("a", "x", "y", "z"), games=1), [game])
    line = text_report(found).partition("leads by")[2].splitlines()[1]
    leads = ["50.0", "50.0", "25.0", "25.0", "0.0", "0.0"]  # 2 turns from 5 on, 2 from 20 on
    assert line.replace(" %", "").split() == ["x", *leads, "50.0", *["0.0"] * 5]


def test_shares_of_roles_at_one_table_are_compared_per_seat() -> None:
    """Two seats of y win half of the games: no more than x, who has one and wins a quarter."""
    rounds = [["x", "y", "y"], ["y", "x", "y"], ["y", "y", "x"], ["x", "y", "y"]]
    payoffs = [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]]
    found = analyse(
        design(line_up("a", "x", "y", "y")),
        [played("a", n, rounds[n], payoffs[n]) for n in range(4)],
    )
    (comparison,) = found.comparisons
    assert comparison.difference.mean == pytest.approx(0.25 - 0.5 / 2)
