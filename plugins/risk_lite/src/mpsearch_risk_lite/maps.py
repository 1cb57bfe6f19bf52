"""Maps as data: territories, borders and continents, read from TOML and checked.

A file has a table per continent (`bonus`) and per territory (`continent`, `borders`, and `at`,
its place in the picture). Each fault has its own message.
"""

from __future__ import annotations

import functools
import re
import string
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import attrs

from mpsearch.errors import UsageError
from mpsearch_risk_lite.options import BUILT_IN

#: The capacity of the state's record.
MOST_TERRITORIES = 64
MOST_CONTINENTS = 16
MOST_BORDERS = 192

_DIGITS = "123456789" + string.ascii_lowercase
_NAME = re.compile(r"[a-z][a-z0-9-]*")


@attrs.frozen(kw_only=True)
class Continent:
    """A continent: its owner gets `bonus` more armies a turn."""

    name: str
    bonus: int


@attrs.frozen(kw_only=True)
class Territory:
    """A territory and its neighbours, all by number."""

    name: str
    continent: int
    borders: tuple[int, ...]
    #: Its place in the picture.
    at: tuple[float, float]


@attrs.frozen(kw_only=True, slots=False)
class WorldMap:
    """A checked map. Numbers of territories and continents follow the order of the file."""

    title: str
    continents: tuple[Continent, ...]
    territories: tuple[Territory, ...]

    @functools.cached_property
    def letters(self) -> tuple[str, ...]:
        """A letter for each continent: the first of its name that none before it has."""
        found: list[str] = []
        for continent in self.continents:
            free = (sign for sign in continent.name + string.ascii_lowercase if sign.isalpha())
            found.append(next(letter for letter in free if letter not in found))
        return tuple(found)

    @functools.cached_property
    def codes(self) -> tuple[str, ...]:
        """A short name for each territory: its continent's letter, and 1 to 9, then a, b, ..."""
        codes = [""] * len(self.territories)
        for continent, letter in enumerate(self.letters):
            members = self.members(continent)
            for place, territory in enumerate(members):
                codes[territory] = letter + (_DIGITS[place] if place < 35 else str(place + 1))
        return tuple(codes)

    def find(self, word: str) -> int | None:
        """The number of a territory by its name in any spelling, or by its code."""
        plain = "-".join(word.lower().split())
        number = self.number(plain)
        if number is None and plain in self.codes:
            number = self.codes.index(plain)
        return number

    def number(self, name: str) -> int | None:
        """The number of a territory, if there is one of that name."""
        return next((i for i, t in enumerate(self.territories) if t.name == name), None)

    def members(self, continent: int) -> list[int]:
        """The territories of a continent."""
        return [i for i, t in enumerate(self.territories) if t.continent == continent]

    def with_bonuses(self, times: int) -> WorldMap:
        """The same map with all bonuses multiplied."""
        continents = [attrs.evolve(c, bonus=times * c.bonus) for c in self.continents]
        return attrs.evolve(self, continents=tuple(continents))

    def paths(self, reach: int) -> int:
        """The number of paths of 0 to `reach` steps."""

        def onward(path: tuple[int, ...]) -> int:
            if len(path) > reach:
                return 1
            steps = (t for t in self.territories[path[-1]].borders if t not in path)
            return 1 + sum(onward((*path, t)) for t in steps)

        return sum(onward((t,)) for t in range(len(self.territories)))


def load_map(name: str) -> WorldMap:
    """One of the built-in maps, or the map in a TOML file."""
    if name in BUILT_IN:
        source = resources.files(__package__).joinpath("maps", f"{name}.toml")
        return read_map(source.read_text(encoding="utf-8"), where=f"map {name}")
    if not name.endswith(".toml"):
        raise UsageError(
            f"risk_lite: unknown map '{name}'; choose from {', '.join(BUILT_IN)}, "
            "or give a file that ends in .toml"
        )
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"map {name}: cannot be read: {error}") from None
    return read_map(text, where=f"map {name}")


def read_map(text: str, *, where: str) -> WorldMap:
    """The map that a TOML text describes; UsageError says what is wrong with it."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: not TOML: {error}") from None
    _known_keys(document, ("title", "continents", "territories"), where)
    lands = _tables(document, "territories", MOST_TERRITORIES, where)
    realms = _tables(document, "continents", MOST_CONTINENTS, where)
    if len(lands) < 2:
        raise UsageError(f"{where}: {len(lands)} territory; a map has at least 2")
    continents = tuple(_continent(name, table, where) for name, table in realms.items())
    territories = tuple(
        _territory(name, table, list(lands), list(realms), where) for name, table in lands.items()
    )
    world = WorldMap(
        title=str(document.get("title", where)), continents=continents, territories=territories
    )
    _check_continents(world, where)
    _check_borders(world, where)
    _check_connected(world, where)
    return world


def _tables(document: Mapping[str, Any], key: str, most: int, where: str) -> dict[str, Any]:
    tables = document.get(key)
    if not isinstance(tables, dict) or not tables:
        raise UsageError(f"{where}: no {key}; each has a table such as [{key}.name]")
    for name, table in tables.items():
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{where}: '{name}' cannot be a name; names are small letters, digits and '-'"
            )
        if not isinstance(table, dict):
            raise UsageError(f"{where}: {key}.{name} is not a table")
    if len(tables) > most:
        raise UsageError(f"{where}: {len(tables)} {key}; there may be {most} at most")
    return tables


def _known_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise UsageError(f"{where}: unknown key '{key}'; it has {', '.join(known)}")


def _continent(name: str, table: Mapping[str, Any], where: str) -> Continent:
    _known_keys(table, ("bonus",), f"{where}: continent {name}")
    bonus = table.get("bonus")
    if type(bonus) is not int or not 0 <= bonus <= 100:
        raise UsageError(
            f"{where}: continent {name}: bonus {bonus} is not a whole number from 0 to 100"
        )
    return Continent(name=name, bonus=bonus)


def _territory(
    name: str, table: Mapping[str, Any], lands: list[str], realms: list[str], where: str
) -> Territory:
    here = f"{where}: territory {name}"
    _known_keys(table, ("continent", "borders", "at"), here)
    continent = table.get("continent")
    if not isinstance(continent, str):
        raise UsageError(f"{here}: it must be in exactly one continent, not in {continent}")
    if continent not in realms:
        raise UsageError(
            f"{here}: unknown continent '{continent}'; choose from {', '.join(realms)}"
        )
    borders = table.get("borders")
    if not isinstance(borders, list):
        raise UsageError(f"{here}: no list of borders")
    for border in borders:
        if border not in lands:
            raise UsageError(f"{here}: it borders on '{border}', which is not a territory")
        if border == name:
            raise UsageError(f"{here}: it borders on itself")
        if borders.count(border) > 1:
            raise UsageError(f"{here}: the border on '{border}' is given twice")
    at = table.get("at")
    if not (isinstance(at, list) and len(at) == 2 and all(type(x) in (int, float) for x in at)):
        raise UsageError(f"{here}: at {at} is not a place such as [120, 80]")
    return Territory(
        name=name,
        continent=realms.index(continent),
        borders=tuple(lands.index(border) for border in borders),
        at=(float(at[0]), float(at[1])),
    )


def _check_continents(world: WorldMap, where: str) -> None:
    for number, continent in enumerate(world.continents):
        if not world.members(number):
            raise UsageError(f"{where}: continent {continent.name} has no territories")


def _check_borders(world: WorldMap, where: str) -> None:
    for number, land in enumerate(world.territories):
        for border in land.borders:
            other = world.territories[border]
            if number not in other.borders:
                raise UsageError(
                    f"{where}: {land.name} borders on {other.name}, "
                    f"but {other.name} does not border on {land.name}"
                )
    count = sum(len(land.borders) for land in world.territories) // 2
    if count > MOST_BORDERS:
        raise UsageError(f"{where}: {count} borders; there may be {MOST_BORDERS} at most")


def _check_connected(world: WorldMap, where: str) -> None:
    reached = {0}
    waiting = [0]
    while waiting:
        fresh = set(world.territories[waiting.pop()].borders) - reached
        reached |= fresh
        waiting += fresh
    for number, land in enumerate(world.territories):
        if number not in reached:
            raise UsageError(
                f"{where}: {land.name} cannot be reached from {world.territories[0].name}"
            )
