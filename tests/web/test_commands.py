"""serve and play --browser, as they are called."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from mpsearch.cli import run
from mpsearch.cli.app import COMMANDS
from mpsearch.match import usual_folder
from mpsearch.web.app import STATIC
from mpsearch.web.server import Server


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Server]:
    """Servers that would have been run."""
    found: list[Server] = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(Server, "run", lambda self, ready: found.append(self))
    return found


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "websockets"])
@pytest.mark.parametrize("words", [["serve"], ["play", "--game", "plunder", "--browser"]])
def test_without_the_extra_one_line_says_what_to_install(missing: str, words: list[str]) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        f"from mpsearch.cli import run; sys.exit(run({words!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        f"mpsearch: the page needs {missing}, which is not installed: pip install 'mpsearch[web]'\n"
    )


def test_play_in_the_browser_prints_an_address_for_each_person(
    served: list[Server], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    words = ["play", "--game", "plunder", "--browser", "--seat", "human", "--seat", "random"]
    assert run([*words, "--seat", "human", "--seed", "5", "--record", str(record)]) == 2
    assert "--seed is not allowed with more than one person" in capsys.readouterr().err
    assert run([*words, "--seat", "human", "--record", str(record)]) == 0
    (server,) = served
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["seat 0", "seat 2", "watch"]
    token = lines[1].rsplit("/", 1)[1]
    place = server.tables.place(token)
    assert place is not None
    assert place.seat == 2
    assert json.loads(record.read_text().splitlines()[0])["seed"].bit_length() > 64
    assert record.stat().st_mode & 0o777 == 0o600
    assert run([*words, "--seat", "human", "--record", str(record)]) == 2
    assert "never overwritten" in capsys.readouterr().err


def test_serve_shows_records(
    served: list[Server], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    agents = ["--seat", "random"] * 3
    run(["play", "--game", "plunder", *agents, "--quiet", "--record", str(record)])
    assert run(["serve", str(record), "--port", "0", "--no-open"]) == 0
    line = next(li for li in capsys.readouterr().out.splitlines() if li.startswith(str(record)))
    place = served[0].tables.place(line.rsplit("/", 1)[1])
    assert place is not None
    assert place.session.live.over
    assert served[0].tables.folder == usual_folder()
    assert run(["serve", str(tmp_path / "none.jsonl"), "--port", "0"]) == 2


def test_a_folder_that_cannot_be_used_is_said(
    served: list[Server], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    assert run(["serve", "--folder", str(tmp_path / "file" / "games")]) == 2
    assert "cannot be used for records" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["", "é" * 70, "nowhere.invalid"])
def test_a_host_that_is_none_is_said(
    served: list[Server], capsys: pytest.CaptureFixture[str], host: str
) -> None:
    assert run(["serve", "--no-open", "--port", "0", "--host", host]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert ("cannot be bound" if host else "an empty host") in said
    assert served == []


def test_the_page_is_not_imported_by_other_commands() -> None:
    code = (
        "import sys; from mpsearch.cli import run; run(['games', '--json'])\n"
        "sys.exit(any(name.startswith(('starlette', 'uvicorn', 'mpsearch.web')) "
        "for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
    assert "serve" in COMMANDS


@pytest.mark.slow
def test_the_wheel_brings_the_page_along(tmp_path: Path) -> None:
    root: Any = Path(__file__).parents[2]
    subprocess.run(["uv", "build", "--wheel", "-q", "-o", str(tmp_path), str(root)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"mpsearch/web/static/{path.name}" for path in STATIC.iterdir()} <= names
