"""What a shell offers when Tab is pressed: games, agents, keys and their values."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping

import typer

from mpsearch.agent.presets import presets
from mpsearch.agent.text import COMMON
from mpsearch.catalog import Catalog, installed
from mpsearch.contracts import GameOffer, Option
from mpsearch.rivals import SEARCHES

#: What the shell's script asks with.
_VARIABLE = "_MPSEARCH_COMPLETE"
#: Where bash parts words; what is before the last of these is not to be typed again.
_BREAKS = (":", "=")


class _Typed:
    """The part of the word before the one that bash completes."""

    before = ""


def prepare(environ: MutableMapping[str, str]) -> list[str] | None:
    """The words typed so far, if a shell asks for completion; None if none does.

    Bash takes `maxn:depth=2` for five words. They are put together again, the part that is
    already there is remembered, and the rest stays the word to be completed.
    """
    if _VARIABLE not in environ:
        return None
    if "COMP_WORDS" not in environ:
        return environ.get("_TYPER_COMPLETE_ARGS", "").split()[1:]
    at = int(environ.get("COMP_CWORD", "0"))
    head = environ["COMP_WORDS"].split("\n")[: at + 1]
    last = "" if len(head) <= at or head[-1] in _BREAKS else head.pop()
    before = ""
    while head and head[-1] in _BREAKS:
        before = head.pop() + before
        if head and head[-1] not in _BREAKS:
            before = head.pop() + before
    _Typed.before = before
    environ["COMP_WORDS"], environ["COMP_CWORD"] = "\n".join([*head, last]), str(len(head))
    return head[1:]


def complete_game(incomplete: str) -> list[str]:
    """Names of games."""
    return _beginning(installed().games, incomplete)


def complete_agent(context: typer.Context, incomplete: str) -> list[str]:
    """Agents' names, then their keys, then values."""
    catalog = installed()
    game = catalog.games.get(context.params.get("game") or "")
    whole = _Typed.before + incomplete
    texts = agent_texts(catalog, game, whole)
    return [text.removeprefix(_Typed.before) for text in texts]


def agent_texts(catalog: Catalog, game: GameOffer | None, text: str) -> list[str]:
    """Every text that goes one step on from an agent's text that is not finished."""
    name, colon, rest = text.partition(":")
    games = [game] if game else catalog.games.values()
    own = [name for g in games for name in _players(catalog, g)]
    if not colon:
        return _beginning(["human", *catalog.propagators, *own], text)
    *done, last = rest.split(",")
    key, equals, value = last.partition("=")
    before = ",".join([f"{name}:{done[0]}", *done[1:]]) + "," if done else f"{name}:"
    options = {option.name: option for option in _keys(catalog, game, name)}
    if not equals:
        return [f"{before}{found}=" for found in _beginning(options, key)]
    values = _values(catalog, game, options, key)
    return [f"{before}{key}={found}" for found in _beginning(values, value)]


def _players(catalog: Catalog, game: GameOffer) -> list[str]:
    return [*(bot.name for bot in game.bots), *presets(catalog, game)]


def _keys(catalog: Catalog, game: GameOffer | None, name: str) -> Iterable[Option]:
    """The keys that an agent may have: its own, and those of every part it can be made of."""
    for bot in game.bots if game else ():
        if bot.name == name:
            return bot.options
    parts = [catalog.propagators[name]] if name in catalog.propagators else []
    evaluators = catalog.evaluators.get(game.name, {}).values() if game else ()
    branchings = game.branchings if game else ()
    models, searches = catalog.opponent_models.values(), SEARCHES.values()
    offers = [*parts, *searches, *models, *evaluators, *branchings]
    return [*COMMON, *(option for offer in offers for option in offer.options)]


def _values(
    catalog: Catalog, game: GameOffer | None, options: dict[str, Option], key: str
) -> Iterable[str]:
    if key == "model":
        return catalog.opponent_models
    if key in ("evaluator", "branching", "insights"):
        if game is None:
            return ()
        named = {"branching": game.branchings, "insights": game.insights}
        parts = [part.name for part in named.get(key, ())]
        return {"evaluator": catalog.evaluators.get(game.name, {})}.get(key, parts)
    if key == "playout":
        return ("random", *(bot.name for bot in (game.bots if game else ())))
    option = options.get(key)
    if option is None:
        return ()
    if option.kind is bool:
        return ("yes", "no")
    return [option.write(choice) for choice in option.choices]


def _beginning(texts: Iterable[str], start: str) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text.startswith(start)]
