"""Every installed game passes PettingZoo's own tests, and learns nothing that it may not."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
from mpsearch_pettingzoo import Cycles, env, parallel_env
from pettingzoo.test import api_test, max_cycles_test, seed_test

from mpsearch.api.game_table import table
from mpsearch.errors import UsageError
from mpsearch.plugins.catalog import installed

GAMES = list(installed().games)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_own_tests_pass(game: str) -> None:
    api_test(env(game), num_cycles=40)
    seed_test(lambda: env(game), num_cycles=8)
    # Many of OpenSpiel's games may be over before that test has cut them off.
    if not game.startswith("os_"):
        max_cycles_test(Cycles(game))


def play(made: Any, seed: int) -> tuple[list[str], dict[str, float]]:
    """A game of first legal actions: who acted, and what everybody got."""
    made.reset(seed=seed)
    acted, rewards = [], {}
    for agent in made.agent_iter():
        seen, reward, over, cut, _ = made.last()
        rewards[agent] = reward
        if not (over or cut):
            acted.append(agent)
        made.step(None if over or cut else int(np.flatnonzero(seen["action_mask"])[0]))
    return acted, rewards


def test_rewards_are_the_payoff() -> None:
    made = env("scramble", players=3, length=5)
    acted, rewards = play(made, 3)
    raw = made.unwrapped
    assert [rewards[f"seat_{s}"] for s in range(3)] == raw.game.payoff(raw.state_now).tolist()
    assert acted[:4] == ["seat_0", "seat_1", "seat_2", "seat_0"]


def test_opponents_play_their_seats_themselves() -> None:
    made = env("scramble", players=3, opponents={1: "maxn:depth=1", 2: "random"})
    assert made.possible_agents == ["seat_0"]
    acted, _ = play(made, 3)
    assert set(acted) == {"seat_0"}
    with pytest.raises(UsageError, match=r"scramble: opponents .* leave no seat free"):
        env("scramble", players=3, opponents=dict.fromkeys(range(3), "random"))


def test_an_illegal_action_is_refused() -> None:
    made = env("quoridor", players=2)
    made.reset(seed=0)
    illegal = int(np.flatnonzero(made.observe("seat_0")["action_mask"] == 0)[0])
    with pytest.raises(UsageError, match=f"quoridor: action {illegal} is not legal"):
        made.step(illegal)


def test_hidden_cards_are_not_observed() -> None:
    """Worlds that look the same to a seat are observed alike."""
    made = env("hearts", single="yes").unwrapped
    made.reset(seed=1)
    game, seat = made.game, made.seats[made.agent_selection]
    before = made.observe(f"seat_{seat}")["observation"]
    for number in range(5):
        view = game.view(made.state_now, seat)
        made.state_now = game.world(view, np.random.default_rng(number))
        assert np.array_equal(made.observe(f"seat_{seat}")["observation"], before)
    other = made.observe(f"seat_{(seat + 1) % 4}")["observation"]
    assert not np.array_equal(other, before)


def test_sets_of_cards_are_observed_bit_by_bit() -> None:
    """A hand is 52 bits, more than a float of 32 can hold."""
    made = env("hearts", single="yes").unwrapped
    made.reset(seed=1)
    seat = made.seats[made.agent_selection]
    seen = made.observe(f"seat_{seat}")["observation"]
    assert made.views.sets
    assert np.abs(seen).max() < 2**24


def test_pictures_are_those_of_the_game() -> None:
    text = env("scramble", render_mode="ansi")
    text.reset(seed=0)
    place = table("scramble")
    assert text.render() == place.game.picture(place.game.new())
    drawn = env("quoridor", render_mode="svg")
    drawn.reset(seed=0)
    assert drawn.render().startswith("<svg")


def test_parallel_seats_wait_for_their_turn() -> None:
    made = parallel_env("scramble", players=3)
    seen, _ = made.reset(seed=0)
    waiting = [name for name, entry in seen.items() if entry["action_mask"][-1] == 1]
    assert waiting == ["seat_1", "seat_2"]
