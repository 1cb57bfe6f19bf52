"""The modules and tests that the mutation run is configured with are there."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_named_file_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    settings = project["tool"]["mutmut"]
    named = settings["only_mutate"] + settings["pytest_add_cli_args_test_selection"]
    assert [name for name in named if not (ROOT / name).is_file()] == []
