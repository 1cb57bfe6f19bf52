"""The pages on architecture and references name only files that exist."""

import re
from pathlib import Path

from test_architecture import TIERS

ROOT = Path(__file__).parents[2]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_table_of_concepts_is_held_to_the_tree() -> None:
    table = page("explanation/architecture.md").partition("## Where to find what")[2]
    rows = re.findall(r"^\| ([^|`]+) \| `([^`]+)` \|$", table, re.M)
    assert len(rows) >= 40
    assert len({concept for concept, _ in rows}) == len(rows)
    assert [file for _, file in rows if not (ROOT / file).is_file()] == []


def test_every_package_has_its_tier_in_the_picture() -> None:
    picture = page("explanation/architecture.md").split("```")[1]
    drawn = [line.split() for line in picture.splitlines() if line.strip()]
    names = [{word for word in line if word in sum(TIERS, ())} for line in reversed(drawn)]
    assert names == [set(tier) - {"__main__"} for tier in TIERS]


def test_contributing_lists_the_same_tiers() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| (`.*`) \|$", text, re.M)
    listed = [set(re.findall(r"`(\w+)`", names)) for _, names in reversed(rows)]
    assert listed == [set(tier) - {"__main__"} for tier in TIERS]


def test_files_that_the_walk_names_are_there() -> None:
    walk = (
        page("explanation/architecture.md").partition("## One decision")[2].partition("## Where")[0]
    )
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", walk)
    assert len(named) >= 15
    assert [file for file in named if not (ROOT / "mpsearch" / file).is_file()] == []


def test_modules_cite_papers_that_are_listed() -> None:
    listed = page("reference/references.md")
    known = {(name, year) for name, year in re.findall(r"\*\*(\w[^*]*?) (\d{4})\.\*\*", listed)}
    files = [*(ROOT / "mpsearch").rglob("*.py")]
    cited = {
        (names.replace(", ", " and ").split(" and ")[0], year)
        for file in files
        for names, year in re.findall(
            r"\(((?:[A-Z][\w'á]+(?:, | and )?)+) (\d{4})\)", file.read_text(encoding="utf-8")
        )
    }
    first = {(names.replace(", ", " and ").split(" and ")[0], year) for names, year in known}
    assert len(cited) >= 8
    assert cited <= first


def test_files_that_references_name_are_there() -> None:
    named = set(re.findall(r"`((?:mpsearch|plugins)/[^`]+)`", page("reference/references.md")))
    assert [file for file in sorted(named) if not (ROOT / file).exists()] == []
