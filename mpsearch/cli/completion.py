"""What a shell offers when Tab is pressed: games, agents, keys and their values."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from importlib import resources

import typer

from mpsearch.agents import COMMON, preset_names
from mpsearch.contracts import GameOffer, Option
from mpsearch.plugins import Catalog, installed

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
    if before.startswith("--"):  # --seat=maxn is what --seat maxn is
        flag, _, before = before.partition("=")
        head.append(flag)
    _Typed.before = before
    environ["COMP_WORDS"], environ["COMP_CWORD"] = "\n".join([*head, last]), str(len(head))
    return head[1:]


def better_scripts() -> None:
    """Let typer install our scripts for bash and zsh.

    They are typer's, but a key that waits for its value is followed by no space, and what stands
    after `:` or `=` is never taken for the name of a file, unless an option such as --record= is
    before it. That of zsh asks in the words of fish: a value in each line, then a tab and its help.
    """
    from typer import _completion_shared

    folder = resources.files(__package__)
    for shell in ("bash", "zsh"):
        script = (folder / f"completion.{shell}").read_text(encoding="utf-8")
        _completion_shared._completion_scripts[shell] = script


def complete_game(incomplete: str) -> list[str]:
    """Names of games."""
    return _beginning(installed().games, incomplete)


def complete_agent(context: typer.Context, incomplete: str) -> list[str]:
    """Agents' names, then their keys, then values."""
    return _rest(agent_texts(installed(), _game(context), _Typed.before + incomplete))


def complete_option(context: typer.Context, incomplete: str) -> list[str]:
    """Options of the game that was named, then their values."""
    game = _game(context)
    options = {option.name: option for option in (game.options if game else ())}
    return _rest(option_texts(options, _Typed.before + incomplete))


def _game(context: typer.Context) -> GameOffer | None:
    named = context.params.get("game") or ""
    return installed().games.get(named if isinstance(named, str) else named[0])


def _rest(texts: Iterable[str]) -> list[str]:
    return [text.removeprefix(_Typed.before) for text in texts]


def option_texts(options: dict[str, Option], text: str) -> list[str]:
    """Every text that goes one step on from a key=value that is not finished."""
    key, equals, value = text.partition("=")
    if not equals:
        return [f"{found}=" for found in _beginning(options, key)]
    return [f"{key}={found}" for found in _beginning(_choices(options.get(key), value), value)]


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
    values = _values(catalog, game, options, key, value)
    return [f"{before}{key}={found}" for found in _beginning(values, value)]


def _players(catalog: Catalog, game: GameOffer) -> list[str]:
    return [*(bot.name for bot in game.bots), *preset_names(catalog, game)]


def _keys(catalog: Catalog, game: GameOffer | None, name: str) -> Iterable[Option]:
    """The keys that an agent may have: its own, and those of every part it can be made of."""
    for bot in game.bots if game else ():
        if bot.name == name:
            return bot.options
    parts = [catalog.propagators[name]] if name in catalog.propagators else []
    evaluators = catalog.evaluators.get(game.name, {}).values() if game else ()
    branchings = game.branchings if game else ()
    models, searches = catalog.opponent_models.values(), catalog.search_algorithms.values()
    offers = [*parts, *searches, *models, *evaluators, *branchings]
    return [*COMMON, *(option for offer in offers for option in offer.options)]


def _values(
    catalog: Catalog, game: GameOffer | None, options: dict[str, Option], key: str, value: str
) -> Iterable[str]:
    if key == "model":
        return catalog.opponent_models
    if key == "search":
        return catalog.search_algorithms
    if key in ("evaluator", "branching", "insights"):
        if game is None:
            return ()
        named = {"branching": game.branchings, "insights": game.insights}
        parts = [part.name for part in named.get(key, ())]
        return {"evaluator": catalog.evaluators.get(game.name, {})}.get(key, parts)
    if key == "playout":
        return ("random", *(bot.name for bot in (game.bots if game else ())))
    return _choices(options.get(key), value)


def _choices(option: Option | None, typed: str) -> Iterable[str]:
    """What an option can be. A number is whatever is typed, lest names of files are offered.

    Before anything is typed there are two of them: only one would be put in at once.
    """
    if option is None:
        return ()
    if option.kind is bool:
        return ("yes", "no")
    if option.choices or option.kind is str:
        return [option.write(choice) for choice in option.choices]
    return [typed] if typed else [option.write(option.example + more) for more in (0, 1)]


def _beginning(texts: Iterable[str], start: str) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text.startswith(start)]
