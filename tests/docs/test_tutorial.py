"""The tutorials, run as they stand: from a wheel of mpsearch, in an empty environment."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs/tutorials/write-a-game.md").read_text(encoding="utf-8")

FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", TUTORIAL, flags=re.DOTALL))
COMMANDS = re.findall(r"^\$ (.*)$", TUTORIAL, flags=re.MULTILINE)
HIDDEN = re.findall(
    r"^\$ (.*)$",
    (ROOT / "docs/tutorials/write-a-hidden-game.md").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)
SESSION = re.search(r"```python\n(>>> .*?)```", TUTORIAL, flags=re.DOTALL)


def test_the_game_takes_less_than_sixty_lines() -> None:
    code = FILES["lastcoin/src/mpsearch_lastcoin/__init__.py"]
    assert len([line for line in code.splitlines() if line.strip()]) < 60


def shell(command: list[str], **settings: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **settings)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder and an environment that hold nothing but the wheel of mpsearch."""
    folder = tmp_path_factory.mktemp("tutorial")
    uv = shutil.which("uv")
    venv = folder / "venv"
    if uv:
        shell([uv, "build", "--wheel", "-q", "--out-dir", str(folder / "dist"), str(ROOT)])
        shell([uv, "venv", "-q", "--seed", "--python", sys.executable, str(venv)])
    else:
        wheel = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", str(ROOT)]
        shell([*wheel, "-w", str(folder / "dist")])
        shell([sys.executable, "-m", "venv", str(venv)])
    environment = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTEST", "PYTHON", "UV_", "VIRTUAL_ENV"))
    }
    environment["PATH"] = f"{venv / 'bin'}{os.pathsep}{environment['PATH']}"
    environment["VIRTUAL_ENV"] = str(venv)
    (wheel_file,) = (folder / "dist").glob("*.whl")
    shell([*_installer(uv), str(wheel_file)], env=environment)
    return folder, environment


def _installer(uv: str | None) -> list[str]:
    """What stands in for `pip install`: uv where it is there, because it is faster."""
    return [uv, "pip", "install", "-q"] if uv else ["pip", "install", "-q"]


def run_all(commands: list[str], place: tuple[Path, dict[str, str]]) -> dict[tuple[str, str], str]:
    """Run a page's commands in order; what each printed, by its first two words."""
    folder, environment = place
    outputs = {}
    for command in commands:
        words = command.split()
        if words[:2] == ["pip", "install"]:
            words = [*_installer(shutil.which("uv")), *words[2:]]
        outputs[words[0], words[1]] = shell(
            words, env=environment, cwd=folder, stdin=subprocess.DEVNULL
        )
    return outputs


def test_the_tutorial_of_a_hidden_game_works_as_it_stands(
    empty_environment: tuple[Path, dict[str, str]],
) -> None:
    outputs = run_all(HIDDEN, empty_environment)
    assert re.search(r"\d+ passed", outputs["pytest", "-q"])
    assert "wins" in outputs["mpsearch", "play"]


def test_the_tutorial_works_from_a_wheel_in_an_empty_environment(
    empty_environment: tuple[Path, dict[str, str]],
) -> None:
    folder, environment = empty_environment
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    outputs = run_all(COMMANDS, empty_environment)
    assert "lastcoin" in outputs["mpsearch", "games"]
    assert re.search(r"\d+ passed", outputs["pytest", "-q"])
    assert "wins" in outputs["mpsearch", "play"]
    assert SESSION is not None
    (folder / "session.md").write_text(SESSION.group(1), encoding="utf-8")
    shell(["python", "-m", "doctest", "session.md"], env=environment, cwd=folder)
