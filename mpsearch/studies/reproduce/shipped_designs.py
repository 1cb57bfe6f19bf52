"""The shipped experiments: a TOML file each, with the printed claims and three scales."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from mpsearch.contracts import pick
from mpsearch.errors import UsageError
from mpsearch.experiments import Design, TomlFile, make_design, toml_text
from mpsearch.plugins import Catalog
from mpsearch.studies.reproduce.claims import Claim

#: Keys of a shipped file besides those of a design.
KEYS = ("rows", "paper", "scale", "claims")
SCALES = ("smoke", "day", "paper")


@attrs.frozen(kw_only=True)
class Shipped:
    """An experiment of a paper at one scale."""

    name: str
    #: Its rows of the checklist.
    rows: tuple[int, ...]
    #: Where it is printed.
    paper: str
    about: str
    scale: str
    #: The default seed.
    seed: int
    claims: tuple[Claim, ...]
    file: TomlFile = attrs.field(repr=False)

    @classmethod
    def of(cls, values: Mapping[str, Any], **more: Any) -> Shipped:
        """The entry of a file with these values."""
        told = {key: values[key] for key in ("paper", "about")}
        return cls(rows=tuple(values["rows"]), **told, **more)

    @property
    def game(self) -> str:
        """The name of the game."""
        return str(self.file.values["game"])

    @property
    def text(self) -> str:
        """The design at this scale as a file for `mpsearch experiment`."""
        return toml_text({k: v for k, v in self.file.values.items() if k not in KEYS})

    def design(self, catalog: Catalog) -> Design:
        """The design at this scale."""
        return make_design(self.file, catalog, more=KEYS)


def shipped_names() -> list[str]:
    """All experiments in the order of the checklist."""
    found = {name: _file(name).values["rows"] for name in _stems()}
    return sorted(found, key=lambda name: (found[name], name))


def shipped(name: str, *, scale: str) -> Shipped:
    """An experiment by name; UsageError lists the names."""
    pick(dict.fromkeys(_stems()), name, kind="reproduction")
    if scale not in SCALES:
        raise UsageError(f"scale '{scale}' is not one of {', '.join(SCALES)}")
    file = _file(name)
    for key, value in file.values["scale"][scale].items():
        known = file.values.get(key)
        file.values[key] = {**known, **value} if isinstance(known, dict) else value
    claims = tuple(Claim(**claim) for claim in file.values["claims"])
    seed = file.values["seed"]
    return Shipped.of(file.values, name=name, scale=scale, seed=seed, claims=claims, file=file)


def _stems() -> Iterator[str]:
    folder = importlib.resources.files("mpsearch.studies.reproduce")
    for entry in folder.iterdir():
        if entry.name.endswith(".toml") and entry.name != "impact.toml":
            yield entry.name.removesuffix(".toml")


def _file(name: str) -> TomlFile:
    entry = importlib.resources.files("mpsearch.studies.reproduce") / f"{name}.toml"
    return TomlFile(entry.read_text(encoding="utf-8"), name=f"{name}.toml")
