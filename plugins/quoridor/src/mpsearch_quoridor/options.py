"""Options of the game and of its parts. Every command imports this, so it is light."""

from __future__ import annotations

from mpsearch.contracts import Option
from mpsearch_quoridor.layout import LARGEST_RADIUS, SIZES, WIDTH
from mpsearch_quoridor.openings import ANY, OPENINGS

#: Walls per player by number of players.
USUAL_WALLS = {2: 10, 3: 7, 4: 5}
#: The value of option `walls` that stands for the usual number.
USUAL = -1
MOST_WALLS = 64
#: The games that learned weights are for.
LEARNED_PLAYERS = (2, 4)
LEARNED_BOARD = {"size": WIDTH, "walls": USUAL}
#: What a jump does when a second pawn stands behind the first.
BEHIND = ("side", "none")
#: Random walkers work with words of this size.
WORD = (1 << 32) - 1

OPTIONS = (
    Option.whole("size", WIDTH, choices=SIZES, help="rows and columns"),
    Option.whole(
        "walls",
        USUAL,
        least=USUAL,
        greatest=MOST_WALLS,
        help="walls per player; -1: 10, 7 or 5 for 2, 3 or 4 players",
    ),
    Option.text(
        "behind",
        BEHIND[0],
        choices=BEHIND,
        help="a jump with a second pawn behind the first: a side-step, or none",
    ),
    Option.whole("plies", 400, least=1, greatest=1_000_000, help="moves until the game is drawn"),
    Option.flag("trace", True, help="states remember wall owners, past squares and the last move"),
)

RADIUS = Option.whole(
    "radius", 1, least=1, greatest=LARGEST_RADIUS, help="king's moves around a pawn"
)

WALKER_OPTIONS = (
    Option.whole("walks", 32, least=1, greatest=1_000_000, help="races of random walkers"),
    Option.number(
        "forward", 0.5, least=0, greatest=1, help="how often a walker goes straight ahead if it can"
    ),
    Option.whole("walk_seed", 0, least=0, greatest=WORD, help="seed of the walkers"),
)

#: The weights that `features` has unless told otherwise, found by tuning (see README).
FEATURE_WEIGHTS = {
    "path": 1.93,
    "walkers": 0.0,
    "manhattan": 0.08,
    "been_there": 0.07,
    "walls_left": 0.3,
    "walls_before": 0.17,
}
_HELP = {
    "path": "shortest path to the goal",
    "walkers": "races won by random walkers",
    "manhattan": "rows to the goal, walls disregarded",
    "been_there": "not standing where the pawn has been before",
    "walls_left": "walls in hand",
    "walls_before": "few walls between pawn and goal",
}

FEATURE_OPTIONS = (
    *(
        Option.number(name, weight, help=f"weight: {_HELP[name]}")
        for name, weight in FEATURE_WEIGHTS.items()
    ),
    *WALKER_OPTIONS,
)

OPENING = Option.text(
    "opening", ANY, choices=(ANY, *OPENINGS), help="which one; any: chosen at random"
)
