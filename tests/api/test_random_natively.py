"""Games of `random` that run natively, beside those in which it is asked for every move."""

from __future__ import annotations

from typing import Any

import pytest

from mpsearch.api.game_table import set_table
from mpsearch.contracts import CompiledGame, Game
from mpsearch.jit import jit_enabled
from mpsearch.match import referee
from mpsearch.match.native_play import native_play
from mpsearch.plugins.catalog import load_catalog

pytestmark = pytest.mark.usefixtures("natively")

#: Options with which games end soon.
SHORT: dict[str, dict[str, Any]] = {
    "hearts": {"limit": 40, "preset": "standard"},
    "quoridor": {"plies": 60},
    "risk_lite": {"rounds": 6},
}
#: Every installed game that can be played natively.
GAMES = [
    name
    for name, offer in sorted(load_catalog().games.items())
    if isinstance(game := offer.new_game(), CompiledGame)
    and (not game.hidden or game.rules.world is not None)
]


def games(name: str, *agents: str, seeds: int) -> list[Any]:
    table = set_table(load_catalog(), name, options=SHORT.get(name, {}))
    return [list(table.plies(table.setting(*agents, seed=seed))) for seed in range(seeds)]


@pytest.mark.skipif(not jit_enabled(), reason="native play needs the compiler")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("agents", [("random",), ("random", "random:ties=first")])
def test_random_plays_the_same_games_natively(
    name: str, agents: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []

    def watched(game: Game, *arguments: Any) -> Any:
        ran.append(native_play(game, *arguments))
        return ran[-1]

    seeds = 2 if len(agents) == 1 else 1
    monkeypatch.setattr(referee, "native_play", watched)
    native = games(name, *agents, seeds=seeds)
    assert len(ran) == seeds
    assert all(found is not None and found.plays(0) for found in ran)
    monkeypatch.setattr(referee, "native_play", lambda *arguments: None)
    assert native == games(name, *agents, seeds=seeds)
    assert all(len(plies) > 10 for plies in native)


def test_there_are_games_to_be_played_natively() -> None:
    assert {"scramble", "hearts", "quoridor", "risk_lite"} <= set(GAMES)


@pytest.mark.parametrize(
    "text",
    [
        *("random:ties=first", "random:worlds=2", "random:model=recent"),
        *("greedy", "maxn:depth=1", "greedy:worlds=1,model=recent"),
    ],
)
def test_who_looks_at_more_is_asked(text: str) -> None:
    table = set_table(load_catalog(), "hearts", options={})
    assert table.agent("random").policy is not None
    assert table.agent(text).policy is None
