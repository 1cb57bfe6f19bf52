"""Tournaments: many games of the same agents in all seat orders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from mpsearch._util import html_table, text_table
from mpsearch.api import Table, table
from mpsearch.errors import UsageError
from mpsearch.experiments.analysis import Analysis, Standing
from mpsearch.experiments.design import Arm, Design, Seated
from mpsearch.experiments.engines import make_engine
from mpsearch.experiments.games import GameResult
from mpsearch.experiments.output import figure_svg, make_frame
from mpsearch.experiments.plan import bind_design
from mpsearch.experiments.plots import all_in_one
from mpsearch.experiments.report import game_rows, text_report
from mpsearch.experiments.run import analyse_store, played_games, run_until_cut
from mpsearch.experiments.seating import SEATINGS
from mpsearch.experiments.series import series_at
from mpsearch.experiments.store import Store


@attrs.frozen(kw_only=True)
class Results:
    """The games of a tournament. `print` it, or display it in a notebook."""

    #: Standings, comparisons and notes.
    analysis: Analysis = attrs.field(repr=False)
    played: tuple[GameResult, ...] = attrs.field(repr=False)
    #: The game and its options.
    title: str
    #: Why it stopped early, if it did.
    cut: str | None = None

    @property
    def standings(self) -> list[Standing]:
        """A row per agent, the strongest first."""
        return sorted(self.analysis.standings, key=lambda row: -row.wins.mean)

    def report(self) -> str:
        """All tables, as `mpsearch tournament` prints them."""
        return text_report(self.analysis)

    def to_frame(self, *, games: bool = False) -> Any:
        """The standings, or every seat of every game, as a pandas or polars data frame."""
        if not games:
            return make_frame([row.flat() for row in self.standings])
        shown = ("seed", "seat", "agent", "payoff", "won", "plies")
        rows = game_rows(self.analysis.design, self.played)
        return make_frame(
            [{"game": row["number"], **{key: row[key] for key in shown}} for row in rows]
        )

    def __str__(self) -> str:
        return f"{self._headline()}\n{text_table(*self._table())}"

    def _repr_html_(self) -> str:
        shown = attrs.evolve(self.analysis, standings=tuple(self.standings))
        picture = figure_svg(lambda: all_in_one(shown))
        return html_table(*self._table(), caption=self._headline(), picture=picture)

    def _headline(self) -> str:
        count = len(self.played)
        partial = f" of {self.analysis.design.games} ({self.cut})" if self.cut is not None else ""
        distinct = len({played.identity for played in self.played})
        equal = "" if distinct == count else f", {distinct} distinct"
        return f"{self.title}: {count} games{partial}{equal}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        return ["agent", "wins", "95 % interval", "if equal", "mean payoff"], [
            [
                row.role,
                f"{row.wins.mean:.1%}",
                f"{row.wins.low:.1%} to {row.wins.high:.1%}",
                f"{row.equal:.1%}",
                f"{row.payoff:g}",
            ]
            for row in self.standings
        ]


def tournament(
    game: str | Table,
    /,
    *agents: str,
    games: int = 100,
    seed: int = 0,
    opening: int | None = None,
    seating: str | None = None,
    store: str | Path | None = None,
    engine: str = "local",
    processes: int = 1,
    players: int | None = None,
    **options: Any,
) -> Results:
    """Play many games: `tournament("hearts", "maxn", "mpmix:td=20", games=200, processes=2)`.

    Fewer agents than seats take the seats in turn. All distinct cyclic seat orders are played, each
    at every rotation, unless `seating` is "rotation" (only the given order) or "fixed". The same
    seed gives the same games on any number of processes. `opening` is the number of random opening
    moves (default: enough to vary deterministic games, otherwise 0). With a `store`, every finished
    game is saved in that file and the next call resumes from it. After Ctrl-C or a failure the
    results hold the games so far and say so.
    """
    place = table(game, players=players, **options)
    design = tournament_design(
        place, agents, games=games, seed=seed, opening=opening, seating=seating
    )
    made = make_engine(engine, processes=processes)
    with Store(None if store is None else Path(store)) as kept:
        design = bind_design(kept, design)
        cut = run_until_cut(design, store=kept, engine=made)
        return Results(
            analysis=analyse_store(design, kept),
            played=tuple(played_games(kept, design)),
            title=str(place),
            cut=None if cut is None else str(cut) or "interrupted",
        )


def tournament_design(
    place: Table,
    agents: Sequence[str],
    *,
    games: int,
    seed: int,
    opening: int | None = None,
    seating: str | None = None,
    most_plies: int | None = None,
) -> Design:
    """The checked design of a tournament."""
    if seating is not None and seating not in SEATINGS:
        raise UsageError(f"seating '{seating}' is not one of {', '.join(SEATINGS)}")
    if not agents:
        raise UsageError(f"{place.name}: a tournament needs agents")
    if len(agents) > place.players:
        raise UsageError(f"{place.name}: {len(agents)} agents at a table for {place.players}")
    seated = [Seated(role=text, text=place.spelled_out(text)) for text in agents]
    line_up = tuple(seated[seat % len(seated)] for seat in range(place.players))
    design = Design(
        name="tournament",
        **series_at(place, seed=seed, opening=opening),
        arms=(Arm(name="tournament", seated=line_up),),
        games=games,
        seating=seating,
        most_plies=most_plies,
    )
    design.check(place)
    return design
