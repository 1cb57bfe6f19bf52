"""The printed learning rule, computed by hand."""

from typing import Any

import numpy as np
import pytest

from mpsearch.builtin.opponent_models import MODELS
from mpsearch.contracts import Observation, OpponentModel
from mpsearch.errors import UsageError


def model(name: str, **options: Any) -> OpponentModel:
    offer = next(offer for offer in MODELS if offer.name == name)
    settings = {option.name: option.default for option in offer.options} | options
    return offer.make(**settings)


def saw(mover: int, before: list[float], after: list[float]) -> Observation:
    return Observation(
        mover=mover,
        before=np.array(before),
        after=np.array(after),
        greatest=50.0,
        alternatives=lambda: (),
    )


RNG = np.random.default_rng(0)


def test_recent_is_the_mean_effect_of_the_last_k_moves() -> None:
    recent = model("recent", k=2)
    beliefs = recent.start(3, 0, RNG)
    assert recent.matrix(beliefs).tolist() == np.eye(3).tolist()
    beliefs = recent.observe(beliefs, saw(1, [10, 20, 30], [10, 30, 25]))
    beliefs = recent.observe(beliefs, saw(2, [0, 0, 0], [0, 0, 50]))
    assert recent.matrix(beliefs).tolist() == [[1, 0, 0], [0, 0.6 - 0.4, 0.5 - 0.6], [0, 0, 1]]
    beliefs = recent.observe(beliefs, saw(1, [10, 30, 25], [0, 30, 25]))
    expected = [(0.0 + (0.0 - 0.2)) / 2, (0.6 - 0.4 + 0.0) / 2, (0.5 - 0.6 + 0.0) / 2]
    assert recent.matrix(beliefs)[1].tolist() == expected
    # The first of three moves no longer counts.
    beliefs = recent.observe(beliefs, saw(1, [0, 30, 25], [0, 40, 25]))
    assert recent.matrix(beliefs)[1].tolist() == [(-0.2 + 0.0) / 2, (0.0 + (0.8 - 0.6)) / 2, 0.0]


def test_recent_can_start_from_a_random_matrix_but_knows_itself() -> None:
    recent = model("recent", start="random")
    beliefs = recent.start(4, 2, np.random.default_rng(5))
    matrix = recent.matrix(beliefs)
    assert matrix[2].tolist() == [0, 0, 1, 0]
    assert (matrix[[0, 1, 3]] != np.eye(4)[[0, 1, 3]]).all()


@pytest.mark.parametrize("text", ["", "1:0/0:1"])
def test_known_needs_a_matrix_that_fits(text: str) -> None:
    with pytest.raises(UsageError):
        model("known", matrix=text).start(3, 0, RNG)
