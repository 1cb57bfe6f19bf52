"""The plugin's offers. They import nothing that only a running game needs."""

from __future__ import annotations

from mpsearch.contracts import EvaluatorOffer, GameOffer, Option
from mpsearch_calibration.go_fish.state import MOST_RANKS, MOST_SEATS

BINGO = GameOffer(
    name="bingo",
    summary="nobody can do anything about anybody: Opponent Impact 0",
    make="mpsearch_calibration.bingo.game:Bingo",
    players=(2, 6),
    default_players=3,
    options=(
        Option.whole("cells", 6, least=1, greatest=25, help="cells of a board"),
        Option.whole("numbers", 20, least=1, greatest=90, help="to be called"),
    ),
    evaluator="marked",
    guide="mpsearch_calibration.bingo:guide.txt",
    # MP-Mix paper, section 5.
)

GO_FISH = GameOffer(
    name="go_fish",
    summary="ask others for their cards: Opponent Impact near 1, with hidden hands",
    make="mpsearch_calibration.go_fish.game:GoFish",
    players=(2, MOST_SEATS),
    default_players=3,
    options=(
        Option.whole("ranks", 13, least=2, greatest=MOST_RANKS, help="four cards each"),
        Option.whole("hand", 7, least=1, greatest=26, help="cards dealt to each"),
        Option.whole("asks", 150, least=1, greatest=1_000_000, help="questions until it ends"),
        Option.text(
            "ask",
            "any",
            choices=("any", "held"),
            help="which ranks one may ask for: any, or those one holds",
        ),
    ),
    evaluator="collected",
    guide="mpsearch_calibration.go_fish:guide.txt",
    # MP-Mix paper, section 5.
)

TWO_PHASE = GameOffer(
    name="two_phase",
    summary="a race with contact first and none later: Opponent Impact falls to 0",
    make="mpsearch_calibration.two_phase.game:TwoPhase",
    players=(2, 6),
    default_players=3,
    options=(
        Option.whole("road", 6, least=1, greatest=50, help="shared squares"),
        Option.whole("lane", 12, least=1, greatest=50, help="squares of one's own"),
    ),
    evaluator="walked",
    guide="mpsearch_calibration.two_phase:guide.txt",
)

EVALUATORS = [
    EvaluatorOffer(
        name="marked",
        game="bingo",
        summary="cells marked, in percent",
        make="mpsearch_calibration.bingo.evaluators:Marked",
    ),
    EvaluatorOffer(
        name="collected",
        game="go_fish",
        summary="books and how near the cards in hand are to books",
        make="mpsearch_calibration.go_fish.evaluators:make_collected",
    ),
    EvaluatorOffer(
        name="walked",
        game="two_phase",
        summary="squares walked by both pawns, in percent",
        make="mpsearch_calibration.two_phase.evaluators:Walked",
    ),
]
