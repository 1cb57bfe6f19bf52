"""From an agent's text to a player at the table of a given game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mpsearch.agents.presets import preset_names, presets_of
from mpsearch.agents.program import ProgramPlayer
from mpsearch.agents.search_agent import SearchAgent, blamed_on_search
from mpsearch.agents.text import COMMON, DEFAULT_DEPTH, LIMITS, AgentText, pick_settings, read_agent
from mpsearch.contracts import (
    BranchingOffer,
    EvaluatorOffer,
    Game,
    GameOffer,
    InsightOffer,
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
from mpsearch.errors import ContractError, UsageError
from mpsearch.plugins import Catalog

#: The branching that every game has.
ALL = "all"


def settled_text(
    catalog: Catalog, offer: GameOffer, text: str, *, players: int, options: Mapping[str, Any]
) -> AgentText:
    """An agent's text with a preset's settings in it, if it names one."""
    agent, named = read_agent(text), presets_of(catalog, offer, players, options)
    return _expanded(read_agent(named[agent.name].text), agent) if agent.name in named else agent


def make_agent(
    catalog: Catalog,
    game_name: str,
    game: Game,
    text: str,
    *,
    others: Mapping[str, PlayerOffer] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Player:
    """The player that a text stands for. `others` are kinds the caller adds, such as people.

    `options` are the game's: a program is told, and an evaluator may hold for some only.
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


def _expanded(preset: AgentText, given: AgentText) -> AgentText:
    """The agent behind a preset; what the user says goes before what the preset says."""
    settings = {**dict(preset.settings), **dict(given.settings)}
    return AgentText(name=preset.name, settings=tuple(settings.items()))


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
    algorithm = _algorithm_offer(catalog, settings, owner=owner)
    if game.hidden:
        settings = {**algorithm.hidden_defaults, **settings}
    common = pick_settings(COMMON, settings, owner=owner)
    evaluator = catalog.evaluator_offer(offer.name, common["evaluator"])
    evaluator.check(game.players, game_options)
    model = catalog.pick(catalog.opponent_models, common["model"], kind="opponent model")
    branching = branching_offer(offer, common["branching"])
    insights = _insight_offers(offer, common["insights"])
    parts: list[tuple[Option, ...]] = [propagator.options, model.options, evaluator.options]
    parts += [insight.options for insight in insights]
    if branching is not None:
        parts.append(branching.options)
    parts.append(algorithm.options)
    _check_keys(agent, parts)

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
    """An agent's text with the defaults that follow from what the game declares.

    They may change from version to version: records and stores say what was used.
    """
    agent, offer = read_agent(text), catalog.game_offer(game_name)
    own = {bot.name for bot in offer.bots} | set(preset_names(catalog, offer))
    if not game.hidden or agent.name in own or agent.name not in catalog.propagators:
        return text
    given = dict(agent.settings)
    settings = {**offer.defaults, **catalog.propagators[agent.name].defaults, **given}
    algorithm = _algorithm_offer(catalog, settings, owner=f"agent {agent.name}")
    known = {option.name: option for option in (*COMMON, *algorithm.options)}
    more = tuple(
        (key, known[key].write(value))
        for key, value in algorithm.hidden_defaults.items()
        if key not in settings
    )
    return str(AgentText(name=agent.name, settings=agent.settings + more)) if more else text


def _algorithm_offer(
    catalog: Catalog, settings: Mapping[str, Any], *, owner: str
) -> SearchAlgorithmOffer:
    (option,) = (option for option in COMMON if option.name == "search")
    name = pick_settings((option,), dict(settings), owner=owner)[option.name]
    return catalog.pick(catalog.search_algorithms, name, kind=SearchAlgorithmOffer.kind)


def _make_algorithm(
    offer: SearchAlgorithmOffer,
    space: SearchSpace,
    bots: Mapping[str, PlayerOffer],
    options: Mapping[str, Any],
) -> SearchAlgorithm:
    with blamed_on_search(offer.name):
        made = offer.make(space, bots, **options)
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
    """What is searched; the parts take those of the settings that are theirs."""

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
    """A branching of a game by name, the usual one without; None for every legal move."""
    wanted = offer.branching if name is None else name
    if wanted == ALL:
        return None
    offered = {branching.name: branching for branching in offer.branchings}
    if wanted not in offered:
        there = instead(wanted, [ALL, *offered])
        raise UsageError(f"unknown branching for {offer.name} '{wanted}'; {there}")
    return offered[wanted]


def _insight_offers(offer: GameOffer, text: str) -> list[InsightOffer]:
    offered = {insight.name: insight for insight in offer.insights}
    kind = f"insight for {offer.name}"
    return [pick(offered, name, kind=kind) for name in text.split("+") if name]


def _check_keys(agent: AgentText, parts: list[tuple[Option, ...]]) -> None:
    own = [option.name for options in parts for option in options]
    known = dict.fromkeys([*own, *(option.name for option in COMMON)])
    for key, _ in agent.settings:
        if key not in known:
            raise UsageError(f"agent {agent.name}: unknown key '{key}'; {instead(key, known)}")
