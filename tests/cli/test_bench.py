"""`mpsearch bench`: rows for every search and decision, within its time."""

import json
from typing import Any

import numpy as np
import pytest

from mpsearch.bench import beside_c
from mpsearch.bench.cases import STANCES, positions
from mpsearch.bench.run import BenchResult
from mpsearch.bench.searches import Subject, measure_depths
from mpsearch.catalog import installed
from mpsearch.cli import bench, run
from mpsearch.search import make_workshop
from mpsearch.table import set_table

KEYS = {"game", "propagator", "depth", "nodes", "seconds", "nodes_per_second"}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment for each search, however long it takes to compile them, and no C."""
    monkeypatch.setattr(bench, "QUICK", (600.0, 0.0))
    monkeypatch.setattr("mpsearch.bench.shares.LONGEST", 0.02)
    monkeypatch.setattr(bench, "find_programs", lambda: None)


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert run(["bench", "--quick", "--json", *arguments]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_every_row_has_the_promised_names(short: None, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--game", "scramble", "--game", "plunder")
    assert {row["game"] for row in found} == {"scramble", "plunder"}
    assert all(row.keys() >= KEYS for row in found)
    assert {row["propagator"] for row in found} == {"maxn", "paranoid", "sos random"}
    decisions = {row["game"]: row for row in found if "python_share" in row}
    assert 0 <= decisions["scramble"]["python_share"] <= 1
    # Only Plunder hides cards.
    assert decisions["scramble"]["worlds_per_second"] is None
    assert decisions["plunder"]["worlds_per_second"] > 0
    assert decisions["plunder"]["two_threads"] > 0


def test_pruning_never_visits_more(short: None, capsys: pytest.CaptureFixture[str]) -> None:
    found = [row for row in rows(capsys, "--game", "scramble") if "technique" in row]
    nodes = {(row["propagator"], row["technique"], row["depth"]): row["nodes"] for row in found}
    both = [(kind, depth) for kind, way, depth in nodes if way == "no pruning"]
    pairs = [
        (nodes[kind, "all", depth], nodes[kind, "no pruning", depth])
        for kind, depth in both
        if (kind, "all", depth) in nodes
    ]
    assert len(pairs) >= 3
    assert all(fewer <= full for fewer, full in pairs)


def test_what_the_time_does_not_suffice_for_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "QUICK", (0.0, 0.0))
    monkeypatch.setattr(bench, "find_programs", lambda: None)
    assert run(["bench", "--quick", "--game", "scramble"]) == 0
    assert "no time was left for scramble.progress" in capsys.readouterr().out


def test_what_had_to_be_compiled_is_told(
    short: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        bench, "run_bench", lambda *_, **__: BenchResult(compiled={"scramble.progress": 4.25})
    )
    assert run(["bench", "--quick", "--game", "scramble"]) == 0
    assert capsys.readouterr().out.endswith("\ncompiled on the way: scramble.progress 4.2 s\n")
    assert run(["bench", "--quick", "--json", "--game", "scramble"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("[]\n", "compiled on the way: scramble.progress 4.2 s\n")


def test_the_table_has_a_line_for_each_propagator(
    short: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", "--quick", "--game", "scramble"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[2] for line in lines if line[:2] == ["scramble", "progress"]] == [
        "maxn",
        "paranoid",
        "sos",
    ]


def test_an_unknown_game_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--game", "chess"]) == 2
    assert "chess" in capsys.readouterr().err


def test_a_search_goes_on_to_the_end_of_the_game_and_no_further() -> None:
    table = set_table(installed(), "plunder", players=3, options={"cards": 2})
    space = table.space("score")
    position = positions(space, seed=1)[0]
    subject = Subject(
        table=table,
        evaluator="score",
        space=space,
        workshop=make_workshop(space, interpret=True),
        position=position,
    )
    found = list(measure_depths(subject, "maxn", "no pruning", seconds=600))
    # Six cards are played, the first ones before.
    left = 6 - len(position.past)
    assert [row.depth for row in found] == list(range(1, left + 1))
    assert found[-1].nodes > found[-2].nodes


def test_positions_follow_from_the_seed_and_stances_from_the_position() -> None:
    table = set_table(installed(), "scramble", players=4, options={})
    space = table.space("progress")
    first, again, other = (positions(space, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    for kind, stance in STANCES.items():
        one, two = (stance(table, space, position) for position in (first[1], again[1]))
        assert np.array_equal(one.matrix, two.matrix), kind
    learned = STANCES["sos learned"](table, space, first[1]).matrix
    root = space.game.mover(first[1].state)
    assert learned[root].tolist() == np.eye(4)[root].tolist()
    # Everybody has moved, and by moving gained something.
    assert (np.diag(learned) > 0).all()


@pytest.mark.slow
def test_the_ratio_to_c_comes_from_the_programs_of_the_repository() -> None:
    folder = beside_c.find_programs()
    if folder is None:
        pytest.skip("no gcc, or no repository")
    found, late = beside_c.compare_with_c(folder, ["scramble"], seconds=120, quick=True)
    assert late == []
    assert {row["game"] for row in found} == {"scramble"}
    assert all(row["ratio_to_c"] > 0 for row in found)


def test_a_program_that_fails_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "scramble.py").write_text("raise SystemExit(1)")
    asked = ["hearts", "plunder", "scramble"]  # nobody wrote Plunder in C
    assert beside_c.compare_with_c(tmp_path, asked, seconds=20, quick=True) == ([], ["scramble"])
    found = beside_c.compare_with_c(tmp_path, asked, seconds=20, quick=False)
    assert found == ([], ["scramble", "hearts"])


def test_a_comparison_with_c_that_had_no_time_is_named(
    short: None,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bench, "find_programs", lambda: tmp_path)
    assert run(["bench", "--quick", "--game", "scramble"]) == 0
    assert capsys.readouterr().out.endswith("\nno time was left for scramble beside C\n")
