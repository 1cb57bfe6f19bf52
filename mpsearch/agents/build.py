"""Building agents: from a text to a player of a given game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mpsearch.agents.presets import preset_names, presets_of
from mpsearch.agents.program import ProgramPlayer
from mpsearch.agents.search_agent import SearchAgent, fault_of_search
from mpsearch.agents.text import (
    COMMON,
    DEFAULT_DEPTH,
    LIMITS,
    TREE,
    AgentText,
    pick_settings,
    read_agent,
)
from mpsearch.contracts import (
    BranchingOffer,
    EvaluatorOffer,
    Game,
    GameOffer,
    Limits,
    Option,
    Player,
    PlayerOffer,
    SearchAlgorithm,
    SearchAlgorithmOffer,
    SearchSpace,
    instead,
    pick,
)
from mpsearch.errors import ContractError, MpsearchError, UsageError
from mpsearch.plugins import Catalog

#: The branching that every game has.
ALL = "all"


def settled_text(
    catalog: Catalog, offer: GameOffer, text: str, *, players: int, options: Mapping[str, Any]
) -> AgentText:
    """An agent's text, with a preset expanded; the text's own settings override the preset's."""
    agent, named = read_agent(text), presets_of(catalog, offer, players, options)
    if agent.name not in named:
        return agent
    return read_agent(named[agent.name].text).with_settings(dict(agent.settings))


def make_agent(
    catalog: Catalog,
    game_name: str,
    game: Game,
    text: str,
    *,
    others: Mapping[str, PlayerOffer] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Player:
    """The player that a text stands for. `others` are kinds that the caller adds, such as people.

    `options` are the game's: a program is told them, and an evaluator may hold for some only.
    """
    offer = catalog.game_offer(game_name)
    agent = read_agent(text)
    if agent.program is not None:
        about = {"game": game_name, "players": game.players, "options": dict(options or {})}
        return ProgramPlayer(game, about, agent.program, seconds=agent.program_seconds)
    special = {player.name: player for player in offer.bots} | dict(others or {})
    if agent.name in special:
        player = special[agent.name]
        options = player.settle(dict(agent.settings), owner=f"agent {agent.name}")
        made: Player = player.make(game, **options)
        return made
    chosen = dict(options or {})
    agent = settled_text(catalog, offer, text, players=game.players, options=chosen)
    named = presets_of(catalog, offer, game.players, chosen)
    names: dict[str, Any] = {**catalog.propagators, **named, **special}
    catalog.pick(names, agent.name, kind=f"agent for {game_name}")
    return _search_agent(catalog, offer, game, agent, chosen)


def _search_agent(
    catalog: Catalog,
    offer: GameOffer,
    game: Game,
    agent: AgentText,
    game_options: Mapping[str, Any],
) -> SearchAgent:
    propagator = catalog.propagators[agent.name]
    owner = f"agent {agent.name}"
    own: dict[str, Any] = {**propagator.defaults, **dict(agent.settings)}
    limited = not own.keys().isdisjoint(LIMITS)
    usual = {k: v for k, v in offer.defaults.items() if not (limited and k in LIMITS)}
    settings = {**usual, **own}
    algorithm = _algorithm_offer(catalog, settings)
    if game.hidden:
        settings = {**algorithm.hidden_defaults, **settings}
    common = pick_settings(COMMON, settings, owner=owner)
    evaluator = catalog.evaluator_offer(offer.name, common["evaluator"])
    evaluator.check(game.players, game_options)
    model = catalog.pick(catalog.opponent_models, common["model"], kind="opponent model")
    branching = branching_offer(offer, common["branching"])
    offered = {insight.name: insight for insight in offer.insights}
    named = [name for name in common["insights"].split("+") if name]
    insights = [pick(offered, name, kind=f"insight for {offer.name}") for name in named]
    parts = [propagator, model, evaluator, *insights, branching, algorithm]
    keys = [option.name for part in parts if part is not None for option in part.options]
    known = dict.fromkeys([*keys, *(option.name for option in COMMON)])
    for key, _ in agent.settings:
        if key not in known:
            raise UsageError(f"{owner}: unknown key '{key}'; {instead(key, known)}")

    def options(offered: tuple[Option, ...]) -> Any:
        return pick_settings(offered, settings, owner=owner)

    space = make_space(game, evaluator, branching, settings, owner=owner)
    bots = {bot.name: bot for bot in offer.bots}
    return SearchAgent(
        space=space,
        propagator=propagator.make(**options(propagator.options)),
        model=model.make(**options(model.options)),
        limits=_limits(common, algorithm),
        worlds=common["worlds"],
        pool=common["pool"],
        ties=common["ties"],
        prune=common["prune"],
        threads=common["threads"],
        insights=tuple(insight.make(game, **options(insight.options)) for insight in insights),
        algorithm=_make_algorithm(algorithm, space, bots, options(algorithm.options)),
        search=algorithm.name,
    )


def spelled_out(catalog: Catalog, game_name: str, game: Game, text: str) -> str:
    """An agent's text with the defaults that depend on the game.

    They may change between versions, so records and stores spell them out.
    """
    agent, offer = read_agent(text), catalog.game_offer(game_name)
    own = {bot.name for bot in offer.bots} | set(preset_names(catalog, offer))
    if not game.hidden or agent.name in own or agent.name not in catalog.propagators:
        return text
    given = dict(agent.settings)
    settings = {**offer.defaults, **catalog.propagators[agent.name].defaults, **given}
    algorithm = _algorithm_offer(catalog, settings)
    known = {option.name: option for option in (*COMMON, *algorithm.options)}
    defaults = algorithm.hidden_defaults.items()
    more = {key: known[key].write(value) for key, value in defaults if key not in settings}
    return str(agent.with_settings(more)) if more else text


def _algorithm_offer(catalog: Catalog, settings: Mapping[str, Any]) -> SearchAlgorithmOffer:
    name = settings.get("search", TREE)
    return catalog.pick(catalog.search_algorithms, name, kind=SearchAlgorithmOffer.kind)


def _make_algorithm(
    offer: SearchAlgorithmOffer,
    space: SearchSpace,
    bots: Mapping[str, PlayerOffer],
    options: Mapping[str, Any],
) -> SearchAlgorithm:
    try:
        made = offer.make(space, bots, **options)
    except MpsearchError:
        raise
    except Exception as error:
        raise fault_of_search(offer.name, error) from error
    if not isinstance(made, SearchAlgorithm):
        kind = type(made).__name__
        raise ContractError(f"search={offer.name}: make returned a {kind}, not a SearchAlgorithm")
    return made


def make_space(
    game: Game,
    evaluator: EvaluatorOffer,
    branching: BranchingOffer | None,
    settings: Mapping[str, Any],
    *,
    owner: str,
) -> SearchSpace:
    """What is searched: the game with an evaluator and a branching, each with its settings."""

    def make(part: EvaluatorOffer | BranchingOffer) -> Any:
        return part.make(game, **pick_settings(part.options, dict(settings), owner=owner))

    return SearchSpace(
        game=game,
        evaluator=make(evaluator),
        branching=None if branching is None else make(branching),
    )


def _limits(common: dict[str, Any], algorithm: SearchAlgorithmOffer) -> Limits:
    depth, nodes = common["depth"], common["nodes"]
    if nodes is None and common["time"] is None:
        nodes = algorithm.default_nodes
        if depth is None and nodes is None:
            depth = DEFAULT_DEPTH
    return Limits(depth=depth, nodes=nodes, seconds=common["time"])


def branching_offer(offer: GameOffer, name: str | None) -> BranchingOffer | None:
    """A game's branching by name, or its usual one; None for all legal moves."""
    wanted = offer.branching if name is None else name
    if wanted == ALL:
        return None
    offered = {branching.name: branching for branching in offer.branchings}
    if wanted not in offered:
        there = instead(wanted, [ALL, *offered])
        raise UsageError(f"unknown branching for {offer.name} '{wanted}'; {there}")
    return offered[wanted]
