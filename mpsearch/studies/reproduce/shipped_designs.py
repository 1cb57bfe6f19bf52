"""The shipped experiments: one TOML file each, with what was printed and three scales."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from typing import Any

import attrs

from mpsearch.contracts import pick
from mpsearch.errors import UsageError
from mpsearch.experiments import Design, TomlFile, make_design, toml_text
from mpsearch.plugins import Catalog
from mpsearch.studies.reproduce.claims import Claim

#: What a shipped file has besides a design.
KEYS = ("rows", "paper", "scale", "claims")
SCALES = ("smoke", "day", "paper")


@attrs.frozen(kw_only=True)
class Shipped:
    """An experiment of a paper, at a scale."""

    name: str
    #: The rows of the checklist that it is about.
    rows: tuple[int, ...]
    #: Where it is printed.
    paper: str
    about: str
    scale: str
    #: Of its games, unless another is asked for.
    seed: int
    claims: tuple[Claim, ...]
    file: TomlFile = attrs.field(repr=False)

    @property
    def game(self) -> str:
        """The game that is played."""
        return str(self.file.values["game"])

    @property
    def text(self) -> str:
        """What is played at this scale as a file of its own, for `mpsearch experiment`."""
        return toml_text({k: v for k, v in self.file.values.items() if k not in KEYS})

    def design(self, catalog: Catalog) -> Design:
        """What is played."""
        return make_design(self.file, catalog, more=KEYS)


def shipped_names() -> list[str]:
    """All experiments, in the order of the checklist."""
    found = {name: _file(name).values["rows"] for name in _stems()}
    return sorted(found, key=lambda name: (found[name], name))


def shipped(name: str, *, scale: str) -> Shipped:
    """An experiment by name; UsageError says which there are."""
    pick(dict.fromkeys(_stems()), name, kind="reproduction")
    if scale not in SCALES:
        raise UsageError(f"scale '{scale}' is not one of {', '.join(SCALES)}")
    file = _file(name)
    for key, value in file.values["scale"][scale].items():
        known = file.values.get(key)
        file.values[key] = {**known, **value} if isinstance(known, dict) else value
    values: dict[str, Any] = file.values
    return Shipped(
        name=name,
        rows=tuple(values["rows"]),
        paper=values["paper"],
        about=values["about"],
        scale=scale,
        seed=values["seed"],
        claims=tuple(Claim(**claim) for claim in values["claims"]),
        file=file,
    )


def _stems() -> Iterator[str]:
    folder = importlib.resources.files("mpsearch.studies.reproduce")
    for entry in folder.iterdir():
        if entry.name.endswith(".toml") and entry.name != "impact.toml":
            yield entry.name.removesuffix(".toml")


def _file(name: str) -> TomlFile:
    entry = importlib.resources.files("mpsearch.studies.reproduce") / f"{name}.toml"
    return TomlFile(entry.read_text(encoding="utf-8"), name=f"{name}.toml")
