"""Presets: named agents, of one game or of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mpsearch.contracts import GameOffer, Preset
from mpsearch.plugins import Catalog

#: The strengths: presets of every game that declares none of that name. In fast games the node
#: limit is reached first, so that the same seed gives the same game; in slow ones the time limit.
GENERAL = (
    Preset(name="easy", summary="looks one ply ahead", text="greedy"),
    Preset(name="medium", summary="MP-Mix at depth 2", text="mpmix:td=20,to=20,depth=2"),
    Preset(
        name="hard",
        summary="MP-Mix, up to half a second a move",
        text="mpmix:td=20,to=20,nodes=100000,time=0.5",
    ),
    Preset(
        name="hardest",
        summary="MP-Mix, up to three seconds a move",
        text="mpmix:td=20,to=20,nodes=1000000,time=3",
    ),
)


def presets_of(
    catalog: Catalog, offer: GameOffer, players: int, options: Mapping[str, Any]
) -> dict[str, Preset]:
    """Every preset of a game by name; its own override the general ones."""
    found = {p.name: p for p in GENERAL if p.name not in catalog.propagators}
    own = [preset for preset in offer.presets if preset.holds(players, options)]
    return found | {preset.name: preset for preset in reversed(own)}


def preset_names(catalog: Catalog, offer: GameOffer) -> list[str]:
    """The names of all presets of a game, for any players and options."""
    general = [p.name for p in GENERAL if p.name not in catalog.propagators]
    return list(dict.fromkeys([*general, *(preset.name for preset in offer.presets)]))
