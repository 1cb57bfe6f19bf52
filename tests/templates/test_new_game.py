"""`mpsearch new-game` writes a package that works, is clean, and meets the contract at once."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mpsearch.cli import run

ROOT = Path(__file__).parents[2]
#: The shortest and the longest name: lines must neither need joining nor wrapping.
NAMES = ["x", "tale_of_the_last_coin_and_more"]


def shell(*command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


def generate(folder: Path, name: str, *options: str) -> Path:
    assert run(["new-game", name, "--dir", str(folder), *options]) == 0
    return folder / name


def installed(package: Path, name: str) -> dict[str, str]:
    """An environment in which the package is found as if it were installed."""
    about = package / "src" / f"mpsearch_{name}-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: mpsearch-{name}\nVersion: 0.1.0")
    (about / "entry_points.txt").write_text(f"[mpsearch]\n{name} = mpsearch_{name}\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    return {**kept, "PYTHONPATH": str(package / "src")}


def test_the_package_meets_the_contract_and_is_played(tmp_path: Path) -> None:
    package = generate(tmp_path, "heap", "--players", "2-4")
    env = installed(package, "heap")
    passed = shell(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ".",
                   cwd=package, env=env)  # fmt: skip
    assert "passed" in passed
    assert "failed" not in passed
    mpsearch = [sys.executable, "-c", "from mpsearch.cli import main; main()"]
    listed = json.loads(shell(*mpsearch, "games", "--json", cwd=tmp_path, env=env))
    (heap,) = [game for game in listed if game["name"] == "heap"]
    assert (heap["players"], heap["default_players"]) == ([2, 4], 3)
    seats = ["--seat", "maxn:depth=5", "--seat", "thrifty", "--seat", "random"]
    line = ["play", "--game", "heap", *seats, "--seed", "1", "--json"]
    played = json.loads(shell(*mpsearch, *line, cwd=tmp_path, env=env))
    assert sum(played["payoff"]) == 1.0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.skipif(not shutil.which("ruff"), reason="ruff is not installed")
def test_the_package_is_formatted_and_without_lint(tmp_path: Path, name: str) -> None:
    package = generate(tmp_path, name)
    shell("ruff", "check", "--no-cache", ".", cwd=package)
    shell("ruff", "format", "--no-cache", "--check", ".", cwd=package)


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
def test_the_package_is_typed(tmp_path: Path) -> None:
    package = generate(tmp_path, "heap")
    env = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path / "mypy")}
    assert "no issues found" in shell(sys.executable, "-m", "mypy", cwd=package, env=env)


def test_every_file_of_the_template_is_written_and_filled_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = generate(tmp_path, "last_coin", "--players", "3", "--json")
    document = json.loads(capsys.readouterr().out)
    files = [Path(file) for file in document["files"]]
    assert files == sorted(path for path in package.rglob("*") if path.is_file())
    template = ROOT / "mpsearch" / "templates" / "game"
    assert len(files) == len([path for path in template.rglob("*") if path.is_file()])
    texts = "".join(file.read_text() for file in files)
    assert "$" not in texts
    assert "FEWEST, MOST, USUAL = 3, 3, 3" in texts
    assert "class LastCoin(CompiledGame)" in texts


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Heap"], "'Heap' cannot be a game's name"),
        (["last coin"], "'last coin' cannot be a game's name"),
        (["2coins"], "'2coins' cannot be a game's name"),
        (["a" * 31], "cannot be a game's name; it has up to 30 small letters"),
        (["hearts"], "'hearts' is installed already; choose another name"),
        (["core"], "'core' is installed already; choose another name"),
        (["heap", "--players", "6-2"], "--players 6-2 is not a number of players or a range"),
        (["heap", "--players", "1"], "--players 1 is not a number of players or a range"),
        (["heap", "--players", "many"], "--players many is not a number of players or a range"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new-game", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = generate(tmp_path, "heap")
    (package / "README.md").write_text("mine")
    assert run(["new-game", "heap", "--dir", str(tmp_path)]) == 2
    assert "heap' exists already; choose another name, or another --dir" in capsys.readouterr().err
    assert (package / "README.md").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert run(["new-game", "heap", "--dir", str(tmp_path / "file")]) == 1
    error = capsys.readouterr().err
    assert "cannot be written: Not a directory" in error
    assert error.count("\n") == 1


@pytest.mark.skipif(not shutil.which("uv"), reason="uv builds the wheel")
def test_the_template_is_in_the_wheel(tmp_path: Path) -> None:
    shell("uv", "build", "--wheel", "-q", "--out-dir", str(tmp_path), str(ROOT), cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    folder = ROOT / "mpsearch" / "templates"
    expected = {
        f"mpsearch/templates/{path.relative_to(folder)}"
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected <= set(zipfile.ZipFile(wheel).namelist())
