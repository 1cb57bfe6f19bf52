"""Deals that cannot be dealt are known, in every game that draws what it does not list."""

from typing import Any

import numpy as np
import pytest

from mpsearch.contracts import CHANCE, OVER, Game
from mpsearch.plugins.catalog import installed


def first_draw(name: str) -> tuple[Game, Any, Any]:
    game = installed().games[name].new_game()
    return game, game.new(), game.draw(game.new(), np.random.default_rng(1))


def rotated(deal: Any) -> Any:
    return (*deal[1:], deal[0])


@pytest.mark.parametrize("name", ["plunder", "bingo", "go_fish", "hearts"])
def test_a_deal_is_possible_for_any_seats_but_not_too_many(name: str) -> None:
    if name not in installed().games:
        pytest.skip("the plugin is not installed")
    game, state, deal = first_draw(name)
    assert game.possible(state, deal)
    assert game.possible(state, rotated(deal))
    assert not game.possible(state, deal[:-1])
    assert not game.possible(state, (*deal, deal[0]))
    # Boards may be alike, and so may hands of ranks alone; cards are there once.
    alike = name in ("bingo", "go_fish")
    assert game.possible(state, (deal[0],) * len(deal)) == alike


def test_the_same_plunder_cards_three_times_are_no_deal() -> None:
    game, state, _ = first_draw("plunder")
    assert not game.possible(state, game.read("1,2,3,4|1,2,3,4|1,2,3,4"))
    assert not game.possible(state, game.read("4,3,2,1|5,6,7,8|9,10,11,12"))
    assert not game.possible(state, game.read("1,2,3,4|5,6,7,8|9,10,11,15"))
    assert not game.possible(state, game.read("3"))
    assert game.possible(state, game.read("1,2,3,4|5,6,7,8|9,10,13,14"))


def test_more_go_fish_cards_than_there_are_are_no_deal() -> None:
    if "go_fish" not in installed().games:
        pytest.skip("the plugin is not installed")
    game, state, deal = first_draw("go_fish")
    assert not game.possible(state, game.read("|".join([",".join(["4"] * 13)] * len(deal))))
    after = game.play(state, deal)
    rng = np.random.default_rng(2)
    while game.mover(after) != OVER:
        if game.mover(after) == CHANCE:
            drawn = game.draw(after, rng)
            assert game.possible(after, drawn)
            assert not game.possible(after, deal)
            after = game.play(after, drawn)
        else:
            moves = game.moves(after)
            after = game.play(after, moves[int(rng.integers(len(moves)))])


def test_a_risk_deal_gives_everybody_their_share() -> None:
    if "risk_lite" not in installed().games:
        pytest.skip("the plugin is not installed")
    game, state, deal = first_draw("risk_lite")
    assert game.possible(state, deal)
    (owner, armies), *rest = deal
    assert not game.possible(state, ((owner, armies + 1), *rest))
    assert not game.possible(state, (((owner + 1) % game.players, armies), *rest))
    assert not game.possible(state, tuple((0, 1) for _ in deal))
