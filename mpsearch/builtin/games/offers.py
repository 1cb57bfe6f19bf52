"""Offers of the core's own games, which are imported when they are played."""

from __future__ import annotations

from mpsearch.contracts import EvaluatorOffer, GameOffer, Option

SCRAMBLE = GameOffer(
    name="scramble",
    summary="a race of 2 to 6 runners who bump and trip each other",
    make="mpsearch.builtin.games.scramble:Scramble",
    players=(2, 6),
    default_players=4,
    options=(
        Option.whole("length", 20, least=5, greatest=100, help="last square"),
        Option.whole(
            "plies", 400, least=1, greatest=1_000_000, help="moves until the game is drawn"
        ),
        Option.whole(
            "back",
            2,
            least=0,
            greatest=20,
            help="squares that a trip throws back, a bump one more; 0: neither does",
        ),
    ),
    evaluator="progress",
    guide="mpsearch.builtin.games:scramble.txt",
)

PLUNDER = GameOffer(
    name="plunder",
    summary="a card game with hidden hands and a die, for 3 to 5 players",
    make="mpsearch.builtin.games.plunder:Plunder",
    players=(3, 5),
    default_players=3,
    options=(Option.whole("cards", 4, least=1, greatest=8, help="cards each"),),
    evaluator="score",
    guide="mpsearch.builtin.games:plunder.txt",
)

EVALUATORS = [
    EvaluatorOffer(
        name="progress",
        game="scramble",
        summary="squares run, in percent",
        make="mpsearch.builtin.games.scramble:make_progress",
    ),
    EvaluatorOffer(
        name="share",
        game="scramble",
        summary="share of all squares run and stamina left; sums to 100",
        make="mpsearch.builtin.games.scramble:make_share",
        options=(Option.number("stamina", 0.5, least=0, help="squares a stamina is worth"),),
    ),
    EvaluatorOffer(
        name="score",
        game="plunder",
        summary="points, from worst to best possible",
        make="mpsearch.builtin.games.plunder:Score",
    ),
]
