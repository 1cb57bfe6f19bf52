"""Tables as rows for JSON and CSV, and as a picture with the printed figures beside them."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.impact.estimate import STAGES, Share, Table, tabulate
from mpsearch.impact.sample import GameSample

#: The columns of the CSV; `scope` is all, pair or stage.
COLUMNS = (
    "game", "depth", "reading", "scope", "mover", "opponent", "stage",
    "oi", "low", "high", "states", "games",
)  # fmt: skip


@attrs.frozen(kw_only=True)
class Finding:
    """All that was measured of one game."""

    samples: tuple[GameSample, ...]
    #: By depth and reading.
    tables: tuple[Table, ...]

    @property
    def game(self) -> str:
        """The game's name."""
        return self.samples[0].survey.setting.game

    @property
    def speed(self) -> float:
        """States looked at per second of one core, to all depths together."""
        states = sum(len(sample.movers) for sample in self.samples)
        return states / max(sum(sample.seconds for sample in self.samples), 1e-9)


def make_finding(samples: Sequence[GameSample]) -> Finding:
    """What the samples of one game say."""
    return Finding(samples=tuple(samples), tables=tuple(tabulate(samples)))


def json_rows(finding: Finding) -> list[dict[str, Any]]:
    """A row per depth and reading; shares without any state are left out."""
    survey = finding.samples[0].survey
    return [
        {
            "game": finding.game,
            "depth": table.depth,
            "reading": table.reading,
            **attrs.asdict(table.total),
            "games": table.games,
            "pairs": [
                {"mover": a, "opponent": b, **attrs.asdict(found)}
                for (a, b), found in table.pairs.items()
                if found.states
            ],
            "stages": [
                {"stage": stage / STAGES, **attrs.asdict(found)}
                for stage, found in enumerate(table.stages)
                if found.states
            ],
            "players": survey.setting.players,
            "options": survey.setting.options,
            "agents": sorted(set(survey.setting.agents)),
            "evaluator": survey.evaluator,
            "branching": survey.branching,
            "tolerance": survey.tolerance,
            "seed": survey.setting.seed // 1_000_003,
            "states_per_second": finding.speed,
        }
        for table in finding.tables
    ]


def write_csv(path: Path, findings: Sequence[Finding]) -> None:
    """Every share, one to a line."""
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.DictWriter(file, COLUMNS)
        lines.writeheader()
        for finding in findings:
            for table in finding.tables:
                head = {"game": finding.game, "depth": table.depth, "reading": table.reading}
                head["games"] = table.games

                def line(found: Share, head: dict[str, Any] = head, **where: Any) -> None:
                    if found.states:
                        lines.writerow({**head, **where, **attrs.asdict(found)})

                line(table.total, scope="all")
                for (a, b), found in table.pairs.items():
                    line(found, scope="pair", mover=a, opponent=b)
                for stage, found in enumerate(table.stages):
                    line(found, scope="stage", stage=stage / STAGES)


def check_plot(path: Path) -> None:
    """Fail now, not after hours, if a picture could not be drawn there."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MpsearchError(
            "--plot needs the package matplotlib: pip install 'mpsearch[plots]'"
        ) from None
    kinds = sorted(FigureCanvasAgg(Figure()).get_supported_filetypes())
    if path.suffix.removeprefix(".") not in kinds:
        raise UsageError(f"--plot {path}: the name must end in one of .{', .'.join(kinds)}")


def draw(
    path: Path,
    findings: Sequence[Finding],
    printed: Mapping[str, Sequence[tuple[int, float]]],
) -> None:
    """OI by depth with the printed figures, and by stage of the game at the greatest depth."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    by_depth, by_stage = figure.subplots(1, 2, sharey=True)
    lines = {"variation": "o-", "reduction": "o--"}
    for k, finding in enumerate(findings):
        colour = f"C{k % 10}"
        for reading, style in lines.items():
            tables = [table for table in finding.tables if table.reading == reading]
            depths = [table.depth for table in tables]
            label = f"{finding.game}, {reading}"
            by_depth.plot(depths, [t.total.oi for t in tables], style, color=colour, label=label)
            low, high = [t.total.low for t in tables], [t.total.high for t in tables]
            by_depth.fill_between(depths, low, high, color=colour, alpha=0.12, linewidth=0)
            middle = [(stage + 0.5) / STAGES for stage in range(STAGES)]
            course = [found.oi if found.states else math.nan for found in tables[-1].stages]
            by_stage.plot(middle, course, style, color=colour)
        for depth, oi in printed.get(finding.game, ()):
            if depth:
                by_depth.plot([depth], [oi], "x", color=colour, markersize=9)
            else:
                by_depth.axhline(oi, color=colour, linestyle=":", linewidth=1)
    if any(printed.get(finding.game) for finding in findings):
        by_depth.plot([], [], "x", color="grey", label="printed, at a depth")
        by_depth.plot([], [], ":", color="grey", label="printed, for the game")
    by_depth.set(xlabel="depth", ylabel="Opponent Impact", ylim=(-0.03, 1.03))
    by_depth.xaxis.get_major_locator().set_params(integer=True)
    by_stage.set(xlabel="share of the game played (greatest depth)", xlim=(0, 1))
    figure.legend(fontsize="small", loc="outside right upper")
    figure.savefig(path)
