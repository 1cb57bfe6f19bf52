"""Blame: which plugin an error comes from, and checks of what plugin code returns."""

from __future__ import annotations

import importlib.metadata
import math
import traceback
from pathlib import Path
from typing import Any, NoReturn

from mpsearch.contracts import (
    Array,
    Compiled,
    CompiledEvaluator,
    CompiledGame,
    Evaluator,
    Game,
    State,
    frozen_array,
)
from mpsearch.errors import ContractError, MpsearchError

#: The entry-point group of plugins.
GROUP = "mpsearch"


def plugin_of(module: str) -> str | None:
    """The plugin that a module belongs to; None for the core and for other packages."""
    package = module.partition(".")[0]
    if package == "mpsearch":
        return None
    targets = {
        point.value.partition(":")[0]: point.name
        for point in importlib.metadata.entry_points(group=GROUP)
    }
    alike = [target for target in targets if target.partition(".")[0] == package]
    # Of several plugins in one package, the nearest module.
    nearest = max(alike, key=lambda t: len(t) * f"{module}.".startswith(f"{t}."), default=None)
    return None if nearest is None else targets[nearest]


def part_name(part: object) -> str:
    """The name of a game, a part or a function in messages, with its plugin."""
    if isinstance(part, CompiledEvaluator):
        part = part.evaluate
    named: Any = part.plain if isinstance(part, Compiled) else part
    if not hasattr(named, "__qualname__"):
        named = type(named)
    plugin = plugin_of(named.__module__)
    prefix = "" if plugin is None else f"plugin {plugin}: "
    return f"{prefix}{named.__module__}.{named.__qualname__}"


def plugin_fault(error: BaseException) -> str | None:
    """What a plugin raised, with its name and line; None if no plugin code was running."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        plugin = plugin_of(frame.f_globals.get("__name__", ""))
        if plugin is not None:
            code = frame.f_code
            place = f"{code.co_name} ({Path(code.co_filename).name}, line {line})"
            return f"plugin {plugin}: {type(error).__name__}: {error}, in {place}"
    return None


def checked_payoff(game: Game, state: State) -> Array:
    """The payoff of a finished game; ContractError if it is not one number per seat."""
    if isinstance(game, CompiledGame) and type(game).payoff is CompiledGame.payoff:
        function: object = game.rules.payoff
    else:
        function = game.payoff
    try:
        payoff = game.payoff(state)
    except Exception as error:
        _blame(function, error)
    return _by_seat(payoff, game.players, (function, "returned"))


def checked_values(evaluator: Evaluator, states: list[State], players: int) -> list[Array]:
    """The values of each state, shape (P,); ContractError if the evaluator fails."""
    one = len(states) == 1
    try:
        rows = [evaluator.values(states[0])] if one else [*evaluator.all_values(states)]
    except Exception as error:
        _blame(evaluator, error)
    return [_by_seat(row, players, (evaluator, "returned")) for row in rows]


def _blame(part: object, error: Exception) -> NoReturn:
    """Turn a failure into a ContractError that names the plugin and the place."""
    if isinstance(error, ContractError):
        plugin, colon, _ = part_name(part).rpartition(": ")
        raise ContractError(f"{plugin}{colon}{error}") from error
    if isinstance(error, MpsearchError):
        raise error
    why = plugin_fault(error) or f"{part_name(part)}: {type(error).__name__}: {error}"
    raise ContractError(f"{why}; expected one number for each seat") from error


def check_numbers(values: Array, part: object, what: str) -> None:
    """ContractError if a value that `part` returned is not finite."""
    if not all(map(math.isfinite, values.tolist())):
        raise _wrong(values.tolist(), len(values), (part, what))


def _by_seat(values: object, players: int, who: tuple[object, str]) -> Array:
    try:
        found = frozen_array(values)
    except (TypeError, ValueError):
        raise _wrong(values, players, who) from None
    if found.shape != (players,) or not all(map(math.isfinite, found.tolist())):
        raise _wrong(found.tolist(), players, who)
    return found


def _wrong(values: object, players: int, who: tuple[object, str]) -> ContractError:
    part, what = who
    return ContractError(
        f"{part_name(part)} {what} {values!r}; expected an array of {players} finite numbers, one "
        "for each seat"
    )
