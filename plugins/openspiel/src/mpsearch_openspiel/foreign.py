"""Which of OpenSpiel's games are offered, and what is known of each; a test compares it with them.

It is written down here, because every command loads every plugin, and importing pyspiel takes
longer than all of mpsearch.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import attrs

#: How a seat is kept from knowing what it may not know.
OPEN = "open"  # there is nothing to hide
DEAL = "deal"  # of a game of tricks; cards that the seat has not seen are dealt out
FILTER = (
    "filter"  # worlds are drawn move by move, so that the seat's own information stays as it is
)
FACE_UP = "face up"  # OpenSpiel can do neither: every card is seen, and the summary says so


def _frozen(options: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(options))


@attrs.frozen(kw_only=True)
class Foreign:
    """One game of OpenSpiel."""

    name: str = attrs.field(kw_only=False)
    summary: str = attrs.field(kw_only=False)
    players: tuple[int, int]
    secrecy: str
    #: OpenSpiel's own parameters that users may set, with their defaults there.
    options: Mapping[str, Any] = attrs.field(factory=dict, converter=_frozen)
    #: Parameters that are not OpenSpiel's defaults here.
    fixed: Mapping[str, Any] = attrs.field(factory=dict, converter=_frozen)
    #: OpenSpiel's name for the number of seats; None if it is fixed.
    counted_by: str | None = "players"
    #: The only numbers of players that it takes, if not all from the least to the greatest.
    counts: tuple[int, ...] = ()
    #: Whether OpenSpiel may not come to an end of it: then it is over, with nothing for anybody,
    #: where chance has no outcomes, and after as many plies as OpenSpiel says that it lasts.
    endless: bool = False
    #: What the suites found out about it, whose fault that is, and what is done about it.
    found: str = ""

    @property
    def usual_players(self) -> int:
        """Three, or as few as there may be above that."""
        allowed = self.counts or range(self.players[0], self.players[1] + 1)
        return min(count for count in allowed if count >= 3)


GAMES = (
    Foreign(
        "blotto",
        "share out soldiers over fields, all at once",
        players=(2, 10),
        secrecy=FILTER,
        options={"coins": 10, "fields": 3},
    ),
    Foreign(
        "bridge",
        "auction and thirteen tricks, two against two",
        players=(4, 4),
        secrecy=DEAL,
        counted_by=None,
        options={"dealer": 0, "dealer_vul": False, "non_dealer_vul": False},
        # The cards are played; OpenSpiel would ask a solver, for seconds, what they would bring.
        fixed={"use_double_dummy_result": False},
        found="OpenSpiel's solver would take seconds at the end of the auction: the cards are "
        "played",
    ),
    Foreign(
        "chinese_checkers",
        "hop across the star",
        players=(2, 6),
        secrecy=OPEN,
        counts=(2, 3, 4, 6),
        options={"max_moves": 1000},
    ),
    Foreign(
        "coin_game",
        "collect coins of a colour that only you know",
        players=(2, 10),
        secrecy=FACE_UP,
        options={
            "columns": 8,
            "rows": 8,
            "episode_length": 20,
            "num_coins_per_color": 4,
            "num_extra_coin_colors": 1,
        },
        found="what one collects counts for all: no own affairs; with three players or more "
        "OpenSpiel says that chance has fewer outcomes than it deals: they are counted",
    ),
    Foreign(
        "colored_trails",
        "two proposers, one responder, chips that pave the way",
        players=(3, 3),
        secrecy=FILTER,
        counted_by=None,
    ),
    Foreign(
        "crazy_eights",
        "match the card on the pile, be rid of yours",
        players=(2, 15),
        secrecy=FACE_UP,
        options={
            "max_draw_cards": 5,
            "max_turns": 100,
            "reshuffle": False,
            "use_special_cards": False,
        },
    ),
    Foreign(
        "cribbage",
        "fifteens, pairs and runs to 121",
        players=(2, 4),
        secrecy=FACE_UP,
        options={"winner_bonus_reward": 1000.0},
    ),
    Foreign(
        "dou_dizhu",
        "two peasants against the landlord",
        players=(3, 3),
        secrecy=FACE_UP,
        counted_by=None,
    ),
    Foreign(
        "euchre",
        "five tricks, two against two",
        players=(4, 4),
        secrecy=DEAL,
        counted_by=None,
        options={"allow_lone_defender": False, "stick_the_dealer": True},
        found="OpenSpiel's worlds never move the cards that were not dealt, nor the one laid away: "
        "not used",
    ),
    Foreign(
        "first_sealed_auction",
        "one sealed bid each, the highest pays what it said",
        players=(2, 10),
        secrecy=FILTER,
        options={"max_value": 10},
    ),
    Foreign(
        "go_fish",
        "ask others for their cards",
        players=(2, 10),
        secrecy=FACE_UP,
        options={"ranks": 13, "suits": 4, "initial_cards": -1},
        # Who makes a book while cards are dealt is dealt more, until there are none; and once
        # they are drawn, all may ask in vain for ever.
        endless=True,
        found="OpenSpiel deals cards that are not there, and may not end: then it is over, and "
        "nobody wins",
    ),
    Foreign(
        "goofspiel",
        "bid for prizes, all at once",
        players=(2, 10),
        secrecy=FILTER,
        options={
            "num_cards": 13,
            "num_turns": -1,
            "points_order": "random",
            "returns_type": "win_loss",
        },
    ),
    Foreign(
        "hanabi",
        "fireworks built together by hints",
        players=(2, 5),
        secrecy=FACE_UP,
        options={"colors": 0, "ranks": 0, "hand_size": 0},
    ),
    Foreign(
        "hearts",
        "one deal of Hearts, with passing",
        players=(4, 4),
        secrecy=DEAL,
        counted_by=None,
        options={
            "pass_cards": True,
            "must_break_hearts": True,
            "no_pts_on_first_trick": True,
            "jd_bonus": False,
        },
        found="OpenSpiel's worlds ignore voids that were shown and cards that were passed on: "
        "not used; without passing it lists directions that are not legal: left out",
    ),
    Foreign("kuhn_poker", "one card, one bet", players=(2, 10), secrecy=FILTER),
    Foreign(
        "leduc_poker",
        "one card, one public card, two rounds of bets",
        players=(2, 10),
        secrecy=FILTER,
        options={"suit_isomorphism": False},
    ),
    Foreign("maedn", "run home, throw others out", players=(2, 4), secrecy=OPEN),
    Foreign(
        "matching_pennies_3p",
        "match the next one's coin; the third wants it otherwise",
        players=(3, 3),
        secrecy=FILTER,
        counted_by=None,
    ),
    Foreign(
        "oh_hell",
        "say how many tricks you take, and take them",
        players=(3, 7),
        secrecy=DEAL,
        options={
            "num_suits": 4,
            "num_cards_per_suit": 13,
            "num_tricks_fixed": -1,
            "off_bid_penalty": False,
            "points_per_trick": 1,
        },
    ),
    Foreign(
        "pig",
        "roll and lose it, or hold and keep it",
        players=(2, 10),
        secrecy=OPEN,
        options={"diceoutcomes": 6, "winscore": 100, "horizon": 1000, "piglet": False},
    ),
    Foreign(
        "repeated_leduc_poker",
        "several hands of Leduc poker",
        players=(2, 10),
        secrecy=FILTER,
        options={"num_hands": 2, "suit_isomorphism": False},
        found="OpenSpiel's returns are added seat by seat while a hand is settled: no own affairs",
    ),
    Foreign(
        "skat",
        "one against two over ten tricks",
        players=(3, 3),
        secrecy=FACE_UP,
        counted_by=None,
    ),
    Foreign(
        "snake",
        "do not run into anything, all at once",
        players=(2, 4),
        secrecy=FACE_UP,
        counts=(2, 4),
        options={"rows": 10, "columns": 10, "horizon": 100},
    ),
    Foreign(
        "social_deduction",
        "who is the imposter?",
        players=(3, 10),
        secrecy=FILTER,
        options={"imposters": 1, "max_rounds": 10, "observation_noise": 0.1},
    ),
    Foreign(
        "spades",
        "bids and thirteen tricks, two against two",
        players=(4, 4),
        secrecy=FACE_UP,
        counted_by=None,
        options={"win_threshold": 500, "mercy_threshold": -350, "use_mercy_rule": True},
    ),
    Foreign(
        "tiny_bridge_4p",
        "an auction over eight cards, two against two",
        players=(4, 4),
        secrecy=FILTER,
        counted_by=None,
    ),
    Foreign(
        "yacht",
        "five dice, three rolls, twelve boxes",
        players=(2, 10),
        secrecy=OPEN,
        options={"num_dice": 5, "dice_sides": 6, "rolls_per_turn": 3, "sort_dice": False},
    ),
)

#: What is not offered though it has three seats or more, and why.
REFUSED = MappingProxyType(
    {
        "pathfinding": "it has one seat unless a grid is drawn for every number of players",
        "quoridor": "its games of three and four credit the wrong winner and end the process where "
        "a pawn cannot move; plugins/quoridor has them",
        "tarok": "it draws its chance itself, where no seed of ours reaches it",
        "tiny_hanabi": "its table of payoffs is for two seats",
        "universal_poker": "settings that do not fit each other end the process (SIGSEGV)",
    }
)

BY_NAME: Mapping[str, Foreign] = MappingProxyType({game.name: game for game in GAMES})
