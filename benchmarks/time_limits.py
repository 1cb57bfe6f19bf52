"""How closely every search keeps a limit of time, in every installed game.

    python benchmarks/time_limits.py --seconds 0.1 --games hearts,os_hanabi

Of four positions of random games each is decided three times, and the least time counts: on a busy
machine a thread also waits for a processor, which is nobody's fault here. Compiling does not count.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
from decisions import positions
from harness import arguments, print_result

from mpsearch.agents import make_agent
from mpsearch.contracts import Turn
from mpsearch.jit import PlayClock
from mpsearch.plugins.catalog import installed

POSITIONS, TURNS = 4, 3
AGENTS = (
    *("maxn:time={}", "maxn:time={},worlds=30,threads=2", "mcts:time={}"),
    *("maxn:search=ismcts,time={}", "brs:time={}", "maxn:search=horizon,time={}"),
)


def decide(name: str, agent: str) -> tuple[list[float], list[int]]:
    """The seconds and depths of an agent's decisions, by position."""
    game = installed().game(name)
    player = make_agent(installed(), name, game, agent)
    seconds, depths = [], []
    for number, (state, moves) in enumerate(positions(game, POSITIONS, every=3)):
        seat = game.mover(state)
        turn = Turn(seat=seat, view=game.view(state, seat), moves=moves)
        rng = np.random.default_rng(1)
        memory = player.start(seat, rng)
        found = []
        for _ in range(TURNS + (number == 0)):  # the first compiles, and makes its threads
            clock = PlayClock()
            decision = player.choose(turn, memory, rng)
            found.append((clock.seconds(), decision.depth))
        least = min(found[-TURNS:])
        seconds.append(least[0])
        depths.append(least[1])
    return seconds, depths


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--games", help="names with commas between them; all if not given")
    given = parser.parse_args()
    names = given.games.split(",") if given.games else sorted(installed().games)
    rows: list[dict[str, Any]] = []
    for name in names:
        for text in AGENTS:
            agent = text.format(given.seconds)
            seconds, depths = decide(name, agent)
            median, greatest = statistics.median(seconds), max(seconds)
            row = {"game": name, "agent": agent, "median": median, "greatest": greatest}
            rows.append({**row, "depths": " ".join(map(str, depths))})
    print_result(rows, as_json=given.json)


if __name__ == "__main__":
    main()
