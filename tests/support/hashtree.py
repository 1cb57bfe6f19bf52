"""Random game trees that need no memory: everything about a node follows from its key.

Both the compiled and the interpreted search walk them, and so does `reference`. Trees have uneven
depth, early ends, movers in any order, listed and drawn chance, and few different values, so that
ties are common.
"""

from typing import Any

import numpy as np

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Bounds,
    CompiledEvaluator,
    CompiledGame,
    Rules,
    StateRecord,
    compiled,
)
from mpsearch.errors import MoveError

PRIME = 2147483647
MOST_MOVES = 5

STATE = np.dtype(
    [
        ("key", "i8"),
        ("players", "i8"),
        ("ends", "i8"),  # one node in so many is an end
        ("chances", "i8"),  # one node in so many is chance; 0: none
        ("in_turn", "i8"),  # whether seats move in turn, or in any order
        ("most", "i8"),  # moves at a node, at most
        ("ply", "i8"),
    ],
    align=True,
)
#: The same record with its fields as attributes for plain Python too, where a function makes one.
RECORD = np.dtype((StateRecord, STATE))


@compiled
def mix(key: int, salt: int) -> int:
    mixed = (key * 48271 + salt * 69621 + 11) % PRIME
    return (mixed * 16807 + (mixed >> 7)) % PRIME


@compiled
def mover(s: Any) -> int:
    if s.ply > 0 and mix(s.key, 1) % s.ends == 0:
        return OVER
    if s.ply > 0 and s.chances > 0 and mix(s.key, 2) % s.chances == 0:
        return CHANCE
    if s.in_turn:
        return s.ply % s.players
    return mix(s.key, 3) % s.players


@compiled
def moves(s: Any, out: Any) -> int:
    count = 1 + mix(s.key, 4) % s.most
    for i in range(count):
        out[i] = i
    return count


@compiled
def chance(s: Any, out: Any, probabilities: Any) -> int:
    if mix(s.key, 5) % 5 == 0:
        return 0
    count = 1 + mix(s.key, 6) % 3
    total = 0.0
    for i in range(count):
        out[i] = i
        probabilities[i] = 1.0 + mix(s.key, 7 + i) % 4
        total += probabilities[i]
    for i in range(count):
        probabilities[i] /= total
    return count


@compiled
def play(s: Any, move: int) -> None:
    s.key = mix(s.key, 100 + move)
    s.ply += 1


@compiled
def payoff(s: Any, out: Any) -> None:
    for seat in range(s.players):
        out[seat] = mix(s.key, 200 + seat) % 7


@compiled
def evaluate(s: Any, parameters: Any, out: Any) -> None:
    """parameters: number of different values, step between them, and the sum to be shared or 0."""
    levels = int(parameters[0])
    left = parameters[2]
    for seat in range(s.players):
        value = mix(s.key, 200 + seat) % levels * parameters[1]
        if parameters[2] > 0:
            # A share of what is left; the last seat takes the rest.
            value = left if seat == s.players - 1 else min(value, left)
            left -= value
        out[seat] = value


#: Deeper than this, a reach adds nothing to the declared bounds.
DEEPEST_REACH = 4
#: Leaves and inner nodes that wait in an enumeration, at most.
_WAITING = 400


@compiled
def reach(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
    """The true box, by enumeration, made looser here and there.

    parameters behind those of evaluate: steps by which a seat's box may be wider than it need
    be, whether some seats get none, and whether the total gets one.
    """
    if depth > DEEPEST_REACH:
        return
    n = s.players
    value = np.empty(n)
    least = np.full(n + 1, np.inf)
    greatest = np.full(n + 1, -np.inf)
    out = np.empty(MOST_MOVES, np.int64)
    chances = np.empty(MOST_MOVES)
    records = np.empty(1, RECORD)
    keys = np.empty((_WAITING, 3), np.int64)
    keys[0, 0], keys[0, 1], keys[0, 2] = s.key, s.ply, depth
    waiting = 1
    records[0] = s
    t = records[0]
    while waiting > 0:
        waiting -= 1
        t.key, t.ply, left = keys[waiting, 0], keys[waiting, 1], keys[waiting, 2]
        key, ply = t.key, t.ply
        seat = mover(t)
        count = 0
        if seat == CHANCE:
            count = chance(t, out, chances)
        elif seat != OVER and left > 0:
            count = moves(t, out)
            left -= 1
        for i in range(count):
            keys[waiting, 0] = mix(key, 100 + out[i])
            keys[waiting, 1] = ply + 1
            keys[waiting, 2] = left
            waiting += 1
        if count == 0:
            evaluate(t, parameters, value)
            total = 0.0
            for j in range(n):
                total += value[j]
                least[j] = min(least[j], value[j])
                greatest[j] = max(greatest[j], value[j])
            least[n] = min(least[n], total)
            greatest[n] = max(greatest[n], total)
    for j in range(n + 1):
        if j == n and parameters[5] == 0.0:
            continue
        if j < n and parameters[4] != 0.0 and mix(s.key, 300 + j) % 4 == 0:
            continue
        wider = parameters[3] * parameters[1]
        low[j] = max(low[j], least[j] - wider * (mix(s.key, 320 + j) % 3))
        high[j] = min(high[j], greatest[j] + wider * (mix(s.key, 340 + j) % 3))


class HashTree(CompiledGame):
    rules = Rules(
        state=STATE,
        mover=mover,
        moves=moves,
        play=play,
        payoff=payoff,
        chance=chance,
        most_moves=MOST_MOVES,
    )

    def __init__(
        self,
        key: int,
        *,
        players: int,
        ends: int = 9,
        chances: int = 0,
        in_turn: bool = False,
        most: int = MOST_MOVES,
    ) -> None:
        self.key = key
        self.players = players
        self.ends = ends
        self.chances = chances
        self.in_turn = in_turn
        self.most = most

    @property
    def lists_chance(self) -> bool:
        return self.chances > 0

    def setup(self, s: Any) -> None:
        s.key = self.key % PRIME
        s.players = self.players
        s.ends = self.ends
        s.chances = self.chances
        s.in_turn = int(self.in_turn)
        s.most = self.most

    def read(self, text: str) -> int:
        if not text.isdecimal():
            raise MoveError(f"{text!r} is not a number")
        return int(text)


#: What `hash_evaluator` may declare: constant sum or not, granular or not.
EVALUATORS: dict[str, dict[str, Any]] = {
    "granular": {"levels": 4},
    "fine": {"levels": 100, "step": 0.37, "granular": False},
    "two values": {"levels": 2},
    "shared sum": {"levels": 4, "total": 6.0},
    "shared fine sum": {"levels": 9, "step": 0.7, "total": 10.0, "granular": False},
    "thirds": {"levels": 7, "step": 1 / 3, "granular": False},
    "granular tenths": {"levels": 11, "step": 0.1},
    "shared tenths": {"levels": 11, "step": 0.1, "total": 1.0},
}


def hash_evaluator(
    game: HashTree,
    *,
    levels: int = 5,
    step: float = 1.0,
    total: float = 0.0,
    granular: bool = True,
    box: tuple[float, bool, bool] | None = None,
) -> CompiledEvaluator:
    """`box`: the parameters of `reach`; None: the evaluator knows none."""
    greatest = total if total else (levels - 1) * step
    bounds = Bounds(
        least=0,
        greatest=greatest,
        total=(total, total) if total else None,
        step=step if granular else None,
    )
    return CompiledEvaluator(
        game,
        evaluate,
        bounds=bounds,
        parameters=[levels, step, total, *(box or ())],
        reach=None if box is None else reach,
    )
