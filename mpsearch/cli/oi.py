"""oi: Opponent Impact of games."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mpsearch.cli.common import Json, Options, Players, Seed, print_json, print_rows, set_table
from mpsearch.cli.interrupt import interruptible
from mpsearch.contracts import GameOffer
from mpsearch.errors import UsageError
from mpsearch.impact import GameSample, Survey, make_surveys, survey_games
from mpsearch.impact.output import Finding, check_plot, draw, json_rows, make_finding, write_csv
from mpsearch.impact.sample import TOLERANCE


def measure_impact(
    game: Annotated[list[str], typer.Option("--game", help="A game; repeat it for several.")],
    depths: Annotated[str, typer.Option("--depths", help="Depths such as 1-4 or 1,3.")] = "1-2",
    games: Annotated[int, typer.Option("--games", min=1, help="Games played of each.")] = 20,
    evaluator: Annotated[
        list[str] | None,
        typer.Option("--evaluator", help="What states are worth: NAME, or GAME.NAME for one game."),
    ] = None,
    branching: Annotated[
        list[str] | None,
        typer.Option("--branching", help="The moves looked at: NAME, or GAME.NAME for one game."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", help="Who plays; repeat it, and they take turns at the seats."),
    ] = None,
    players: Players = None,
    option: Options = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0.0, help="Values that differ by no more are equal.")
    ] = TOLERANCE,
    processes: Annotated[int, typer.Option("--processes", min=1)] = 1,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write every share here, by pair and stage too.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw OI by depth and by stage of the game.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Measure Opponent Impact: in how many states can the mover change what others get?"""
    wanted = read_depths(depths)
    if math.isnan(tolerance):
        raise UsageError("--tolerance nan is not a number, 0 or more")
    for path in (csv, plot):
        if path is not None and not path.absolute().parent.is_dir():
            raise UsageError(f"{path}: there is no folder {path.absolute().parent}")
    if plot is not None:
        check_plot(plot)
    names = list(dict.fromkeys(game))
    work: list[tuple[GameOffer, list[Survey]]] = []
    for name in names:
        table = set_table(name, players, _for_game(option, name, names))
        surveys = make_surveys(
            table.catalog,
            game=name,
            players=table.game.players,
            options=table.options,
            agents=agent or ["greedy"],
            games=games,
            depths=wanted,
            evaluator=_last(_for_game(evaluator, name, names)),
            branching=_last(_for_game(branching, name, names)),
            tolerance=tolerance,
            seed=seed,
        )
        work.append((table.catalog.game_offer(name), surveys))
    findings = _measure([surveys for _, surveys in work], processes)
    printed = {offer.name: offer.printed_impact for offer, _ in work}
    if csv is not None:
        write_csv(csv, findings)
    if plot is not None:
        draw(plot, findings, printed)
    if as_json:
        print_json([row for finding in findings for row in json_rows(finding)])
    else:
        _print(findings, {name: dict(figures) for name, figures in printed.items()})


def read_depths(text: str) -> tuple[int, ...]:
    """Depths as the user writes them: 3, 1-4, or 1,2,5-7."""
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.partition("-")
        if not (low.isdecimal() and (high.isdecimal() or not dash)):
            raise UsageError(f"--depths '{text}' is not of the form 1-4 or 1,3")
        depths = range(int(low), int(high if dash else low) + 1)
        if not depths or depths[0] < 1 or depths[-1] > 99:
            raise UsageError(f"--depths '{text}': depths rise from 1 to 99 at most")
        found |= set(depths)
    return tuple(sorted(found))


def _for_game(texts: Sequence[str] | None, name: str, names: Sequence[str]) -> list[str]:
    """What is meant for one game: texts that begin with its name and a dot, or with no game's."""
    found = []
    for text in texts or ():
        head, dot, rest = text.partition(".")
        if not (dot and head.isidentifier()) or "=" in head:
            found.append(text)
        elif head == name:
            found.append(rest)
        elif head not in names:
            raise UsageError(f"'{text}': '{head}' is not one of the games {', '.join(names)}")
    return found


def _last(texts: Sequence[str]) -> str | None:
    return texts[-1] if texts else None


def _measure(work: Sequence[Sequence[Survey]], processes: int) -> list[Finding]:
    """Play and measure; after Ctrl-C, what there is so far."""
    samples: list[list[GameSample]] = [[] for _ in work]
    jobs = [(k, survey) for k, surveys in enumerate(work) for survey in surveys]
    try:
        done = survey_games((survey for _, survey in jobs), processes=processes)
        with interruptible():
            for number, ((k, survey), sample) in enumerate(zip(jobs, done, strict=True), start=1):
                samples[k].append(sample)
                _show_progress(number, len(jobs), survey.setting.game, sample)
    except KeyboardInterrupt:
        if not any(samples):
            raise
        count = sum(map(len, samples))
        print(f"\nmpsearch: interrupted after {count} of {len(jobs)} games", file=sys.stderr)
    return [make_finding(found) for found in samples if found]


def _show_progress(number: int, total: int, name: str, sample: GameSample) -> None:
    states = len(sample.movers)
    rate = states / max(sample.seconds, 1e-9)
    text = f"{number}/{total} games  {name}: {states} states, {rate:,.0f} states/s"
    if sys.stderr.isatty():
        done = 24 * number // total
        end = "\n" if number == total else ""
        bar = f"\r\x1b[K[{'#' * done}{'.' * (24 - done)}] {text}"
        print(bar, end=end, file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def _print(findings: Sequence[Finding], printed: dict[str, dict[int, float]]) -> None:
    rows = []
    for finding in findings:
        figures = printed[finding.game]
        for table in finding.tables:
            found = table.total
            whole = f"({figures[0]:.2f})" if 0 in figures else ""
            rows.append(
                [
                    finding.game,
                    str(table.depth),
                    table.reading,
                    f"{found.oi:.3f}",
                    f"{found.low:.3f} to {found.high:.3f}",
                    f"{figures[table.depth]:.3f}" if table.depth in figures else whole,
                    str(found.states),
                    str(table.games),
                    " ".join(f"{s.oi:.2f}" if s.states else "-" for s in table.stages),
                ]
            )
    head = ["game", "depth", "reading", "OI", "95 % interval", "printed", "states", "games"]
    print_rows([*head, "by tenth of the game"], rows)
    for finding in findings:
        _print_pairs(finding)


def _print_pairs(finding: Finding) -> None:
    """Who can touch whom at the greatest depth, in the paper's reading."""
    table = next(t for t in reversed(finding.tables) if t.reading == "variation")
    seats = range(finding.samples[0].survey.setting.players)
    print(f"\n{finding.game}, depth {table.depth}, {table.reading}: the mover's row, by opponent")
    rows = []
    for a in seats:
        cells = [table.pairs.get((a, b)) for b in seats]
        shown = [f"{cell.oi:.2f}" if cell is not None and cell.states else "-" for cell in cells]
        rows.append([f"seat {a}", *shown])
    print_rows(["", *(f"seat {b}" for b in seats)], rows)
    print(f"{finding.speed:,.0f} states per second and core, all depths together")
