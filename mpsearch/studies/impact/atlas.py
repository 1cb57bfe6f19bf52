"""The atlas: Opponent Impact of many games, all measured alike.

A game has up to two entries: `search` (MaxN with a noiseless evaluator, of own assets if there is
one) and `play-outs` (no evaluator). Each has its own store, so a stopped run resumes and a game
that fails costs no other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.api import Table, set_table
from mpsearch.contracts import Array, Game, Move, State
from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments import Engine, collect
from mpsearch.match import Ply
from mpsearch.plugins import Catalog, installed
from mpsearch.studies.impact.evaluation import choose_evaluator
from mpsearch.studies.impact.output import Finding, make_finding
from mpsearch.studies.impact.playouts import MOST_MOVES
from mpsearch.studies.impact.sample import GameSample, Survey, make_surveys, survey_games

SEARCH, PLAYOUTS = "search", "play-outs"
#: A depth is skipped if its search has more leaves than this on average, in compiled games and in
#: others.
MOST_LEAVES = (100_000, 10_000)
#: Approximate plies of all play-outs of an entry.
MOST_PLIES = 250_000
_RANDOM_GAMES = 2

ATLAS_COLUMNS = (
    "game", "players", "way", "evaluator", "kind", "depth", "reading", "scope", "stage",
    "oi", "low", "high", "states", "games", "distinct",
)  # fmt: skip


@attrs.frozen(kw_only=True)
class AtlasPlan:
    """How every game is measured."""

    games: int
    most_states: int
    depths: tuple[int, ...]
    playouts: int
    agents: tuple[str, ...]
    seed: int


@attrs.frozen(kw_only=True)
class AtlasEntry:
    """One game, measured in one way, or why it could not be."""

    game: str
    way: str
    finding: Finding | None = None
    problem: str = ""

    def lines(self) -> list[dict[str, Any]]:
        """Rows of the CSV: shares over all states and by stage."""
        if self.finding is None:
            return []
        survey = self.finding.survey
        head = {"game": self.game, "players": survey.setting.players, "way": self.way}
        head |= {"evaluator": survey.evaluator, "kind": survey.kind}
        return [
            {name: ({**head, **line}).get(name) for name in ATLAS_COLUMNS}
            for line in self.finding.lines()
            if line["scope"] != "pair"
        ]


def make_atlas(
    plan: AtlasPlan,
    names: Sequence[str] = (),
    *,
    catalog: Catalog | None = None,
    engine: Engine | None = None,
    folder: Path | None = None,
    show: Callable[[str, int, GameSample], None] = lambda what, number, sample: None,
) -> Iterator[AtlasEntry]:
    """Measure games, by default all that are installed; each entry as soon as it is ready.

    With a folder, every entry has a store there and resumes from it.
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
    plan: AtlasPlan,
    engine: Engine | None,
    path: Path | None,
    show: Callable[[str, int, GameSample], None],
) -> AtlasEntry:
    try:
        offer = catalog.game_offer(name)
        # Three players rather than two, where the game allows it.
        players = max(offer.default_players, min(3, offer.players[1]))
        surveys = _surveys(set_table(catalog, name, players=players), way, plan)
        samples, cut = collect(
            survey_games([surveys], engine=engine, path=path),
            lambda number, sample: show(f"{name}, {way}", number, sample),
        )
    except MpsearchError as error:
        return AtlasEntry(game=name, way=way, problem=str(error))
    if isinstance(cut, KeyboardInterrupt):
        raise cut
    if cut is not None:
        return AtlasEntry(game=name, way=way, problem=str(cut))
    return AtlasEntry(game=name, way=way, finding=make_finding(samples))


def _surveys(table: Table, way: str, plan: AtlasPlan) -> list[Survey]:
    """The games of an entry, with fewer states where games are long and moves many."""
    size = GameSize.of(table, seed=plan.seed)
    survey = functools.partial(make_surveys, table, plan.agents, games=plan.games, seed=plan.seed)
    if way == PLAYOUTS:
        return survey(depths=(), playouts=plan.playouts, most_states=size.states(plan))
    depths = [d for d in plan.depths if size.leaves(d) <= MOST_LEAVES[size.interpreted]]
    evaluator, _ = choose_evaluator(table, None, playouts=0)
    if not depths:
        raise UsageError(f"{table.name}: too many moves to search")
    return survey(depths=depths, evaluator=evaluator, most_states=plan.most_states)


@attrs.frozen(kw_only=True)
class GameSize:
    """Branching and length of a game, from a few random games: they limit what is affordable."""

    #: Number of moves at each decision. Shape (N,).
    moves: Array
    #: By game and decision: number of successors before the next decision, counting every outcome
    #: of chance that a search expands.
    widths: tuple[tuple[int, ...], ...]
    #: Mean plies per game, chance included.
    plies: float
    interpreted: bool

    @classmethod
    def of(cls, table: Table, *, seed: int) -> GameSize:
        listing = table.space().listing
        games = [table.play("random", seed=seed + number).plies for number in range(_RANDOM_GAMES)]
        own = [ply for plies in games for ply in plies if ply.decision is not None]
        return cls(
            moves=np.array([len(listing(ply.before)) for ply in own], dtype=np.float64),
            widths=tuple(_widths(table.game, plies, listing) for plies in games),
            plies=float(np.mean([len(plies) for plies in games])),
            interpreted=table.game.rules is None,
        )

    def leaves(self, depth: int) -> float:
        """Mean number of leaves of a search to this depth."""
        starts = [(game, at) for game in self.widths for at in range(len(game))]
        return float(np.mean([math.prod(game[at : at + depth]) for game, at in starts]))

    def states(self, plan: AtlasPlan) -> int:
        """Number of states per game whose moves can all be played out."""
        moves = float(np.minimum(self.moves, MOST_MOVES).mean())
        # On average a play-out starts halfway through a game.
        plies = plan.games * moves * plan.playouts * self.plies / 2
        return max(1, min(plan.most_states, int(MOST_PLIES / plies)))


def _widths(
    game: Game, plies: Sequence[Ply], listing: Callable[[State], Sequence[Move]]
) -> tuple[int, ...]:
    widths: list[int] = []
    for ply in plies:
        if ply.decision is not None:
            widths.append(len(listing(ply.before)))
        elif widths:
            widths[-1] *= max(1, len(game.tree_chance(ply.before)))
    return tuple(widths)
