"""Files and names that are not what they should be: one line, and no "unexpected"."""

import json
from pathlib import Path

import pytest

from mpsearch.api import table
from mpsearch.cli import run
from mpsearch.experiments import Estimate
from mpsearch.jit import cache
from mpsearch.studies.opponent_models.summary import _at_least_zero


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(list(arguments))
    return code, capsys.readouterr().err


def test_a_file_without_end_is_no_design(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "experiment", "show", "/dev/zero") == (
        2,
        "mpsearch: /dev/zero is not a design: it has more than 1048576 bytes\n",
    )


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, "options." + ".".join("a" * 900) + " = 1"]
)
def test_a_design_that_is_nested_too_deep_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(text)
    assert said(capsys, "experiment", "show", str(path)) == (
        2,
        f"mpsearch: {path}: tables or lists nested more than 32 deep\n",
    )


@pytest.mark.parametrize("flag", ["--csv", "--html", "--store"])
def test_a_name_of_300_letters_is_said(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 300
    code, err = said(
        capsys, "tournament", "--game", "scramble", "--agent", "random", "--games", "1", flag, name
    )
    assert code == 2
    assert "File name too long" in err
    assert "unexpected" not in err


@pytest.mark.parametrize("store", [".", "/dev/null", "x" * 300])
@pytest.mark.parametrize("command", ["tournament", "experiment"])
def test_a_store_that_cannot_be_used_is_refused_before_anything_else_is_said(
    command: str, store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = tmp_path / "design.toml"
    design.write_text(
        'game = "scramble"\nplayers = 3\ngames = 6\n[arms]\n'
        'one = ["random", "greedy", "maxn"]\ntwo = ["maxn", "greedy", "maxn"]\n'
    )
    asked = {
        "tournament": ("tournament", "--game", "scramble", "--agent", "random", "--agent", "maxn"),
        "experiment": ("experiment", "run", str(design)),
    }[command]
    code, err = said(capsys, *asked, "--store", store)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith(f"mpsearch: {store}")


def test_steps_and_json_do_not_go_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    table("scramble", players=3, length=5).play("random", seed=1).save(path)
    assert said(capsys, "replay", str(path), "--step", "--json") == (
        2,
        "mpsearch: --step and --json cannot be combined\n",
    )


def test_every_offer_has_what_the_documentation_names(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("agents", "evaluators", "models"):
        assert run([command, "--json"]) == 0
        for heading, offers in json.loads(capsys.readouterr().out).items():
            for offer in offers if heading != "keys" else ():
                assert {"name", "summary", "example", "options"} <= set(offer)


@pytest.mark.parametrize(("folder", "kept"), [("/dev/null/cache", False), ("", True)])
def test_machine_code_is_said_to_be_kept_only_where_it_can_be(
    folder: str,
    kept: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("MPSEARCH_CACHE", folder or str(tmp_path / "cache"))
    cache._announce_once.cache_clear()
    monkeypatch.setattr(cache.DiskCache, "_file", lambda *_: "none")
    with caplog.at_level("INFO", logger="mpsearch"):
        assert cache.DiskCache("f", "0").load_overload(None, None) is None
    (said,) = caplog.messages
    assert said.startswith("compiling to machine code")
    assert ("cached for next time" in said) == kept


def test_the_interval_of_a_loss_begins_at_zero() -> None:
    found = _at_least_zero(Estimate(mean=0.1, low=-0.2, high=0.4))
    assert found == Estimate(mean=0.1, low=0.0, high=0.4)
