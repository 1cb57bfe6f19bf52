"""What can be set, of the game and of its parts; light, because every command reads it."""

from __future__ import annotations

from mpsearch.contracts import Option

#: Most players.
SEATS = 6
#: The longest path that a move has room for.
MOST_REACH = 4
#: The maps that come with the plugin.
BUILT_IN = ("classic", "straits", "woodland")

OPTIONS = (
    Option(
        name="map",
        kind=str,
        default="classic",
        choices=BUILT_IN,
        files=".toml",
        help="the world: territories, borders and continents",
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
)

BIDS = Option(name="k", kind=int, default=3, least=1, greatest=64, help="how many")


def _weight(name: str, default: float) -> Option:
    return Option(name=name, kind=float, default=default, least=0.001, help=f"weight of {name}")


ARMY_LAND_OPTIONS = (_weight("armies", 1.0), _weight("land", 1.0), _weight("income", 1.0))
HOLDINGS_OPTIONS = (
    Option(
        name="half",
        kind=float,
        default=40.0,
        least=0.001,
        help="armies that are worth half of what armies can be worth",
    ),
)
PAPER_OPTIONS = (
    _weight("armies", 2.0),
    _weight("values", 1.0),
    _weight("continents", 1.0),
    _weight("income", 2.0),
    _weight("control", 2.0),
)
