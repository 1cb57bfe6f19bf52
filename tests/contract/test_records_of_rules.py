"""The record that compiled rules work on."""

import attrs
import numpy as np
import pytest

from mpsearch.builtin.scramble import RULES
from mpsearch.catalog import load_catalog
from mpsearch.contracts import legal_move
from mpsearch.errors import MoveError


@pytest.mark.parametrize("name", ["size", "flags", "trace", "T"])
def test_a_field_that_plain_python_could_not_read_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"field '{name}' is an attribute of NumPy's records"):
        attrs.evolve(RULES, state=np.dtype([("mover", "i8"), (name, "i8")]))


def test_a_state_needs_fields() -> None:
    with pytest.raises(ValueError, match="no fields"):
        attrs.evolve(RULES, state=np.dtype("i8"))


def test_nobody_can_move_when_no_player_is_to_move() -> None:
    game = load_catalog().game("scramble", plies=1)
    state = game.play(game.new(), 1)
    with pytest.raises(MoveError, match=r"move '\+1' is not legal: no player is to move"):
        legal_move(game, state, "+1")
