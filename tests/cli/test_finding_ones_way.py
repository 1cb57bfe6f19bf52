"""Listings, rules and completion: all from the offers alone."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TypeAlias

import pytest
from support.forked import COMMAND, run_forked

from mpsearch.api.game_table import table
from mpsearch.cli import run
from mpsearch.cli.completion import agent_texts, better_scripts, prepare
from mpsearch.cli.pictures import write_picture
from mpsearch.contracts.guide import MOST_COLUMNS, MOST_LINES
from mpsearch.plugins.catalog import installed

Capture: TypeAlias = pytest.CaptureFixture[str]

GAMES = sorted(installed().games)


def printed(capsys: Capture, *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_listed_with_all_that_can_be_chosen(capsys: Capture, name: str) -> None:
    offer, catalog = installed().games[name], installed()
    found = json.loads(printed(capsys, "games", name, "--json"))
    assert [o["key"] for o in found["options"]] == [o.name for o in offer.options]
    assert {e["name"] for e in found["evaluators"]} == set(catalog.evaluators[name])
    assert [e["name"] for e in found["evaluators"] if e["usual"]] == [offer.evaluator]
    assert [b["name"] for b in found["branchings"]] == [b.name for b in offer.branchings]
    own = {a["name"] for a in found["agents of its own"]}
    assert own == {p.name for p in offer.bots} | {p.name for p in offer.presets}
    general = {a["name"] for a in found["strengths"]}
    assert general == {"easy", "medium", "hard", "hardest"} - own
    text = printed(capsys, "games", name)
    for option in offer.options:
        assert option.wanted() in text
        assert option.help in text


@pytest.mark.parametrize("name", GAMES)
def test_examples_of_agents_are_agents(capsys: Capture, name: str) -> None:
    found = json.loads(printed(capsys, "games", name, "--json"))
    for part in ("evaluators", "branchings", "insights", "agents of its own"):
        for entry in found[part]:
            # An evaluator may hold for other numbers of players than the usual one.
            other, _, agent = entry["example"].rpartition("--seat ")
            place = table(name, players=int(other.split()[1])) if other else table(name)
            place.agent(agent)


def test_agents_evaluators_and_models_are_listed(capsys: Capture) -> None:
    agents = json.loads(printed(capsys, "agents", "hearts", "--json"))
    assert {a["name"] for a in agents["agents"]} == set(installed().propagators)
    assert "depth" in [key["key"] for key in agents["keys"]]
    assert {s["name"] for s in agents["searches"]} == {"brs", "horizon", "ismcts", "mcts", "tree"}
    for part in (*agents["agents"], *agents["searches"]):
        table("hearts").agent(part["example"].removeprefix("--seat "))
    examples = {a["name"]: a["example"] for a in agents["agents"]}
    # Without a threshold MP-Mix is MaxN, and a coalition of one is Paranoid.
    assert examples["mpmix"] == "--seat mpmix:td=20"
    assert examples["coalition"] == "--seat coalition:with=0+2"
    assert "wrt" in [a["name"] for a in agents["agents of hearts"]]
    assert "agents of quoridor" not in agents
    evaluators = json.loads(printed(capsys, "evaluators", "quoridor", "--json"))
    names = {e["name"] for e in evaluators["evaluators of quoridor"]}
    assert names == set(installed().evaluators["quoridor"])
    models = json.loads(printed(capsys, "models", "--json"))
    assert {m["name"] for m in models["models"]} == set(installed().opponent_models)
    assert "seconds per move" in printed(capsys, "agents")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_tells_its_rules_in_half_a_page(capsys: Capture, name: str) -> None:
    lines = printed(capsys, "rules", name).splitlines()
    assert 5 <= len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST_COLUMNS
    found = json.loads(printed(capsys, "rules", name, "--json"))
    assert found["notation"] in found["rules"]
    assert found["notation"]


def test_a_misspelt_name_suggests_the_near_one(capsys: Capture) -> None:
    assert run(["rules", "quorridor"]) == 2
    assert "did you mean 'quoridor'?" in capsys.readouterr().err
    assert run(["play", "--game", "scramble", "--seat", "maxn:dept=2", "--quiet"]) == 2
    assert "did you mean 'depth'?" in capsys.readouterr().err


def completions(*words: str) -> list[str]:
    """What a real process answers to bash, which parts words at colons and equals signs."""
    environment = {
        **os.environ,
        "_MPSEARCH_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(["mpsearch", *words]),
        "COMP_CWORD": str(len(words)),
    }
    code = f"import sys; sys.argv[0] = 'mpsearch'; {COMMAND}"
    done = run_forked(code, env=environment)
    return done.stdout.split()


def test_a_shell_completes_commands_games_agents_keys_and_values() -> None:
    assert "games" in completions("ga")
    assert completions("play", "--game", "quo") == ["quoridor"]
    seat = ["play", "--game", "quoridor", "--seat"]
    assert completions(*seat, "para") == ["paranoid"]
    assert completions(*seat, "maxn", ":", "dep") == ["depth="]
    assert completions(*seat, "maxn", ":", "evaluator", "=", "path") == ["path_difference"]
    assert completions(*seat, "maxn", ":", "depth", "=", "2,bran") == ["2,branching="]
    assert completions(*seat, "=", "maxn", ":", "dep") == ["depth="]
    assert completions("play", "--game", "=", "quo") == ["quoridor"]
    option = ["play", "--game", "hearts", "--option"]
    assert completions(*option, "pre") == ["preset="]
    assert completions(*option, "preset", "=") == ["papers", "standard"]
    assert completions("tournament", "--game", "hearts", "--agent", "wr") == ["wrt"]


#: What bash has done when Tab was pressed once, or nothing if it would have looked for files.
TAB = """
set +e; compopt() { echo "compopt $1 $2"; }
source /dev/stdin <<< "$SCRIPT"
COMP_WORDS=($WORDS); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="$LINE"; COMP_POINT=${#LINE}
_mpsearch_completion mpsearch
echo "reply ${COMPREPLY[*]}"
"""


def pressed(line: str, words: str) -> list[str]:
    """What the script for bash makes of a line, whose words are as bash parts them."""
    from typer._completion_shared import get_completion_script

    better_scripts()
    script = get_completion_script(
        prog_name="mpsearch", complete_var="_MPSEARCH_COMPLETE", shell="bash"
    )
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    given = {**os.environ, "PATH": path, "SCRIPT": script, "LINE": line, "WORDS": words}
    done = subprocess.run(["bash", "-c", TAB], env=given, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_in_bash_a_key_waits_for_its_value_and_no_file_is_taken_for_one() -> None:
    seat = "mpsearch play --game quoridor --seat "
    nospace, no_files = "compopt -o nospace", "compopt +o default"
    line, words = seat + "mpmix:td=5,de", seat + "mpmix : td = 5,de"
    assert pressed(line, words) == [nospace, no_files, "reply 5,depth="]
    line, words = seat + "mpmix:depth=", seat + "mpmix : depth ="
    assert pressed(line, words) == [no_files, "reply 4 5"]
    assert pressed(seat + "para", seat + "para") == ["reply paranoid"]
    assert pressed("mpsearch replay ga", "mpsearch replay ga") == ["reply "]
    assert pressed("mpsearch draw --record=ga", "mpsearch draw --record = ga") == ["reply "]


def test_other_shells_send_words_whole() -> None:
    environ = {"_MPSEARCH_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "mpsearch play --s"}
    assert prepare(environ) == ["play", "--s"]
    assert prepare({}) is None
    hearts = installed().games["hearts"]
    assert agent_texts(installed(), hearts, "w") == ["wrt"]
    assert agent_texts(installed(), hearts, "sos:model=rec") == ["sos:model=recent"]
    assert agent_texts(installed(), hearts, "mcts:playout=w") == ["mcts:playout=wrt"]
    assert agent_texts(installed(), hearts, "maxn:search=b") == ["maxn:search=brs"]
    assert agent_texts(installed(), hearts, "brs:oth") == ["brs:others="]
    assert agent_texts(installed(), hearts, "maxn:depth=") == ["maxn:depth=4", "maxn:depth=5"]
    assert agent_texts(installed(), hearts, "maxn:depth=3") == ["maxn:depth=3"]  # and no file
    assert agent_texts(installed(), hearts, "maxn:prune=") == ["maxn:prune=yes", "maxn:prune=no"]


def test_completion_can_be_installed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpsearch", "--show-completion", "bash"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )  # fmt: skip
    assert done.returncode == 0
    assert "_MPSEARCH_COMPLETE=complete_bash" in done.stdout
    assert "compopt -o nospace" in done.stdout


def test_one_deal_is_one_deal() -> None:
    match = table("hearts", single="yes").play("random", seed=1)
    shown = match.game.picture(match.state).splitlines()[0]
    assert shown.startswith("the game is over after 1 deal;")


def test_a_catalog_is_shown_by_its_names() -> None:
    shown = repr(installed())
    assert "'hearts'" in shown
    assert "'mpmix'" in shown
    assert len(shown) < 2000


def test_listing_games_imports_no_line_editor() -> None:
    script = (
        "import sys; from mpsearch.cli import run; run(['games', '--json']);"
        "assert 'prompt_toolkit' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


TREE = ["search", "--game", "scramble", "--players", "3", "--agent", "paranoid:depth=2"]


def size_of_png(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.fixture
def cairo() -> None:
    """PNG can be written."""
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError) as error:
        pytest.skip(f"no cairosvg, or no cairo below it: {error}")


def test_search_draws_its_tree_as_text_and_as_a_picture(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    assert run([*TREE, "--tree", "60", "--tree-file", str(path)]) == 0
    explained, _, text = capsys.readouterr().out.partition("seat 0 chooses")
    lines = text.splitlines()[1:]
    root = ET.fromstring(path.read_text())
    assert root.get("width") == "600"
    words = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("text")]
    cuts = [line.partition("─ ")[2] for line in lines if " cut, " in line]
    assert cuts
    assert [word for word in words if " cut, " in word] == cuts
    # Three values for the root and for every node below it.
    nodes = [line for line in lines if " cut, " not in line]
    assert sum(re.fullmatch(r"-?\d+\.\d", word) is not None for word in words) == 3 * len(nodes) + 3
    thick = [e for e in root.iter() if e.get("stroke-width") == "3"]
    assert len(thick) == sum("─*" in line for line in nodes)
    # A tie at the root is broken in the drawing as the agent broke it.
    (best,) = (line[3:].split()[0] for line in nodes if line[:3] in ("├─*", "└─*"))
    assert re.search(rf"^\*  {re.escape(best)} ", explained, re.M)


def test_pictures_are_png_too(cairo: None, tmp_path: Path) -> None:
    record, strip, tree = (tmp_path / name for name in ("game.jsonl", "strip.png", "tree.png"))
    match = table("quoridor", players=2, size=3).play("random", seed=1)
    match.save(record)
    assert run(["draw", str(strip), "--record", str(record), "--strip", "3"]) == 0
    box = ET.fromstring(match.game.svg(match.state) or "").get("viewBox", "").split()
    rows = -(-(len(match.plies) + 1) // 3)
    assert size_of_png(strip) == (2 * 3 * float(box[2]), 2 * rows * float(box[3]))
    assert run([*TREE, "--tree-file", str(tree)]) == 0
    assert size_of_png(tree)[0] == 1600
    assert run([*TREE, "--tree-file", str(tmp_path / "tree.gif")]) == 2


def test_draw_writes_a_position_a_ply_a_strip_and_an_animation(
    capsys: Capture, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    match = table("quoridor", players=2, size=3).play("random", seed=1)
    match.save(record)
    made = {
        "position": ["--game", "quoridor", "--moves", "e2 e8"],
        "ply": ["--record", str(record), "--ply", "2"],
        "end": ["--record", str(record)],
        "strip": ["--record", str(record), "--strip", "3"],
        "film": ["--record", str(record), "--animate", "0.5"],
    }
    for name, arguments in made.items():
        path = tmp_path / f"{name}.svg"
        assert run(["draw", str(path), *arguments]) == 0
        root = ET.fromstring(path.read_text())
        inner = [e for e in root if e.tag.endswith("svg")]
        moving = [e for e in root.iter() if e.tag.endswith("animate")]
        assert len(inner) == (len(match.plies) + 1 if name == "strip" else 0)
        assert len(moving) == (len(match.plies) + 1 if name == "film" else 0)
    assert (tmp_path / "end.svg").read_text() == match.game.svg(match.state)
    assert run(["draw", str(tmp_path / "x.gif"), "--game", "quoridor"]) == 2


def test_a_game_without_pictures_is_drawn_as_text(tmp_path: Path) -> None:
    record, film, strip = (tmp_path / name for name in ("game.jsonl", "film.svg", "strip.svg"))
    match = table("go_fish", players=3).play("random", seed=1)
    match.save(record)
    assert run(["draw", str(strip), "--record", str(record), "--strip", "4"]) == 0
    assert run(["draw", str(film), "--record", str(record), "--animate", "1"]) == 0
    for path in (film, strip):
        root = ET.fromstring(path.read_text())
        written = ["".join(text.itertext()) for text in root.iter() if text.tag.endswith("text")]
        last = match.game.picture(match.state).splitlines()
        assert written[-len(last) :] == last
        _, _, width, height = map(float, root.get("viewBox", "").split())
        inner = [e for e in root.iter() if e is not root and e.tag.endswith("svg")]
        assert len(inner) == len(match.plies) + 1
        for drawn in inner:
            assert float(drawn.get("x", "")) + float(drawn.get("width", "")) <= width
            assert float(drawn.get("y", "")) + float(drawn.get("height", "")) <= height


def test_a_picture_too_big_for_png_is_drawn_smaller(cairo: None, tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40000"></svg>'
    write_picture(tmp_path / "x.png", svg)
    assert size_of_png(tmp_path / "x.png") == (40, 16_000)


def test_compiling_is_no_part_of_a_search(tmp_path: Path) -> None:
    """With an empty cache the compiler runs, and its time stands apart."""
    environment = {**os.environ, "MPSEARCH_CACHE": str(tmp_path)}
    search = ("search", "--game", "scramble", "--agent", "maxn:depth=2,time=10", "--json")
    done = run_forked(COMMAND, *search, env=environment, check=True)
    found = json.loads(done.stdout)
    assert found["compiling"] > found["seconds"]


def test_a_search_without_a_limit_of_time_does_not_wait_for_the_compiler(
    capsys: Capture, tmp_path: Path
) -> None:
    environment = {**os.environ, "MPSEARCH_CACHE": str(tmp_path)}
    search = ("search", "--game", "scramble", "--agent", "maxn:depth=2", "--seed", "1")
    plain = run_forked(COMMAND, *search, env=environment, check=True)
    assert "compiling" not in plain.stderr
    *lines, effort, why = plain.stdout.splitlines()
    assert why == "searched as plain Python; mpsearch warm scramble compiles it to machine code"
    *same, native = printed(capsys, *search).splitlines()
    assert lines == same
    assert effort.split(",")[:2] == native.split(",")[:2]  # nodes and depth
