"""A plugin's search algorithm, written with the contracts alone, is used like a shipped one."""

import json
from pathlib import Path

import pytest
from support.site import Site, mpsearch

from mpsearch.testing.check import check_search_algorithm

#: One ply, by the root's row of the social matrix.
ALGORITHM = """
import numpy as np

from mpsearch.contracts import Option, Report, RootMove, SearchAlgorithm, SearchAlgorithmOffer


class OnePly(SearchAlgorithm):
    def __init__(self, space, bots, *, boldness):
        self.space = space

    def search(self, worlds, stance, limits, request):
        game, evaluator = self.space.game, self.space.evaluator
        moves = list(self.space.for_root(request.root).listing(worlds[0]))
        behind = [[evaluator.values(game.play(w, m)) for w in worlds] for m in moves]
        values = [np.mean(found, axis=0) for found in behind]
        order = request.rng.permutation(len(moves)) if request.shuffle else range(len(moves))
        best = max(order, key=lambda i: stance.matrix[request.root] @ values[i])
        return Report(
            move=moves[best],
            value=values[best],
            moves=[RootMove(move=m, value=v) for m, v in zip(moves, values)],
            line=(moves[best],),
            stance=stance,
            pruning="none",
            nodes=len(worlds) * (1 + len(moves)),
            depth=1,
            worlds=len(worlds),
            seconds=0.0,
        )


@hookimpl
def mpsearch_search_algorithms():
    yield SearchAlgorithmOffer(
        name="oneply",
        summary="evaluates the state behind every move",
        make=OnePly,
        options=(Option(name="boldness", kind=int, default=1, help="ignored"),),
    )
"""

#: What `search` does instead, and the line that a command ends with.
BROKEN = {
    "raises": (
        "raise ValueError('no idea')",
        "mpsearch: search=oneply: plugin oneply: ValueError: no idea, in search "
        "(dist_oneply_code.py, line 62)",
    ),
    "foreign move": (
        "import attrs; return attrs.evolve(self.sound(*args), move=99)",
        "mpsearch: search=oneply: chose 99, which is not legal",
    ),
    "wrong type": ("return 7", "mpsearch: search=oneply: returned a int, not a Report"),
}
PLAY = ("play", "--game", "scramble", "--seed", "1")


@pytest.fixture
def with_oneply(site: Site) -> Site:
    site.install("oneply", ALGORITHM)
    return site


def run(site: Site, *arguments: str, **environ: str) -> tuple[int, str, str]:
    done = mpsearch(site, *arguments, plugins="core,oneply", **environ)
    return done.returncode, done.stdout, done.stderr


def test_it_is_in_the_catalog_under_its_plugin(with_oneply: Site) -> None:
    catalog = with_oneply.load()
    assert catalog.problems == ()
    assert list(catalog.search_algorithms) == ["tree", "brs", "horizon", "mcts", "ismcts", "oneply"]
    assert catalog.owners["search algorithm", "oneply"] == "oneply"
    assert catalog.owners["search algorithm", "tree"] == "core"


@pytest.mark.parametrize("game", ["scramble", "plunder"])
def test_it_plays_and_its_record_replays(with_oneply: Site, game: str, tmp_path: Path) -> None:
    record = str(tmp_path / "game.jsonl")
    seats = ["--seat", "maxn:search=oneply,boldness=2", "--seat", "random", "--seat", "random"]
    code, _, errors = run(
        with_oneply, "play", "--game", game, "--seed", "1", *seats, "--record", record
    )
    assert (code, errors) == (0, "")
    code, _, errors = run(with_oneply, "replay", "--check", record)
    assert (code, errors) == (0, "")


def test_it_explains_a_position(with_oneply: Site) -> None:
    asked = ("search", "--game", "scramble", "--agent", "paranoid:search=oneply", "--json")
    code, text, errors = run(with_oneply, *asked)
    assert (code, errors) == (0, "")
    found = json.loads(text)
    assert found["depth"] == 1
    assert found["move"] in {row["move"] for row in found["moves"]}


def test_it_is_listed_among_the_agents(with_oneply: Site) -> None:
    code, text, _ = run(with_oneply, "agents")
    assert code == 0
    assert "  oneply: evaluates the state behind every move" in text.splitlines()
    code, text, _ = run(with_oneply, "agents", "--json")
    searches = {entry["name"]: entry for entry in json.loads(text)["searches"]}
    assert sorted(searches) == ["brs", "horizon", "ismcts", "mcts", "oneply", "tree"]
    assert searches["oneply"]["example"] == "--seat maxn:search=oneply,boldness=1"
    assert searches["oneply"]["options"][0]["key"] == "boldness"


@pytest.mark.parametrize(
    ("typed", "offered"), [("maxn:search=on", "oneply"), ("maxn:bold", "boldness=")]
)
def test_the_shell_completes_it(with_oneply: Site, typed: str, offered: str) -> None:
    words = f"mpsearch play --game scramble --seat {typed}"
    asked = {
        "_MPSEARCH_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_ARGS": words,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    _, text, _ = run(with_oneply, **asked)
    assert offered in text


def test_a_misspelt_name_is_refused_with_the_nearest(with_oneply: Site) -> None:
    code, text, errors = run(with_oneply, *PLAY, "--seat", "maxn:search=onply")
    assert (code, text) == (2, "")
    assert errors == "mpsearch: unknown search algorithm 'onply'; did you mean 'oneply'?\n"


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("command", ["play", "search"])
def test_a_broken_one_ends_in_one_line_that_names_it(site: Site, fault: str, command: str) -> None:
    body, line = BROKEN[fault]
    broken = ALGORITHM.replace("    def search(self", "    def sound(self").replace(
        "\n\n@hookimpl", f"\n    def search(self, *args):\n        {body}\n\n\n@hookimpl"
    )
    site.install("oneply", broken)
    agent = "maxn:search=oneply"
    if command == "play":
        seats = ["--seat", agent, "--seat", "random", "--seat", "random"]
        code, _, errors = run(site, *PLAY, *seats)
    else:
        code, _, errors = run(site, "search", "--game", "scramble", "--agent", agent)
    assert (code, errors) == (1, line + "\n")


def test_one_that_makes_something_else_is_named(site: Site) -> None:
    site.install("oneply", ALGORITHM.replace("make=OnePly", "make=lambda *_, **__: 3"))
    code, _, errors = run(site, *PLAY, "--seat", "maxn:search=oneply")
    assert (code, errors) == (
        1,
        "mpsearch: search=oneply: make returned a int, not a SearchAlgorithm\n",
    )


def test_the_cause_is_shown_to_who_looks_for_it(site: Site) -> None:
    site.install("oneply", ALGORITHM.replace("make=OnePly", "make=lambda *_, **__: 1 / 0"))
    asked = (*PLAY, "--seat", "maxn:search=oneply")
    code, _, errors = run(site, *asked)
    cause = "ZeroDivisionError: division by zero, in <lambda> (dist_oneply_code.py, line 67)"
    assert (code, errors) == (1, f"mpsearch: search=oneply: plugin oneply: {cause}\n")
    _, _, errors = run(site, *asked, MPSEARCH_DEBUG="1")
    assert "Traceback" in errors


def test_plugins_check_runs_the_rules(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.install("oneply", ALGORITHM.replace("depth=1", "depth=5"))
    monkeypatch.setenv("PYTHONPATH", str(site.folder))
    monkeypatch.setenv("MPSEARCH_PLUGINS", "core,oneply")
    monkeypatch.setenv("MPSEARCH_JIT", "0")
    catalog = site.load()
    assert {
        name: list(map(str, check_search_algorithm(catalog, name))) for name in ("oneply", "tree")
    } == {
        "oneply": [
            "oneply: search algorithm 'oneply' in scramble, depth_limits_are_kept: the search "
            "reached depth 5 with a limit of 1 (seed 1, after moves: none)"
        ],
        "tree": [],
    }
