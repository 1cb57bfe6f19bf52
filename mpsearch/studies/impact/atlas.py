"""The atlas: Opponent Impact of many games, each measured alike, one entry after the other.

A game has up to two entries. `search` looks behind moves with MaxN and an evaluator that is not
noisy, one of own affairs if there is one. `play-outs` needs no evaluator. Every entry has a store
of its own, so that a run that was stopped goes on, and a game that fails costs no other.
"""

from __future__ import annotations

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

#: The ways in which a game is measured.
SEARCH, PLAYOUTS = "search", "play-outs"
#: A depth is left out where a search to it would visit more leaves than this, on average: of
#: compiled games, and of others.
MOST_LEAVES = (100_000, 10_000)
#: Plies of all play-outs of an entry, about.
MOST_PLIES = 250_000
_RANDOM_GAMES = 2

ATLAS_COLUMNS = (
    "game", "players", "way", "evaluator", "kind", "depth", "reading", "scope", "stage",
    "oi", "low", "high", "states", "games", "distinct",
)  # fmt: skip


@attrs.frozen(kw_only=True)
class AtlasPlan:
    """How all games are measured."""

    games: int
    most_states: int
    depths: tuple[int, ...]
    playouts: int
    agents: tuple[str, ...]
    seed: int


@attrs.frozen(kw_only=True)
class AtlasEntry:
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
        shares = ({**head, **line} for line in lines if line["scope"] != "pair")
        return [{name: line.get(name) for name in ATLAS_COLUMNS} for line in shares]


def make_atlas(
    plan: AtlasPlan,
    names: Sequence[str] = (),
    *,
    catalog: Catalog | None = None,
    engine: Engine | None = None,
    folder: Path | None = None,
    show: Callable[[str, int, GameSample], None] = lambda what, number, sample: None,
) -> Iterator[AtlasEntry]:
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
    plan: AtlasPlan,
    engine: Engine | None,
    path: Path | None,
    show: Callable[[str, int, GameSample], None],
) -> AtlasEntry:
    try:
        surveys = _surveys(set_table(catalog, name, players=_players(catalog, name)), way, plan)
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


def _players(catalog: Catalog, name: str) -> int:
    """The usual number of players; three of a game that is usually played by two, if it can be."""
    offer = catalog.game_offer(name)
    return max(offer.default_players, min(3, offer.players[1]))


def _surveys(table: Table, way: str, plan: AtlasPlan) -> list[Survey]:
    """The games of an entry; of long games with many moves fewer states are looked at."""
    size = GameSize.of(table, seed=plan.seed)
    if way == PLAYOUTS:
        states = size.states(plan)
        return make_surveys(
            table, plan.agents, games=plan.games, depths=(), playouts=plan.playouts,
            most_states=states, seed=plan.seed,
        )  # fmt: skip
    depths = tuple(d for d in plan.depths if size.leaves(d) <= MOST_LEAVES[size.interpreted])
    evaluator, _ = choose_evaluator(table, None, playouts=0)
    if not depths:
        raise UsageError(f"{table.name}: too many moves to search")
    return make_surveys(
        table, plan.agents, games=plan.games, depths=depths, evaluator=evaluator,
        most_states=plan.most_states, seed=plan.seed,
    )  # fmt: skip


@attrs.frozen(kw_only=True)
class GameSize:
    """How a game goes, by some random games: it decides what can be afforded."""

    #: How many moves there were to choose from. Shape (N,).
    moves: Array
    #: In every game, one choice after the other: how many positions could follow before the next,
    #: with every outcome of chance that a search would look at.
    widths: tuple[tuple[int, ...], ...]
    #: Plies of a game, chance included.
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
        """How many leaves a search has, on average."""
        starts = [(game, at) for game in self.widths for at in range(len(game))]
        return float(np.mean([math.prod(game[at : at + depth]) for game, at in starts]))

    def states(self, plan: AtlasPlan) -> int:
        """Of how many states of a game all moves can be played out."""
        moves = float(np.minimum(self.moves, MOST_MOVES).mean())
        # On average a play-out begins in the middle of a game.
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
