"""Maps: the built-in ones, and one error for every fault of a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mpsearch_risk_lite.maps import load_map, read_map
from mpsearch_risk_lite.options import BUILT_IN

from mpsearch.errors import UsageError

if TYPE_CHECKING:
    from .conftest import NewGame

GOOD = """
[continents.east]
bonus = 2
[continents.west]
bonus = 0
[territories.a]
continent = "west"
at = [0, 0]
borders = ["b"]
[territories.b]
continent = "west"
at = [1, 0]
borders = ["a", "c"]
[territories.c]
continent = "east"
at = [2, 0]
borders = ["b"]
"""


def _many(count: int, borders: Callable[[int], list[int]]) -> str:
    lines = ["[continents.all]", "bonus = 1"]
    for i in range(count):
        near = ", ".join(f'"t{j}"' for j in borders(i))
        lines += [f"[territories.t{i}]", 'continent = "all"', "at = [0, 0]", f"borders = [{near}]"]
    return "\n".join(lines)


#: What is changed in GOOD, and what the message must say.
FAULTS = {
    "not TOML": (("bonus = 2", "bonus ="), "not TOML"),
    "unknown key": (("[continents.east]", "colour = 1\n[continents.east]"), "unknown key 'colour'"),
    "unknown continent key": (("bonus = 2", "bonus = 2\nx = 1"), "continent east: unknown key 'x'"),
    "unknown territory key": (("at = [0, 0]", "at = [0, 0]\ny = 1"), "a: unknown key 'y'"),
    "name": (("[territories.a]", '[territories."A b"]'), "'A b' cannot be a name"),
    "not a table": (("[continents.east]\nbonus = 2", "[continents]\neast = 2"), "not a table"),
    "no bonus": (("bonus = 2", ""), "bonus None is not a whole number from 0 to 100"),
    "negative bonus": (("bonus = 2", "bonus = -1"), "bonus -1 is not a whole number"),
    "fractional bonus": (("bonus = 2", "bonus = 1.5"), "bonus 1.5 is not a whole number"),
    "no continent": (('continent = "east"', ""), "c: it must be in exactly one continent"),
    "two continents": (
        ('continent = "east"', 'continent = ["east", "west"]'),
        "c: it must be in exactly one continent, not in ['east', 'west']",
    ),
    "unknown continent": (('continent = "east"', 'continent = "north"'), "continent 'north'"),
    "empty continent": (('continent = "east"', 'continent = "west"'), "east has no territories"),
    "no borders": (('borders = ["a", "c"]', ""), "b: no list of borders"),
    "unknown border": (
        ('["a", "c"]', '["a", "c", "d"]'),
        "borders on 'd', which is not a territory",
    ),
    "own border": (('["a", "c"]', '["a", "b", "c"]'), "b: it borders on itself"),
    "border twice": (('["a", "c"]', '["a", "c", "a"]'), "the border on 'a' is given twice"),
    "one-sided border": (('["a", "c"]', '["c"]'), "a borders on b, but b does not border on a"),
    "no place": (("at = [1, 0]", ""), "b: at None is not a place"),
    "bad place": (("at = [1, 0]", "at = [1]"), "b: at [1] is not a place"),
}


def test_the_good_example_is_read() -> None:
    world = read_map(GOOD, where="example")
    assert [t.name for t in world.territories] == ["a", "b", "c"]
    assert world.territories[1].borders == (0, 2)
    assert [c.bonus for c in world.continents] == [2, 0]


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_its_own_message(fault: str) -> None:
    (old, new), message = FAULTS[fault]
    assert GOOD.count(old) == 1
    with pytest.raises(UsageError, match=re.escape(message)) as caught:
        read_map(GOOD.replace(old, new), where="map x.toml")
    assert str(caught.value).startswith("map x.toml: ")


def test_a_map_must_hang_together() -> None:
    pairs = _many(4, lambda i: [i ^ 1])
    with pytest.raises(UsageError, match="t2 cannot be reached from t0"):
        read_map(pairs, where="map")


def test_a_map_without_territories_or_continents_is_refused() -> None:
    with pytest.raises(UsageError, match="no territories"):
        read_map("", where="map")
    with pytest.raises(UsageError, match="no continents"):
        read_map('[territories.a]\ncontinent = "x"', where="map")
    with pytest.raises(UsageError, match="1 territory; a map has at least 2"):
        read_map(_many(1, lambda i: []), where="map")


def test_sixty_four_territories_are_the_most() -> None:
    def ring(count: int) -> str:
        return _many(count, lambda i: [(i - 1) % count, (i + 1) % count])

    assert len(read_map(ring(64), where="map").territories) == 64
    with pytest.raises(UsageError, match="65 territories; there may be 64 at most"):
        read_map(ring(65), where="map")


def test_sixteen_continents_are_the_most() -> None:
    extra = "\n".join(f"[continents.c{i}]\nbonus = 1" for i in range(15))
    with pytest.raises(UsageError, match="17 continents; there may be 16 at most"):
        read_map(GOOD + extra, where="map")


def test_too_many_borders_are_refused() -> None:
    complete = _many(21, lambda i: [j for j in range(21) if j != i])
    with pytest.raises(UsageError, match="210 borders; there may be 192 at most"):
        read_map(complete, where="map")


def test_too_many_paths_are_refused_with_advice(new_game: NewGame, tmp_path: Path) -> None:
    file = tmp_path / "dense.toml"
    file.write_text(_many(16, lambda i: [j for j in range(16) if j != i]))
    with pytest.raises(UsageError, match=r"paths of up to 4 steps; .* a smaller reach"):
        new_game(map=str(file))
    assert new_game(map=str(file), reach=2).size == 16


def test_too_small_a_map_for_the_players_is_refused(new_game: NewGame, tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(GOOD)
    with pytest.raises(UsageError, match="3 territories; 4 players need one each"):
        new_game(map=str(file), players=4)


def test_unknown_names_and_missing_files_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown map 'mars'; choose from classic"):
        load_map("mars")
    with pytest.raises(UsageError, match=r"none.toml: cannot be read: .*No such file"):
        load_map(str(tmp_path / "none.toml"))


def test_the_classic_map_is_the_one_everybody_knows() -> None:
    world = load_map("classic")
    facts = {c.name: (len(world.members(i)), c.bonus) for i, c in enumerate(world.continents)}
    assert facts == {
        "north-america": (9, 5),
        "south-america": (4, 2),
        "europe": (7, 5),
        "africa": (6, 3),
        "asia": (12, 7),
        "australia": (4, 2),
    }
    assert len(world.territories) == 42
    assert sum(len(t.borders) for t in world.territories) == 2 * 83


def test_the_small_maps_have_twelve_and_twenty_territories() -> None:
    sizes = {name: len(load_map(name).territories) for name in BUILT_IN}
    assert sizes == {"classic": 42, "straits": 12, "woodland": 20}
