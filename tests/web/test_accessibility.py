"""Accessibility: the rules of axe-core, in a real browser, on every page."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from web.browser import Open, browser, my_turn, needs_chromium, seat, server, set_table, visit

import mpsearch
from mpsearch.web.server import Server

__all__ = ["browser", "server", "visit"]
pytestmark = needs_chromium

#: Findings of these kinds keep people from using a page.
GRAVE = ("serious", "critical")
GAMES: dict[str, dict[str, Any]] = {
    "quoridor": {},
    "hearts": {"preset": "standard"},
    "risk_lite": {},
    "scramble": {},
    "plunder": {},
}


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, from npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm: axe-core cannot be had")
    folder = tmp_path_factory.mktemp("axe")
    wish = [npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "axe-core"]
    try:
        subprocess.run(wish, cwd=folder, check=True, capture_output=True, timeout=120)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot fetch axe-core: {(error.stderr or b'')[-200:]!r}")
    return Path(folder / "node_modules/axe-core/axe.min.js").read_text()


def findings(page: Page, axe: str) -> list[str]:
    """What axe-core finds that is serious or critical, each with where it is."""
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    assert len(found["passes"]) > 5, "the rules were applied"
    return [
        f"{entry['impact']} {entry['id']}: {node['html'][:160]} {json.dumps(node['any'])[:200]}"
        for entry in found["violations"]
        if entry["impact"] in GRAVE
        for node in entry["nodes"]
    ]


def test_axe_finds_what_is_wrong(visit: Open, axe: str) -> None:
    page = visit("/", bypass_csp=True)
    page.evaluate("document.body.append(document.createElement('button'))")
    assert [text.split(":")[0] for text in findings(page, axe)] == ["critical button-name"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_lobby(server: Server, visit: Open, axe: str, width: int, scheme: str) -> None:
    keys = set_table(server, "quoridor", "human", "greedy", size=3)
    page = visit(seat(keys), width=width, bypass_csp=True, color_scheme=scheme)
    assert my_turn(page)
    page.goto(server.lobby)
    expect(page.locator("#running li")).to_have_count(1)
    assert findings(page, axe) == []
    page.click("#advanced summary")
    page.click("#more-games summary")
    assert findings(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_a_table(server: Server, visit: Open, axe: str, game: str, scheme: str) -> None:
    agents = {"hearts": "maxn:depth=1,worlds=2", "plunder": "maxn:depth=1,worlds=2"}
    others = [agents.get(game, "maxn:depth=1")] * 3
    keys = set_table(server, game, "human", *others, **GAMES[game])
    for width in (1280, 390):
        page = visit(
            seat(keys), width=width, touch=width == 390, bypass_csp=True, color_scheme=scheme
        )
        assert my_turn(page)
        page.evaluate("document.getElementById('hint').click()")
        expect(page.locator("#advice .hint")).to_have_count(3)
        for tab in page.locator("#tabs [role=tab]:not([hidden])").all():
            if width == 390:
                tab.tap()
            assert findings(page, axe) == []
            if width != 390:
                break


@pytest.mark.parametrize("width", [1280, 390])
def test_the_end_and_the_review(server: Server, visit: Open, axe: str, width: int) -> None:
    keys = set_table(server, "scramble", "human", "mpmix:td=0,to=0,depth=1", "greedy", length=8)
    page = visit(seat(keys), width=width, bypass_csp=True)
    assert my_turn(page)
    page.evaluate("document.getElementById('resign').click()")
    page.wait_for_selector("body[data-over=true]")
    expect(page.locator("#ending")).to_be_visible()
    assert findings(page, axe) == []
    page.click("#ask-review")
    expect(page.locator("#reviewed polyline")).to_have_count(3)
    page.locator("#reviewed details summary").click()
    assert findings(page, axe) == []
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert findings(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["quoridor", "hearts"])
def test_the_analysis(
    server: Server, visit: Open, axe: str, tmp_path: Path, game: str, scheme: str
) -> None:
    path = tmp_path / "game.jsonl"
    options: dict[str, Any] = {"quoridor": {"size": 5, "walls": 2}}.get(game, {})
    agents = ("mpmix:td=0,to=0,depth=1", "greedy", "greedy", "greedy")
    mpsearch.play(game, *agents, seed=2, **options).save(path)
    for width in (1280, 390):
        address = f"/table/{server.tables.show_record(path).watch}/analysis#ply=5"
        page = visit(address, width=width, touch=width == 390, bypass_csp=True, color_scheme=scheme)
        page.wait_for_selector("#drawn polyline", state="attached")  # on a phone, in a tab
        page.fill("#move", page.locator("#legal option").last.get_attribute("value") or "")
        page.press("#move", "Enter")
        page.wait_for_selector("body[data-tried=true]")
        page.evaluate("document.getElementById('think').click()")
        page.wait_for_selector("#lines li", state="attached")
        for details in page.locator("details:visible > summary").all():
            details.click()
        assert findings(page, axe) == []
