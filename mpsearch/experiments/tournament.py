"""A tournament: many games of the same agents at rotated seats, and who won how much."""

from __future__ import annotations

from typing import Any

import attrs

from mpsearch.display import html_table, text_table
from mpsearch.experiments.inference import distinct_share
from mpsearch.experiments.output import figure_svg, make_frame, new_figure
from mpsearch.experiments.series import Result, gather, play_series, rotations, win_shares
from mpsearch.table import Table, table


@attrs.frozen(kw_only=True)
class Standing:
    """How one agent did."""

    agent: str
    #: Share of the games that it won, ties shared, with Wilson's 95 % interval over distinct games.
    share: float
    low: float
    high: float
    #: What its share would be if all seats were equally strong.
    equal: float
    #: Its mean payoff at a seat.
    payoff: float
    games: int


@attrs.frozen(kw_only=True)
class Results:
    """The games of a tournament. `print` it, or look at it in a notebook."""

    #: The game and its options.
    title: str
    results: tuple[Result, ...] = attrs.field(repr=False)
    #: How many games were wanted, and why there are fewer, if there are.
    games: int
    cut: str | None = None

    @property
    def distinct(self) -> int:
        """How many games are different: equal ones count as one in the intervals."""
        return len({result.identity for result in self.results})

    @property
    def standings(self) -> list[Standing]:
        """A row per agent, the strongest first."""
        played = len(self.results)
        rows = []
        for agent, (_, seats) in win_shares(self.results).items():
            found = distinct_share(
                [_won(result, agent) for result in self.results],
                [result.identity for result in self.results],
            )
            payoffs = [
                float(payoff)
                for result in self.results
                for text, payoff in zip(result.setting.agents, result.payoff, strict=True)
                if text == agent
            ]
            rows.append(
                Standing(
                    agent=agent,
                    share=found.mean,
                    low=found.low,
                    high=found.high,
                    equal=seats / sum(len(result.payoff) for result in self.results),
                    payoff=sum(payoffs) / len(payoffs),
                    games=played,
                )
            )
        return sorted(rows, key=lambda row: -row.share)

    def to_frame(self, *, games: bool = False) -> Any:
        """The standings, or every seat of every game, as a frame of pandas or polars."""
        if not games:
            return make_frame([attrs.asdict(row) for row in self.standings])
        return make_frame(
            [
                {
                    "game": number,
                    "seed": result.setting.seed,
                    "seat": seat,
                    "agent": agent,
                    "payoff": float(result.payoff[seat]),
                    "won": result.shares()[seat],
                    "plies": result.plies,
                }
                for number, result in enumerate(self.results)
                for seat, agent in enumerate(result.setting.agents)
            ]
        )

    def __str__(self) -> str:
        return f"{self._headline()}\n{text_table(*self._table())}"

    def _repr_html_(self) -> str:
        return html_table(*self._table(), caption=self._headline())

    def _repr_svg_(self) -> str | None:
        return figure_svg(self._figure)

    def _figure(self) -> Any:
        rows = self.standings[::-1]
        figure = new_figure(figsize=(6, 0.6 + 0.4 * len(rows)), layout="constrained")
        axis = figure.subplots()
        for place, row in enumerate(rows):
            axis.plot([row.low, row.high], [place, place], color="C0")
            axis.plot([row.share], [place], "o", color="C0")
            axis.plot([row.equal], [place], "|", color="grey", markersize=12)
        axis.set_yticks(range(len(rows)), [row.agent for row in rows])
        axis.set(xlabel="games won, 95 % interval; grey: if all were equal", xlim=(0, 1))
        return figure

    def _headline(self) -> str:
        partial = f" of {self.games} ({self.cut})" if self.cut is not None else ""
        equal = "" if self.distinct == len(self.results) else f", {self.distinct} distinct"
        return f"{self.title}: {len(self.results)} games{partial}{equal}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        return ["agent", "wins", "95 % interval", "if equal", "mean payoff"], [
            [
                row.agent,
                f"{row.share:.1%}",
                f"{row.low:.1%} to {row.high:.1%}",
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
    processes: int = 1,
    players: int | None = None,
    **options: Any,
) -> Results:
    """Play many games: `tournament("hearts", "maxn", "mpmix:td=20", games=200, processes=2)`.

    The agents move up a seat from game to game; fewer agents than seats take them in turn. The
    same seed gives the same games on any number of processes. `opening` random moves come first;
    if none is said, some where the game has no chance. What was played before Ctrl-C or a failure
    is in the results, and they say so.
    """
    place = table(game, players=players, **options)
    settings = rotations(place, agents, games, seed=seed, opening=opening)
    results, cut = gather(play_series(settings, processes=processes))
    return Results(
        title=str(place),
        results=tuple(results),
        games=games,
        cut=None if cut is None else str(cut) or "interrupted",
    )


def _won(result: Result, agent: str) -> float:
    seats = zip(result.setting.agents, result.shares(), strict=True)
    return sum(share for text, share in seats if text == agent)
