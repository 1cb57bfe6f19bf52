"""`mpsearch bench`: rows for every search, within its time."""

import json
import time
from pathlib import Path
from typing import Any

import attrs
import pytest

from mpsearch.cli import run
from mpsearch.cli.commands import bench
from mpsearch.jit.compile_time import compiling
from mpsearch.plugins import Catalog, installed
from mpsearch.studies.benchmark import (
    SearchRow,
    compare_with_c,
    find_programs,
    measure_game,
    usual_games,
)

KEYS = {"game", "propagator", "depth", "nodes", "seconds", "nodes_per_second", "ratio_to_c"}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little time for searches, and no C."""
    monkeypatch.setattr(bench, "QUICK", (1.0, 0.0))
    monkeypatch.setattr(bench, "find_programs", lambda: None)


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert run(["bench", "--quick", "--json", *arguments]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_every_row_has_the_promised_names(short: None, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--game", "scramble")
    assert {row["game"] for row in found} == {"scramble"}
    assert all(row.keys() >= KEYS for row in found)
    assert {row["propagator"] for row in found} == {"maxn", "paranoid", "sos random"}
    assert all(row["nodes"] > 0 and row["nodes_per_second"] > 0 for row in found)


def test_pruning_never_visits_more(short: None, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--game", "scramble")
    nodes = {(row["propagator"], row["depth"], row["pruned"]): row["nodes"] for row in found}
    both = {(kind, depth) for kind, depth, _ in nodes}
    assert len(both) >= 3
    assert len(nodes) == 2 * len(both)
    assert all(nodes[kind, depth, True] <= nodes[kind, depth, False] for kind, depth in both)


def test_the_same_seed_searches_the_same_trees() -> None:
    def nodes(seed: int) -> list[int]:
        found = measure_game(installed(), "scramble", seconds=lambda: 0.0, seed=seed)
        return [row.nodes for row in found]

    assert nodes(1) == nodes(1)


def test_a_search_goes_on_to_the_end_of_the_game_and_no_further() -> None:
    found = list(measure_game(installed(), "plunder", seconds=lambda: 60.0, seed=0))
    assert {row.propagator: row.depth for row in found} == {
        # Twelve cards are played, the first six before.
        "maxn": 6,
        "paranoid": 6,
        "sos random": 6,
    }


def test_what_the_time_does_not_suffice_for_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "QUICK", (0.0, 0.0))
    monkeypatch.setattr(bench, "find_programs", lambda: None)
    asked = ["bench", "--quick", "--game", "scramble", "--game", "plunder"]
    note = "not measured for lack of time: scramble, plunder\n"
    assert run(asked) == 0
    assert capsys.readouterr().out.endswith(f"\n\n{note}")
    assert run([*asked, "--json"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("[]\n", note)


def test_what_is_compiled_takes_no_time_from_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []

    def measure(catalog: Catalog, name: str, **_: object) -> list[SearchRow]:
        measured.append(name)
        with compiling():
            time.sleep(1.0)
        return []

    monkeypatch.setattr(bench, "QUICK", (0.9, 0.0))
    monkeypatch.setattr(bench, "find_programs", lambda: None)
    monkeypatch.setattr(bench, "measure_game", measure)
    assert run(["bench", "--quick", "--game", "scramble", "--game", "plunder"]) == 0
    assert measured == ["scramble", "plunder"]


def test_the_table_has_a_line_for_each_propagator(
    short: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", "--quick", "--game", "scramble"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    found = [line[1] for line in lines if line[:1] == ["scramble"]]
    assert found == ["maxn", "paranoid", "sos"]


def bridged(*names: str) -> Catalog:
    """What is installed, and games that leave it to others to tell their rules."""
    catalog = installed()
    more = {name: attrs.evolve(catalog.games["plunder"], name=name, guide="") for name in names}
    return attrs.evolve(catalog, games={**catalog.games, **more})


def test_bridged_games_are_measured_only_by_name() -> None:
    catalog = bridged("os_plunder")
    assert {"scramble", "plunder"} <= set(usual_games(catalog))
    assert "os_plunder" not in usual_games(catalog)


@pytest.mark.parametrize(
    ("names", "said"), [(["os_a"], "1 more game is"), (["os_a", "os_b"], "2 more games are")]
)
def test_of_games_that_are_not_measured_there_is_one_short_line(
    names: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    catalog = bridged(*names)
    monkeypatch.setattr(bench, "QUICK", (0.0, 0.0))
    monkeypatch.setattr(bench, "find_programs", lambda: None)
    monkeypatch.setattr(bench, "installed", lambda: catalog)
    assert run(["bench", "--quick"]) == 0
    line = f"{said} installed; --game NAME measures one"
    assert capsys.readouterr().out.splitlines()[-1] == line
    assert run(["bench", "--quick", "--game", "scramble"]) == 0
    assert line not in capsys.readouterr().out


def test_a_search_without_a_tick_of_processor_time_has_a_speed() -> None:
    row = SearchRow(game="scramble", propagator="maxn", pruned=True, depth=1, nodes=4, seconds=0.0)
    assert row.nodes_per_second == pytest.approx(4e9)


def test_an_unknown_game_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--game", "chess"]) == 2
    assert "unknown game 'chess'" in capsys.readouterr().err


@pytest.mark.slow
def test_the_ratio_to_c_comes_from_the_programs_of_the_repository() -> None:
    folder = find_programs()
    if folder is None:
        pytest.skip("no gcc, or no repository")
    found, late = compare_with_c(folder, ["scramble"], seconds=120, quick=True)
    assert late == []
    assert {row["game"] for row in found} == {"scramble"}
    assert all(row.keys() >= KEYS and row["ratio_to_c"] > 0 for row in found)


def test_a_program_that_fails_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "scramble.py").write_text("raise SystemExit(1)")
    asked = ["hearts", "plunder", "scramble"]  # nobody wrote Plunder in C
    assert compare_with_c(tmp_path, asked, seconds=20, quick=True) == ([], ["scramble"])
    assert compare_with_c(tmp_path, asked, seconds=20, quick=False) == ([], ["scramble", "hearts"])


def test_a_comparison_with_c_that_had_no_time_is_named(
    short: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bench, "find_programs", lambda: tmp_path)
    assert run(["bench", "--quick", "--game", "scramble"]) == 0
    told = capsys.readouterr().out
    assert told.endswith("\nnot measured for lack of time: scramble beside C\n")
