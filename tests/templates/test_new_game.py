"""`mpsearch new-game` writes a package that works, is clean, and meets the contract at once."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.forked import COMMAND, run_forked

from mpsearch.cli import run
from mpsearch.templates import KINDS

ROOT = Path(__file__).parents[2]
#: The shortest and the longest name: lines must neither need joining nor wrapping.
NAMES = ["x", "tale_of_the_last_coin_and_more"]
#: Players that some kinds bring along.
BOTS = {"compiled": "thrifty", "dice": "cautious"}


def shell(*command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


def generate(folder: Path, name: str, *options: str) -> Path:
    assert run(["new-game", name, "--dir", str(folder), *options]) == 0
    return folder / name


def installed(packages: dict[str, Path]) -> dict[str, str]:
    """An environment in which the packages are found by name as if they were installed."""
    for name, package in packages.items():
        about = package / "src" / f"mpsearch_{name}-0.1.0.dist-info"
        about.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: mpsearch-{name}\nVersion: 0.1.0"
        (about / "METADATA").write_text(metadata)
        (about / "entry_points.txt").write_text(f"[mpsearch]\n{name} = mpsearch_{name}\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    return {**kept, "PYTHONPATH": os.pathsep.join(str(p / "src") for p in packages.values())}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A package of each kind, all for two to four players."""
    folder = tmp_path_factory.mktemp("packages")
    return {
        f"my_{kind}": generate(folder, f"my_{kind}", "--players", "2-4", "--kind", kind)
        for kind in KINDS
    }


def test_packages_meet_the_contract_and_are_played(packages: dict[str, Path]) -> None:
    env = installed(packages)
    folder = packages["my_plain"].parent
    suites = [
        "-q",
        "-p",
        "no:cacheprovider",
        "--import-mode=importlib",
        *map(str, packages.values()),
    ]
    passed = shell(sys.executable, "-m", "pytest", *suites, cwd=folder, env=env)
    assert "passed" in passed
    assert "failed" not in passed
    games = run_forked(COMMAND, "games", "--json", cwd=folder, env=env, check=True)
    listed = json.loads(games.stdout)
    for kind in KINDS:
        (game,) = [game for game in listed if game["name"] == f"my_{kind}"]
        assert (game["players"], game["default_players"]) == ([2, 4], 3)
        seats = ["--seat", "maxn:depth=2", "--seat", BOTS.get(kind, "greedy"), "--seat", "random"]
        line = ["play", "--game", f"my_{kind}", *seats, "--seed", "1", "--json"]
        played = json.loads(run_forked(COMMAND, *line, cwd=folder, env=env, check=True).stdout)
        assert len(played["payoff"]) == 3
        assert max(played["payoff"]) > min(played["payoff"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.skipif(not shutil.which("ruff"), reason="ruff is not installed")
def test_the_package_is_formatted_and_without_lint(tmp_path: Path, name: str, kind: str) -> None:
    package = generate(tmp_path, name, "--kind", kind)
    shell("ruff", "check", "--no-cache", ".", cwd=package)
    shell("ruff", "format", "--no-cache", "--check", ".", cwd=package)


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
def test_packages_are_typed(packages: dict[str, Path], tmp_path: Path) -> None:
    sources = [str(package / "src") for package in packages.values()]
    line = ["--strict", "--cache-dir", str(tmp_path), *sources]
    assert "no issues found" in shell(sys.executable, "-m", "mypy", *line, cwd=tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_of_the_template_is_written_and_filled_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    package = generate(tmp_path, "last_coin", "--players", "3", "--kind", kind, "--json")
    document = json.loads(capsys.readouterr().out)
    files = [Path(file) for file in document["files"]]
    assert files == sorted(path for path in package.rglob("*") if path.is_file())
    templates = ROOT / "mpsearch" / "templates"
    parts = [path for part in ("shared", kind) for path in (templates / part).rglob("*.tmpl")]
    assert len(files) == len(parts)
    texts = "".join(file.read_text() for file in files)
    assert "$" not in texts
    assert "FEWEST, MOST, USUAL = 3, 3, 3" in texts
    assert "class LastCoin(" in texts


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Heap"], "'Heap' cannot be a game's name"),
        (["last coin"], "'last coin' cannot be a game's name"),
        (["2coins"], "'2coins' cannot be a game's name"),
        (["a" * 31], "cannot be a game's name; it has up to 30 small letters"),
        (["hearts"], "'hearts' is already installed; choose another name"),
        (["core"], "'core' is already installed; choose another name"),
        (["heap", "--kind", "hiden"], "unknown kind of game 'hiden'; did you mean 'hidden'?"),
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
    assert "heap' already exists; choose another name or another --dir" in capsys.readouterr().err
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
