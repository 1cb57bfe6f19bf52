"""Bad surroundings and bad input: the command does what it can, or says what is wrong."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.full_disk import full_disk

from mpsearch.cli import run
from mpsearch.cli.terminal.progress import PAUSE, Progress
from mpsearch.cli.terminal.streams import printable

MAIN = f"{sys.executable} -c 'from mpsearch.cli import main; main()'"


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command as a shell runs it; `mpsearch` stands for this one."""
    return subprocess.run(
        line.replace("mpsearch", MAIN),
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


# Streams.


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("mpsearch games >&-", 0),
        ("mpsearch games <&- 2>&-", 0),
        ("mpsearch fly 2>&-", 2),
        ("mpsearch fly >&- 2>&- <&-", 2),
        ("mpsearch play --game scramble --seat random --quiet <&-", 0),
        ("mpsearch play --game scramble --seat random <&- >&- 2>&-", 0),
    ],
)
def test_closed_streams_are_no_fault(line: str, code: int) -> None:
    done = shell(line)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "unexpected" not in done.stderr


def test_a_closed_standard_error_does_not_speak_on_standard_output() -> None:
    assert shell("mpsearch fly 2>&-").stdout == ""


def test_a_full_standard_output_is_said() -> None:
    done = shell("mpsearch games > /dev/full")
    assert done.returncode == 1
    assert done.stderr == ("mpsearch: standard output cannot be written: No space left on device\n")


def test_pictures_are_drawn_in_ascii_where_nothing_else_is_known() -> None:
    line = "mpsearch search --game quoridor --option size=3 --agent maxn:depth=1"
    done = shell(line, PYTHONIOENCODING="ascii")
    if "unknown game" in done.stderr:
        pytest.skip("the plugin is not installed")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "  +-----------+"
    assert "\\" not in done.stdout


def test_json_is_json_in_ascii_too(tmp_path: Path) -> None:
    path = tmp_path / "ü.jsonl"
    seats = "--seat 'sos:matrix=1:0:0:0/0:1:0:0/0:0:1:0/0:0:0:1'"
    line = f"mpsearch play --game scramble {seats} --option length=5 --record {path} --json"
    done = shell(line, PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["game"] == "scramble"
    assert path.exists()


# Settings and arguments.


def test_no_arguments_print_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: mpsearch")


def test_an_unknown_log_level_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPSEARCH_LOG", "bogus")
    code, _, err = call(capsys, "games")
    assert code == 2
    assert err == "mpsearch: MPSEARCH_LOG=BOGUS is not one of DEBUG, INFO, WARNING, ERROR\n"


@pytest.mark.parametrize("arguments", [["fly"], ["games", "--colour"], ["play"]])
def test_debugging_shows_no_traceback_of_wrong_usage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setenv("MPSEARCH_DEBUG", "1")
    code, _, err = call(capsys, *arguments)
    assert code == 2
    assert err.startswith("mpsearch: ")


WRONG = {
    "a ply of no record": (["search", "--game", "scramble", "--ply", "3"], "needs --record"),
    "nothing to search": (
        ["search", "--game", "scramble", "--agent", "random", "--bounds"],
        "without searching here; leave out --bounds",
    ),
    "a digit that is no number": (
        ["search", "--game", "scramble", "--moves", "+²"],
        "'+²' is neither a run such as",
    ),
    "a seat that is no number": (
        ["search", "--game", "scramble", "--agent", "offensive:target=²"],
        "target=² is not a seat",
    ),
    "too many plies": (
        ["play", "--game", "scramble", "--option", "plies=100000000000000000000"],
        "is not a whole number from 1 to 1000000",
    ),
    "more nodes than can be counted": (
        ["play", "--game", "scramble", "--seat", "maxn:nodes=100000000000000000000"],
        "nodes=100000000000000000000 is not a whole number from 1 to 1000000000000000",
    ),
    "too many particles": (
        ["play", "--game", "scramble", "--seat", "sos:model=likelihood,particles=10000000000"],
        "is not a whole number from 2 to 100000",
    ),
    "too deep a count": (
        ["perft", "--game", "scramble", "--depth", "100000000000000000000"],
        "is not in the range 0<=x<=",
    ),
    "a number of thousands of digits": (
        ["play", "--game", "scramble", "--option", "plies=" + "9" * 5000],
        "... is not a whole number",
    ),
    "control characters": (["play", "--game", "\x1b[31mred"], r"unknown game '\x1b[31mred'"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_explained(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, _, err = call(capsys, *arguments)
    assert code == 2
    (said,) = [line for line in err.splitlines() if "nobody is at the terminal" not in line]
    assert words in said


# Records.


def recorded(capsys: pytest.CaptureFixture[str], path: Path) -> list[dict[str, Any]]:
    play = "play --game plunder --option cards=1 --seat random --seat random --seat maxn:worlds=1"
    assert call(capsys, *play.split(" "), "--seed", "3", "--record", str(path))[0] == 0
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rewrite(path: Path, entries: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")


def test_a_difference_is_exit_code_1_and_names_the_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    entries = recorded(capsys, path)
    searched = next(entry for entry in entries if entry.get("nodes"))
    rewrite(path, [e | {"nodes": 9999} if e is searched else e for e in entries])
    assert call(capsys, "replay", str(path))[0] == 0
    code, out, err = call(capsys, "replay", str(path), "--check")
    assert (code, out) == (1, "")
    assert f"ply {searched['ply']}: nodes is recorded as 9999, but rerun as" in err


def test_forged_winners_are_noticed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    entries = recorded(capsys, path)
    entries[-1]["winners"] = [s for s in range(3) if s not in entries[-1]["winners"]]
    rewrite(path, entries)
    code, _, err = call(capsys, "replay", str(path))
    assert code == 1
    assert "the result: winners is recorded as" in err


def test_impossible_draws_are_noticed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    entries = recorded(capsys, path)
    entries[1]["move"] = "1|1|1"
    rewrite(path, entries)
    code, _, err = call(capsys, "replay", str(path))
    assert (code, err) == (1, "mpsearch: ply 0: '1|1|1' is not a possible outcome\n")


def test_texts_of_others_reach_the_terminal_without_control_sequences(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    entries = recorded(capsys, path)
    entries[0]["agents"] = ["\x1b]0;owned\x07", "maxn\u202e", "\x9b31m\ud800"]
    for entry in entries[1:-1]:
        entry["stance"] = "\x1b[2J"
    rewrite(path, entries)
    code, out, _ = call(capsys, "replay", str(path))
    assert code == 0
    assert all(sign.isprintable() or sign == "\n" for sign in out)
    assert r"\x1b]0;owned\x07" in out


def test_printable_leaves_what_can_be_printed() -> None:
    assert printable("e2 ♠ Straße") == "e2 ♠ Straße"
    assert printable("a\nb\t\x1b\u2028\ud800") == r"a\nb\t\x1b\u2028\ud800"


def test_a_game_goes_on_when_the_disk_is_full(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    seats = ["--seat", "random"] * 4
    with full_disk(900):
        code, out, err = call(
            capsys, "play", "--game", "scramble", *seats, "--seed", "1", "--record", str(path)
        )
    assert code == 1
    assert "wins" in out
    assert err.count("\n") == 1
    assert "game.jsonl can no longer be written" in err
    assert call(capsys, "replay", str(path))[0] == 0


# Progress.


@pytest.mark.parametrize(("lines", "said"), [(False, ""), (True, "step 60\nstep 120\n")])
def test_progress_without_a_terminal_is_a_line_a_minute_if_asked_for(
    capsys: pytest.CaptureFixture[str], lines: bool, said: str
) -> None:
    now = 0.0
    with Progress(lines=lines, clock=lambda: now) as progress:
        for second in range(int(2 * PAUSE) + 1):
            now = float(second)
            progress.show(f"step {second}")
    assert capsys.readouterr().err == said


def test_progress_on_a_terminal_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress() as progress:
        progress.show("1/2")
        progress.show("2/2")
    assert capsys.readouterr().err == "\r\x1b[K1/2\r\x1b[K2/2\n"


# Installing.


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would have been called to install."""
    made: list[list[str]] = []

    def pretend(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        made.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("subprocess.run", pretend)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    return made


def plugin() -> tuple[str, str]:
    """The name of an installed plugin other than the core, and of its distribution."""
    for point in importlib.metadata.entry_points(group="mpsearch"):
        if point.name != "core" and point.dist is not None:
            return point.name, point.dist.name
    pytest.skip("no plugin is installed")


def test_a_plugin_is_uninstalled_by_its_name_or_its_package(
    capsys: pytest.CaptureFixture[str], calls: list[list[str]]
) -> None:
    name, distribution = plugin()
    for given in (name, distribution, distribution.upper().replace("-", "_")):
        assert call(capsys, "uninstall", given)[0] == 0
    assert call(capsys, "uninstall", name, distribution)[0] == 0
    assert calls == [[sys.executable, "-m", "pip", "uninstall", "--yes", distribution]] * 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["uninstall", "numpy"], "'numpy' is not an installed plugin; choose from "),
        (["uninstall", "mpsearch"], "'mpsearch' is mpsearch itself"),
        (["uninstall", "MPsearch"], "'MPsearch' is mpsearch itself"),
        (["uninstall", "core"], "'core' is mpsearch itself"),
        (["uninstall", "no-such-thing"], "is not an installed plugin"),
        (["install", "--", "--index-url", "x"], "'--index-url' is an option, not a package"),
        (["install", "--", "-r", "x"], "'-r' is an option"),
        (["uninstall", "--", "-y"], "'-y' is an option"),
    ],
)
def test_what_is_no_plugin_is_left_alone(
    capsys: pytest.CaptureFixture[str], calls: list[list[str]], arguments: list[str], words: str
) -> None:
    code, _, err = call(capsys, *arguments)
    assert (code, calls) == (2, [])
    assert words in err


def test_without_an_installer_it_says_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    code, _, err = call(capsys, "install", "mpsearch-hearts")
    assert code == 1
    assert "-m ensurepip', or put uv on the PATH" in err


@pytest.mark.parametrize(
    "words",
    [["serve", "--folder", "\0"], ["experiment", "run", "\0"], ["serve", "\ud800"], ["a\0b"]],
)
def test_words_that_no_shell_hands_on_are_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mpsearch: {words[-1]!a} ")
