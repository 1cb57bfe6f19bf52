"""Seeds: one way from the user's to the games', without collisions."""

import itertools

import pytest

from mpsearch.errors import UsageError
from mpsearch.experiments import game_seed
from mpsearch.experiments.seeds import BLOCKS, GAMES


def test_no_two_games_share_a_seed() -> None:
    ends = itertools.product(
        (0, 1, 2, 12345), (0, 1, 2, BLOCKS - 1), (0, 1, 2, 10_007, 1_000_003, GAMES - 1)
    )
    seeds = [game_seed(seed, number, block=block) for seed, block, number in ends]
    assert len(set(seeds)) == len(seeds) == 4 * 4 * 6


def test_the_usual_seed_numbers_the_games() -> None:
    assert [game_seed(0, number) for number in range(3)] == [0, 1, 2]
    assert game_seed(3, 5, block=2) == (3 * 2**16 + 2) * 2**24 + 5


@pytest.mark.parametrize(("number", "block"), [(GAMES, 0), (0, BLOCKS), (-1, 0)])
def test_more_games_than_a_seed_has_are_refused(number: int, block: int) -> None:
    with pytest.raises(UsageError, match="one seed has 65536 blocks of 16777216 games"):
        game_seed(1, number, block=block)
