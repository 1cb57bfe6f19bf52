"""Settings in which a game is checked: every number of players, every value of its options."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

from mpsearch.contracts import Game, GameOffer, Offer, Option
from mpsearch.errors import UsageError

#: Players and options, as `GameOffer.new_game` takes them.
Setting: TypeAlias = dict[str, Any]


def values(option: Option, *, greatest: bool = True) -> list[Any]:
    """The values of an option that are tried: all choices, or both ends of its range."""
    if option.kind is bool:
        return [False, True]
    if option.choices:
        return list(option.choices)
    ends = (option.least, option.greatest) if greatest else (option.least,)
    return [option.default, *(option.kind(end) for end in ends if _finite(end))]


def _finite(end: float | None) -> bool:
    return end is not None and math.isfinite(end)


def player_counts(offer: GameOffer) -> list[int]:
    """The usual number of players, then all others."""
    low, high = offer.players
    return list(dict.fromkeys([offer.default_players, *range(low, high + 1)]))


def few_counts(offer: GameOffer) -> list[int]:
    """The usual, least and most players."""
    return list(dict.fromkeys([offer.default_players, *offer.players]))


def settings(offer: GameOffer, *, quick: bool = False) -> Iterator[Setting]:
    """Every number of players with the usual options; every value of an option with the usual
    number of players."""
    for count in few_counts(offer) if quick else player_counts(offer):
        yield {"players": count}
    for changed in () if quick else changed_options(offer):
        yield {"players": offer.default_players, **changed}


def changed_options(offer: Offer, *, greatest: bool = True) -> Iterator[dict[str, Any]]:
    """Every value of every option that is not its default, one at a time."""
    for option in offer.options:
        for value in dict.fromkeys(values(option, greatest=greatest)):
            if value != option.default:
                yield {option.name: value}


def part_options(offer: Offer, *, greatest: bool = True) -> Iterator[dict[str, Any]]:
    """The options in which an evaluator or a branching is checked, the usual ones first.

    Without `greatest` none that may be too much work for plain Python, such as 10,000 samples.
    """
    usual = offer.settle({})
    yield usual
    for changed in changed_options(offer, greatest=greatest):
        yield {**usual, **changed}


def make_game(offer: GameOffer, setting: Setting) -> Game | None:
    """The game in a setting; None if the game itself refuses that combination."""
    options = {name: value for name, value in setting.items() if name != "players"}
    try:
        return offer.new_game(players=setting.get("players"), options=options)
    except UsageError:
        if not options:
            raise
        return None


def words(setting: Setting) -> str:
    """A setting for people."""
    return ", ".join(f"{name}={value}" for name, value in setting.items())
