"""Reports of an analysis: text tables, plain data and an HTML page."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

from mpsearch._util import html_table, text_table
from mpsearch.experiments.analysis import Analysis, Comparison, Standing, ranks
from mpsearch.experiments.confidence_intervals import Estimate
from mpsearch.experiments.design import Design
from mpsearch.experiments.games import EDGE, GameResult
from mpsearch.experiments.output import figure_svg
from mpsearch.experiments.plots import figures
from mpsearch.experiments.ratings import Rating
from mpsearch.experiments.room import Room
from mpsearch.experiments.seating import FIXED, ORDERS, ROTATION
from mpsearch.experiments.seeds import game_seed

#: How seats change where no orders are played.
_SEATS = {ORDERS: "seats drawn", ROTATION: "rotated seats", FIXED: "fixed seats"}
#: Usual thresholds of MP-Mix; the first is every edge.
EDGES = (0, 5, 10, 20, 30, 40)

#: Caption, head and rows.
Table = tuple[str, list[str], list[list[str]]]


def tables(found: Analysis, ratings: Sequence[Rating] = ()) -> list[Table]:
    """All tables with rows; a column `arm` only if there are several."""
    rated = [[r.role, f"{r.mu:.1f}", f"{r.sigma:.1f}", str(r.games)] for r in ratings]
    made = (
        _standings(found.standings),
        _comparisons(found.comparisons),
        _stances(found.standings),
        _edges(found.standings),
        _rooms(found.rooms),
        ("ratings (Plackett-Luce)", ["agent", "mu", "sigma", "games"], rated),
    )
    several = len(found.design.arms) > 1
    return [
        (caption, head, rows)
        if several or head[0] != "arm"
        else (caption, head[1:], [row[1:] for row in rows])
        for caption, head, rows in made
        if rows
    ]


def headline(design: Design) -> str:
    """The design in one line."""
    options = "".join(f", {name}={value}" for name, value in design.options.items())
    opening = f", {design.opening} random opening moves" if design.opening else ""
    orders = design.seatings()
    seats = _SEATS[design.seated_by] if orders is None else f"{orders.count} seatings in turn"
    return (
        f"{design.name}: {design.game}, {design.players} players{options}; seed {design.seed}, "
        f"{seats}{opening}"
    )


def notes(found: Analysis) -> list[str]:
    """The caveats below the tables."""
    told = list(found.notes)
    count = len(found.comparisons)
    if found.design.looks > 1 and count:
        told.append(
            f"look {found.look} of {found.design.looks} (O'Brien-Fleming): intervals of "
            f"differences hold over all looks and {count} comparisons; p is for one look"
        )
    elif count > 1:
        told.append(
            f"'Holm' corrects p for {count} comparisons: rejecting at adjusted p < 0.05 controls "
            "the family-wise error rate at 5 %; intervals are 95 % each"
        )
    return told


def text_report(found: Analysis, ratings: Sequence[Rating] = ()) -> str:
    """The report for a terminal."""
    parts = [headline(found.design)]
    if found.design.about:
        parts.append(found.design.about.strip())
    for caption, head, rows in tables(found, ratings):
        parts.append(f"{caption}\n{text_table(head, rows)}")
    parts += [f"note: {note}" for note in notes(found)]
    return "\n\n".join(parts)


def html_report(found: Analysis, ratings: Sequence[Rating] = ()) -> str:
    """A self-contained page with tables, and figures if matplotlib is installed."""
    return html_page(found.design.name, html_parts(found, ratings))


def html_parts(found: Analysis, ratings: Sequence[Rating] = ()) -> list[str]:
    """The parts of the page of an analysis."""
    parts = [f"<p>{html.escape(headline(found.design))}</p>"]
    if found.design.about:
        parts.append(f"<p>{html.escape(found.design.about)}</p>")
    parts += [html_table(head, rows, caption=text) for text, head, rows in tables(found, ratings)]
    parts += [f"<p>Note: {html.escape(note)}.</p>" for note in notes(found)]
    drawn = [figure_svg(draw) for draw in figures(found)]
    return parts + [f"<figure>{svg}</figure>" for svg in drawn if svg is not None]


def html_page(title: str, parts: Sequence[str]) -> str:
    """Parts as one page."""
    title = html.escape(title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title>"
        f"<style>{_STYLE}</style></head><body>\n"
        + "\n".join([f"<h1>{title}</h1>", *parts])
        + "\n</body></html>\n"
    )


_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}table{border-collapse:collapse;margin:1.5rem 0}"
    "caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "td,th{padding:.2rem .8rem .2rem 0;text-align:left;border-bottom:1px solid #ddd}"
    "figure{margin:1.5rem 0}svg{max-width:100%;height:auto}p,li{overflow-wrap:anywhere}"
    "table{display:block;overflow-x:auto}@media(max-width:30rem){h1{font-size:1.4rem}"
    "ul{padding-left:1.2rem}svg.values text{font-size:24px}svg.values .note{display:none}}"
)


def json_report(found: Analysis, ratings: Sequence[Rating] = ()) -> dict[str, Any]:
    """The report for JSON."""
    design = found.design
    document: dict[str, Any] = {
        "name": design.name,
        "game": design.game,
        "players": design.players,
        "options": design.options,
        "seed": design.seed,
        "opening": design.opening,
        "games": found.games,
        "agents": [row.flat() for row in found.standings],
        "comparisons": [row.flat() for row in found.comparisons],
        "rooms": [row.flat() for row in found.rooms],
        "notes": notes(found),
    }
    if ratings:
        document["ratings"] = [{"agent": r.role, "mu": r.mu, "sigma": r.sigma} for r in ratings]
    return document


def csv_rows(found: Analysis) -> list[dict[str, Any]]:
    """A row per arm and role, all with the same columns; `room_td` is the room of threshold td."""
    rows = []
    for row in found.standings:
        rows.append(row.flat())
        for room in found.rooms:
            if (room.arm, room.role) == (row.arm, row.role):
                names = [part.partition("=")[0] for part in room.threshold.split(" or ")]
                rows[-1]["_".join(["room", *names])] = room.room.mean
    columns = dict.fromkeys(name for row in rows for name in row)
    return [{name: row.get(name, "") for name in columns} for row in rows]


def game_rows(design: Design, games: Iterable[GameResult]) -> list[dict[str, Any]]:
    """A row per seat of every game."""
    parameters = dict.fromkeys(key for arm in design.arms for key in arm.parameters)
    rows = []
    for played in games:
        arm = design.arm(played.arm)
        shares, places = played.shares(), ranks(played.payoff)
        rows += [
            {
                "arm": arm.label,
                **{key: arm.parameters.get(key) for key in parameters},
                "number": played.number,
                "seed": game_seed(design.seed, played.number),
                "seat": seat,
                "agent": role,
                "payoff": float(played.payoff[seat]),
                "won": shares[seat],
                "rank": float(places[seat]),
                "plies": played.plies,
                "moves": played.logs[seat].moves,
                "nodes": played.logs[seat].nodes,
                "seconds": played.logs[seat].seconds,
                "game": played.identity,
            }
            for seat, role in enumerate(played.roles)
        ]
    return rows


def share(estimate: Estimate, *, signed: bool = False) -> str:
    """A share with its interval, in percent."""
    return estimate.told("{:+.1f}" if signed else "{:.1f}", scale=100)


def chance(p: float) -> str:
    """A p-value for people."""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def _standings(rows: Sequence[Standing]) -> Table:
    head = ["arm", "agent", "wins % [95 %]", "if equal", "w/(w+l) %", "rank", "payoff", "plies"]
    head += ["nodes/move", "ms/move", "games", "distinct"]
    lines = [
        [
            row.arm,
            row.role,
            share(row.wins),
            f"{100 * row.equal:.1f}",
            f"{100 * row.won_of_decided.mean:.1f}",
            f"{row.rank:.2f}",
            f"{row.payoff:.3g}",
            f"{row.plies:.0f}",
            f"{row.nodes:,.0f}",
            f"{1000 * row.seconds:.3g}",
            str(row.games),
            str(row.distinct),
        ]
        for row in rows
    ]
    return "games won", head, lines


def _comparisons(rows: Sequence[Comparison]) -> Table:
    head = ["who", "minus", "points [95 %]", "p", "Holm", "decided", "games", "distinct"]
    lines = [
        [
            row.first,
            row.second,
            share(row.told, signed=True),
            chance(row.difference.p),
            chance(row.corrected),
            "yes" if row.decided else "no",
            str(row.games),
            str(row.difference.draws),
        ]
        for row in rows
    ]
    return "differences in games won, game by game", head, lines


def _edges(rows: Sequence[Standing]) -> Table:
    """How often an edge reaches a threshold, for agents with several stances."""
    edges = [f">= {edge}" for edge in EDGES[1:]]
    head = ["arm", "agent", "leads by", *edges, "another by", *edges]
    lines = []
    for row in rows:
        turns = sum(row.ahead.values()) + sum(row.behind.values())
        if len(row.stances) > 1 and turns:
            shares = [
                f"{100 * sum(n for bar, n in bars.items() if EDGE * bar >= edge) / turns:.1f} %"
                for bars in (row.ahead, row.behind)
                for edge in EDGES
            ]
            lines.append([row.arm, row.role, *shares])
    return "turns by the edge of the first over the second, as evaluated", head, lines


def _rooms(rows: Sequence[Room]) -> Table:
    """What each threshold can gain over MaxN at most."""
    head = ["arm", "agent", "threshold", "reached %", "then lost %", "room [95 %]", "by", "games"]
    lines = [
        [
            row.arm,
            row.role,
            row.threshold,
            f"{100 * row.reached:.1f}",
            "-" if math.isnan(row.lost) else f"{100 * row.lost:.1f}",
            share(row.room),
            row.by,
            str(row.games),
        ]
        for row in rows
    ]
    return "room: the most that a threshold can gain over MaxN, in points of games won", head, lines


def _stances(rows: Sequence[Standing]) -> Table:
    """The share of turns by stance, for agents with several."""
    lines = [
        [
            row.arm,
            row.role,
            ", ".join(f"{name} {100 * part:.1f} %" for name, part in row.stances.items()),
        ]
        for row in rows
        if len(row.stances) > 1
    ]
    return "stances", ["arm", "agent", "turns by stance"], lines
