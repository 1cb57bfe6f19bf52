"""Our agents as bots of OpenSpiel."""

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from mpsearch_openspiel.bot import MpsearchBot  # noqa: E402
from mpsearch_openspiel.position import Notes  # noqa: E402

from mpsearch.api.game_table import table  # noqa: E402
from mpsearch.contracts import Decision, Player  # noqa: E402


def evaluate(place: Any, bots: list[Any], seed: int) -> list[float]:
    state = place.game.inner.new_initial_state()
    returns: list[float] = pyspiel.evaluate_bots(state, bots, seed)
    return returns


def test_our_agents_play_beside_openspiels() -> None:
    place: Any = table("os_leduc_poker")
    ours = MpsearchBot(place.game, place.agent("maxn:depth=2,worlds=4"), seat=0, seed=1)
    others = [pyspiel.make_uniform_random_bot(seat, 7) for seat in (1, 2)]
    games = [evaluate(place, [ours, *others], seed) for seed in range(5)]
    assert all(sum(returns) == pytest.approx(0) for returns in games)
    assert len({tuple(returns) for returns in games}) > 1


def test_the_example_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs/how-to/bridges.md").read_text(encoding="utf-8")
    codes = [code for code in re.findall(r"```python\n(.*?)```", page, re.S) if "Bot" in code]
    assert len(codes) == 1
    exec(codes[0], {})
    # It prints what one game brought, and then the mean of several.
    one, mean = capsys.readouterr().out.splitlines()
    assert sum(ast.literal_eval(one)) == 0
    assert sum(ast.literal_eval(mean)) == pytest.approx(0, abs=0.02)


class Spy(Player):
    """Remembers what it is shown."""

    def __init__(self) -> None:
        self.views: list[Any] = []

    def choose(self, turn: Any, memory: Any, rng: np.random.Generator) -> Any:
        self.views.append(turn.view)
        return Decision(move=turn.moves[0])


def test_a_bot_hands_on_what_its_seat_may_know_and_no_more() -> None:
    place: Any = table("os_kuhn_poker")
    spy = Spy()
    bot = MpsearchBot(place.game, spy, seat=0)
    others = [pyspiel.make_uniform_random_bot(seat, 3) for seat in (1, 2)]
    evaluate(place, [bot, *others], 1)
    assert spy.views
    assert all(isinstance(view, Notes) and view.seat == 0 for view in spy.views)
