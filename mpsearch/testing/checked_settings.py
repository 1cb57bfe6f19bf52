"""Settings in which a game is checked: numbers of players and values of options."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

from mpsearch.contracts import Game, GameOffer, Offer, Option
from mpsearch.errors import UsageError

#: Players and options, as `GameOffer.new_game` takes them.
Setting: TypeAlias = dict[str, Any]


def values(option: Option, *, greatest: bool = True) -> list[Any]:
    """The values of an option to try: all choices, or the default and both ends of its range."""
    if option.kind is bool:
        return [False, True]
    if option.choices:
        return list(option.choices)
    ends = (option.least, option.greatest if greatest else None)
    finite = [end for end in ends if end is not None and math.isfinite(end)]
    return [option.default, *map(option.kind, finite)]


def player_counts(offer: GameOffer) -> list[int]:
    """The default number of players, then all others."""
    low, high = offer.players
    return list(dict.fromkeys([offer.default_players, *range(low, high + 1)]))


def few_counts(offer: GameOffer) -> list[int]:
    """The default, least and most players."""
    return list(dict.fromkeys([offer.default_players, *offer.players]))


def settings(offer: GameOffer, *, quick: bool = False) -> Iterator[Setting]:
    """Every number of players with default options, then every value of an option with the
    default number of players."""
    for count in few_counts(offer) if quick else player_counts(offer):
        yield {"players": count}
    for changed in () if quick else changed_options(offer):
        yield {"players": offer.default_players, **changed}


def changed_options(offer: Offer, *, greatest: bool = True) -> Iterator[dict[str, Any]]:
    """Every value of every option other than its default, one at a time."""
    for option in offer.options:
        for value in dict.fromkeys(values(option, greatest=greatest)):
            if value != option.default:
                yield {option.name: value}


def part_options(offer: Offer, *, greatest: bool = True) -> Iterator[dict[str, Any]]:
    """The options to check an evaluator or a branching with, the defaults first.

    Without `greatest`, none that may be too slow in plain Python, such as 10,000 samples.
    """
    default = offer.settle({})
    yield default
    for changed in changed_options(offer, greatest=greatest):
        yield {**default, **changed}


def options_in(setting: Setting) -> dict[str, Any]:
    """The options of a setting, without the number of players."""
    return {name: value for name, value in setting.items() if name != "players"}


def make_game(offer: GameOffer, setting: Setting) -> Game | None:
    """The game in a setting; None if it refuses that combination of options."""
    options = options_in(setting)
    try:
        return offer.new_game(players=setting.get("players"), options=options)
    except UsageError:
        if not options:
            raise
        return None


def words(setting: Setting) -> str:
    """A setting for people."""
    return ", ".join(f"{name}={value}" for name, value in setting.items())
