"""The ladders are designs that can be played, and one of them in any game."""

from pathlib import Path

import pytest

from mpsearch.errors import UsageError
from mpsearch.experiments import read_design, read_toml
from mpsearch.plugins import installed

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "ladders"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_every_ladder_can_be_played(path: Path) -> None:
    """Games, options and agents are there, and every candidate is compared."""
    if read_toml(path).values["game"] not in installed().games:
        pytest.skip("the game is not installed")
    design = read_design(path, installed())
    assert len(design.comparisons()) == len(design.arms) - 1 >= 3
    assert len({tuple(seat.text for seat in arm.seated[1:]) for arm in design.arms}) == 1


def test_ladder_of_any_game_needs_only_the_name_of_the_game(tmp_path: Path) -> None:
    text = (FOLDER / "any-game.toml").read_text(encoding="utf-8")
    path = tmp_path / "other.toml"
    path.write_text(text.replace('game = "scramble"', 'game = "plunder"'))
    assert read_design(path, installed()).game == "plunder"
    path.write_text(text.replace("players = 3", "players = 4"))
    with pytest.raises(UsageError, match="3 agents at a table for 4 of scramble"):
        read_design(path, installed())
