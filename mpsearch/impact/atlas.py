"""The atlas: Opponent Impact of many games, each measured alike, one entry after the other.

A game has up to two entries. `search` looks behind moves with MaxN and an evaluator that is not
noisy, one of own affairs if there is one. `play-outs` needs no evaluator. Every entry has a store
of its own, so that a run that was stopped goes on, and a game that fails costs no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.catalog import Catalog, installed
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments.engines import Engine
from mpsearch.impact.evaluation import choose_evaluator
from mpsearch.impact.measure import measure
from mpsearch.impact.output import Finding
from mpsearch.impact.sample import GameSample, Survey, make_surveys
from mpsearch.table import Table, set_table

#: The ways in which a game is measured.
SEARCH, PLAYOUTS = "search", "play-outs"
#: A depth is left out where a search to it would visit more leaves than this, on average: of
#: compiled games, and of others.
MOST_LEAVES = (200_000, 4_000)
_COURSES = 2

COLUMNS = (
    "game", "players", "way", "evaluator", "kind", "depth", "reading", "scope", "stage",
    "oi", "low", "high", "states", "games", "distinct",
)  # fmt: skip


@attrs.frozen(kw_only=True)
class Plan:
    """How all games are measured."""

    games: int = 20
    most_states: int = 12
    depths: tuple[int, ...] = (1, 2)
    playouts: int = 16
    agents: tuple[str, ...] = ("random",)
    seed: int = 0


@attrs.frozen(kw_only=True)
class Entry:
    """One game, measured in one way; what went wrong, if it did."""

    game: str
    way: str
    finding: Finding | None = None
    problem: str = ""

    def lines(self) -> list[dict[str, Any]]:
        """Shares of all states and by stage, one to a line, as the CSV has them."""
        if self.finding is None:
            return []
        survey = self.finding.samples[0].survey
        head = {
            "game": self.game,
            "players": survey.setting.players,
            "way": self.way,
            "evaluator": survey.evaluator,
            "kind": survey.kind,
        }
        lines = self.finding.lines()
        return [{**head, **line} for line in lines if line["scope"] != "pair"]


def make_atlas(
    plan: Plan,
    names: Sequence[str] = (),
    *,
    catalog: Catalog | None = None,
    engine: Engine | None = None,
    folder: Path | None = None,
    show: Callable[[str, int, GameSample], None] = lambda what, number, sample: None,
) -> Iterator[Entry]:
    """The entries of games, all that are installed if none is named, each as soon as it is there.

    With a folder every entry is kept in a file there, and goes on from it.
    """
    catalog = catalog or installed()
    for name in names or catalog.games:
        catalog.game_offer(name)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for name in names or catalog.games:
        for way in (SEARCH, PLAYOUTS):
            path = None if folder is None else folder / f"{name}-{way}.sqlite"
            yield _entry(catalog, name, way, plan, engine, path, show)


def _entry(
    catalog: Catalog,
    name: str,
    way: str,
    plan: Plan,
    engine: Engine | None,
    path: Path | None,
    show: Callable[[str, int, GameSample], None],
) -> Entry:
    try:
        surveys = _surveys(set_table(catalog, name), way, plan)
        found, cut = measure(
            [surveys],
            engine=engine,
            path=path,
            show=lambda number, sample: show(f"{name}, {way}", number, sample),
        )
    except MpsearchError as error:
        return Entry(game=name, way=way, problem=str(error))
    if isinstance(cut, KeyboardInterrupt):
        raise cut
    if cut is not None:
        return Entry(game=name, way=way, problem=str(cut))
    return Entry(game=name, way=way, finding=found.findings[0])


def _surveys(table: Table, way: str, plan: Plan) -> list[Survey]:
    playouts = plan.playouts if way == PLAYOUTS else 0
    depths = plan.depths
    if way == SEARCH:
        evaluator, _ = choose_evaluator(table, None, playouts=0)
        depths = affordable(table, plan.depths, seed=plan.seed)
        if not depths:
            raise UsageError(f"{table.name}: it has too many moves for a search")
    else:
        evaluator = None
    return make_surveys(
        table,
        plan.agents,
        games=plan.games,
        depths=depths,
        evaluator=evaluator,
        playouts=playouts,
        most_states=plan.most_states,
        seed=plan.seed,
    )


def affordable(table: Table, depths: Sequence[int], *, seed: int) -> tuple[int, ...]:
    """The depths to which a search is quick, by the numbers of moves in some random games."""
    listing = table.space().branching
    moves = table.game.moves if listing is None else listing.moves
    counts = [
        len(moves(ply.before))
        for number in range(_COURSES)
        for ply in table.play("random", seed=seed + number).plies
        if ply.decision is not None
    ]
    most = MOST_LEAVES[table.game.rules is None]
    return tuple(d for d in depths if np.mean(np.array(counts, dtype=np.float64) ** d) <= most)
