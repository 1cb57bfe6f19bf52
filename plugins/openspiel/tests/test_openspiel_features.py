"""Own affairs, against positions that were counted by hand; how is said at each."""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from mpsearch_openspiel.features import FEATURES  # noqa: E402
from mpsearch_openspiel.offers import OWN  # noqa: E402

from mpsearch.api.game_table import table  # noqa: E402

DEAL = (
    "40 30 36 4 32 51 20 6 49 34 10 33 50 11 43 31 9 8 47 17 22 29 21 0 14 24 39 28 19 7 "
    "42 5 38 25 26 16 12 3 37 15 1 18 48 44 35 23 45 13 41 2 46 27"
)


@attrs.frozen
class Counted:
    """A position, as OpenSpiel's numbers of all actions before it, and what seats have there."""

    game: str
    history: str
    own: tuple[float, ...]
    options: Mapping[str, Any] = attrs.field(factory=dict)


POSITIONS = (
    # South wins a trick, North one, South one: three for the two of them.
    Counted(
        "bridge",
        f"{DEAL} 75 85 86 52 87 88 89 52 52 52 33 1 25 37 10 6 38 2 19 7 47 31 43",
        (3, 0, 3, 0),
    ),
    # Seat 0 goes down five lines. Seat 1 from (12, 18) and (10, 22), 13 and 14 hops from the far
    # tip at (4, 0), to (9, 19) and (10, 18), 12 each. Seat 2 has moved two pegs a place across.
    Counted(
        "chinese_checkers",
        "34 642 459 53 565 531 40 446 464 88 510 609",
        (5, 3, 2),
    ),
    # D6 D9 S4 S9; C2 C4 CQ D7 DJ DQ DA SQ SA; C3 C7 DT H7.
    Counted(
        "crazy_eights",
        "54 31 37 4 32 51 20 6 49 34 10 35 50 11 43 33 12 32 35 34 52 17 52 29 10 52 21 52 0 "
        "52 14 52 40 14 52 22 50 6 52 41 52 8 52 38 38",
        (4, 9, 4),
    ),
    Counted(
        "cribbage",
        "40 30 36 4 32 51 20 6 49 34 10 33 50 11 43 31 36 20 11 47 6 33 30 51 2756 2756 2756 "
        "43 4 49 50 2756 2756 2756 32 34 10 40 2756 2756 2756 0 14 25 40",
        (7, 4, 7),
    ),
    # Seat 0 has played 2 55JJJ 8 A, eight of 17. Seat 1 is the landlord with 20, and has played
    # 2 Q A T, a joker and 33. Seat 2 has played A J Q 77.
    Counted(
        "dou_dizhu",
        "39 83 89 55 85 104 72 57 102 87 61 86 103 62 96 84 63 60 100 69 74 82 73 51 66 77 93 "
        "80 71 58 94 59 91 76 79 68 56 64 90 67 52 65 99 95 88 78 98 70 92 53 97 101 2 3 16 0 "
        "0 13 15 16 0 0 413 0 0 9 0 12 0 15 0 0 11 13 15 18 0 0 55 59",
        (9, 13, 12),
    ),
    # All five books are made.
    Counted(
        "go_fish",
        "3 2 3 0 3 4 1 0 4 2 0 3 4 1 4 8 1 11 2 1 4 1 9 8 2 8 0 12 0 12 2 0 5 3",
        (0, 2, 3),
        {"ranks": 5},
    ),
    # The 4 is won by 4 over 3 and 2, the 1 by nobody, the 5 by 5, the 3 by 5, the 2 by the last 5.
    Counted(
        "goofspiel",
        "3 1 3 2 0 3 1 3 4 0 2 4 2 2 4 1",
        (2, 7, 5),
        {"num_cards": 5},
    ),
    # East takes the queen of spades with the king.
    Counted(
        "hearts",
        "3 31 37 4 32 51 20 6 49 34 10 35 50 11 43 33 12 8 47 17 22 29 21 0 14 25 40 28 19 7 "
        "42 9 39 24 27 16 5 3 38 15 1 18 48 44 36 26 45 13 41 2 30 46 23 24 2 11 40 43 27 4 "
        "46 9 1 22 5 0 32 8 4 23 43 47 35 42 22",
        (0, 13, 0, 0),
    ),
    # A chip each, and one more of who bets; in the end the bet of seat 1, with the better card,
    # wins those of the others.
    Counted(
        "kuhn_poker",
        "0 1 3 1",
        (-2, -1, -1),
    ),
    Counted(
        "kuhn_poker",
        "0 1 3 1 1 0",
        (-2, 3, -1),
    ),
    # A chip each; in the second round seat 0 raises by four.
    Counted(
        "leduc_poker",
        "6 4 5 1 1 1 7 2 0",
        (95, 99, 99),
    ),
    # Seat 1 has pieces on the 12th and the 13th place of its way, seat 2 on the 4th and the 24th.
    Counted(
        "maedn",
        "4 0 3 0 4 0 0 0 3 0 5 1 2 2 0 0 5 1 4 2 1 5 4 0 5 1 1 2 5 1 4 7 1 0 1 4 2 2 2 0 3 7 "
        "2 12 1 0 2 6 4 15 2 0 1 11 4 20 1 0 4 9",
        (0, 25, 28),
    ),
    # Three tricks, as said; one instead of four; none instead of one.
    Counted(
        "oh_hell",
        "4 1 36 4 32 51 21 6 49 34 10 33 50 11 43 53 55 56 6 36 34 21 32 33 49 50 10 51 4 11",
        (13, 1, 0),
        {"num_tricks_fixed": 4},
    ),
    # A 4 is held by seat 0, a 2 by seat 1, a 6 by seat 2; seat 0 rolls a 1, seat 1 holds at once.
    Counted(
        "pig",
        "0 3 1 0 1 1 0 5 1 0 0 1",
        (4, 2, 6),
    ),
    # Seat 0, alone: kings of hearts and spades, ace and ten of clubs, 8 and 21 points; the others
    # the queen of spades, and ten, jack and queen of diamonds. The skat is not counted yet.
    Counted(
        "skat",
        "24 18 22 2 19 31 12 3 29 20 6 21 30 5 26 16 7 4 28 10 13 17 11 0 9 15 25 23 8 1 27 "
        "14 33 22 9 18 19 17 16 12 20 30 25 29 5 7 3",
        (29, 18, 18),
    ),
    # Seat 2 eats; seats 1 and 3 run into each other.
    Counted(
        "snake",
        "14 1 2 1 0",
        (0.5, 0, 1.5, 0),
        {"rows": 5, "columns": 5},
    ),
    # East wins with the king, South with the queen of clubs, East with the queen.
    Counted(
        "spades",
        f"{DEAL} 60 61 54 52 14 24 21 15 3 10 6 1 20 16 19 23",
        (1, 2, 1, 2),
    ),
    # A two; a choice of 9; a three and a choice of 6.
    Counted(
        "yacht",
        "28 1 4 2 0 7 35 2 2 3 34 5 24 3 24 0 10 7 3 30 1 1 12 6 1 2 3 15 4 15 2 0 3 17 6 27 "
        "3 15 2 1 5 6 3 26 1 3 10 13 3 6 0 9 9 2 0 1 5 6 25 1",
        (2, 9, 9),
        {"num_dice": 2},
    ),
)


@pytest.mark.parametrize("counted", POSITIONS, ids=lambda counted: counted.game)
def test_own_affairs_are_what_was_counted_by_hand(counted: Counted) -> None:
    game: Any = table(f"os_{counted.game}", **counted.options).game
    inner = game.inner.new_initial_state()
    for action in counted.history.split():
        assert int(action) in inner.legal_actions()
        inner.apply_action(int(action))
    assert tuple(FEATURES[counted.game].read(inner, str(game.new()))) == counted.own


def test_every_game_with_own_affairs_has_a_position_that_was_counted() -> None:
    assert {counted.game for counted in POSITIONS} == set(FEATURES) == set(OWN)


def test_values_go_from_the_worst_to_the_best_and_no_further() -> None:
    game: Any = table("os_pig", winscore=20).game
    feature = attrs.evolve(FEATURES["pig"], read=lambda inner, first: [0.0, 5.0, 24.0])
    assert feature.scaled(game, None, "").tolist() == [0.0, 25.0, 100.0]
    fewer = attrs.evolve(FEATURES["dou_dizhu"], read=lambda inner, first: [])
    assert np.allclose(fewer.scaled(game, game.inner.new_initial_state(), ""), 15.0)


def test_where_more_does_not_always_win_the_end_is_the_result() -> None:
    """Five tricks of thirteen, but the other side had promised all of them."""
    place: Any = table("os_bridge")
    rng, state = np.random.default_rng(1), place.game.new()
    while not state.inner.is_terminal():
        state = place.game.play(state, int(rng.choice(state.inner.legal_actions())))
    won = np.array(state.inner.returns()) > 0
    assert place.space("tricks").evaluator.values(state).tolist() == (100.0 * won).tolist()
