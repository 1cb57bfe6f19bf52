"""Random walkers: pawns replaced by walkers who step at random; how often does each win?

The random numbers come from the position and a seed, so a state always has the same value.
"""

from __future__ import annotations

from typing import Any

from mpsearch.contracts import Bounds, CompiledEvaluator, compiled
from mpsearch_quoridor.evaluators import write_victory
from mpsearch_quoridor.game import Quoridor
from mpsearch_quoridor.options import WORD
from mpsearch_quoridor.state import side_of
from mpsearch_quoridor.steps import DOWN, LEFT, RIGHT, UP, neighbour
from mpsearch_quoridor.tables import BIT, GOAL

#: An odd multiplier of 30 bits: its product with a word of 32 bits stays below 2**62.
_MIX = 0x2545F491
#: Rounds after which a walk that nobody has won is shared by all.
_ROUNDS = 256


@compiled
def mixed(number: int, value: int) -> int:
    """A number of 32 bits that depends on another and on a value of up to 62 bits."""
    number = ((number ^ (value & WORD)) * _MIX) & WORD
    number = ((number ^ (number >> 15) ^ (value >> 32)) * _MIX) & WORD
    return number ^ (number >> 13)


@compiled
def next_number(number: int) -> int:
    """The next number of 32 bits (xorshift)."""
    number ^= (number << 13) & WORD
    number ^= number >> 17
    return number ^ ((number << 5) & WORD)


@compiled
def digest(s: Any, seed: int) -> Any:
    """A number of 32 bits, not zero, that depends on the position and the seed."""
    number = mixed(_MIX, seed)
    for k in range(2):
        number = mixed(number, s.horizontal[k])
        number = mixed(number, s.vertical[k])
    for seat in range(s.players):
        number = mixed(number, s.pawn[seat])
    return mixed(number, s.mover) | 1


@compiled
def forward_direction(side: int) -> int:
    """The direction of the goal of a seat from `side`."""
    if side % 2 == 0:
        return UP if side == 0 else DOWN
    return RIGHT if side == 1 else LEFT


@compiled
def home(s: Any, seat: int, square: int) -> Any:
    side = side_of(s, seat)
    low = BIT[square, 0] & GOAL[s.rows, side, 0]
    high = BIT[square, 1] & GOAL[s.rows, side, 1]
    return low | high != 0


@compiled
def walk(s: Any, number: int, forward: int, out: Any) -> int:
    """One race of walkers; the winner's point goes to `out`. Returns the next random number.

    A walker goes straight ahead with probability `forward` / 2**32 if it can, and otherwise in
    a random direction; where that is barred it stays. Walkers ignore each other. The four
    squares are packed into one number, so that nothing needs to be allocated.
    """
    squares = s.pawn[0] * 0
    for seat in range(s.players):
        squares |= s.pawn[seat] << (8 * seat)
    for turn in range(_ROUNDS * s.players):
        seat = (s.mover + turn) % s.players
        square = (squares >> (8 * seat)) & 255
        number = next_number(number)
        straight = forward_direction(side_of(s, seat))
        to = neighbour(s, square, straight) if number < forward else -1
        if to < 0:
            number = next_number(number)
            to = neighbour(s, square, (number >> 16) & 3)
        if to >= 0:
            squares += (to - square) << (8 * seat)
            if home(s, seat, to):
                out[seat] += 1.0
                return number
    for seat in range(s.players):
        out[seat] += 1.0 / s.players
    return number


@compiled
def write_shares(s: Any, walks: int, forward: float, seed: int, out: Any) -> None:
    """The share of `walks` races that each seat's walker wins, from 0 to 1."""
    number = digest(s, seed)
    limit = int(forward * WORD)
    for seat in range(s.players):
        out[seat] = 0.0
    for _ in range(walks):
        number = walk(s, number, limit, out)
    for seat in range(s.players):
        out[seat] /= walks


@compiled
def random_walkers(s: Any, parameters: Any, out: Any) -> None:
    """100 times the share of races won. Parameters: walks, forward, seed."""
    if s.winner >= 0:
        write_victory(s, out, 100.0)
        return
    write_shares(s, int(parameters[0]), parameters[1], int(parameters[2]), out)
    for seat in range(s.players):
        out[seat] *= 100.0


def make_random_walkers(
    game: Quoridor, *, walks: int, forward: float, walk_seed: int
) -> CompiledEvaluator:
    # Races that nobody wins are shared, hence the number of players in the step.
    bounds = Bounds(total=(100, 100), step=100 / (walks * game.players))
    parameters = [walks, forward, walk_seed]
    return CompiledEvaluator(game, random_walkers, bounds=bounds, parameters=parameters, noisy=True)
