"""What the plugin offers of the game: options, branchings, players."""

from __future__ import annotations

from mpsearch.contracts import GameOffer, Option
from mpsearch_risk_lite.bids import BRANCHINGS
from mpsearch_risk_lite.game import RiskLite
from mpsearch_risk_lite.maps import BUILT_IN
from mpsearch_risk_lite.players import PLAYERS
from mpsearch_risk_lite.state import MOST_REACH, SEATS

RISK_LITE = GameOffer(
    name="risk_lite",
    summary="simplified Risk: real dice, one campaign a turn, for 2 to 6 players",
    make=RiskLite,
    players=(2, SEATS),
    default_players=6,
    options=(
        Option(
            name="map",
            kind=str,
            default="classic",
            help=f"{', '.join(BUILT_IN)}, or a TOML file",
        ),
        Option(
            name="rounds",
            kind=int,
            default=100,
            least=1,
            greatest=100_000,
            help="rounds until the strongest wins",
        ),
        Option(
            name="reach",
            kind=int,
            default=MOST_REACH,
            least=1,
            greatest=MOST_REACH,
            help="longest path of a campaign",
        ),
        Option(
            name="outcomes",
            kind=int,
            default=4,
            choices=(0, 4, 8, 16),
            help="most outcomes of a campaign in the tree; 0: all",
        ),
    ),
    evaluator="paper",
    branchings=BRANCHINGS,
    branching="bids",
    bots=PLAYERS,
    # MP-Mix paper, figure 5 and the ordering below it.
    printed_impact=((1, 0.8312), (9, 0.8853), (0, 0.85)),
)
