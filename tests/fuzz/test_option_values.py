"""Every number of every game's options has a range that fits: inside it games are played."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.fuzz import states

from mpsearch.contracts import Option
from mpsearch.errors import UsageError
from mpsearch.plugins.catalog import installed

NUMBERS = (-1, 0, 1, 2**31, 2**63 - 1, 2**63, 10**20, 0.5, 1e-300, 1e300, float("inf"))


def values(option: Option) -> Iterator[Any]:
    """The ends of a range, what is beside them, and what nobody thinks of."""
    ends = [end for end in (option.least, option.greatest) if end is not None]
    yield from (end + step for end in ends for step in (-1, 0, 1))
    yield from NUMBERS
    yield from option.choices


@pytest.mark.parametrize("name", sorted(installed().games))
def test_numbers_of_options_are_refused_or_can_be_played_with(name: str) -> None:
    offer = installed().games[name]
    for option in offer.options:
        played = 0
        for value in values(option):
            try:
                game = offer.new_game(options={option.name: value})
            except UsageError:
                continue
            for state in states(game, random.Random(1)):
                game.picture(game.view(state, 0))
            played += 1
        assert played > 0 or option.kind is str
