"""tournament and experiment as people run them."""

import contextlib
import csv
import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from support.designs import write_design
from support.processes import ended, start, wait_until_watching

from mpsearch.cli import run
from mpsearch.errors import MpsearchError
from mpsearch.experiments.design_file import read_design
from mpsearch.experiments.engines import Local
from mpsearch.experiments.run import analyse_store, run_design
from mpsearch.experiments.store import Store
from mpsearch.plugins.catalog import installed

TOURNAMENT = [
    "tournament", "--game", "scramble", "--players", "3", "--option", "length=10",
    "--agent", "mpmix:td=5,to=5,depth=2", "--agent", "greedy", "--agent", "random", "--games", "6",
]  # fmt: skip


def document(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_tournament_says_who_won_how_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openskill")
    files = {name: tmp_path / f"t.{name}" for name in ("csv", "html", "png")}
    found = document(
        [
            *TOURNAMENT, "--ratings", "--csv", str(files["csv"]), "--html", str(files["html"]),
            "--plot", str(files["png"]),
        ],
        capsys,
    )  # fmt: skip
    agents = {row["role"]: row for row in found["agents"]}
    assert list(agents) == ["mpmix:td=5,to=5,depth=2", "greedy", "random"]
    assert sum(row["wins"] for row in agents.values()) == pytest.approx(1)
    assert sum(row["rank"] for row in agents.values()) == pytest.approx(6)
    for row in agents.values():
        assert row["wins_low"] <= row["wins"] <= row["wins_high"]
        assert (row["games"], row["equal"]) == (6, pytest.approx(1 / 3))
    mixed = agents["mpmix:td=5,to=5,depth=2"]
    stances = [value for name, value in mixed.items() if name.startswith("stance_")]
    assert sum(stances) == pytest.approx(1)
    assert [c["second"] for c in found["comparisons"]] == ["greedy", "random"]
    assert {row["agent"] for row in found["ratings"]} == set(agents)
    rows = list(csv.DictReader(files["csv"].read_text().splitlines()))
    assert [float(row["wins"]) for row in rows] == [row["wins"] for row in agents.values()]
    page = files["html"].read_text()
    assert page.count("<svg") >= 3
    assert not re.search(r"<(script|link|img)|(src|href)=\"(https?:)?//", page)
    assert files["png"].read_bytes().startswith(b"\x89PNG")


def test_the_table_of_a_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(TOURNAMENT) == 0
    out, err = capsys.readouterr()
    assert "scramble, 3 players, length=10" in out
    assert "6 random opening moves" in out
    assert "'Holm' corrects p for 2 comparisons" in out
    assert "6 games, 2 comparisons: too few for any difference" in err
    assert run([*TOURNAMENT[:7], *["--agent", "random"] * 4]) == 2
    assert "4 agents at a table for 3" in capsys.readouterr().err


def test_run_report_resume_and_more_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_design(tmp_path)
    first = document(["experiment", "run", str(path)], capsys)
    store = str(tmp_path / "d.db")
    assert document(["experiment", "report", store], capsys) == first
    assert document(["experiment", "resume", store], capsys) == first
    assert first["games"] == 8
    more = document(["experiment", "run", str(path), "--games", "6"], capsys)
    assert more["games"] == 12
    assert document(["experiment", "resume", store], capsys) == more
    text = path.read_text().replace('greedy = "greedy"', 'greedy = "maxn:depth=1"')
    path.write_text(text)
    assert run(["experiment", "run", str(path)]) == 2
    assert "d.db holds a different experiment: arms.greedy.seats is" in capsys.readouterr().err


def test_export_writes_every_seat_and_records_that_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = write_design(tmp_path, games=2)
    document(["experiment", "run", str(path)], capsys)
    out = {name: tmp_path / name for name in ("x.csv", "x.parquet", "records")}
    assert run(
        [
            "experiment", "export", str(tmp_path / "d.db"), "--csv", str(out["x.csv"]),
            "--parquet", str(out["x.parquet"]), "--records", str(out["records"]),
        ]
    ) == 0  # fmt: skip
    assert capsys.readouterr().out == "4 games\n"
    rows = list(csv.DictReader(out["x.csv"].read_text().splitlines()))
    assert len(rows) == 12
    assert {(row["arm"], row["number"]) for row in rows} == {
        (arm, number) for arm in ("random", "greedy") for number in "01"
    }
    assert parquet.read_table(out["x.parquet"]).num_rows == 12
    records = sorted(out["records"].iterdir())
    assert [record.name for record in records] == [
        "greedy-0.jsonl", "greedy-1.jsonl", "random-0.jsonl", "random-1.jsonl"
    ]  # fmt: skip
    for record in records:
        assert run(["replay", str(record), "--check"]) == 0
    assert run(["experiment", "export", str(tmp_path / "d.db")]) == 2
    assert "nothing to write" in capsys.readouterr().err


def test_the_command_alone_is_wrong_usage_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment"]) == 2
    assert capsys.readouterr().err == (
        "mpsearch: Missing command; see 'mpsearch experiment --help'\n"
    )


def test_show_plays_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_design(tmp_path)
    assert run(["experiment", "show", str(path)]) == 0
    out = capsys.readouterr().out
    assert "greedy  random  random" in out
    assert "4 games of each of 2 arms, 1 comparison: a difference of" in out
    assert list(tmp_path.iterdir()) == [path]


def test_a_decided_experiment_stops_early_and_stays_stopped(tmp_path: Path) -> None:
    found = read_design(write_design(tmp_path, games=400, looks=4), installed())
    with Store(tmp_path / "s.db") as store:
        run_design(found, store=store, engine=Local())
        assert store.noted("stopped") == {"look": 1, "games": 100}
        assert len(store) == 200
        run_design(found, store=store, engine=Local())
        assert len(store) == 200
        told = analyse_store(found, store)
    assert told.look == 1
    (comparison,) = told.comparisons
    assert comparison.decided
    # The bound of the first of four looks is twice that of a single look: so is the interval.
    plain = comparison.difference
    width = (comparison.told.high - comparison.told.low) / (plain.high - plain.low)
    assert width == pytest.approx(4.0486 / 1.95996, abs=0.01)


def test_ctrl_c_reports_what_there_is(tmp_path: Path) -> None:
    path = write_design(tmp_path, games=100_000)
    store = tmp_path / "d.db"
    process = start("experiment", "run", str(path))
    try:
        wait_until_watching(process)
        games = 0
        while games < 3:
            # The file may not be there yet, or not be ready.
            with contextlib.suppress(MpsearchError), Store(store, read_only=True) as kept:
                games = len(kept)
        code, out, said = ended(process, signal.SIGINT)
    finally:
        process.kill()
        process.communicate()
    assert code == 130
    assert "of 200000 games; run the command again to continue from" in said[-1]
    assert "games are played so far" in out


def test_an_experiment_stops_early_only_if_every_comparison_is_decided(tmp_path: Path) -> None:
    """Who plays as the baseline does is never decided, however clear the other comparison is."""
    path = write_design(tmp_path, games=200, looks=2)
    path.write_text(path.read_text() + 'same = "random"\n')
    found = read_design(path, installed())
    with Store(tmp_path / "s.db") as store:
        run_design(found, store=store, engine=Local())
        assert store.noted("stopped") is None
        assert len(store) == 3 * 200
        decided = {c.first: c.decided for c in analyse_store(found, store).comparisons}
    assert decided == {"greedy": True, "same": False}
