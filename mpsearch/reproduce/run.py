"""Running a shipped experiment, and what is kept of it: verdicts and standings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs

import mpsearch
from mpsearch.catalog import Catalog
from mpsearch.display import text_table
from mpsearch.experiments.analysis import Analysis
from mpsearch.experiments.engines import Engine
from mpsearch.experiments.games import Played
from mpsearch.experiments.report import chance, text_report
from mpsearch.experiments.run import analyse_store, played_games, run_design
from mpsearch.experiments.store import Store
from mpsearch.reproduce.claims import Verdict, judge
from mpsearch.reproduce.shipped import Shipped


@attrs.frozen(kw_only=True)
class Reproduction:
    """A shipped experiment that was played, all of it or in part."""

    shipped: Shipped
    seed: int
    verdicts: tuple[Verdict, ...]
    #: None for what is no tournament.
    analysis: Analysis | None = None

    @property
    def command(self) -> str:
        """What makes it again."""
        return f"mpsearch reproduce {self.shipped.name} --scale {self.shipped.scale}"

    def rows(self) -> list[dict[str, Any]]:
        """A row per claim, for CSV and JSON."""
        return [
            {
                "name": self.shipped.name,
                "rows": " ".join(map(str, self.shipped.rows)),
                "claim": found.claim.text,
                "printed": found.claim.printed,
                "ours": _rounded(found.ours),
                "low": _rounded(found.low),
                "high": _rounded(found.high),
                "p": float(f"{found.p:.3g}"),
                "verdict": found.verdict,
                "games": found.games,
                "seed": self.seed,
                "version": mpsearch.__version__,
                "command": self.command,
            }
            for found in self.verdicts
        ]

    def __str__(self) -> str:
        head = ["claim", "printed", "ours [95 %]", "p (Holm)", "games", "verdict"]
        rows = [
            [
                found.claim.text,
                found.claim.printed,
                _shown(found),
                chance(found.p),
                str(found.games),
                found.verdict,
            ]
            for found in self.verdicts
        ]
        parts = [f"{self.shipped.paper} (checklist {', '.join(map(str, self.shipped.rows))})"]
        if self.analysis is not None:
            parts.append(text_report(self.analysis))
        parts.append(text_table(head, rows))
        return "\n\n".join(parts)


def _rounded(value: float) -> float | str:
    return "" if math.isnan(value) else round(value, 2)


def _shown(found: Verdict) -> str:
    if math.isnan(found.ours):
        return "-"
    form = "{:.1f}" if found.claim.share is not None else "{:+.1f}"
    ours, low, high = (form.format(value) for value in (found.ours, found.low, found.high))
    return f"{ours} [{low}, {high}]"


def reproduce(
    shipped: Shipped,
    catalog: Catalog,
    *,
    store: Store,
    engine: Engine,
    show: Callable[[int], None] = lambda done: None,
) -> None:
    """Play what the store lacks of a shipped experiment."""
    design = shipped.design(catalog)
    store.bind(design.document(), text=shipped.file.text)
    run_design(design, store=store, engine=engine, show=show)


def judged(shipped: Shipped, catalog: Catalog, store: Store) -> Reproduction:
    """What the games so far say to the claims."""
    design = shipped.design(catalog)
    games: dict[str, list[Played]] = {}
    for played in played_games(store, design):
        games.setdefault(played.arm, []).append(played)
    return Reproduction(
        shipped=shipped,
        seed=design.seed,
        verdicts=tuple(judge(shipped.claims, games)),
        analysis=analyse_store(design, store) if games else None,
    )
