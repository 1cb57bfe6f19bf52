"""Figures of an analysis stand by themselves."""

from mpsearch.experiments import TomlFile, all_in_one, make_design, play_job
from mpsearch.experiments.analysis import analyse
from mpsearch.plugins import installed

DESIGN = """\
game = "scramble"
players = 3
games = 3
seed = 5
baseline = "greedy"
options = { length = 8 }
others = ["other", "other"]
[vary]
depth = [1, 2]
[agents]
GREEDY = "greedy"
RANDOM = "random"
MAXN = "maxn:depth={depth}"
other = "random"
[arms]
greedy = "GREEDY"
random = "RANDOM"
maxn = "MAXN"
"""


def test_a_figure_says_what_was_played_and_tells_its_lines_apart() -> None:
    design = make_design(TomlFile(DESIGN, name="lines.toml"), installed())
    played = [play_job(job)[0] for job in design.jobs()]
    figure = all_in_one(analyse(design, played))
    assert figure.get_suptitle() == "lines: scramble, 3 players, 3 games of each arm"
    lines = figure.axes[0].get_lines()
    drawn = {(line.get_linestyle(), line.get_color(), line.get_marker()) for line in lines}
    assert len(drawn) == len(lines) == 3
    some = all_in_one(analyse(design, played[:-1]))
    assert some.get_suptitle() == "lines: scramble, 3 players, 2 to 3 games of each arm"
