"""mpsearch warm: what was compiled is kept, and the second time there is nothing to do."""

from pathlib import Path

import pytest

from mpsearch.api import Table, is_warm, table
from mpsearch.cli import run
from mpsearch.errors import ContractError
from mpsearch.jit import jit_enabled
from mpsearch.plugins import installed


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_a_game_is_compiled_for_the_agents_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("cache_folder", "trusted_folder"):
        monkeypatch.setattr(f"mpsearch.api.warming.{name}", lambda: tmp_path)
    place = table("scramble", players=3)
    assert not is_warm(place, ["greedy"])
    assert run(["warm", "scramble", "--players", "3", "--agent", "greedy"]) == 0
    assert is_warm(place, ["greedy"])
    assert capsys.readouterr().out.startswith("scramble: compiled and kept, ")


def test_a_game_of_plain_python_needs_no_compiler(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["warm", "plunder"]) == 0
    assert capsys.readouterr().out == "plunder: plain Python, nothing to compile\n"


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_an_agent_that_cannot_be_compiled_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["warm", "scramble", "--agent", "maxm"]) == 1
    assert "did you mean 'maxn'" in capsys.readouterr().out


def test_a_game_that_cannot_be_compiled_is_said() -> None:
    assert run(["warm", "scrambel"]) == 2


@pytest.mark.parametrize(
    "given",
    [("--players", "3"), ("scramble", "plunder", "--players", "3"), ("--option", "length=9")],
)
def test_settings_of_one_game_are_not_ignored_for_many(
    capsys: pytest.CaptureFixture[str], given: tuple[str, ...]
) -> None:
    assert run(["warm", *given]) == 2
    err = capsys.readouterr().err
    assert err == "mpsearch: --players and --option belong to one game: name it\n"


def test_a_game_that_is_unknown_is_said_before_another_is_compiled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["warm", "plunder", "scrambel"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "unknown game 'scrambel'; did you mean 'scramble'?" in captured.err


def test_a_game_that_cannot_be_made_does_not_keep_others_from_being_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def choose(name: str, *given: object) -> Table:
        if name == "scramble":
            raise ContractError("'pig' cannot be imported")
        tried.append(name)
        return table("plunder")  # there is nothing to compile

    tried: list[str] = []
    monkeypatch.setattr("mpsearch.cli.commands.warm.choose_table", choose)
    assert run(["warm"]) == 1
    assert capsys.readouterr().out == "scramble: 'pig' cannot be imported\n"
    assert tried == [name for name in installed().games if name != "scramble"]
    assert run(["warm", "plunder", "scramble"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "plunder: plain Python, nothing to compile\n"
    assert captured.err == "mpsearch: 'pig' cannot be imported\n"
