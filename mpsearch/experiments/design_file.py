"""Designs in TOML; docs/reference/experiment-files.md documents the keys.

Every mistake is reported with line and key before a game is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from mpsearch.api import Table, set_table
from mpsearch.errors import UsageError
from mpsearch.experiments.design import (
    MATRIX,
    ROW,
    Arm,
    Design,
    Seated,
    expand,
    holes,
    stored_seating,
    with_limits,
)
from mpsearch.experiments.seating import FIXED, ROTATION, SEATINGS
from mpsearch.experiments.series import series_at
from mpsearch.experiments.toml_file import TomlFile, read_toml, toml_text
from mpsearch.plugins import Catalog

#: Every key and what it must be.
KEYS: dict[str, str] = {
    "name": "a text",
    "about": "a text",
    "game": "a text",
    "players": "a whole number, 2 or more",
    "options": "a table of the game's options",
    "games": "a whole number, 1 or more",
    "seed": "a whole number, 0 or more",
    "seating": "'orders', 'rotation' or 'fixed'",
    "rotate": "true or false",
    "opening": "a whole number, 0 or more",
    "most_plies": "a whole number, 1 or more",
    "looks": "a whole number, 1 or more",
    "baseline": "the name of an arm",
    "limits": "a table with depth, nodes or time",
    "agents": "a table of names and agents' texts",
    "others": "a list of agents",
    "vary": "a table of lists",
    "arms": "a table of line-ups",
}
_LEAST = {"players": 2, "games": 1, "seed": 0, "opening": 0, "most_plies": 1, "looks": 1}
_LIMITS = ("depth", "nodes", "time")


def read_design(path: Path, catalog: Catalog) -> Design:
    """The design in a file; UsageError says what is wrong and where."""
    return make_design(read_toml(path), catalog)


def stored_text(about: Mapping[str, Any]) -> str:
    """The TOML of a design's document, without the number of games; empty if it is none.

    A tournament has no file of its own.
    """
    arms, kept = about.get("arms"), ("game", "players", "seed", "opening")
    if not isinstance(arms, dict) or not set(kept) <= set(about):
        return ""
    return toml_text(
        {
            "name": "tournament",
            **{key: about[key] for key in kept},
            "seating": stored_seating(about),
            "options": {k: v for k, v in about.get("options", {}).items() if v is not None},
            "arms": {
                label: {"draw": arm["seats"]} if arm["drawn"] else arm["seats"]
                for label, arm in arms.items()
            },
        }
    )


def make_design(file: TomlFile, catalog: Catalog, *, more: tuple[str, ...] = ()) -> Design:
    """The design in a file that may have `more` keys at the top level."""
    file.check_keys([*KEYS, *more])
    for key, value in file.values.items():
        if not _fits(key, value):
            file.fail(key, f"{value!r} is not {KEYS[key]}")
    for key in ("game", "games", "arms"):
        if key not in file.values:
            raise UsageError(f"{file.name}: {key}: missing; expected {KEYS[key]}")
    table = _table(file, catalog)
    values = file.values
    arms = _Arms(file, table).all()
    known = {arm.name for arm in arms}
    baseline = values.get("baseline")
    if baseline is not None and baseline not in known:
        file.fail("baseline", f"'{baseline}' is not one of the arms {', '.join(sorted(known))}")
    design = Design(
        name=values.get("name", Path(file.name).stem),
        about=values.get("about", ""),
        **series_at(table, seed=values.get("seed", 0), opening=values.get("opening")),
        arms=tuple(arms),
        games=values["games"],
        seating=_seating(file),
        most_plies=values.get("most_plies"),
        baseline=baseline,
        looks=values.get("looks", 1),
    )
    for arm in design.arms:
        try:
            attrs.evolve(design, arms=(arm,)).check(table)
        except UsageError as error:
            file.fail(f"arms.{arm.name}", str(error))
    return design


def _seating(file: TomlFile) -> str | None:
    """How seats change; older files say `rotate`."""
    values = file.values
    if "rotate" not in values:
        found: str | None = values.get("seating")
        return found
    if "seating" in values:
        file.fail("rotate", "'seating' already says this; leave out one of them")
    return ROTATION if values["rotate"] else FIXED


def _fits(key: str, value: Any) -> bool:
    wanted = KEYS.get(key, "")
    if key == "seating":
        return value in SEATINGS
    if wanted == "true or false":
        return isinstance(value, bool)
    if wanted.startswith("a whole number"):
        return isinstance(value, int) and not isinstance(value, bool) and value >= _LEAST[key]
    if wanted.startswith("a table"):
        return isinstance(value, dict)
    if wanted.startswith("a list"):
        return isinstance(value, list)
    return not wanted or isinstance(value, str)


def _table(file: TomlFile, catalog: Catalog) -> Table:
    values = file.values
    options: Mapping[str, Any] = values.get("options", {})
    try:
        catalog.game_offer(values["game"])
    except UsageError as error:
        file.fail("game", str(error))
    for name, value in options.items():
        try:
            catalog.game_offer(values["game"]).settle({name: value})
        except UsageError as error:
            file.fail(f"options.{name}", str(error))
    try:
        return set_table(catalog, values["game"], players=values.get("players"), options=options)
    except UsageError as error:
        file.fail("players" if "players" in values else "options", str(error))


class _Arms:
    """The arms of a file."""

    def __init__(self, file: TomlFile, table: Table) -> None:
        self.file, self.table = file, table
        values = file.values
        self.agents: dict[str, str] = values.get("agents", {})
        self.vary: dict[str, list[Any]] = values.get("vary", {})
        self.limits: dict[str, Any] = values.get("limits", {})
        for name, text in self.agents.items():
            if not isinstance(text, str):
                file.fail(f"agents.{name}", f"{text!r} is not an agent's text")
        for key in self.limits:
            if key not in _LIMITS:
                file.fail(f"limits.{key}", f"unknown limit; choose from {', '.join(_LIMITS)}")
        for key, swept in self.vary.items():
            if not isinstance(swept, list) or not swept:
                file.fail(f"vary.{key}", f"{swept!r} is not a list of values")
            if key in (ROW, MATRIX):
                file.fail(f"vary.{key}", f"'{key}' is reserved for draws; choose another name")

    def all(self) -> list[Arm]:
        """Every arm, with every combination of its parameters."""
        arms = [arm for name in self.file.values["arms"] for arm in self._arms(name)]
        if not arms:
            self.file.fail("arms", "there is none")
        used = {key for arm in arms for key in arm.parameters}
        for key in self.vary:
            if key not in used:
                self.file.fail(f"vary.{key}", f"no agent of any arm has {{{key}}} in its text")
        return arms

    def _arms(self, name: str) -> list[Arm]:
        key, given = f"arms.{name}", self.file.values["arms"][name]
        drawn = isinstance(given, dict)
        if drawn:
            if set(given) != {"draw"} or not isinstance(given["draw"], list) or not given["draw"]:
                self.file.fail(key, "a table here is { draw = [agents] }")
            line_up = given["draw"]
        elif isinstance(given, str):
            if "others" not in self.file.values:
                self.file.fail(key, "only one agent; add 'others' to say who else plays")
            line_up = [given, *self.file.values["others"]]
        else:
            line_up = given
        if not isinstance(line_up, list) or not all(isinstance(text, str) for text in line_up):
            self.file.fail(key, f"{given!r} is neither an agent nor a list of agents")
        if not drawn and len(line_up) != self.table.players:
            count = f"{len(line_up)} agents at a table for {self.table.players}"
            self.file.fail(key, f"{count} of {self.table.name}")
        return expand(name, [self._seated(text, key) for text in line_up], self.vary, drawn=drawn)

    def _seated(self, role: str, key: str) -> Seated:
        text = self.agents.get(role, role)
        for hole in holes(text):
            if hole not in self.vary and hole not in (ROW, MATRIX):
                self.file.fail(key, f"'{text}': {{{hole}}} is not varied; there is no vary.{hole}")
        try:
            text = with_limits(text, self.limits, self.table)
            return Seated(role=role, text=self.table.spelled_out(text))
        except UsageError as error:
            self.file.fail(key, str(error))
