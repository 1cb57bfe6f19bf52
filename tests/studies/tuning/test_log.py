"""The log of tuning: nothing lost to a full disk, a missing end of line, or a second run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.terminal import Running

from mpsearch.api.game_table import table
from mpsearch.cli import run
from mpsearch.errors import RecordError, UsageError
from mpsearch.studies.tuning import Generation, Task, make_task, tune
from mpsearch.studies.tuning.log import Log

COMMAND = ["tune", "--game", "scramble", "--players", "2", "--option", "length=8"]
COMMAND += ["--agent", "greedy", "--evaluator", "share", "--games", "2", "--opening", "2"]


def task() -> Task:
    place = table("scramble", players=2, length=8, plies=60)
    return make_task(place, "greedy:evaluator=share", seed=3)


def generations(count: int, log: Path | None = None) -> list[Generation]:
    return list(tune(task(), generations=count, games=2, log=log))


@pytest.fixture(scope="module")
def whole() -> list[Generation]:
    return generations(4)


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_a_log_that_was_cut_off_anywhere_goes_on(
    cut: int, tmp_path: Path, whole: list[Generation]
) -> None:
    """Without its last end of line, or with a torn last line: lines are never glued together."""
    log, full = tmp_path / "log", tmp_path / "full"
    generations(2, log)
    log.write_bytes(log.read_bytes()[:-cut])
    assert generations(4, log) == whole
    generations(4, full)
    assert log.read_text() == full.read_text()


def test_two_runs_on_one_log_are_told(tmp_path: Path) -> None:
    head = {"tune": "x"}
    with (
        Log(tmp_path / "log", head),
        pytest.raises(UsageError, match=r"log is in use by another run; wait for it or choose"),
    ):
        Log(tmp_path / "log", head)
    Log(tmp_path / "log", head).close()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"number": 1, "share": NaN}', "line 3: the share nan is not from 0 to 1"),
        ('{"number": 1, "share": 7}', "line 3: the share 7 is not from 0 to 1"),
        ('{"number": 1, "share": "half"}', "line 3: the share half is not"),
        ('{"number": 5, "share": 0.5}', "line 3 is not generation 1"),
        ("[1]", "line 3 is not a JSON object"),
        ("{", "line 3 is not a JSON object"),
    ],
)
def test_a_log_with_a_wrong_line_says_which(line: str, words: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    generations(1, log)
    with log.open("a") as file:
        file.write(line + "\n")
    before = log.read_text()
    with pytest.raises(RecordError, match=words):
        generations(3, log)
    assert log.read_text() == before


FULL = """
import resource, sys
sys.dont_write_bytecode = True  # it would be cut off
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
from mpsearch.cli import main
main()
"""


def test_a_full_disk_ends_the_log_and_not_the_run(tmp_path: Path) -> None:
    log = tmp_path / "log"
    arguments = [*COMMAND, "--generations", "6", "--final", "2", "--log", str(log), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", FULL, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["generations"] == 6
    assert "can no longer be written: File too large; tuning continues without it" in done.stderr
    lines = log.read_text().splitlines()
    assert 1 < len(lines) < 7
    assert [json.loads(line)["number"] for line in lines[1:]] == list(range(len(lines) - 1))


@pytest.mark.parametrize("path", ["/no/such/folder/log", "/dev/null", "/"])
def test_a_log_that_cannot_be_is_refused_before_the_first_game(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*COMMAND, "--log", path]) == 2
    assert capsys.readouterr().err.startswith(f"mpsearch: --log {path} ")


def test_ctrl_c_prints_the_numbers_and_plays_no_final_games(tmp_path: Path) -> None:
    log = tmp_path / "log"
    running = Running(*COMMAND, "--generations", "100000", "--log", str(log), "--json")
    running.wait_for("generation 3/100000")
    code, out = running.interrupt()
    found = json.loads(out)
    assert code == 130
    assert found["partial"]
    assert "share" not in found
    assert len(log.read_text().splitlines()) >= 1 + found["generations"] >= 4
    assert f"not measured; run the command again to continue from {log}" in running.said
