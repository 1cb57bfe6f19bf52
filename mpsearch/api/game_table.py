"""Table: a game with its name, options and agents.

Commands, experiments, notebooks and servers use tables; a bare `Game` knows neither its name nor
its catalog. `mpsearch.table("hearts", single=True)` makes one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import attrs
import numpy as np

from mpsearch._util import mapping_field
from mpsearch.agents import (
    Explanation,
    SearchAgent,
    branching_offer,
    check_agents,
    is_program,
    make_agent,
    make_space,
    read_agent,
    settled_text,
    spelled_out,
)
from mpsearch.contracts import (
    CHANCE,
    OVER,
    Decision,
    Game,
    GameOffer,
    Move,
    Player,
    PlayerOffer,
    Propagator,
    SearchSpace,
    State,
    Turn,
    legal_move,
    split_moves,
    turn_of,
)
from mpsearch.errors import ForfeitError, UsageError
from mpsearch.match import Match, Ply, Setting, generators
from mpsearch.plugins import Catalog, installed

#: An agent's text, or a player made elsewhere.
Agent: TypeAlias = str | Player
T = TypeVar("T")
#: Players that a table keeps, with 0.2 MB each; some experiments draw new ones for every game.
MOST_PLAYERS = 64


@attrs.frozen(kw_only=True, eq=False)
class Table:
    """A game for a number of players, with options, and the catalog its agents come from."""

    catalog: Catalog = attrs.field(repr=False)
    offer: GameOffer = attrs.field(repr=False)
    game: Game = attrs.field(repr=False)
    #: Every option's value.
    options: Mapping[str, Any] = mapping_field()
    #: Kinds of players that the caller adds to those of the game, such as people.
    guests: Mapping[str, PlayerOffer] = mapping_field(factory=dict, repr=False)
    _player: Callable[[str], Player] = attrs.field(init=False, repr=False)

    @_player.default
    def _remembers_players(self) -> Callable[[str], Player]:
        return functools.lru_cache(MOST_PLAYERS)(self._new_player)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.offer.name

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.game.players

    def __repr__(self) -> str:
        return f"<Table: {self}>"

    def __str__(self) -> str:
        values = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"{self.name}, {self.players} players{values}"

    def agent(self, text: Agent, **settings: Any) -> Player:
        """The player that a text stands for: `agent("maxn:depth=4")`, `agent("maxn", depth=4)`.

        Equal texts share a player, and with it the search that was made for it, for some time.
        """
        if isinstance(text, Player):
            return text
        if not isinstance(text, str):
            raise UsageError(
                f"agent {text!r} is neither a text such as 'maxn:depth=4' nor a Player"
            )
        if settings:
            given = read_agent(text)
            more = tuple((key, str(value)) for key, value in settings.items())
            text = str(attrs.evolve(given, settings=given.settings + more))
        return self._player(text)

    def _new_player(self, text: str) -> Player:
        return make_agent(
            self.catalog, self.name, self.game, text, others=self.guests, options=self.options
        )

    def spelled_out(self, text: str) -> str:
        """An agent's text with the defaults that depend on this game."""
        if read_agent(text).name in self.guests:
            return text
        return spelled_out(self.catalog, self.name, self.game, text)

    def searcher(self, text: Agent) -> SearchAgent:
        """The same, for an agent that must search."""
        player = self.agent(text)
        if not isinstance(player, SearchAgent):
            raise UsageError(f"agent '{text}' does not search")
        return player

    def propagator(self, text: str) -> Propagator | None:
        """An agent's propagator; None if it does not search or is unknown."""
        if is_program(text):
            return None
        try:
            player = self.agent(text)
        except UsageError:
            return None
        return player.propagator if isinstance(player, SearchAgent) else None

    def evaluator_name(self, text: str) -> str:
        """The name of an agent's evaluator."""
        settled = settled_text(
            self.catalog, self.offer, text, players=self.players, options=self.options
        )
        return dict(settled.settings).get("evaluator", self.offer.evaluator)

    def space(self, evaluator: str | None = None, branching: str | None = None) -> SearchSpace:
        """What is searched: this game with an evaluator and a branching, the usual ones if None.

        Both are written like agents: `share`, or `share:stamina=2`.
        """
        value, moves = (
            None if part is None else read_agent(part) for part in (evaluator, branching)
        )
        settings = dict([*(value.settings if value else ()), *(moves.settings if moves else ())])
        offers = (
            self.catalog.evaluator_offer(self.name, value.name if value else None),
            branching_offer(self.offer, moves.name if moves else None),
        )
        offers[0].check(self.players, self.options)
        known = {option.name for part in offers if part is not None for option in part.options}
        for key in settings:
            if key not in known:
                there = ", ".join(sorted(known)) or "none"
                raise UsageError(
                    f"'{evaluator or branching}': unknown key '{key}'; choose from {there}"
                )
        return make_space(self.game, *offers, settings, owner=self.name)

    def setting(self, *agents: Agent, seed: int, start: str | None = None) -> Setting:
        """A game at this table: fewer agents than seats take them in turn."""
        texts = [
            self.spelled_out(agent) if isinstance(agent, str) else type(agent).__name__
            for agent in agents
        ]
        return Setting(
            game=self.name,
            players=self.players,
            options=dict(self.options),
            agents=tuple(self._in_turn(texts)),
            seed=_whole(seed, "seed"),
            start=start,
        )

    def seat(self, agents: Setting | Sequence[Agent]) -> list[Player]:
        """The players of a setting, or of texts; fewer than seats take them in turn."""
        texts = self._in_turn(agents.agents if isinstance(agents, Setting) else agents)
        check_agents(text for text in texts if isinstance(text, str))
        return [self.agent(text) for text in texts]

    def _in_turn(self, agents: Sequence[T]) -> list[T]:
        """One for each seat: fewer take the seats in turn."""
        if not 1 <= len(agents) <= self.players:
            raise UsageError(f"{self.name}: {len(agents)} agents at a table for {self.players}")
        return [agents[seat % len(agents)] for seat in range(self.players)]

    def plies(
        self,
        setting: Setting,
        players: Sequence[Player] | None = None,
        *,
        past: Sequence[Move] = (),
    ) -> Iterator[Ply]:
        """Play a setting, ply by ply, after its `past`; `players` replace those of its texts."""
        players = self.seat(setting) if players is None else players
        return setting.play(self.game, players, past=past)

    def play(self, *agents: Agent, seed: int = 0, start: str | None = None) -> Match:
        """Play one game to its end. Fewer agents than seats take them in turn."""
        setting, players = self.setting(*agents, seed=seed, start=start), self.seat(agents)
        plies, forfeit = [], None
        try:
            for ply in self.plies(setting, players):
                plies.append(ply)
        except ForfeitError as error:
            forfeit = error
        state = plies[-1].state if plies else setting.first_state(self.game)
        return Match(
            setting=setting, game=self.game, plies=tuple(plies), state=state, forfeit=forfeit
        )

    def position(
        self, text: str | None = None, *, moves: str | Sequence[str] = (), seed: int = 0
    ) -> State:
        """A state: a text in the game's notation, or the start, and the moves made from there.

        `seed` fixes chance outcomes between and after the moves. Moves in one text are separated by
        spaces, or by semicolons if moves contain spaces: "pass; play 3".
        """
        game, chance = self.game, generators(_whole(seed, "seed"), self.players)[0]
        state = game.new() if text is None else game.from_position(text)
        for move in [*(split_moves(moves) if isinstance(moves, str) else moves), None]:
            while game.mover(state) == CHANCE:
                state = game.play(state, game.draw(state, chance))
            if move is None:
                break
            if game.mover(state) == OVER:
                raise UsageError(f"the game is over before '{move}'")
            state = game.play(state, legal_move(game, state, move))
        return state

    def search(
        self, position: State | str | None, agent: str, *, seed: int = 0, exact: bool = True
    ) -> Explanation:
        """One decision, explained: what each move is worth to each seat.

        The position is a state of the game, a text in its notation, or None for the start. Without
        `exact` the search prunes as in play, and values of moves that were not chosen are bounds.
        """
        if position is None or isinstance(position, str):
            position = self.position(position, seed=seed)
        seat = self.game.mover(position)
        if seat == OVER:
            raise UsageError("the game is over: there is nothing to decide")
        if seat == CHANCE:
            raise UsageError("chance decides there, not a player")
        return self.consider(turn_of(self.game, position), agent, seed=seed, exact=exact)

    def consider(self, turn: Turn, agent: str, *, seed: int = 0, exact: bool = True) -> Explanation:
        """The same for a turn: the agent knows only what the seat to move may know."""
        player, seat = attrs.evolve(self.searcher(agent), exact=exact), turn.seat
        rng = np.random.default_rng([_whole(seed, "seed"), seat])
        return self.explanation(turn, agent, player.choose(turn, player.start(seat, rng), rng))

    def explanation(
        self,
        turn: Turn,
        agent: str,
        decision: Decision,
        *,
        made: Move | None = None,
        ply: int | None = None,
    ) -> Explanation:
        """An agent's decision, explained; UsageError if it was made without a search."""
        if decision.report is None:
            raise UsageError(
                f"agent '{agent}' moves without searching here; leave out --bounds, or ask for "
                "exact values, to search anyway"
            )
        return Explanation(
            name=self.name,
            game=self.game,
            agent=agent,
            turn=turn,
            report=decision.report,
            outlook=decision.outlook,
            propagator=self.searcher(agent).propagator,
            made=made,
            ply=ply,
        )


def table(
    name: str | Table,
    /,
    *,
    players: int | None = None,
    catalog: Catalog | None = None,
    **options: Any,
) -> Table:
    """The table for a game: `table("hearts", players=4, single=True)`.

    Options are Python values, or texts as on the command line. A table is returned as it is.
    """
    if isinstance(name, Table):
        if players is not None or options:
            raise UsageError(f"{name.name}: a table already has its players and options")
        return name
    return set_table(catalog or installed(), name, players=players, options=options)


def set_table(
    catalog: Catalog,
    name: str,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    guests: Mapping[str, PlayerOffer] | None = None,
) -> Table:
    """The same, with the options as a mapping.

    Tables of the installed catalog without guests are cached, with their agents and searches.
    """
    if not isinstance(name, str):
        raise UsageError(
            f"{name!r} is not the name of a game; choose from {', '.join(catalog.games)}"
        )
    offer = catalog.game_offer(name)
    count = offer.default_players if players is None else _whole(players, f"{name}: players")
    values = offer.settle(options or {})
    make = _new_table if guests or catalog is not installed() else _cached_table
    return make(catalog, offer, count, tuple(values.items()), guests)


def table_of(
    setting: Setting,
    *,
    catalog: Catalog | None = None,
    guests: Mapping[str, PlayerOffer] | None = None,
) -> Table:
    """The table at which a setting is played."""
    catalog, players, options = catalog or installed(), setting.players, setting.options
    return set_table(catalog, setting.game, players=players, options=options, guests=guests)


def _new_table(
    catalog: Catalog,
    offer: GameOffer,
    players: int,
    options: tuple[tuple[str, Any], ...],
    guests: Mapping[str, PlayerOffer] | None,
) -> Table:
    values = dict(options)
    game = offer.settled_game(players=players, options=values)
    return Table(catalog=catalog, offer=offer, game=game, options=values, guests=guests or {})


_cached_table = functools.lru_cache(maxsize=32)(_new_table)


def play(
    game: str | Table,
    /,
    *agents: Agent,
    seed: int = 0,
    start: str | None = None,
    players: int | None = None,
    **options: Any,
) -> Match:
    """Play one game: `play("hearts", "maxn", "sos", "wrt", "random", seed=1, single=True)`.

    Without a number of players there are as many seats as agents, or the game's usual number if
    that is more; fewer agents than seats take them in turn.
    """
    if players is None and isinstance(game, str):
        players = max(installed().game_offer(game).default_players, len(agents))
    return table(game, players=players, **options).play(*agents, seed=seed, start=start)


def explain(
    game: str | Table,
    agent: str = "maxn",
    *,
    position: State | str | None = None,
    moves: str | Sequence[str] = (),
    seed: int = 0,
    exact: bool = True,
    players: int | None = None,
    **options: Any,
) -> Explanation:
    """Explain one decision: `explain("scramble", "maxn:depth=4", moves="+3 +1")`."""
    place = table(game, players=players, **options)
    if position is None or isinstance(position, str):
        position = place.position(position, moves=moves, seed=seed)
    elif moves:
        raise UsageError("moves need the initial position or a position's text, not a state")
    return place.search(position, agent, seed=seed, exact=exact)


def _whole(value: Any, what: str) -> int:
    """A whole number, Python's or numpy's."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise UsageError(f"{what} {value!r} is not a whole number, 0 or more")
    return int(value)
