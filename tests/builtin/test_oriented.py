"""Oriented agents play by their row, and change it when they should."""

from typing import Any

import numpy as np
import pytest

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.builtin.opponent_models import MODELS
from mpsearch.cli import run
from mpsearch.contracts import Observation, OpponentModel
from mpsearch.match import play_match
from mpsearch.plugins.catalog import load_catalog


def orientation(**options: Any) -> OpponentModel:
    offer = next(offer for offer in MODELS if offer.name == "orientation")
    return offer.make(**{option.name: option.default for option in offer.options} | options)


def saw(mover: int, change: list[float]) -> Observation:
    before = np.full(len(change), 50.0)
    return Observation(
        mover=mover, before=before, after=before + change, greatest=100.0, alternatives=lambda: ()
    )


def rows(made: OpponentModel, seat: int, seen: list[Observation]) -> list[list[float]]:
    """The own row before the first move and after each."""
    beliefs = made.start(3, seat, np.random.default_rng(4))
    found = [made.matrix(beliefs)[seat].tolist()]
    for observation in seen:
        beliefs = made.observe(beliefs, observation)
        found.append(made.matrix(beliefs)[seat].tolist())
    return found


def test_a_given_row_begins_with_oneself_and_goes_by_turn_order() -> None:
    made = orientation(row="1:-0.5:0.25")
    found = [rows(made, seat, [])[0] for seat in range(3)]
    assert found == [[1, -0.5, 0.25], [0.25, 1, -0.5], [-0.5, 0.25, 1]]


def test_random_rows_depend_on_the_generator_alone_and_wish_oneself_well() -> None:
    made = orientation()
    first = made.matrix(made.start(4, 2, np.random.default_rng(1)))
    assert first.tolist() == made.matrix(made.start(4, 2, np.random.default_rng(1))).tolist()
    assert first.tolist() != made.matrix(made.start(4, 2, np.random.default_rng(2))).tolist()
    assert first[2, 2] > 0
    assert first[[0, 1, 3]].tolist() == np.eye(4)[[0, 1, 3]].tolist()
    changing = orientation(switch=5, drift=0.1, retaliate=True)
    assert (
        changing.matrix(changing.start(4, 2, np.random.default_rng(1))).tolist() == first.tolist()
    )


def test_a_switch_comes_after_so_many_moves_of_others() -> None:
    made = orientation(row="1:0:0", then="0.5:-1:0", switch=2)
    found = rows(made, 0, [saw(1, [0, 0, 0])] * 3)
    assert found == [[1, 0, 0], [1, 0, 0], [0.5, -1, 0], [0.5, -1, 0]]


def test_retaliation_is_against_whoever_hurt_one_last() -> None:
    made = orientation(row="1:0.5:0.25", retaliate=True)
    seen = [saw(1, [1, 0, 0]), saw(1, [-1, 0, 0]), saw(2, [0, -9, 0]), saw(2, [-2, 0, 0])]
    assert rows(made, 0, seen) == [
        [1, 0.5, 0.25],
        [1, 0.5, 0.25],
        [1, -1, 0.25],
        [1, -1, 0.25],
        [1, 0.5, -1],
    ]


def test_drift_is_a_random_walk_of_what_one_wishes_others() -> None:
    made = orientation(row="0.5:0:0", drift=0.01)
    walks = []
    for seed in range(200):
        beliefs = made.start(3, 0, np.random.default_rng(seed))
        for _ in range(25):
            beliefs = made.observe(beliefs, saw(1, [0, 0, 0]))
        walks.append(made.matrix(beliefs)[0])
    ends = np.array(walks)
    assert (ends[:, 0] == 0.5).all()
    # 25 steps of 0.01 go 0.05 far; the deviation of 400 ends misses that by 7 % at two sigma.
    assert ends[:, 1:].std() == pytest.approx(0.05, rel=0.15)


def test_only_orientations_that_change_watch_the_others() -> None:
    assert not orientation(row="1:0:0").learns
    for change in ({"switch": 1}, {"drift": 0.1}, {"retaliate": True}):
        assert orientation(**change).learns


def test_an_oriented_agent_makes_a_move_that_is_best_for_its_row() -> None:
    """Every move of a game against a plain look at all moves."""
    catalog = load_catalog()
    game = catalog.game_offer("scramble").new_game(players=3, options={})
    texts = ["oriented:row=0.3:-1:0.5", "oriented:row=1:0:-0.7", "oriented"]
    agents = [make_agent(catalog, "scramble", game, text) for text in texts]
    relative = [[0.3, -1, 0.5], [1, 0, -0.7]]
    checked = 0
    for ply in play_match(game, agents, seed=5):
        if ply.seat in (0, 1):
            agent = agents[ply.seat]
            assert isinstance(agent, SearchAgent)
            value = agent.space.evaluator.values
            wish = {(ply.seat + k) % 3: relative[ply.seat][k] for k in range(3)}
            merits = {
                move: sum(wish[s] * v for s, v in enumerate(value(game.play(ply.before, move))))
                for move in game.moves(ply.before)
            }
            assert merits[ply.move] == pytest.approx(max(merits.values()))
            checked += len(merits) > 1
    assert checked > 5


@pytest.mark.parametrize("row", ["1:0", "1:0:0:2", "1:x:0:0", "nan:0:0:0"])
def test_a_row_that_does_not_fit_is_explained(row: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--game", "scramble", "--seat", f"oriented:row={row}"]) == 2
    err = capsys.readouterr().err
    assert f"oriented: row '{row}' is not 4 numbers from -1 to 1 such as 1:-0.5:0:0" in err
