"""Options of the rules: a preset, and flags that change it."""

from __future__ import annotations

from typing import Any

import attrs

from mpsearch.contracts import Option
from mpsearch_hearts.state import (
    BREAKING,
    JACK,
    MOON_ADD,
    MOON_SUBTRACT,
    SAFE_FIRST,
    SINGLE,
    TRICK_ENDS,
)

#: The value of a flag that follows the preset.
PRESET = "preset"

#: Directions of passing, deal by deal: how many seats on the left the receiver sits.
DIRECTIONS: dict[str, tuple[int, ...]] = {
    "none": (0,),
    "left": (1,),
    "right": (3,),
    "across": (2,),
    "cycle": (1, 3, 2, 0),
}


@attrs.frozen(kw_only=True)
class Variant:
    """The rules that are played."""

    passing: str = "none"
    moon: str = "none"
    breaking: str = "no"
    safe_first: str = "no"
    jack: str = "no"
    single: str = "no"
    end: str = "deal"

    @property
    def flags(self) -> int:
        """These rules as bits of the state's `variant`; passing is not among them."""
        moons = {"none": 0, "add": MOON_ADD, "subtract": MOON_SUBTRACT}
        bits = {"breaking": BREAKING, "safe_first": SAFE_FIRST, "jack": JACK, "single": SINGLE}
        flags = moons[self.moon] | (TRICK_ENDS if self.end == "trick" else 0)
        for name, bit in bits.items():
            flags |= bit if getattr(self, name) == "yes" else 0
        return flags

    def direction(self, deals: int) -> int:
        """Where cards are passed after `deals` deals."""
        cycle = DIRECTIONS[self.passing]
        return cycle[deals % len(cycle)]


PRESETS = {
    "papers": Variant(),
    "standard": Variant(passing="cycle", moon="add", breaking="yes", safe_first="yes"),
}


def choose_variant(preset: str, flags: dict[str, Any]) -> Variant:
    """The preset with all flags applied that are not `preset`."""
    changes = {name: value for name, value in flags.items() if value != PRESET}
    return attrs.evolve(PRESETS[preset], **changes)


def _flag(name: str, help: str, *choices: str) -> Option:
    return Option.text(name, PRESET, help=help, choices=(PRESET, *(choices or ("yes", "no"))))


OPTIONS = (
    Option.text(
        "preset",
        "papers",
        choices=tuple(PRESETS),
        help="papers: as in the papers; standard: the game people know",
    ),
    Option.whole("limit", 100, least=1, greatest=10_000, help="ends the game"),
    Option.whole(
        "lead", 0, least=0, greatest=9_999, help="points that everybody but the leader begins with"
    ),
    Option.whole("leader", 0, least=0, greatest=3, help="the seat with the lead"),
    _flag("passing", "three cards are passed; cycle: left, right, across, hold", *DIRECTIONS),
    _flag("moon", "who takes all 26 points: 26 for the others, or -26", "none", "add", "subtract"),
    _flag("breaking", "hearts are led only once one was played, or if nothing else is held"),
    _flag("safe_first", "no points in the first trick"),
    _flag("jack", "the jack of diamonds is worth -10"),
    _flag("single", "one deal is the whole game"),
    _flag("end", "whether who reaches the limit ends the deal or the trick", "deal", "trick"),
)

#: The weights of `paper`, in points: see plugins/hearts/tuning/fit_paper_weights.py.
PAPER_WEIGHTS = {
    "take": 0.30,
    "duck": -0.88,
    "queen": 4.15,
    "over_queen": 2.53,
    "void": -3.79,
    "ranks": 0.23,
}
_HELP = {
    "take": "points for a card that takes a trick of its suit",
    "duck": "points for a card that never does",
    "queen": "points for holding the queen of spades",
    "over_queen": "points for each spade above a queen that is still out",
    "void": "points for a suit that others hold and this hand does not",
    "ranks": "points for each rank above the middle",
}
PAPER_OPTIONS = tuple(
    Option.number(name, weight, help=_HELP[name]) for name, weight in PAPER_WEIGHTS.items()
)

#: What makes leads uncertain, in squared points: see plugins/hearts/tuning/fit_chance.py.
CHANCE_WEIGHTS = {"heat": 5.24, "heat_left": 1.29, "heat_limit": 3.46}
_CHANCE_HELP = {
    "heat": "squared points by which a lead is uncertain at the least",
    "heat_left": "squared points for each point still out in this deal",
    "heat_limit": "squared points for each point until somebody reaches the limit",
}
CHANCE_OPTIONS = PAPER_OPTIONS + tuple(
    Option.number(name, weight, least=1e-6 if name == "heat" else 0.0, help=_CHANCE_HELP[name])
    for name, weight in CHANCE_WEIGHTS.items()
)
