"""perft counts every line of play."""

import pytest
from support.hashtree import HashTree

from mpsearch.contracts import CHANCE, Game
from mpsearch.plugins.catalog import load_catalog
from mpsearch.search import count_leaves


def lines(game: Game, state: object, depth: int) -> int:
    """Count by walking every line to its end, without any short cut."""
    if depth == 0:
        return 1
    seat = game.mover(state)
    if seat == CHANCE:
        return sum(lines(game, game.play(state, o), depth) for o, _ in game.chance(state))
    if seat < 0:
        return 0
    return sum(lines(game, game.play(state, m), depth - 1) for m in game.moves(state))


@pytest.mark.parametrize("chances", [0, 4])
@pytest.mark.parametrize("players", [2, 5])
def test_counts_agree_with_a_plain_walk(players: int, chances: int) -> None:
    for key in range(1, 12):
        game = HashTree(key * 1299709, players=players, chances=chances)
        for depth in range(6):
            assert count_leaves(game, game.new(), depth) == lines(game, game.new(), depth)


def test_counts_of_an_interpreted_game() -> None:
    game = load_catalog().game("plunder")
    state = game.play(game.new(), ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)))
    # Each of four stakes, then 4 cards each for three players, then four stakes again.
    assert [count_leaves(game, state, d) for d in range(5)] == [1, 16, 64, 256, 256 * 4 * 3]


def test_counts_of_scramble_are_known() -> None:
    game = load_catalog().game("scramble")
    counts = [count_leaves(game, game.new(), depth) for depth in range(8)]
    assert counts == [1, 3, 12, 52, 241, 876, 2965, 9741]
