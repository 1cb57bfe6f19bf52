"""Designs from TOML: what they play, and where they are wrong."""

import math
import tomllib
from pathlib import Path

import pytest

from mpsearch.cli import run
from mpsearch.errors import UsageError
from mpsearch.experiments.design import Design
from mpsearch.experiments.design_file import make_design
from mpsearch.experiments.toml_file import TomlFile, toml_text
from mpsearch.plugins.catalog import installed
from mpsearch.social import read_matrix

GOOD = """\
game = "scramble"
players = 3
games = 6
seed = 4
baseline = "maxn"
others = ["oriented:row={row}", "oriented:row={row}"]

[options]
length = 10

[vary]
depth = [1, 2]

[arms]
maxn = "maxn:depth={depth}"
sos = "sos:model=known,matrix={matrix},depth={depth}"
alone = "random"
"""


def design(text: str) -> Design:
    return make_design(TomlFile(text, name="d.toml"), installed())


def test_every_combination_is_an_arm_and_what_is_not_varied_is_one() -> None:
    found = design(GOOD)
    labels = [arm.label for arm in found.arms]
    assert labels == ["maxn depth=1", "maxn depth=2", "sos depth=1", "sos depth=2", "alone"]
    assert found.comparisons() == [
        ("sos depth=1", "maxn depth=1"),
        ("sos depth=2", "maxn depth=2"),
        ("alone", "maxn depth=1"),
        ("alone", "maxn depth=2"),
    ]


def test_all_arms_play_the_same_games_with_one_seat_exchanged() -> None:
    found = design(GOOD)
    for number in range(found.games):
        jobs = [found.job(arm, number) for arm in found.arms]
        hero = number % 3
        assert len({job.setting.seed for job in jobs}) == 1
        assert {job.setting.opening for job in jobs} == {6}
        for job in jobs:
            assert job.roles[hero] not in found.arms[0].roles[1:]
        others = [
            [text for seat, text in enumerate(job.setting.agents) if seat != hero] for job in jobs
        ]
        assert all(texts == others[0] for texts in others)
    seeds = [found.job(found.arms[0], number).setting.seed for number in range(found.games)]
    assert len(set(seeds)) == found.games


def test_the_matrix_holds_the_rows_that_the_others_play_by() -> None:
    found = design(GOOD)
    job = found.job(found.arm("sos depth=2"), 1)
    sos = job.setting.agents[1]
    matrix = read_matrix(sos.split("matrix=")[1].split(",")[0])
    assert matrix[1].tolist() == [0, 1, 0]
    for seat in (0, 2):
        row = [float(x) for x in job.setting.agents[seat].split("row=")[1].split(":")]
        assert [row[(k - seat) % 3] for k in range(3)] == matrix[seat].tolist()


def test_a_drawn_line_up_is_drawn_anew_in_every_game() -> None:
    found = design(
        'game = "scramble"\nplayers = 4\ngames = 400\n'
        '[arms]\nmixed = { draw = ["greedy", "random", "maxn:depth=2"] }'
    )
    jobs = list(found.jobs())
    counts = {role: sum(job.roles.count(role) for job in jobs) for role in found.arms[0].roles}
    # 1600 draws from three: each is within 4.2 standard errors of a third in 99.99 % of trials.
    assert all(abs(count - 1600 / 3) < 80 for count in counts.values())
    assert len({job.roles for job in jobs}) > 60


def test_limits_are_for_those_who_have_none() -> None:
    found = design(
        'game = "scramble"\nplayers = 4\ngames = 1\nlimits = { nodes = 50 }\n'
        '[arms]\na = ["maxn", "maxn:depth=1", "greedy", "mpmix:td=5"]'
    )
    assert found.job(found.arms[0], 0).setting.agents == (
        "maxn:nodes=50", "maxn:depth=1", "greedy", "mpmix:td=5,nodes=50"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("games = 6", "games = -3", "d.toml:3: games: -3 is not a whole number, 1 or more"),
        ("games = 6", "games = true", "d.toml:3: games: True is not a whole number"),
        ("games = 6\n", "", "d.toml: games: missing; expected a whole number"),
        ("seed = 4", "sede = 4", "d.toml:4: sede: unknown key; did you mean 'seed'?"),
        ('"scramble"', '"scrable"', "d.toml:1: game: unknown game 'scrable'; did you mean"),
        ("players = 3", "players = 9", "d.toml:2: players: scramble: 9 players"),
        ("length = 10", "lenth = 10", r"d.toml:9: options.lenth: scramble: unknown option"),
        ("length = 10", "length = 'x'", r"d.toml:9: options.length: scramble: length=x is not"),
        ('"maxn"', '"maxm"', "d.toml:5: baseline: 'maxm' is not one of the arms"),
        ("[1, 2]", "3", r"d.toml:12: vary.depth: 3 is not a list"),
        ("depth = [1", "row = [1", r"d.toml:12: vary.row: 'row' is reserved for draws"),
        ("depth = [1", "td = [3]\ndepth = [1", r"d.toml:12: vary.td: no agent of any arm has {td}"),
        ('"random"', '"randm"', "d.toml:17: arms.alone: unknown agent for scramble 'randm'"),
        ('"random"', '"maxn:deth=1"', "d.toml:17: arms.alone: agent maxn: unknown key 'deth'"),
        ('"random"', '"maxn:depth={d}"', r"d.toml:17: arms.alone: .*{d} is not varied"),
        ('"random"', '["random"]', "d.toml:17: arms.alone: 1 agents at a table for 3"),
        ('"random"', "7", "d.toml:17: arms.alone: 7 is neither an agent nor a list"),
        ('"random"', "{ pick = 3 }", "d.toml:17: arms.alone: a table here is { draw"),
        ("games = 6", "games = ", "d.toml: not TOML: .*line 3"),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_key_and_line(old: str, new: str, words: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    with pytest.raises(UsageError, match=words):
        design(text)


def test_one_agent_needs_others() -> None:
    text = 'game = "scramble"\nplayers = 3\ngames = 1\n\n[arms]\na = "maxn"\n'
    with pytest.raises(UsageError, match=r"d.toml:6: arms.a: only one agent; add 'others'"):
        design(text)


def test_the_line_of_a_key_is_found_in_every_way_of_writing_it() -> None:
    text = 'a = 1 # b = 2\n\n[ "t" ]\nb = 3\n[t.u]\nc.d = 4\n'
    file = TomlFile(text, name="x")
    assert [file.line(key) for key in ("a", "t", "t.b", "t.u.c.d", "t.zzz", "zzz")] == [
        1, 3, 4, 6, 3, None
    ]  # fmt: skip


def test_a_bad_file_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("games = 3\n")
    assert run(["experiment", "run", str(path)]) == 2
    assert capsys.readouterr().err == f"mpsearch: {path}: game: missing; expected a text\n"
    assert run(["experiment", "run", str(tmp_path / "none.toml")]) == 2
    assert "none.toml cannot be read: No such file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path]


def test_values_that_are_written_are_read_again() -> None:
    values = {
        "name": 'a "quoted" é\n\t\\',
        "games": 3,
        "share": 0.1,
        "rotate": False,
        "others": ["a", "b"],
        "vary": {"td": [0, 1e-5, math.inf], "two words": ["x"]},
        "arms": {"drawn": {"draw": ["a", "b"]}, "é": "a"},
    }
    assert tomllib.loads(toml_text(values)) == values
