"""Presets: agents with a name of their own, in one game or in every game."""

from __future__ import annotations

from mpsearch.contracts import GameOffer, Preset
from mpsearch.plugins import Catalog

#: Presets of every game that declares none of that name: the strengths.
GENERAL = (
    Preset(name="easy", summary="looks at its own next position only", text="greedy"),
    Preset(name="medium", summary="MP-Mix at depth 2", text="mpmix:td=20,to=20,depth=2"),
    Preset(name="hard", summary="MP-Mix at depth 4", text="mpmix:td=20,to=20,depth=4"),
)


def presets_of(catalog: Catalog, offer: GameOffer) -> dict[str, Preset]:
    """Every preset of a game by name; its own goes before whatever else has that name."""
    general = {p.name: p for p in GENERAL if p.name not in catalog.propagators}
    return general | {preset.name: preset for preset in offer.presets}
