"""Reports: an analysis as tables for a terminal, as plain data, and as one page of HTML."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Sequence
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

#: How seats change, where no orders are played.
_SEATS = {ORDERS: "seats drawn", ROTATION: "rotated seats", FIXED: "fixed seats"}
#: Edges that thresholds of MP-Mix are often set to; the first is every edge.
EDGES = (0, 5, 10, 20, 30, 40)

Table = tuple[str, list[str], list[list[str]]]


def tables(found: Analysis, ratings: Sequence[Rating] = ()) -> list[Table]:
    """Every table that has rows, with its caption and head."""
    several = len(found.design.arms) > 1
    rated = [[r.role, f"{r.mu:.1f}", f"{r.sigma:.1f}", str(r.games)] for r in ratings]
    made = (
        _standings(found.standings, several),
        _comparisons(found.comparisons),
        _stances(found.standings, several),
        _edges(found.standings, several),
        _rooms(found.rooms, several),
        ("ratings (Plackett-Luce)", ["agent", "mu", "sigma", "games"], rated),
    )
    return [table for table in made if table[2]]


def headline(design: Design) -> str:
    """What was played, in a line."""
    options = "".join(f", {name}={value}" for name, value in design.options.items())
    opening = f", {design.opening} random opening moves" if design.opening else ""
    orders = design.seatings()
    seats = _SEATS[design.seated_by] if orders is None else f"{orders.count} seatings in turn"
    return (
        f"{design.name}: {design.game}, {design.players} players{options}; seed {design.seed}, "
        f"{seats}{opening}"
    )


def notes(found: Analysis) -> list[str]:
    """What must be said beside the tables."""
    told = list(found.notes)
    count = len(found.comparisons)
    if found.design.looks > 1 and count:
        told.append(
            f"look {found.look} of {found.design.looks} (O'Brien-Fleming): intervals of "
            f"differences hold over all looks and {count} comparisons together; p is of one look"
        )
    elif count > 1:
        told.append(
            f"'Holm' corrects p for {count} comparisons: 5 % error for all of them together; "
            "intervals are 95 % each"
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
    """One page that needs nothing else: tables, and figures if matplotlib is installed."""
    return html_page(found.design.name, html_parts(found, ratings))


def html_parts(found: Analysis, ratings: Sequence[Rating] = ()) -> list[str]:
    """What a page says of an analysis, piece by piece."""
    parts = [f"<p>{html.escape(headline(found.design))}</p>"]
    if found.design.about:
        parts.append(f"<p>{html.escape(found.design.about)}</p>")
    parts += [html_table(head, rows, caption=text) for text, head, rows in tables(found, ratings)]
    parts += [f"<p>Note: {html.escape(note)}.</p>" for note in notes(found)]
    return parts + [drawn for draw in figures(found) for drawn in html_figure(draw)]


def html_figure(draw: Callable[[], Any]) -> list[str]:
    """A figure as a piece of a page; no piece where matplotlib is not installed."""
    drawn = figure_svg(draw)
    return [] if drawn is None else [f"<figure>{drawn}</figure>"]


def html_page(title: str, parts: Sequence[str]) -> str:
    """Pieces as one page."""
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
    """The report as one document."""
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
    """A row per arm and role, all with the same columns."""
    rows = [{**row.flat(), **_room_columns(found, row)} for row in found.standings]
    columns = dict.fromkeys(name for row in rows for name in row)
    return [{name: row.get(name, "") for name in columns} for row in rows]


def _room_columns(found: Analysis, row: Standing) -> dict[str, Any]:
    """The room of each of a role's thresholds, in a column with its name: `room_td`."""
    own = [room for room in found.rooms if (room.arm, room.role) == (row.arm, row.role)]
    named = {
        tuple(part.partition("=")[0] for part in room.threshold.split(" or ")): room.room.mean
        for room in own
    }
    return {"_".join(["room", *names]): mean for names, mean in named.items()}


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
    """A share with its interval, in points of a hundred."""
    form = "{:+.1f}" if signed else "{:.1f}"
    mean = form.format(100 * estimate.mean)
    if not math.isfinite(estimate.low):
        return mean
    return f"{mean} [{form.format(100 * estimate.low)}, {form.format(100 * estimate.high)}]"


def chance(p: float) -> str:
    """A small probability, for people."""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def _standings(rows: Sequence[Standing], several: bool) -> Table:
    head = ["agent", "wins % [95 %]", "if equal", "w/(w+l) %", "rank", "payoff", "plies"]
    head += ["nodes/move", "ms/move", "games", "distinct"]
    lines = [
        [
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
    if several:
        head = ["arm", *head]
        lines = [[row.arm, *line] for row, line in zip(rows, lines, strict=True)]
    return "games won", head, lines


def _comparisons(rows: Sequence[Comparison]) -> Table:
    head = ["who", "minus", "points [95 %]", "p", "Holm", "decided", "games", "distinct"]
    return (
        "differences in games won, game by game",
        head,
        [
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
        ],
    )


def _edges(rows: Sequence[Standing], several: bool) -> Table:
    """How often an edge as great as a threshold is met, for those whose stance depends on it."""
    head = [*(["arm"] if several else []), "agent", "leads by"]
    head += [f">= {edge}" for edge in EDGES[1:]] + ["another by", *(f">= {e}" for e in EDGES[1:])]
    lines = []
    for row in rows:
        turns = sum(row.ahead.values()) + sum(row.behind.values())
        if len(row.stances) > 1 and turns:
            shares = [
                f"{100 * sum(n for bar, n in bars.items() if EDGE * bar >= edge) / turns:.1f} %"
                for bars in (row.ahead, row.behind)
                for edge in EDGES
            ]
            lines.append([*([row.arm] if several else []), row.role, *shares])
    return "turns by the edge of the first over the second, as evaluated", head, lines


def _rooms(rows: Sequence[Room], several: bool) -> Table:
    """What each threshold leaves to be gained over MaxN."""
    head = [*(["arm"] if several else []), "agent", "threshold", "reached %", "then lost %"]
    head += ["room [95 %]", "by", "games"]
    lines = [
        [
            *([row.arm] if several else []),
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


def _stances(rows: Sequence[Standing], several: bool) -> Table:
    """The share of turns by stance, for those who take more than one."""
    head = [*(["arm"] if several else []), "agent", "turns by stance"]
    lines = [
        [
            *([row.arm] if several else []),
            row.role,
            ", ".join(f"{name} {100 * part:.1f} %" for name, part in row.stances.items()),
        ]
        for row in rows
        if len(row.stances) > 1
    ]
    return "stances", head, lines
