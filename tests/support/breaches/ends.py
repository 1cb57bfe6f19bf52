"""Games that say wrongly how they end."""

from typing import Any

import attrs

from mpsearch.contracts import compiled
from support.breaches.entering import breaks
from support.breaches.sound import PLIES, SEED, SOUND, Race
from support.breaches.sound import RULES as RACE_RULES
from support.take_away import RULES, PlainTakeAway, TakeAway, solve

SOUND.append(("game", (TakeAway(), SEED, PLIES)))
SOUND.append(("game", (TakeAway(known=5), SEED, PLIES)))
SOUND.append(("game", (PlainTakeAway(), SEED, PLIES)))


@compiled
def one_is_left(s: Any) -> int:
    s.left = 1
    return 2


@breaks("solved_games_are_finished", "solved to end in 2 plies, where the mover is 0")
class GoesOn(TakeAway):
    rules = attrs.evolve(RULES, solve=one_is_left)


@breaks("solved_games_are_finished", "`solve` is for two seats; there are 3")
class ThreeAreOpposed(PlainTakeAway):
    players = 3


@compiled
def nobody_moves(s: Any) -> int:
    s.left = 0
    return s.square[0] * 0 + 1


@breaks("solved_games_are_finished", r"solved, but nobody wins: the payoff is \[0.0, 0.0\]")
class EndsInADraw(Race):
    rules = attrs.evolve(RACE_RULES, solve=nobody_moves)


@breaks("solved_games_are_finished", "solving twice gives different ends")
class ChangesItsMind(PlainTakeAway):
    asked = 0

    def solve(self, state: Any) -> Any:
        self.asked += 1
        return (0, 0), self.asked


@compiled
def the_mover_wins(s: Any) -> int:
    s.left, s.mover = 0, 1 - s.mover
    return 1


@breaks("solved_games_end_as_played_best", "solved as a win in 1 plies; moves win in \\[\\]")
class MoverAlwaysWins(TakeAway):
    rules = attrs.evolve(RULES, solve=the_mover_wins)


@compiled
def the_mover_loses(s: Any) -> int:
    s.left = 0
    return 2


@breaks(
    "solved_games_end_as_played_best",
    "solved as a loss in 2 plies; 0 of 3 moves lose, in \\[\\]",
)
class MoverAlwaysLoses(TakeAway):
    rules = attrs.evolve(RULES, solve=the_mover_loses)


@compiled
def a_ply_late(s: Any) -> Any:
    plies = solve(s)
    return plies + 2 if plies > 1 else plies


@breaks(
    "solved_games_end_as_played_best", r"solved as a loss in 4 plies; 3 of 3 moves lose, in \[2\]"
)
class CountsPliesTwice(TakeAway):
    rules = attrs.evolve(RULES, solve=a_ply_late)


@compiled
def by_byte(s: Any) -> Any:
    return solve(s) + ((s.byte << 4) > 255)


@breaks("compiled_ends_are_the_plain_ones", "`solve` differs between compiled and plain rules")
class EndsDiffer(TakeAway):
    rules = attrs.evolve(RULES, solve=by_byte)


@compiled
def touches(s: Any) -> int:
    s.known += 1
    return 0


@breaks("compiled_ends_are_the_plain_ones", "`solve` says 0 and has changed the state")
class TouchesTheState(TakeAway):
    rules = attrs.evolve(RULES, solve=touches)
