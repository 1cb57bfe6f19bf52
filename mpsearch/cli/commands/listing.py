"""games, agents, evaluators, models, rules: list what is installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from mpsearch._util import text_table
from mpsearch.agents import COMMON, GENERAL
from mpsearch.cli.completion import complete_game
from mpsearch.cli.options import Json, print_json, print_rows
from mpsearch.contracts import GameOffer, Offer, Option, Preset, SearchAlgorithmOffer
from mpsearch.errors import UsageError
from mpsearch.plugins import Catalog, load_catalog

Name = Annotated[
    str,
    typer.Argument(
        help="A game; 'mpsearch games' lists them.",
        show_default=False,
        autocompletion=complete_game,
    ),
]


def games(name: Name = "", as_json: Json = False) -> None:
    """List the games, or show everything about one."""
    catalog = load_catalog()
    if name:
        _show(_game(catalog, catalog.game_offer(name)), as_json=as_json)
        return
    rows = [_row(catalog, offer) for _, offer in sorted(catalog.games.items())]
    if as_json:
        print_json(rows)
        return
    print_rows(
        ("game", "players", "plugin", "version", "what it is"),
        [(r["name"], _players(r), r["plugin"], r["version"], r["summary"]) for r in rows],
    )
    print("more about one: mpsearch games NAME, mpsearch rules NAME")
    for problem in catalog.problems:
        print(f"problem: {problem}")


def agents(name: Name = "", as_json: Json = False) -> None:
    """List the agents and their keys, or those of one game."""
    catalog = load_catalog()
    found = [_offer(p, f"--seat {_example(p)}") for _, p in sorted(catalog.propagators.items())]
    searches = [_search(s) for _, s in sorted(catalog.search_algorithms.items())]
    document: dict[str, Any] = {"agents": found, "keys": _options(COMMON), "searches": searches}
    document["strengths"] = _strengths(catalog.game_offer(name) if name else None)
    for game in [catalog.game_offer(name)] if name else catalog.games.values():
        document[f"agents of {game.name}"] = _own_agents(game)
    _show({key: part for key, part in document.items() if part}, as_json=as_json)


def evaluators(name: Name = "", as_json: Json = False) -> None:
    """List the evaluators and branchings of all games, or of one."""
    catalog = load_catalog()
    offers = [catalog.game_offer(name)] if name else list(catalog.games.values())
    document: dict[str, Any] = {}
    for offer in offers:
        document[f"evaluators of {offer.name}"] = _evaluators(catalog, offer)
        document[f"branchings of {offer.name}"] = _branchings(offer)
    _show({key: part for key, part in document.items() if part}, as_json=as_json)


def list_models(*, as_json: bool) -> None:
    """Every opponent model with its keys."""
    offers = load_catalog().opponent_models.values()
    found = [_offer(m, f"--seat sos:model={_example(m, ',')}") for m in offers]
    _show({"models": found}, as_json=as_json)


def rules(
    name: Annotated[str, typer.Argument(help="A game; 'mpsearch games' lists them.")],
    as_json: Json = False,
) -> None:
    """Print the rules of a game and the notation of its moves."""
    offer = load_catalog().game_offer(name)
    guide = offer.read_guide()
    if guide is None:
        raise UsageError(f"{name}: its plugin has no rules text; see 'mpsearch games {name}'")
    if as_json:
        print_json({"game": name, "rules": guide.text, "notation": guide.notation})
    else:
        print(guide.text)


def _row(catalog: Catalog, offer: GameOffer) -> dict[str, Any]:
    """A game's row in the list."""
    origin = catalog.origin[offer.name]
    return {
        "name": offer.name,
        "players": list(offer.players),
        "default_players": offer.default_players,
        "plugin": origin.name,
        "version": origin.version,
        "summary": offer.summary,
        "options": {o.name: o.default for o in offer.options},
        "evaluators": sorted(catalog.evaluators.get(offer.name, {})),
        "branchings": ["all", *(branching.name for branching in offer.branchings)],
        "agents": [agent.name for agent in offer.bots],
    }


def _players(row: dict[str, Any]) -> str:
    return "-".join(map(str, dict.fromkeys(row["players"])))


def _game(catalog: Catalog, offer: GameOffer) -> dict[str, Any]:
    """Everything about one game."""
    row = _row(catalog, offer)
    shown = {key: row[key] for key in ("name", "summary", "players", "default_players", "plugin")}
    play = f"mpsearch play --game {offer.name}"
    option = next((f" --option {o.name}={o.write(o.default)}" for o in offer.options), "")
    example = f"{play}{option} --seat human --seat maxn:depth=2"
    return {
        **shown,
        "options": _options(offer.options),
        "evaluators": _evaluators(catalog, offer),
        "branchings": _branchings(offer),
        "insights": [_offer(i, f"--seat maxn:insights={_example(i, ',')}") for i in offer.insights],
        "agents of its own": _own_agents(offer),
        "strengths": _strengths(offer),
        "examples": [play, example, f"mpsearch rules {offer.name}"],
    }


def _own_agents(game: GameOffer) -> list[dict[str, Any]]:
    return [_offer(bot, f"--seat {_example(bot)}") for bot in game.bots] + _presets(game.presets)


def _strengths(game: GameOffer | None) -> list[dict[str, Any]]:
    """The general strengths, except those that the game declares itself."""
    own = {preset.name for preset in game.presets} if game is not None else set()
    return _presets(preset for preset in GENERAL if preset.name not in own)


def _presets(named: Iterable[Preset]) -> list[dict[str, Any]]:
    return [
        {
            "name": p.name,
            "summary": f"{p.summary}: {p.text}" + (f" ({p.holds_for})" if p.holds_for else ""),
            "example": f"--seat {p.name}",
            "options": [],
        }
        for p in named
    ]


def _evaluators(catalog: Catalog, game: GameOffer) -> list[dict[str, Any]]:
    offers = catalog.evaluators.get(game.name, {}).values()
    found = []
    for offer in offers:
        part = _part("evaluator", offer, usual=game.evaluator)
        if not offer.holds(game.default_players, {}):
            part["example"] = f"--players {offer.players[0]} {part['example']}"
        found.append({**part, "holds for": offer.holds_for})
    return found


def _branchings(game: GameOffer) -> list[dict[str, Any]]:
    return [_part("branching", offer, usual=game.branching) for offer in game.branchings]


def _part(key: str, offer: Offer, *, usual: str) -> dict[str, Any]:
    """A part of an agent, and whether it is the default."""
    example = f"--seat maxn:{key}={_example(offer, ',')}"
    return {**_offer(offer, example), "usual": offer.name == usual}


def _offer(offer: Offer, example: str) -> dict[str, Any]:
    return {
        "name": offer.name,
        "summary": offer.summary,
        "example": example,
        "options": _options(offer.options),
    }


def _search(offer: SearchAlgorithmOffer) -> dict[str, Any]:
    """A search algorithm, with its defaults for hidden information."""
    shown = _offer(offer, f"--seat maxn:search={_example(offer, ',')}")
    pairs = ", ".join(f"{key}={value}" for key, value in offer.hidden_defaults.items())
    hidden = f"; with hidden information the defaults are {pairs}" if pairs else ""
    return {**shown, "summary": offer.summary + hidden}


def _example(offer: Offer, colon: str = ":") -> str:
    """How it is written, with its first key if that has a value to show."""
    shown = (o for o in offer.options if o.telling is not None)
    return offer.name + next((f"{colon}{o.name}={o.write(o.telling)}" for o in shown), "")


def _options(options: Iterable[Option]) -> list[dict[str, Any]]:
    return [
        {
            "key": o.name,
            "default": o.default,
            "values": o.wanted(),
            "what": o.help,
            "example": f"{o.name}={o.write(o.example)}",
        }
        for o in options
    ]


def _show(document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(document)
        return
    blocks = []
    for heading, part in document.items():
        if not isinstance(part, list) or heading == "players":
            blocks.append(f"{heading}: {part if heading != 'players' else _players(document)}")
        elif part:
            blocks.append(f"\n{heading}\n" + "\n".join(f"  {line}" for line in _lines(part)))
    print("\n".join(blocks).strip("\n"))


def _lines(part: list[Any]) -> list[str]:
    """The lines of a list of examples, of options, or of offers with options of their own."""
    if isinstance(part[0], str):
        return list(part)
    if "key" in part[0]:
        return _option_lines(part)
    lines = []
    for entry in part:
        usual = " (usual)" if entry.get("usual") else ""
        holds = f" (for {entry['holds for']})" if entry.get("holds for") else ""
        lines.append(f"{entry['name']}{usual}: {entry['summary']}{holds}")
        lines += [f"    {line}" for line in _option_lines(entry.get("options", []))]
        lines.append(f"    example: {entry['example']}")
    return lines


def _option_lines(options: list[dict[str, Any]]) -> list[str]:
    if not options:
        return []
    rows = [[o["example"], _default(o["default"]), o["values"], o["what"]] for o in options]
    return text_table(("key", "default", "values", "what it is"), rows).splitlines()


def _default(value: Any) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
