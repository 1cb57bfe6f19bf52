"""Tables of Opponent Impact as text, as rows for JSON and CSV, and as a figure."""

from __future__ import annotations

import functools
import importlib.resources
import math
import tomllib
from collections.abc import Sequence
from typing import Any

import attrs

from mpsearch._util import html_table, text_table
from mpsearch.experiments import few_distinct, figure_svg, make_frame, new_figure
from mpsearch.studies.impact.estimate import STAGES, ImpactRow, Share, tabulate
from mpsearch.studies.impact.evaluation import OWN, PAYOFF
from mpsearch.studies.impact.playouts import ERROR
from mpsearch.studies.impact.sample import GameSample, Survey

#: Columns of the CSV; `scope` is all, pair or stage.
IMPACT_COLUMNS = (
    "game", "depth", "reading", "scope", "mover", "opponent", "stage",
    "oi", "low", "high", "states", "games", "distinct", "partial",
)  # fmt: skip

_READINGS_TOLD = (
    "variation: the share of states in which the mover's choice changes what an opponent gets.\n"
    "reduction: in which some move leaves an opponent with less than it had before."
)
_HEAD = [
    "game", "depth", "reading", "OI", "95 % interval", "printed", "states", "games",
    "distinct", "by tenth of the game",
]  # fmt: skip


def printed_impact(game: str) -> dict[int, float]:
    """The published figures of a game by depth; depth 0 stands for the game as a whole."""
    return {int(depth): oi for depth, oi in printed_figures()["printed"].get(game, {}).items()}


@functools.cache
def printed_figures() -> dict[str, Any]:
    """The file of published figures and how to measure them again."""
    file = importlib.resources.files("mpsearch") / "studies" / "reproduce" / "impact.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@attrs.frozen(kw_only=True)
class Finding:
    """All that was measured in one game."""

    samples: tuple[GameSample, ...] = attrs.field(repr=False)
    #: By depth and reading.
    rows: tuple[ImpactRow, ...]
    #: Whether it stopped before all games were played.
    partial: bool = False

    @property
    def survey(self) -> Survey:
        """How the first game was surveyed, which is how all were."""
        return self.samples[0].survey

    @property
    def game(self) -> str:
        """The game's name."""
        return self.survey.setting.game

    @property
    def note(self) -> str:
        """What the figures were measured with, and whether they are comparable between games."""
        survey = self.survey
        if survey.kind == PAYOFF:
            return (
                f"{self.game}: by {survey.playouts} random play-outs after each move with common "
                f"random numbers; {ERROR:.0%} of states without influence are expected to show some"
            )
        counted = "" if survey.horizon == "plies" else f"; depths are {survey.horizon}"
        if survey.kind == OWN:
            return (
                f"{self.game}: '{survey.evaluator}' depends only on each seat's own assets{counted}"
            )
        return (
            f"{self.game}: '{survey.evaluator}' shares out a whole, so every gain is another's "
            f"loss: do not compare it with games measured by own assets{counted}"
        )

    def lines(self) -> list[dict[str, Any]]:
        """Every share with any state, one per row of the CSV."""
        lines = []
        for row in self.rows:
            head = {"game": self.game, "depth": row.depth, "reading": row.reading}
            head |= {"games": row.games, "distinct": row.distinct, "partial": self.partial}
            shares: list[tuple[dict[str, Any], Share]] = [({"scope": "all"}, row.total)]
            shares += [
                ({"scope": "pair", "mover": a, "opponent": b}, found)
                for (a, b), found in row.pairs.items()
            ]
            shares += [
                ({"scope": "stage", "stage": stage / STAGES}, found)
                for stage, found in enumerate(row.stages)
            ]
            lines += [{**head, **where, **_plain(share)} for where, share in shares if share.states]
        return lines

    @property
    def speed(self) -> float:
        """States examined per second and core, all depths together."""
        states = sum(len(sample.movers) for sample in self.samples)
        return states / max(sum(sample.seconds for sample in self.samples), 1e-9)


def make_finding(samples: Sequence[GameSample], *, partial: bool = False) -> Finding:
    """The finding of one game's samples."""
    return Finding(samples=tuple(samples), rows=tuple(tabulate(samples)), partial=partial)


def impact_table(work: Sequence[Sequence[Survey]], samples: Sequence[GameSample]) -> ImpactTable:
    """The table of several games from the samples so far, which are in the order of the surveys."""
    findings, begin = [], 0
    for surveys in work:
        own = samples[begin : begin + len(surveys)]
        begin += len(surveys)
        if own:
            findings.append(make_finding(own, partial=len(own) < len(surveys)))
    return ImpactTable(tuple(findings))


@attrs.frozen
class ImpactTable:
    """Opponent Impact of one or more games. `print` it, or look at it in a notebook."""

    findings: tuple[Finding, ...]

    def rows(self) -> list[dict[str, Any]]:
        """A row per game, depth and reading, as in JSON; shares without any state are left out."""
        return [row for finding in self.findings for row in _json_rows(finding)]

    def lines(self) -> list[dict[str, Any]]:
        """Every share, one per row of the CSV."""
        return [line for finding in self.findings for line in finding.lines()]

    def rows_of_csv(self) -> list[dict[str, Any]]:
        """The same with all columns in every row."""
        return [{column: line.get(column) for column in IMPACT_COLUMNS} for line in self.lines()]

    def to_frame(self) -> Any:
        """Every share, one per row, as a pandas or polars data frame."""
        return make_frame(self.rows_of_csv())

    def figure(self) -> Any:
        """OI by depth with the printed figures, and by stage of the game at the greatest depth."""
        return _figure(self.findings)

    def __str__(self) -> str:
        pairs = "".join(f"\n\n{_pairs(finding)}" for finding in self.findings)
        notes = [finding.note for finding in self.findings]
        notes += [
            few_distinct(f.rows[0].distinct, f.rows[0].games, what=f.game) for f in self.findings
        ]
        told = "".join(f"\n\nnote: {note}" for note in notes if note)
        return f"{text_table(_HEAD, self._cells())}\n\n{_READINGS_TOLD}{pairs}{told}"

    def _repr_html_(self) -> str:
        picture = figure_svg(self.figure)
        return html_table(_HEAD, self._cells(), caption="Opponent Impact", picture=picture)

    def _cells(self) -> list[list[str]]:
        return [_cells(finding, row) for finding in self.findings for row in finding.rows]


def _cells(finding: Finding, row: ImpactRow) -> list[str]:
    printed, found = printed_impact(finding.game), row.total
    whole = f"({printed[0]:.2f})" if 0 in printed else ""
    return [
        finding.game,
        str(row.depth),
        row.reading,
        _figure_text(found, 3),
        f"{found.low:.3f} to {found.high:.3f}" if math.isfinite(found.high) else "unknown",
        f"{printed[row.depth]:.3f}" if row.depth in printed else whole,
        str(found.states),
        str(row.games) + " (partial)" * finding.partial,
        str(row.distinct),
        " ".join(_figure_text(stage, 2) for stage in row.stages),
    ]


def _figure_text(found: Share, places: int) -> str:
    """The figure, or a dash where it is not defined."""
    return "-" if not found.states or math.isnan(found.oi) else f"{found.oi:.{places}f}"


def _pairs(finding: Finding) -> str:
    """Who can affect whom at the greatest depth, in the paper's reading."""
    row = next(row for row in reversed(finding.rows) if row.reading == "variation")
    seats = range(finding.survey.setting.players)
    lines = []
    for a in seats:
        cells = [row.pairs.get((a, b)) for b in seats]
        shown = ["-" if cell is None else _figure_text(cell, 2) for cell in cells]
        lines.append([f"seat {a}", *shown])
    return (
        f"{finding.game}, depth {row.depth}, {row.reading}: the mover's row, by opponent\n"
        f"{text_table(['', *(f'seat {b}' for b in seats)], lines)}\n"
        f"{finding.speed:,.0f} states per second and core, all depths together"
    )


def _plain(share: Share) -> dict[str, Any]:
    """A share for JSON and CSV, with None for what is unknown."""
    return {
        name: figure if math.isfinite(figure) else None
        for name, figure in attrs.asdict(share).items()
    }


def _json_rows(finding: Finding) -> list[dict[str, Any]]:
    survey = finding.survey
    return [
        {
            "game": finding.game,
            "depth": row.depth,
            "reading": row.reading,
            **_plain(row.total),
            "games": row.games,
            "distinct": row.distinct,
            "partial": finding.partial,
            "pairs": [
                {"mover": a, "opponent": b, **_plain(found)}
                for (a, b), found in row.pairs.items()
                if found.states
            ],
            "stages": [
                {"stage": stage / STAGES, **_plain(found)}
                for stage, found in enumerate(row.stages)
                if found.states
            ],
            "players": survey.setting.players,
            "options": survey.setting.options,
            "agents": sorted(set(survey.setting.agents)),
            "evaluator": survey.evaluator,
            "kind": survey.kind,
            "horizon": survey.horizon,
            "playouts": survey.playouts,
            "branching": survey.branching,
            "tolerance": survey.tolerance,
            "seed": survey.seed,
            "states_per_second": finding.speed,
        }
        for row in finding.rows
    ]


def _figure(findings: Sequence[Finding]) -> Any:
    figure = new_figure(figsize=(11, 4.5), layout="constrained")
    by_depth, by_stage = figure.subplots(1, 2, sharey=True)
    styles = {"variation": "o-", "reduction": "o--"}
    for k, finding in enumerate(findings):
        colour = f"C{k % 10}"
        for reading, style in styles.items():
            rows = [row for row in finding.rows if row.reading == reading]
            depths = [row.depth for row in rows]
            label = f"{finding.game}, {reading}"
            by_depth.plot(depths, [row.total.oi for row in rows], style, color=colour, label=label)
            low, high = [row.total.low for row in rows], [row.total.high for row in rows]
            by_depth.fill_between(depths, low, high, color=colour, alpha=0.12, linewidth=0)
            middle = [(stage + 0.5) / STAGES for stage in range(STAGES)]
            course = [found.oi if found.states else math.nan for found in rows[-1].stages]
            by_stage.plot(middle, course, style, color=colour)
        for depth, oi in printed_impact(finding.game).items():
            if depth:
                by_depth.plot([depth], [oi], "x", color=colour, markersize=9)
            else:
                by_depth.axhline(oi, color=colour, linestyle=":")
    if any(printed_impact(finding.game) for finding in findings):
        by_depth.plot([], [], "x", color="grey", label="printed, at a depth")
        by_depth.plot([], [], ":", color="grey", label="printed, for the game")
    by_depth.set(xlabel="depth", ylabel="Opponent Impact", ylim=(-0.03, 1.03))
    by_depth.xaxis.get_major_locator().set_params(integer=True)
    by_stage.set(xlabel="share of the game played (greatest depth)", xlim=(0, 1))
    figure.legend(fontsize="small", loc="outside right upper")
    return figure
