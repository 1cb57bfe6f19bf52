"""Shell completion: games, agents, their keys and values."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from importlib import resources

import typer

from mpsearch.agents import COMMON, preset_names
from mpsearch.contracts import GameOffer, Option
from mpsearch.plugins import Catalog, installed

#: Set by the shell's script when it asks for completions.
_VARIABLE = "_MPSEARCH_COMPLETE"
#: Where bash splits words.
_BREAKS = (":", "=")


class _Typed:
    """The part of the word before the one that bash completes."""

    before = ""


def prepare(environ: MutableMapping[str, str]) -> list[str] | None:
    """The words typed so far, if a shell asks for completion.

    Bash splits `maxn:depth=2` into five words. They are joined again: what stands before the last
    break is remembered, and the rest is the word to be completed.
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
    if before.startswith("--"):  # --seat=maxn means --seat maxn
        flag, _, before = before.partition("=")
        head.append(flag)
    _Typed.before = before
    environ["COMP_WORDS"], environ["COMP_CWORD"] = "\n".join([*head, last]), str(len(head))
    return head[1:]


def better_scripts() -> None:
    """Let typer install our scripts for bash and zsh.

    Unlike typer's, they add no space after a key, and take what follows `:` or `=` for a file name
    only after an option such as --record=. The one for zsh uses fish's format: a value per line,
    then a tab and its help.
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
    """Agents, then their keys, then values."""
    return _rest(agent_texts(installed(), _game(context), _Typed.before + incomplete))


def complete_option(context: typer.Context, incomplete: str) -> list[str]:
    """Options of the named game, then their values."""
    game = _game(context)
    options = {option.name: option for option in (game.options if game else ())}
    return _rest(option_texts(options, _Typed.before + incomplete))


def _game(context: typer.Context) -> GameOffer | None:
    named = context.params.get("game") or ""
    return installed().games.get(named if isinstance(named, str) else named[0])


def _rest(texts: Iterable[str]) -> list[str]:
    return [text.removeprefix(_Typed.before) for text in texts]


def option_texts(options: dict[str, Option], text: str) -> list[str]:
    """The next step of an unfinished key=value."""
    key, equals, value = text.partition("=")
    if not equals:
        return [f"{found}=" for found in _beginning(options, key)]
    return [f"{key}={found}" for found in _beginning(_choices(options.get(key), value), value)]


def agent_texts(catalog: Catalog, game: GameOffer | None, text: str) -> list[str]:
    """The next step of an unfinished agent's text."""
    name, colon, rest = text.partition(":")
    games = [game] if game else catalog.games.values()
    own = [n for g in games for n in (*(b.name for b in g.bots), *preset_names(catalog, g))]
    if not colon:
        return _beginning(["human", *catalog.propagators, *own], text)
    key, equals, value = rest.rpartition(",")[2].partition("=")
    before = text.removesuffix(f"{key}{equals}{value}")
    options = {option.name: option for option in _keys(catalog, game, name)}
    if not equals:
        return [f"{before}{found}=" for found in _beginning(options, key)]
    values = _values(catalog, game, options, key, value)
    return [f"{before}{key}={found}" for found in _beginning(values, value)]


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
        if key == "evaluator":
            return catalog.evaluators.get(game.name, {})
        return [part.name for part in (game.branchings if key == "branching" else game.insights)]
    if key == "playout":
        return ("random", *(bot.name for bot in (game.bots if game else ())))
    return _choices(options.get(key), value)


def _choices(option: Option | None, typed: str) -> Iterable[str]:
    """The values of an option. For a number, what is typed, or else file names would be offered.

    Before anything is typed there are two, since a single one would be inserted at once.
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
