"""The record that compiled rules work on."""

import re

import attrs
import numpy as np
import pytest

from mpsearch.builtin.games.scramble import RULES
from mpsearch.cli.terminal.typed_move import MoveReader
from mpsearch.contracts import legal_move
from mpsearch.contracts.move_text import written_line
from mpsearch.errors import MoveError
from mpsearch.plugins.catalog import load_catalog


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


def test_a_field_that_is_not_there_is_neither_read_nor_written() -> None:
    """A misspelt name in rules would otherwise read as nothing, and be written nowhere."""
    s = np.zeros(1, RULES.record)[0]
    with pytest.raises(AttributeError, match="the state's record has no field 'moover'"):
        _ = s.moover
    with pytest.raises(AttributeError, match="the state's record has no field 'moover'"):
        s.moover = 1
    s.mover = 2
    assert s.mover == 2
    with pytest.raises(ValueError, match="invalid literal"):
        s.mover = "seat 2"


@pytest.mark.parametrize("text", ["++", "hello"])
def test_a_text_that_no_game_can_read_is_an_error_and_no_move(text: str) -> None:
    game = load_catalog().game("scramble", players=3)
    state = game.new()
    with pytest.raises(MoveError, match=rf"'{re.escape(text)}' is neither a run such as"):
        MoveReader(game=game, world=state, moves=game.moves(state)).spelled(text)


def test_a_line_of_another_world_is_written_as_far_as_it_can_be_played() -> None:
    """Compiled rules refuse to play what is not legal; the rest of the line is written anyway."""
    game = load_catalog().game("scramble", players=3)
    first, jump = game.read("+1"), game.read("x1")
    assert jump not in game.moves(game.play(game.new(), first))
    line = [first, jump, jump]
    assert written_line(game, game.new(), line) == ["+1", "x1", "x1"]
