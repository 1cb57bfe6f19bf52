"""Many games, side by side in processes, and what they say about the players."""

from __future__ import annotations

import math
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

import attrs

from mpsearch.agent import make_agent
from mpsearch.catalog import installed
from mpsearch.contracts import Array, frozen_array, winners
from mpsearch.contracts.arrays import array_field
from mpsearch.errors import MpsearchError
from mpsearch.match.record import Setting
from mpsearch.match.referee import play_match

T = TypeVar("T")
R = TypeVar("R")


@attrs.frozen(kw_only=True)
class Result:
    """A game that was played to its end."""

    setting: Setting
    #: Shape (P,).
    payoff: Array = array_field()
    plies: int

    def shares(self) -> list[float]:
        """What each seat won of this game: all, an equal part, or nothing."""
        best = winners(self.payoff)
        return [1 / len(best) if seat in best else 0.0 for seat in range(len(self.payoff))]


def play_one(setting: Setting) -> Result:
    """Play the game that a setting describes."""
    catalog = installed()
    game = setting.new_game(catalog)
    # Equal texts share an agent, and with it the search that was made for it.
    made = {text: make_agent(catalog, setting.game, game, text) for text in setting.agents}
    state, plies = setting.first_state(game), 0
    players = [made[text] for text in setting.agents]
    for ply in play_match(game, players, seed=setting.seed, start=state):
        state, plies = ply.state, plies + 1
    return Result(setting=setting, payoff=frozen_array(game.payoff(state)), plies=plies)


def play_series(settings: Iterable[Setting], *, processes: int = 1) -> Iterator[Result]:
    """Play games, in as many processes, and yield them in the order given.

    The results do not depend on the number of processes.
    """
    return side_by_side(play_one, settings, processes=processes)


def side_by_side(work: Callable[[T], R], jobs: Iterable[T], *, processes: int = 1) -> Iterator[R]:
    """Do the same work for many jobs, in as many processes; answers in the order of the jobs."""
    if processes == 1:
        yield from map(work, jobs)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=_die_quietly) as pool:
        waiting: deque[Future[R]] = deque()
        try:
            for job in jobs:
                waiting.append(pool.submit(work, job))
                if len(waiting) >= 2 * processes:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise MpsearchError("a process that played games was killed from outside") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _die_quietly() -> None:
    """Ctrl-C ends a worker without a traceback: the process that waits for it has the say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def seatings(agents: Sequence[str], games: int) -> list[tuple[str, ...]]:
    """Who sits where in each game: rotated from game to game, so that no one gains by the order."""
    count = len(agents)
    return [tuple(agents[(seat - game) % count] for seat in range(count)) for game in range(games)]


def win_shares(results: Iterable[Result]) -> dict[str, tuple[float, int]]:
    """For each agent, how many games it won, ties shared, and at how many seats it sat."""
    found: dict[str, tuple[float, int]] = {}
    for result in results:
        for text, share in zip(result.setting.agents, result.shares(), strict=True):
            won, seats = found.get(text, (0.0, 0))
            found[text] = (won + share, seats + 1)
    return found


def wilson(wins: float, games: float, *, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's interval of a share, 95 % by default."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)
