"""What a learned evaluator sees: the same from every side of the board."""

from typing import Any

import numpy as np
import pytest
from mpsearch_quoridor.layout import WIDTH
from mpsearch_quoridor.learned import INPUTS, MOST, look

from mpsearch.api import set_table
from mpsearch.errors import UsageError
from mpsearch.plugins import installed


def new_game(players: int, **options: Any) -> Any:
    return installed().game("quoridor", players=players, **options)


def seen(game: Any, state: Any, seat: int) -> dict[int, float]:
    out = np.zeros((MOST, 2))
    return {int(i): value for i, value in out[: look.plain(game.record(state), seat, out)]}


def turned(text: str, size: int, times: int) -> str:
    """A move after the board was turned by so many quarters, written by hand from its picture."""
    column, row, kind = ord(text[0]) - ord("a"), int(text[1]) - 1, text[2:]
    for _ in range(times):
        far = size - 1 if not kind else size - 2
        row, column = column, far - row
        kind = {"": "", "h": "v", "v": "h"}[kind]
    return f"{chr(ord('a') + column)}{row + 1}{kind}"


@pytest.mark.parametrize(("players", "quarters"), [(2, 2), (4, 1)])
@pytest.mark.parametrize("size", [5, WIDTH])
def test_a_turned_board_is_seen_by_the_next_seat_as_it_was_by_this(
    players: int, quarters: int, size: int
) -> None:
    """Seat 1 sees what seat 0 sees of the same moves made from the other side."""
    game = new_game(players, size=size)
    rng = np.random.default_rng(players)
    # One round later, so that in the second game everybody has moved on by a seat.
    first = game.new()
    s = game.record(game.new())
    s.mover = 1
    second = s.tobytes()
    for _ in range(10):
        moves = game.moves(first)
        text = game.write(moves[int(rng.integers(len(moves)))])
        first = game.play(first, game.read(text))
        # To bring a side to the next one clockwise is to turn the view by three quarters.
        second = game.play(second, game.read(turned(text, size, (4 - quarters) % 4)))
        for seat in range(players):
            assert seen(game, second, (seat + 1) % players) == seen(game, first, seat)


def test_mirror_is_what_is_seen_with_left_and_right_exchanged() -> None:
    game = new_game(2)
    (mirror,) = game.features.mirrors
    here, there = game.new(), game.new()
    for text in ("e2", "e8", "c3h", "d6v", "f2", "e7", "a1h"):
        column, row, kind = ord(text[0]) - ord("a"), text[1], text[2:]
        image = chr(ord("a") + (7 if kind else 8) - column) + row + kind
        here, there = game.play(here, game.read(text)), game.play(there, game.read(image))
        for seat in range(2):
            expected = {mirror[i]: value for i, value in seen(game, here, seat).items()}
            assert seen(game, there, seat) == expected


def test_every_input_has_its_own_number() -> None:
    game = new_game(4)
    rng, state, found = np.random.default_rng(3), game.new(), set()
    while game.mover(state) >= 0:
        moves = game.moves(state)
        state = game.play(state, moves[int(rng.integers(len(moves)))])
        for seat in range(4):
            inputs = seen(game, state, seat)
            assert max(inputs) < INPUTS
            found |= set(inputs)
    assert len(found) > 300


def test_learned_evaluator_holds_for_the_boards_it_learned_on() -> None:
    for players in (2, 4):
        table = set_table(installed(), "quoridor", players=players)
        assert table.space("learned").evaluator.values(table.game.new()).sum() == pytest.approx(100)
    with pytest.raises(UsageError, match="'learned' is for 2 or 4 players, size=9, walls=-1"):
        set_table(installed(), "quoridor", players=3).space("learned")
    with pytest.raises(UsageError, match="not for 2 players, size=7"):
        set_table(installed(), "quoridor", players=2, options={"size": 7}).space("learned")


@pytest.mark.parametrize("players", [2, 4])
def test_a_pawn_that_is_about_to_win_is_thought_to_win(players: int) -> None:
    table = set_table(installed(), "quoridor", players=players)
    game: Any = table.game
    s = game.record(game.new())
    s.pawn[0] = 7 * WIDTH + 1
    assert table.space("learned").evaluator.values(s.tobytes()).argmax() == 0
