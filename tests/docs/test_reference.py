"""The reference says what the code says. Lists are read from the code."""

import doctest
import importlib
import inspect
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import mpsearch
from mpsearch.agents.text import COMMON
from mpsearch.builtin.search_algorithms import SEARCH_ALGORITHMS
from mpsearch.cli import run
from mpsearch.cli.app import make_app
from mpsearch.contracts import Option
from mpsearch.plugins import hookspecs
from mpsearch.plugins.catalog import installed, load_catalog
from mpsearch.testing import (
    BRANCHING_RULES,
    EVALUATOR_RULES,
    GAME_RULES,
    MODEL_RULES,
    PROPAGATOR_RULES,
    SEARCH_ALGORITHM_RULES,
)

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Every page that somebody writes; the site's build writes those of `docs/generated`.
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(path for path in DOCS.glob("**/*.md") if path.parent.name != "generated"),
    *sorted(ROOT.glob("plugins/*/*.md")),
    ROOT / "benchmarks" / "README.md",
]
RULES = (
    GAME_RULES
    | EVALUATOR_RULES
    | BRANCHING_RULES
    | PROPAGATOR_RULES
    | MODEL_RULES
    | SEARCH_ALGORITHM_RULES
)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_no_document_holds_a_placeholder() -> None:
    """Such as `@CUT@`, for a figure that is still to be measured."""
    for path in PAGES:
        assert re.findall(r"@[A-Z_]+@", path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize("name", ["lab/faults.md", "lab/testing.md"])
def test_tests_that_are_named_are_there(name: str) -> None:
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "plugins").rglob("test_*.py")]
    there = {file.stem for file in files}
    for file in files:
        there |= set(re.findall(r"^ *def (test_\w+)\(", file.read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"\btest_\w+", page(name))) - there == set()


@pytest.mark.parametrize("option", SEARCH_ALGORITHMS[-1].options, ids=lambda option: option.name)
def test_keys_of_mcts_are_documented_with_their_defaults(option: Option) -> None:
    default = f"`{option.default}`" if option.kind is str else option.default
    assert re.search(
        rf"^\| `{option.name}` \| .* \| {default} \|$", page("explanation/rivals.md"), re.M
    )


@pytest.mark.parametrize("hook", hookspecs.HOOKS)
def test_every_hook_is_documented_under_its_signature(hook: str) -> None:
    signature = str(inspect.signature(getattr(hookspecs, hook))).replace("'", "")
    assert f"## `{hook}{signature}`\n" in page("reference/hooks.md")


def test_no_hook_is_documented_that_does_not_exist() -> None:
    assert set(re.findall(r"^## `(\w+)\(", page("reference/hooks.md"), flags=re.M)) == set(
        hookspecs.HOOKS
    )


def test_every_rule_is_documented_in_its_own_words() -> None:
    documented = dict(
        re.findall(r"^\| `(\w+)` \| ([A-Z`].*?) \|$", page("reference/rules.md"), re.M)
    )
    expected = {name: inspect.getdoc(rule) for name, rule in RULES.items()}
    assert documented == expected


def test_every_agent_and_key_is_documented() -> None:
    text = page("reference/commands.md")
    catalog = load_catalog()
    core = [name for name in catalog.propagators if catalog.problems == ()]
    for name in [*core, *(option.name for option in COMMON)]:
        assert f"| `{name}` |" in text
    for name in catalog.opponent_models:
        assert f"`{name}`" in text


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^):#]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), f"{path.name}: {link}"


def anchors(path: Path) -> set[str]:
    """What the headings of a page are linked by, on the site as on a forge."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), flags=re.M)
    words = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head).lower() for head in heads]
    return {re.sub(r"[^\w\- ]", "", word).replace(" ", "-") for word in words}


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_anchors_lead_to_a_heading(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for link, anchor in re.findall(r"\]\(([^):#\s]*)#([^)\s]+)\)", text):
        page = (path.parent / link).resolve() if link else path
        assert anchor in anchors(page), f"{path.name}: {link}#{anchor}"


def test_files_that_name_a_page_name_one_that_is_there() -> None:
    """Comments, messages and metadata, such as `docs/how-to/engine.md`."""
    kinds = ("*.py", "*.js", "*.toml", "*.cff", "*.html", "*.tmpl")
    folders = [ROOT / name for name in ("mpsearch", "plugins", "tests", "tools", "benchmarks")]
    files = [*ROOT.glob("*.toml"), *ROOT.glob("*.cff")]
    files += [path for folder in folders for kind in kinds for path in folder.rglob(kind)]
    named = {
        name
        for path in files
        for name in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def examples() -> list[str]:
    """Commands of the README and the reference that need no installation of their own."""
    pages = [
        ROOT / "README.md",
        DOCS / "reference/commands.md",
        DOCS / "tutorials/repeat-a-result.md",
    ]
    lines = [
        line
        for path in pages
        for line in re.findall(r"^\$ (.*)$", path.read_text(encoding="utf-8"), flags=re.M)
    ]
    found = [
        line.removeprefix("uv run ") for line in lines if re.match(r"(uv run )?mpsearch ", line)
    ]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("line", examples())
def test_examples_run(
    line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if " game.jsonl" in line and "--record" not in line:  # the example before it writes the record
        seats = ["--seat", "random"] * 3
        run(["play", "--game", "plunder", *seats, "--seed", "1", "--record", "game.jsonl"])
    capsys.readouterr()
    assert run(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", ["contracts", "gamekit", "testing", "errors"])
def test_public_names_are_in_the_reference(name: str) -> None:
    """Sphinx finds classes and functions; the page itself names the rest."""
    module = importlib.import_module(f"mpsearch.{name}")
    text = page(f"reference/api/{name}.md")
    for public in getattr(module, "__all__", ()):
        found = getattr(module, public)
        assert inspect.getdoc(found) if _is_found(found) else f"`{public}" in text, public


def _is_found(thing: object) -> bool:
    return inspect.isclass(thing) or inspect.isfunction(thing) or hasattr(thing, "cache_info")


def commands() -> list[str]:
    """Every command line of mpsearch that a page shows."""
    lines = [
        line.removeprefix("uv run ")
        for path in PAGES
        for line in re.findall(r"^\$ (.*)$", path.read_text(encoding="utf-8"), flags=re.M)
    ]
    return sorted({line for line in lines if line.startswith("mpsearch ")})


@pytest.mark.parametrize("line", commands())
def test_commands_name_what_there_is(line: str) -> None:
    """Options are parsed, and agents are made for their game, but nothing is run."""
    name, *words = shlex.split(line, comments=True)[1:]
    command: Any = get_command(make_app([])).commands[name]  # type: ignore[attr-defined]
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    params = command.make_context(name, words).params
    game = params.get("game")
    if not isinstance(game, str) or game not in installed().games:
        return
    options = dict(text.split("=", 1) for text in params.get("option") or ())
    place = mpsearch.table(game, players=params.get("players"), **options)
    texts = [params.get(key) or () for key in ("agent", "seat")]
    for text in [t for found in texts for t in ([found] if isinstance(found, str) else found)]:
        if not text.startswith(("program", "human")) and ".npz" not in text:
            place.agent(text)


def test_the_playing_tutorial_prints_what_it_shows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its commands one after the other; a block of text is what the command before it prints."""
    monkeypatch.chdir(tmp_path)
    text = page("tutorials/play.md").partition("## 4.")[0]
    blocks = re.findall(r"```(console|text)\n(.*?)```", text, flags=re.DOTALL)
    shown = 0
    printed = ""
    for kind, block in blocks:
        if kind == "text":
            lines = [" ".join(line.split()) for line in block.splitlines() if line.strip()]
            assert [line for line in lines if line not in printed] == []
            shown += len(lines)
            continue
        assert run(shlex.split(block.removeprefix("$ "))[1:]) == 0
        printed = "\n".join(" ".join(line.split()) for line in capsys.readouterr().out.splitlines())
    assert shown > 10


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    exec(code, {})
    assert len(capsys.readouterr().out.splitlines()) == 6


SCRIPTS = [
    "tutorials/bring-your-own-search.md",
    "how-to/evaluator.md",
    "how-to/propagator.md",
    "how-to/opponent-model.md",
    "how-to/notebook.md",
    "how-to/pandas.md",
]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_page_runs_as_one_script(name: str, tmp_path: Path) -> None:
    """Its blocks one after the other, in a process of their own, which has a `__main__`."""
    blocks = re.findall(r"```python\n(.*?)```", page(name), flags=re.DOTALL)
    (tmp_path / "page.py").write_text("\n\n".join(blocks), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "page.py"],
        cwd=tmp_path,
        env={**os.environ, "MPSEARCH_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_python_page_runs_as_it_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(DOCS / "how-to/python.md"), module_relative=False)
    assert failed == 0
    assert tried > 10


def test_the_python_page_shows_the_whole_front_door() -> None:
    for name in set(mpsearch.__all__) - {"__version__", "hookimpl"}:
        assert f"| `mpsearch.{name}` |" in page("how-to/python.md")


def test_every_plugin_of_the_repository_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for folder in (ROOT / "plugins").iterdir():
        assert f"plugins/{folder.name}" in text
