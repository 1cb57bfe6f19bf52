"""Who beats whom: seeded games with rotated seats, win shares with Wilson's 95 % intervals.

    python benchmarks/strength.py --game hearts --seat maxn:depth=4 --seat wrt --seat wrt \
        --seat random --games 60 --processes 2

Game k has seed SEED + k and its seats rotated k times, so that games are independent and every
agent sits everywhere equally often. A tie shares the win.
"""

from __future__ import annotations

import argparse
import time

from mpsearch import load_catalog
from mpsearch.experiments import play_series, seatings, wilson, win_shares
from mpsearch.match import Setting


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", required=True)
    parser.add_argument("--seat", action="append", required=True, metavar="AGENT")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1000)
    given = parser.parse_args()
    load_catalog().game_offer(given.game)
    settings = [
        Setting(
            game=given.game,
            players=len(given.seat),
            options=dict(pair.split("=", 1) for pair in given.option),
            agents=agents,
            seed=given.seed + number,
        )
        for number, agents in enumerate(seatings(given.seat, given.games))
    ]
    started = time.monotonic()
    shares = win_shares(play_series(settings, processes=given.processes))
    options = " ".join(given.option) or "usual options"
    print(
        f"{given.game}, {options}: {given.games} games, seeds {given.seed} to "
        f"{given.seed + given.games - 1}, {time.monotonic() - started:.0f} s"
    )
    for text, (won, seats) in shares.items():
        low, high = wilson(won, given.games)
        equal = seats / given.games / len(given.seat)
        print(
            f"  {text:44} wins {won / given.games:6.1%}  [{low:.1%}, {high:.1%}]"
            f"  equal players: {equal:.1%}"
        )


if __name__ == "__main__":
    main()
