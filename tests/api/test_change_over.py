"""Games played natively, as plain Python, and changed over in the middle: the same records."""

import itertools
import json
import os
import threading

import numpy as np
import pytest

from mpsearch.api import Table, table
from mpsearch.jit import compile_elsewhere, jit_enabled
from mpsearch.match import Setting
from mpsearch.match.record.format import ply_entry
from mpsearch.plugins import installed

pytestmark = [
    pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled"),
    pytest.mark.usefixtures("natively"),
]

GAMES = [name for name in sorted(installed().games) if table(name).game.rules is not None]
#: Plies of each game in the long run: 2,400 are 12,000 over the repository's five compiled games.
LONG_RUN = int(os.environ.get("MPSEARCH_SEARCHES", "2400"))
#: Plies of one game: plain Python takes its time.
LONGEST = 30
#: One of each kind of search, and those that are played natively; what compiles least comes first.
AGENTS = (
    "maxn:depth=1",
    "greedy",
    "mpmix:td=5,to=5,depth=1",
    "random",
    "paranoid:depth=1",
    "sos:depth=1",
    "mcts:nodes=12",
    "brs:depth=1",
)


def agents_of(place: Table, seed: int, kinds: int) -> list[str]:
    """As many as there are seats; of a game with hidden information in few worlds."""
    chosen = np.random.default_rng(seed).permutation(AGENTS[:kinds]).tolist()[: place.players]
    worlds = ",worlds=2" if place.game.hidden else ""
    return [text + worlds if ":" in text else text for text in chosen]


def lines(place: Table, setting: Setting, plies: int, native_from: int) -> list[str]:
    """The first lines of a game's record; before `native_from` plies everything is plain Python."""
    compiled = threading.Event()
    thread = compile_elsewhere(place.game.rules, compiled.wait) if native_from > 0 else None
    found: list[str] = []
    try:
        for ply in itertools.islice(place.plies(setting), plies):
            assert jit_enabled(place.game.rules) == (len(found) >= native_from)
            found.append(json.dumps(ply_entry(place.game, ply)))
            if thread is not None and len(found) == native_from:
                compiled.set()
                thread.join()
    finally:
        compiled.set()
        if thread is not None:
            thread.join()
    return found


def compare(name: str, count: int, *, seed: int, kinds: int) -> None:
    """So many plies, each played three times."""
    rng = np.random.default_rng([seed, *name.encode()])
    place = table(name)
    done = 0
    for number in itertools.count():
        if done >= count:
            return
        setting = place.setting(*agents_of(place, number, kinds), seed=number)
        plies = min(LONGEST, count - done)
        native = lines(place, setting, plies, 0)
        assert lines(place, setting, plies, plies + 1) == native
        assert lines(place, setting, plies, int(rng.integers(1, len(native) + 1))) == native
        done += len(native)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_changes_over_has_the_record_of_one_that_does_not(name: str) -> None:
    compare(name, 8, seed=1, kinds=4)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_games_that_change_over_have_the_records_of_those_that_do_not(name: str) -> None:
    compare(name, LONG_RUN, seed=2, kinds=len(AGENTS))
