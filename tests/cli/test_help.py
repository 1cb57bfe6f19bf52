"""Help texts: whole sentences, at the width of a usual terminal."""

from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from typer.main import get_command

from mpsearch.cli.app import make_app

ROOT: Any = get_command(make_app([]))


def commands(command: Any = ROOT, name: str = "mpsearch") -> Iterator[tuple[str, Any]]:
    yield name, command
    for sub, found in getattr(command, "commands", {}).items():
        yield from commands(found, f"{name} {sub}")


@pytest.mark.parametrize(("name", "command"), [*commands()], ids=lambda value: str(value)[:30])
def test_every_command_and_option_is_described_by_a_sentence(name: str, command: Any) -> None:
    texts = {name: command.help} | {
        parameter.name: parameter.help
        for parameter in command.params
        if parameter.name not in ("help", "install_completion", "show_completion")
    }
    for what, text in texts.items():
        assert text, what
        assert text.rstrip().endswith("."), f"{what}: {text}"


def test_the_list_of_commands_cuts_nothing_off() -> None:
    shown = CliRunner().invoke(ROOT, ["--help"], terminal_width=80).output
    assert len(shown.splitlines()) > len(ROOT.commands)
    assert [
        line for line in shown.splitlines() if line.endswith("...") and "ARGS" not in line
    ] == []
