"""Room: what a threshold can gain at most, against a count over the records of the games."""

import json
from pathlib import Path

import attrs
import pytest

from mpsearch.cli import run
from mpsearch.experiments import make_design
from mpsearch.experiments.design import Design
from mpsearch.experiments.engines import make_engine
from mpsearch.experiments.games import GameResult, SeatLog, record_lines
from mpsearch.experiments.room import reaches, rooms
from mpsearch.experiments.run import played_games, run_design
from mpsearch.experiments.store import Store
from mpsearch.experiments.toml_file import TomlFile
from mpsearch.plugins import installed

DESIGN = """\
game = "scramble"
players = 3
games = 40
seed = 3
baseline = "maxn"
others = ["greedy", "random"]
[agents]
X = "maxn:depth=2"
DEFENDS = "mpmix:td=7.5,depth=2"
ATTACKS = "mpmix:to=12.5,depth=2"
MIX = "mpmix:td=7.5,to=12.5,depth=2"
[arms]
maxn = "X"
defends = "DEFENDS"
attacks = "ATTACKS"
mix = "MIX"
"""


def played(text: str) -> tuple[Design, dict[str, list[GameResult]], dict[tuple[str, int], str]]:
    """A design, its games by arm, and their records."""
    design = make_design(TomlFile(text, name="d.toml"), installed())
    by_arm: dict[str, list[GameResult]] = {arm.label: [] for arm in design.arms}
    with Store(None) as store:
        run_design(design, store=store, engine=make_engine("local", processes=1))
        for result in played_games(store, design):
            by_arm[result.arm].append(result)
        records = {
            (arm, game.number): record_lines(store.record(arm, game.number) or b"")
            for arm, games in by_arm.items()
            for game in games
        }
    return design, by_arm, records


def counted(records: dict[tuple[str, int], str], arm: str, text: str) -> float:
    """By the records alone: games in which MP-Mix left MaxN's stance and the MaxN player at the
    same seat of the same game did not win."""
    lost = 0.0
    numbers = sorted(number for own, number in records if own == arm)
    for number in numbers:
        header, *lines = (json.loads(line) for line in records[arm, number].splitlines())
        seat = header["agents"].index(text)
        if any(
            line.get("seat") == seat and line.get("stance", "maxn") != "maxn" for line in lines[:-1]
        ):
            result = json.loads(records["maxn", number].splitlines()[-1])
            best = [s for s, pay in enumerate(result["payoff"]) if pay == max(result["payoff"])]
            lost += 1 - (1 / len(best) if seat in best else 0)
    return lost / len(numbers)


def test_the_room_is_what_a_count_over_the_records_finds() -> None:
    design, by_arm, records = played(DESIGN)
    found = {(room.arm, room.threshold): room for room in rooms(design, by_arm)}
    expected = {
        ("defends", "td=7.5"): counted(records, "defends", "mpmix:td=7.5,depth=2"),
        ("attacks", "to=12.5"): counted(records, "attacks", "mpmix:to=12.5,depth=2"),
        ("mix", "td=7.5 or to=12.5"): counted(records, "mix", "mpmix:td=7.5,to=12.5,depth=2"),
    }
    for key, share in expected.items():
        room = found[key]
        assert 0 < share < 1
        assert room.room.mean == pytest.approx(share), key
        assert room.reached * room.lost == pytest.approx(share)
        assert (room.by, room.games) == ("X of 'maxn'", 40)
    assert set(found) == {*expected, ("mix", "td=7.5"), ("mix", "to=12.5")}


def test_no_gain_goes_beyond_the_room() -> None:
    """Game by game: where MP-Mix wins and MaxN does not, the threshold was reached."""
    _, by_arm, _ = played(DESIGN)
    for arm, limits in (("defends", {"td": 7.5}), ("mix", {"td": 7.5, "to": 12.5})):
        for mine, base in zip(by_arm[arm], by_arm["maxn"], strict=True):
            seat = base.seats("X")[0]
            if mine.shares()[seat] != base.shares()[seat]:
                assert reaches(base.logs[seat], limits)


def test_without_a_baseline_it_is_counted_beside_the_agent_or_by_itself() -> None:
    alone = """\
game = "scramble"
players = 3
games = 12
[arms]
beside = ["mpmix:td=10,depth=2", "maxn:depth=2", "random"]
alone = ["mpmix:td=10,depth=2", "greedy:depth=1", "random"]
"""
    text = alone.replace("greedy:depth=1", "paranoid:depth=1")
    design, by_arm, _ = played(text)
    by = {room.arm: room.by for room in rooms(design, by_arm)}
    assert by == {"beside": "MaxN at its table", "alone": "itself"}


def test_stores_without_the_greatest_edge_are_read_by_their_bars() -> None:
    log = SeatLog(moves=4, ahead={0: 1, 2: 1}, behind={1: 2})
    assert reaches(log, {"td": 10.0})
    assert not reaches(log, {"td": 15.0})
    assert reaches(log, {"to": 5.0})
    assert not reaches(log, {"to": 10.0})
    exact = attrs.evolve(log, most_ahead=14.2)
    assert reaches(exact, {"td": 14.2})
    assert not reaches(exact, {"td": 14.3})
    assert not reaches(SeatLog(), {"td": 0.0, "to": 0.0})


def test_a_threshold_that_is_never_reached_leaves_no_room(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["tournament", "--game", "scramble", "--players", "3", "--games", "3"]
    command += ["--agent", "mpmix:td=101,depth=1", "--agent", "maxn:depth=1", "--json"]
    assert run(command) == 0
    (room,) = json.loads(capsys.readouterr().out)["rooms"]
    assert (room["reached"], room["lost"], room["room"]) == (0, None, 0)


def test_it_is_printed_beside_the_thresholds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["tournament", "--game", "scramble", "--players", "3", "--games", "6"]
    for agent in ("mpmix:td=10,depth=1", "maxn:depth=1", "random"):
        command += ["--agent", agent]
    assert run([*command, "--csv", str(tmp_path / "t.csv")]) == 0
    assert "room: the most that a threshold can gain over MaxN" in capsys.readouterr().out
    assert "room_td" in (tmp_path / "t.csv").read_text().splitlines()[0]
    assert run([*command, "--json"]) == 0
    (room,) = json.loads(capsys.readouterr().out)["rooms"]
    assert room["threshold"] == "td=10"
    assert room["room"] == pytest.approx(room["reached"] * (room["lost"] or 0))
