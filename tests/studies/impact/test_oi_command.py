"""mpsearch oi: what it prints, writes and draws; wrong input; Ctrl-C."""

import csv
import json
import math
import sys
from pathlib import Path

import attrs
import pytest
from support.terminal import Running

import mpsearch
from mpsearch.api.game_table import table
from mpsearch.cli import run
from mpsearch.contracts import Array
from mpsearch.experiments.output import check_files
from mpsearch.plugins.catalog import load_catalog
from mpsearch.studies.impact import READINGS, influence, make_surveys, read_depths, survey_games
from mpsearch.studies.impact.influence import Touched
from mpsearch.studies.impact.output import ImpactTable, make_finding

SMALL = ["oi", "--game", "plunder", "--option", "cards=2", "--agent", "random", "--games", "3"]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json_csv_and_the_table_say_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "oi.csv"
    code, out, err = call(capsys, *SMALL, "--depths", "1-2", "--csv", str(path), "--json")
    assert code == 0
    rows = json.loads(out)
    assert [(row["game"], row["depth"], row["reading"]) for row in rows] == [
        ("plunder", depth, reading) for depth in (1, 2) for reading in (*READINGS, "spread")
    ]
    for row in rows:
        if row["reading"] == "spread" and row["depth"] == 1:
            # No card brings its player anything before the trick is over.
            assert (row["oi"], row["low"], row["high"]) == (None, 0, None)
        else:
            # A spread that one game alone tells of has no upper end.
            assert row["reading"] == "spread" or row["high"] <= 1
            high = math.inf if row["high"] is None else row["high"]
            assert 0 <= row["low"] <= row["oi"] <= high
        assert row["states"] == 3 * 3 * 2
        assert row["games"] == 3
        assert sum(stage["states"] for stage in row["stages"]) == row["states"]
        assert len(row["pairs"]) == 6
    with path.open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    whole = [float(line["oi"] or "nan") for line in lines if line["scope"] == "all"]
    assert [None if oi != oi else oi for oi in whole] == [row["oi"] for row in rows]
    pairs = [float(line["oi"]) if line["oi"] else None for line in lines if line["scope"] == "pair"]
    assert pairs == [pair["oi"] for row in rows for pair in row["pairs"]]
    assert err == ""
    assert not any(row["partial"] for row in rows)
    assert {line["partial"] for line in lines} == {"False"}
    code, table, _ = call(capsys, *SMALL, "--depths", "1-2")
    assert [line.split()[3] for line in table.splitlines()[1:7]] == [
        "-" if oi != oi else f"{oi:.3f}" for oi in whole
    ]
    assert "states per second" in table
    assert "nan" not in table
    assert "inf" not in table
    assert table.splitlines()[3].split()[2:6] == ["spread", "-", "unknown", "18"]
    # The table of who touches whom: the paper's reading at the greatest depth.
    (last,) = (row for row in rows if row["depth"] == 2 and row["reading"] == "variation")
    touched = {(pair["mover"], pair["opponent"]): f"{pair['oi']:.2f}" for pair in last["pairs"]}
    shown = table.partition("by opponent\n")[2].splitlines()[1:4]
    assert [line.split()[2:] for line in shown] == [
        [touched.get((a, b), "-") for b in range(3)] for a in range(3)
    ]


def test_settings_can_be_meant_for_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys, "oi", "--game", "scramble", "--game", "plunder", "--games", "1", "--depths", "1",
        "--agent", "random", "--option", "plunder.cards=1", "--option", "scramble.length=5",
        "--evaluator", "scramble.share", "--json",
    )  # fmt: skip
    assert code == 0
    rows = {row["game"]: row for row in json.loads(out)}
    assert rows["plunder"]["options"] == {"cards": 1}
    assert rows["scramble"]["options"]["length"] == 5
    assert (rows["scramble"]["evaluator"], rows["plunder"]["evaluator"]) == ("share", "score")
    assert (rows["scramble"]["kind"], rows["plunder"]["kind"]) == ("shared out", "own affairs")


NOTES = {
    "'score' depends only on each seat's own assets": SMALL,
    "'share' shares out a whole": ["oi", "--game", "scramble", "--evaluator", "share"],
    "by 2 random play-outs after each move": [*SMALL, "--playouts", "2"],
}


@pytest.mark.parametrize("note", NOTES)
def test_a_note_says_what_was_measured_with(note: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *NOTES[note], "--games", "1", "--depths", "1", "--agent", "random")
    assert code == 0
    assert [said for said in NOTES if said in out] == [note]


def test_the_speed_is_that_of_all_games_together() -> None:
    surveys = make_surveys(
        table("plunder", cards=1), ["random"], games=2, depths=[1], seed=0, opening=0
    )
    samples = list(survey_games([surveys]))
    assert [len(sample.movers) for sample in samples] == [3, 3]
    for seconds, speed in (((0.25, 0.5), 8), ((1.0, 2.0), 2)):
        taken = [attrs.evolve(s, seconds=t) for s, t in zip(samples, seconds, strict=True)]
        shown = str(ImpactTable((make_finding(taken),)))
        assert f"\n{speed} states per second and core" in shown
    # A clock may be too coarse for a game.
    instant = [attrs.evolve(sample, seconds=0.0) for sample in samples]
    assert make_finding(instant).speed < math.inf


def test_the_plot_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "oi.svg"
    assert call(capsys, *SMALL, "--plot", str(path))[0] == 0
    text = path.read_text(encoding="utf-8")
    assert "<svg" in text
    assert text.count("<path") > 10


def test_the_course_of_a_game_fills_its_panel() -> None:
    found = mpsearch.opponent_impact("plunder", cards=4, games=1, depths=1, agents="random")
    course = found.figure().axes[1]
    (low, high), places = course.get_xlim(), course.lines[0].get_xdata()
    assert (low, high) == pytest.approx((min(places) - 0.05, max(places) + 0.05))


@pytest.mark.parametrize(
    "other",
    [["--agent", "greedy"], ["--players", "4"], ["--seed", "1"], ["--tolerance", "2"]],
    ids=" ".join,
)
def test_a_store_goes_on_with_more_games_and_with_nothing_else(
    other: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = [*SMALL, "--depths", "1", "--json", "--store", str(tmp_path / "oi.sqlite")]
    assert call(capsys, *kept)[0] == 0
    code, out, err = call(capsys, *kept, *other)
    assert (code, out) == (2, "")
    assert "oi.sqlite" in err
    code, out, _ = call(capsys, *kept, "--games", "4")
    assert (code, json.loads(out)[0]["games"]) == (0, 4)


def test_without_the_extra_the_plot_says_what_is_missing_before_any_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, out, err = call(capsys, *SMALL, "--plot", "oi.png")
    assert (code, out) == (1, "")
    assert err == "mpsearch: --plot needs the package matplotlib: pip install 'mpsearch[plots]'\n"


@pytest.mark.parametrize(
    ("text", "depths"),
    [("3", (3,)), ("1-4", (1, 2, 3, 4)), ("5,1-2,2", (1, 2, 5)), ("98-99", (98, 99))],
)
def test_depths_are_read(text: str, depths: tuple[int, ...]) -> None:
    assert read_depths(text) == depths
    assert read_depths(depths) == read_depths(list(depths)) == depths


def test_the_command_and_the_function_measure_alike_unasked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = call(capsys, "oi", "--game", "plunder", "--option", "cards=1", "--json")
    assert code == 0
    rows = mpsearch.opponent_impact("plunder", cards=1).rows()
    assert len(rows) == 2 * 3
    time = {"states_per_second": 0}
    assert [row | time for row in rows] == [row | time for row in json.loads(out)]


WRONG = {
    "no game": ["oi"],
    "unknown game": ["oi", "--game", "chess"],
    "depth zero": [*SMALL, "--depths", "0-2"],
    "too great a depth": [*SMALL, "--depths", "99-100"],
    "falling depths": [*SMALL, "--depths", "4-1"],
    "no depths": [*SMALL, "--depths", "deep"],
    "unknown evaluator": [*SMALL, "--evaluator", "truth"],
    "unknown branching": [*SMALL, "--branching", "best"],
    "evaluator of another game": [*SMALL, "--evaluator", "chess.score"],
    "unknown agent": [*SMALL, "--agent", "deep-blue"],
    "too many agents": [*SMALL, *["--agent", "greedy"] * 3],
    "unknown option": [*SMALL, "--option", "plunder.colour=red"],
    "no games": [*SMALL, "--games", "0"],
    "negative tolerance": [*SMALL, "--tolerance", "-1"],
    "not a number": [*SMALL, "--tolerance", "nan"],
    "csv in a missing folder": [*SMALL, "--csv", "/no/such/folder/oi.csv"],
    "unknown horizon": [*SMALL, "--horizon", "years"],
    "play-outs and an evaluator": [*SMALL, "--playouts", "5", "--evaluator", "score"],
    "one play-out": [*SMALL, "--playouts", "1"],
    "plot of no known kind": [*SMALL, "--plot", "oi.xyz"],
}


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG)
def test_wrong_input_gets_one_or_two_lines_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert 1 <= len(err.splitlines()) <= 2
    assert err.startswith("mpsearch: ")


@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c_prints_what_has_been_measured_and_a_second_one_loses_nothing(
    processes: str,
) -> None:
    running = Running(*SMALL[:-1], "20000", "--processes", processes, "--json")
    running.wait_for("3/20000 games")
    code, out = running.interrupt()
    rows = json.loads(out)
    assert code == 130
    assert rows[0]["games"] >= 3
    assert all(row["partial"] for row in rows)
    said = f"interrupted; results are partial: {rows[0]['games']} of 20000 games"
    assert said in running.said
    assert "Traceback" not in running.said


@pytest.mark.parametrize("flag", ["--csv", "--plot"])
def test_a_file_that_cannot_be_written_is_found_before_measuring(
    flag: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "mpsearch.studies.impact.survey_games", lambda *_, **__: pytest.fail("it measured")
    )
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    code, out, err = call(capsys, *SMALL, flag, str(folder))
    assert (code, out) == (2, "")
    assert err == f"mpsearch: {flag} {folder} cannot be written: it is a folder\n"


def test_the_check_of_a_file_leaves_no_trace(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept, new = tmp_path / "kept.csv", tmp_path / "new.csv"
    kept.write_text("what was there")
    for path in (kept, new):
        assert call(capsys, *SMALL, "--csv", str(path), "--depths", "0")[0] == 2
        check_files({"--csv": path})
    assert kept.read_text() == "what was there"
    assert not new.exists()


def test_when_writing_fails_after_all_the_table_is_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A full disk: everything that can be put out is."""
    drawing = tmp_path / "oi.svg"
    code, out, err = call(capsys, *SMALL, "--csv", "/dev/full", "--plot", str(drawing))
    assert code == 1
    assert "by tenth of the game" in out
    assert drawing.exists()
    assert err == "mpsearch: /dev/full could not be written: No space left on device\n"


def test_the_core_names_no_game_of_a_plugin() -> None:
    root = Path(mpsearch.__file__).parent
    names = [name for name in load_catalog().games if name not in ("scramble", "plunder")]
    for path in [*(root / "studies/impact").glob("*.py"), root / "cli/commands/oi.py"]:
        text = path.read_text(encoding="utf-8").lower()
        assert [name for name in names if name in text] == []


@pytest.mark.parametrize("given", [None, 0.0, 2.5])
def test_the_tolerance_that_is_asked_for_is_the_one_that_counts(
    given: float | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also 0, which is not the same as none."""
    used: set[float] = set()

    def spied(before: Array, behind: Array, *, root: int, tolerance: float) -> Touched:
        used.add(tolerance)
        return influence(before, behind, root=root, tolerance=tolerance)

    monkeypatch.setattr("mpsearch.studies.impact.probe.influence", spied)
    asked = [] if given is None else ["--tolerance", str(given)]
    assert call(capsys, *SMALL, *asked)[0] == 0
    assert used == {1e-6 if given is None else given}
