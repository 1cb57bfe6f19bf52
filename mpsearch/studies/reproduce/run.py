"""A reproduction that was run: its verdicts and the evidence behind them."""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from typing import Any

import attrs

import mpsearch
from mpsearch import experiments
from mpsearch._util import html_table, text_table
from mpsearch.experiments import Design, GameResult, Store
from mpsearch.studies.reproduce.claims import Verdict, verdict_entries
from mpsearch.studies.reproduce.measures import judge
from mpsearch.studies.reproduce.shipped_designs import Shipped


@attrs.frozen(kw_only=True)
class Evidence:
    """The results behind the verdicts: as text, as parts of an HTML page, for CSV, as a figure."""

    text: Callable[[], str]
    parts: Callable[[], list[str]]
    rows: Callable[[], list[dict[str, Any]]]
    figure: Callable[[], Any]


@attrs.frozen(kw_only=True)
class Reproduction:
    """A shipped experiment that was run, in whole or in part."""

    shipped: Shipped
    seed: int
    verdicts: tuple[Verdict, ...]
    #: None before the first game.
    evidence: Evidence | None = None

    @property
    def command(self) -> str:
        """The command that runs it again."""
        text = f"mpsearch reproduce {self.shipped.name} --scale {self.shipped.scale}"
        return text if self.seed == self.shipped.seed else f"{text} --seed {self.seed}"

    def rows(self) -> list[dict[str, Any]]:
        """A row per claim, for CSV and JSON."""
        return [
            {
                "name": self.shipped.name,
                "rows": " ".join(map(str, self.shipped.rows)),
                **verdict_entries(found),
                "seed": self.seed,
                "version": mpsearch.__version__,
                "command": self.command,
            }
            for found in self.verdicts
        ]

    def __str__(self) -> str:
        parts = [self._headline()]
        if self.evidence is not None:
            parts.append(self.evidence.text())
        parts.append(text_table(*self._table()))
        return "\n\n".join(parts)

    def page(self) -> str:
        """The whole as one HTML page."""
        parts = [
            f"<p>{html.escape(self._headline())}</p>",
            html_table(*self._table(), caption="verdicts"),
        ]
        if self.evidence is not None:
            parts += self.evidence.parts()
        return experiments.html_page(self.shipped.name, parts)

    def _headline(self) -> str:
        return f"{self.shipped.paper} (checklist {', '.join(map(str, self.shipped.rows))})"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        return ["claim", "printed", "ours [95 %]", "p (Holm)", "miss", "games", "verdict"], [
            [
                found.claim.text,
                found.claim.printed,
                _shown(found),
                experiments.chance(found.corrected),
                "-" if math.isnan(found.miss) else f"{found.miss:.1f}",
                str(found.games),
                found.verdict,
            ]
            for found in self.verdicts
        ]


def _shown(found: Verdict) -> str:
    if math.isnan(found.ours):
        return "-"
    ours = experiments.Estimate(mean=found.ours, low=found.low, high=found.high)
    return ours.told("{:+.1f}" if found.claim.first else "{:.1f}")


def judged(shipped: Shipped, design: Design, store: Store) -> Reproduction:
    """Verdicts on the claims of a shipped design by its games so far."""
    games: dict[str, list[GameResult]] = {}
    for played in experiments.played_games(store, design):
        games.setdefault(played.arm, []).append(played)
    firsts = {arm.label: arm.roles[0] for arm in design.arms}
    evidence = None
    if games:
        found = experiments.analyse_store(design, store)
        evidence = Evidence(
            text=lambda: experiments.text_report(found),
            parts=lambda: experiments.html_parts(found),
            rows=lambda: experiments.csv_rows(found),
            figure=lambda: experiments.all_in_one(found),
        )
    return Reproduction(
        shipped=shipped,
        seed=design.seed,
        verdicts=tuple(judge(shipped.claims, games, firsts=firsts)),
        evidence=evidence,
    )
