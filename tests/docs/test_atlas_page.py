"""docs/results/atlas.md shows what atlas.csv says, and leaves out no game silently."""

import importlib.util
import re
import sys
from pathlib import Path

from mpsearch.plugins.catalog import installed

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("atlas_page", ROOT / "tools" / "atlas_page.py")
assert spec is not None
assert spec.loader is not None
atlas_page = importlib.util.module_from_spec(spec)
sys.modules["atlas_page"] = atlas_page
spec.loader.exec_module(atlas_page)

LINES = atlas_page.read(atlas_page.RESULTS)
PAGE = atlas_page.PAGE.read_text(encoding="utf-8")
GAMES = {line["game"] for line in LINES}


def test_the_tables_are_those_of_the_figures() -> None:
    for rows in (
        atlas_page.table(LINES),
        atlas_page.gains(atlas_page.read(atlas_page.GAINS), LINES),
    ):
        assert rows in PAGE
        assert atlas_page.with_table(PAGE, rows) == PAGE


def test_the_number_of_games_is_told() -> None:
    foreign = sum(name.startswith("os_") for name in GAMES)
    assert f"{len(GAMES)} games, ours, the calibration games and {foreign} of" in " ".join(
        PAGE.split()
    )


def test_every_game_of_the_repository_is_in_the_atlas() -> None:
    """OpenSpiel's, too, whether or not its plugin is installed here."""
    source = ROOT / "plugins" / "openspiel" / "src" / "mpsearch_openspiel" / "foreign.py"
    foreign = re.findall(r'Foreign\(\s*"(\w+)"', source.read_text(encoding="utf-8"))
    assert len(foreign) > 20
    wanted = {f"os_{name}" for name in foreign} | set(installed().games)
    assert wanted <= GAMES


def test_games_that_were_measured_again_replace_their_lines() -> None:
    old = [{"game": "b", "oi": "0"}, {"game": "a", "oi": "0"}, {"game": "b", "oi": "1"}]
    new = [{"game": "b", "oi": "2"}]
    assert atlas_page.merged(old, new) == [{"game": "a", "oi": "0"}, {"game": "b", "oi": "2"}]
