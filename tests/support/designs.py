"""A small experiment in a file: an arm beside a random one, in Scramble."""

from pathlib import Path

DESIGN = """\
game = "scramble"
players = 3
games = {games}
seed = 2
baseline = "random"
others = ["random", "random"]
looks = {looks}
options = {{ length = 10 }}

[arms]
random = "random"
{arm} = "{agent}"
"""


def write_design(
    folder: Path, *, games: int = 4, looks: int = 1, arm: str = "greedy", agent: str = "greedy"
) -> Path:
    """The file, `d.toml`."""
    path = folder / "d.toml"
    path.write_text(DESIGN.format(games=games, looks=looks, arm=arm, agent=agent))
    return path
