"""The careful player: moons are stopped, and shot if the hand is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mpsearch_hearts.careful import careful
from mpsearch_hearts.players import Careful

from mpsearch.match import play_match

if TYPE_CHECKING:
    from .conftest import Make


class AskedCareful(Careful):
    """Without its policy the referee asks it."""

    policy = None


@pytest.mark.usefixtures("natively")
@pytest.mark.parametrize("preset", ["papers", "standard"])
def test_it_plays_the_same_games_natively(make: Make, preset: str) -> None:
    game = make(preset=preset, limit=60)
    for seed in range(3):
        native, asked = (
            list(play_match(game, [kind(game)] * 4, seed=seed)) for kind in (Careful, AskedCareful)
        )
        assert native == asked


def chosen(make: Make, hand: str, points: list[int], *, table: str = "", moon: str = "add") -> str:
    """What seat 1 plays in the eleventh trick; all other cards but those on the table are gone."""
    game: Any = make(preset="standard", moon=moon)
    s: Any = game.record(game.new())
    cards = [game.read(card) for card in hand.split()]
    laid = [game.read(card) for card in table.split()]
    s.mover, s.count = 1, 40 + len(laid)
    s.hands[1] = sum(1 << card for card in cards)
    s.points[:] = points
    if laid:
        s.best, s.winner, s.pile = laid[0], 0, 1 << laid[0]
        s.played[0] = 1 << laid[0]
    same = [card for card in cards if laid and card >> 4 == laid[0] >> 4]
    moves = sorted(same or cards)
    text: str = game.write(moves[int(careful.plain(s, moves, len(moves), None))])
    return text


def test_points_are_taken_from_whoever_has_them_all(make: Make) -> None:
    assert chosen(make, "2h ah 3c", [13, 0, 0, 0], table="5h") == "ah"
    # Not if few are taken, others have some, or there are no moons.
    assert chosen(make, "2h ah 3c", [4, 0, 0, 0], table="5h") == "2h"
    assert chosen(make, "2h ah 3c", [13, 0, 1, 0], table="5h") == "2h"
    assert chosen(make, "2h ah 3c", [13, 0, 0, 0], table="5h", moon="none") == "2h"


def test_nothing_is_thrown_to_whoever_has_them_all(make: Make) -> None:
    assert chosen(make, "9h 3c 4c", [13, 0, 0, 0], table="5d") == "4c"
    assert chosen(make, "9h 3c 4c", [13, 0, 1, 0], table="5d") == "9h"


def test_all_points_are_gone_for_with_the_hand_for_it(make: Make) -> None:
    assert chosen(make, "ah kh qh", [0, 15, 0, 0]) == "ah"
    assert chosen(make, "ah kh qh", [0, 15, 1, 0]) == "qh"
    assert chosen(make, "3h 2h 2c", [0, 15, 0, 0]) == "2c"


def test_it_ducks_and_gets_rid_of_the_queen(make: Make) -> None:
    assert chosen(make, "2s 9s as", [3, 3, 0, 0], table="10s") == "9s"
    assert chosen(make, "2s qs as", [3, 3, 0, 0], table="ks") == "qs"
    assert chosen(make, "qs ah 2c", [3, 3, 0, 0], table="5d") == "qs"
