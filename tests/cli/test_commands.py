"""The command line as users meet it."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.forked import COMMAND, run_forked

from mpsearch.cli import run


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, _ = call(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_games_lists_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["name"]: row for row in document(capsys, "games")}
    assert rows["scramble"]["players"] == [2, 6]
    assert rows["scramble"]["plugin"] == "core"
    assert rows["scramble"]["version"]
    code, out, _ = call(capsys, "games")
    assert code == 0
    assert "scramble" in out
    assert "plunder" in out


def test_plugins_checks_everything_that_is_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone: the suite of every plugin has the rules for its own games."""
    monkeypatch.setenv("MPSEARCH_PLUGINS", "core")
    found = document(capsys, "plugins", "--check", "--quick")
    assert found["problems"] == []
    assert {"core", "hearts"} <= {plugin["name"] for plugin in found["plugins"]}


def test_a_passed_check_says_whether_there_is_more_to_try(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mpsearch.testing.check_catalog", lambda *_, **__: [])
    for given, more in (
        ((), ""),
        (("--quick",), " in default settings; --check without --quick tries more"),
        (("--thorough",), ""),
    ):
        code, out, _ = call(capsys, "plugins", "--check", *given)
        assert (code, out.splitlines()[-1]) == (0, f"all plugins keep the contract{more}")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--quick",), "--quick says what --check tries: add it"),
        (("--thorough",), "--thorough says what --check tries: add it"),
        (("--check", "--quick", "--thorough"), "--quick and --thorough cannot be combined"),
    ],
)
def test_what_a_check_tries_is_asked_for_with_the_check(
    capsys: pytest.CaptureFixture[str], given: tuple[str, ...], said: str
) -> None:
    code, out, err = call(capsys, "plugins", *given)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("quick", [("--quick",), ()])
def test_plugins_checks_everything_installed(
    capsys: pytest.CaptureFixture[str], quick: tuple[str, ...]
) -> None:
    found = document(capsys, "plugins", "--check", *quick)
    assert found["problems"] == []
    assert "core" in [plugin["name"] for plugin in found["plugins"]]


def test_play_prints_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    game = document(
        capsys, "play", "--game", "scramble", "--seat", "maxn", "--seat", "random",
        "--players", "3", "--option", "length=9", "--seed", "4",
    )  # fmt: skip
    assert len(game["agents"]) == game["players"] == len(game["payoff"]) == 3
    assert game["options"]["length"] == 9
    assert [game["payoff"][seat] for seat in game["winners"]] == [1.0]
    assert game["moves"][0]["move"].startswith("+")
    again = document(
        capsys, "play", "--game", "scramble", "--seat", "maxn", "--seat", "random",
        "--players", "3", "--option", "length=9", "--seed", "4",
    )  # fmt: skip
    assert again == game


def test_play_seats_more_players_when_more_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["--seat", "random"] * 6
    assert document(capsys, "play", "--game", "scramble", *seats)["players"] == 6


def test_a_recorded_game_replays_and_can_be_explained(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    arguments = ["play", "--game", "plunder", "--seat", "maxn:worlds=2", "--seat", "random"]
    arguments += ["--seat", "sos:worlds=2", "--seed", "3", "--record", str(path)]
    assert call(capsys, *arguments)[0] == 0
    code, out, _ = call(capsys, "replay", str(path), "--check")
    assert code == 0
    assert "all legal, and the agents repeat it exactly" in out
    code, out, _ = call(capsys, "replay", str(path), "--matrices", "--pictures")
    assert code == 0
    assert out.count("seat 2 cares") == 12
    found = document(capsys, "search", "--record", str(path), "--agent", "maxn:worlds=3")
    assert found["game"] == "plunder"
    code, _, err = call(capsys, *arguments)
    assert (code, err) == (2, f"mpsearch: {path} already exists; records are never overwritten\n")


def test_search_explains_a_decision(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(
        capsys, "search", "--game", "scramble", "--agent", "mpmix:td=0,depth=3",
        "--moves", "+3 +1", "--seed", "1",
    )  # fmt: skip
    assert found["seat"] == 2
    assert found["stance"]["label"] == "maxn"
    assert found["move"] in [entry["move"] for entry in found["moves"]]
    assert all(len(entry["value"]) == 4 and entry["exact"] for entry in found["moves"])
    assert found["line"][0] == found["move"]
    assert found["nodes"] > 10
    assert found["depth"] == 3
    code, out, _ = call(capsys, "search", "--game", "plunder", "--agent", "sos:worlds=3")
    assert code == 0
    assert "seat 0 cares" in out


def test_search_shows_the_moves_that_are_wanted_most(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "search", "--game", "quoridor", "--agent", "greedy", "--top", "3")
    assert code == 0
    table = out.partition("wanted")[2].splitlines()[1:5]
    assert [bool(line.split()) for line in table] == [True] * 4
    assert re.search(r"\d+ more", table[3])


def test_search_gives_exact_values_unless_bounds_are_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Paranoid prunes here: with --bounds some values are bounds, without none."""
    asked = ["search", "--game", "scramble", "--agent", "paranoid:depth=5", "--moves", "+3 +1"]
    exact, bounds = document(capsys, *asked), document(capsys, *asked, "--bounds")
    assert all(entry["exact"] for entry in exact["moves"])
    assert not all(entry["exact"] for entry in bounds["moves"])
    assert (exact["move"], exact["value"]) == (bounds["move"], bounds["value"])
    true = {entry["move"]: entry["value"][2] for entry in exact["moves"]}
    for entry in bounds["moves"]:
        assert entry["value"][2] >= true[entry["move"]]
    assert bounds["nodes"] < exact["nodes"]
    assert "<=" not in call(capsys, *asked)[1]
    assert "<=" in call(capsys, *asked, "--bounds")[1]


def test_a_recorded_decision_is_explained_with_exact_values_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    seats = ["--seat", "random"] * 4
    assert call(capsys, "play", "--game", "scramble", *seats, "--record", str(path))[0] == 0
    asked = ["search", "--record", str(path), "--ply", "2", "--agent", "paranoid:depth=5"]
    exact, bounds = document(capsys, *asked), document(capsys, *asked, "--bounds")
    assert all(entry["exact"] for entry in exact["moves"])
    assert not all(entry["exact"] for entry in bounds["moves"])


def test_a_recorded_random_move_is_the_one_that_is_explained(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    game = ["--game", "scramble", "--players", "3", "--seed", "1"]
    assert call(capsys, "play", *game, *["--seat", "random"] * 3, "--record", str(path))[0] == 0
    for ply in range(12):
        found = document(capsys, "search", "--record", str(path), "--ply", str(ply))
        (entry,) = (entry for entry in found["moves"] if entry["move"] == found["made"])
        assert found["move"] == found["line"][0] == found["made"]
        assert found["value"] == entry["value"]


def test_perft_counts_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "perft", "--game", "scramble", "--depth", "4")
    assert found["leaves"] == 241
    assert [row["leaves"] for row in found["depths"]] == [1, 3, 12, 52, 241]


WRONG = {
    "no such command": ["fly"],
    "no game and nobody to ask": ["play"],
    "unknown game": ["play", "--game", "chess"],
    "unknown agent": ["play", "--game", "scramble", "--seat", "deep-blue"],
    "unknown key": ["play", "--game", "scramble", "--seat", "maxn:speed=9"],
    "wrong value": ["play", "--game", "scramble", "--seat", "maxn:depth=minus"],
    "unknown option": ["play", "--game", "scramble", "--option", "colour=red"],
    "wrong option value": ["play", "--game", "scramble", "--option", "length=2"],
    "malformed option": ["play", "--game", "scramble", "--option", "length"],
    "option given twice": ["play", "--game", "scramble", *["--option", "length=9"] * 2],
    "too many players": ["play", "--game", "scramble", "--players", "7"],
    "too few players": ["play", "--game", "plunder", "--players", "2"],
    "too many seats": ["play", "--game", "plunder", "--players", "3", *["--seat", "maxn"] * 4],
    "more seats than players can be": ["play", "--game", "plunder", *["--seat", "maxn"] * 6],
    "negative seed": ["play", "--game", "scramble", "--seed", "-1"],
    "unknown flag": ["games", "--colour"],
    "record in a missing folder": ["play", "--game", "scramble", "--record", "/no/such/folder/x"],
    "missing record": ["replay", "/no/such/record"],
    "not a record": ["replay", __file__],
    "illegal move": ["search", "--game", "scramble", "--moves", "+3 x3"],
    "unreadable move": ["search", "--game", "scramble", "--moves", "jump"],
    "moves after the end": ["perft", "--game", "scramble", "--depth", "1", "--option", "plies=1",
                            "--moves", "+1 +1"],
    "nothing to search": ["search"],
    "agent that does not search": ["search", "--game", "scramble", "--agent", "human"],
    "target that is not a seat": ["search", "--game", "scramble", "--agent", "offensive:target=9"],
    "matrix of the wrong size": ["search", "--game", "scramble", "--agent", "sos:matrix=1:0/0:1"],
    "known without a matrix": ["search", "--game", "scramble", "--agent", "sos:model=known"],
    "negative depth": ["perft", "--game", "scramble", "--depth", "-1"],
}  # fmt: skip


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG)
def test_wrong_input_gets_one_or_two_lines_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, out, err = call(capsys, *arguments)
    assert code == 2
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("compiling")]
    lines = [line for line in lines if "nobody is at the terminal" not in line]
    assert 1 <= len(lines) <= 2
    assert lines[0].startswith("mpsearch: ")
    assert "Traceback" not in err


def test_people_play_at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["?", "moves", "jump", "x1", "+2", "+1", "", "look", "quit"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    code, out, err = call(capsys, "play", "--game", "scramble", "--players", "2", "--seed", "1")
    assert code == 1
    assert "Type a move, or its number" in out
    assert "trip seat 3" in out
    assert "1) +1  2) +2  3) +3" in out
    assert "'jump' is neither a run" in out
    assert "'x1' is not legal: seat 1 is safe on the first square" in out
    assert "you     +1" in out
    (path,) = (Path(os.environ["XDG_STATE_HOME"]) / "mpsearch" / "games").iterdir()
    said = f"2 plies are in {path}; to continue: mpsearch play --resume {path}"
    assert err.endswith(f"mpsearch: you left the game; {said}\n")


def test_a_mistyped_move_can_be_taken_back_before_it_is_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Above, +2 was typed, then +1 in its place; here nothing is asked twice."""
    answers = iter(["+2", "quit"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    _, out, _ = call(
        capsys, "play", "--game", "scramble", "--seat", "human:confirm=no", "--players", "2"
    )
    assert "you     +2" in out


def test_a_closed_standard_input_plays_agents_only_and_says_so() -> None:
    done = run_forked(COMMAND, "play", "--game", "scramble", "--seed", "2")
    assert done.returncode == 0
    assert "nobody is at the terminal, so agents play all seats" in done.stderr
    assert "wins" in done.stdout


def test_a_killed_game_leaves_a_whole_record(tmp_path: Path) -> None:
    """SIGKILL in the middle: what was played is there and replays."""
    path = tmp_path / "game.jsonl"
    seats = ["--seat", "maxn:time=0.05"] * 4
    play = ["play", "--game", "scramble", *seats, "--record", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *play],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not path.exists() or len(path.read_bytes().splitlines()) < 6:
        assert process.poll() is None, "the game ended before it could be killed"
        time.sleep(0.02)
    process.kill()
    process.wait()
    done = run_forked(COMMAND, "replay", str(path))
    assert done.returncode == 0
    assert "plies, interrupted; all legal" in done.stdout


def test_games_starts_without_numba() -> None:
    script = (
        "import sys; from mpsearch.cli import run; run(['games', '--json']);"
        "assert not {'numba', 'llvmlite', 'scipy', 'rich.console'} & set(sys.modules), 'too much'"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -c '{COMMAND}' games | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_json_goes_to_standard_output_and_nothing_else_does(tmp_path: Path) -> None:
    """Also on a cold cache, where compiling is announced on standard error."""
    environment = {**os.environ, "MPSEARCH_CACHE": str(tmp_path), "MPSEARCH_JIT": "1"}
    perft = ("perft", "--game", "scramble", "--depth", "2", "--json")
    done = run_forked(COMMAND, *perft, env=environment)
    assert json.loads(done.stdout)["game"] == "scramble"
    assert "compiling" in done.stderr


def test_install_uses_what_the_environment_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[list[str]] = []

    def pretend(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        return subprocess.CompletedProcess(command, len(calls) - 1)

    monkeypatch.setattr("subprocess.run", pretend)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert call(capsys, "install", "mpsearch-hearts")[0] == 0
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: "/bin/uv")
    code, _, err = call(capsys, "install", "mpsearch-hearts")
    assert code == 1
    assert "failed with exit code 1" in err
    assert calls == [
        [sys.executable, "-m", "pip", "install", "mpsearch-hearts"],
        ["/bin/uv", "pip", "install", "--python", sys.executable, "mpsearch-hearts"],
    ]
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert call(capsys, "install", "mpsearch-hearts")[0] == 1
