"""Options of the game and its parts; light, because every command imports it."""

from __future__ import annotations

from mpsearch.contracts import Option

#: Most players.
SEATS = 6
#: The longest path of a move.
MOST_REACH = 4
#: The maps that come with the plugin.
BUILT_IN = ("classic", "straits", "woodland")

OPTIONS = (
    Option.text(
        "map",
        "classic",
        choices=BUILT_IN,
        files=".toml",
        help="the world: territories, borders and continents",
    ),
    Option.whole("rounds", 100, least=1, greatest=100_000, help="rounds until the strongest wins"),
    Option.whole(
        "reach", MOST_REACH, least=1, greatest=MOST_REACH, help="longest path of a campaign"
    ),
    Option.whole(
        "outcomes",
        4,
        choices=(0, 1, 4, 8, 16),
        help="most outcomes of a campaign in the tree; 1: what is likeliest; 0: all",
    ),
    Option.whole("bonus", 1, least=0, greatest=10, help="times the bonus of every continent"),
    Option.whole(
        "lead",
        0,
        least=0,
        greatest=100,
        help="armies that the leader begins with beyond the others'",
    ),
    Option.whole("leader", 0, least=0, greatest=SEATS - 1, help="the seat with the lead"),
)

BIDS = Option.whole("k", 3, least=1, greatest=64, help="how many")


def _weight(name: str, default: float) -> Option:
    return Option.number(name, default, least=0.001, help=f"weight of {name}")


ARMY_LAND_OPTIONS = (_weight("armies", 1.0), _weight("land", 1.0), _weight("income", 1.0))
HOLDINGS_OPTIONS = (
    Option.number(
        "half", 40.0, least=0.001, help="armies that are worth half of what armies can be worth"
    ),
)
PAPER_OPTIONS = (
    _weight("armies", 2.0),
    _weight("values", 1.0),
    _weight("continents", 1.0),
    _weight("income", 2.0),
    _weight("control", 2.0),
)
