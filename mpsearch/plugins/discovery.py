"""Loading one plugin such that its faults stay its own problem."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import inspect
import io
import json
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import attrs
import pluggy

from mpsearch._util import alarm
from mpsearch.contracts import GameOffer, Offer
from mpsearch.plugins import hookspecs

#: Characters shown of what a plugin prints.
_SHOWN = 60
#: Seconds after which a plugin that is still loading is reported; it may never finish.
PATIENCE = 3.0
_SLOW = "plugin %s is still loading after %g s; MPSEARCH_DISABLE=%s skips it"

log = logging.getLogger("mpsearch")


@attrs.frozen(kw_only=True)
class Problem:
    """A fault of a plugin."""

    plugin: str
    what: str

    def __str__(self) -> str:
        return f"{self.plugin}: {self.what}"


@attrs.frozen(kw_only=True)
class Loaded:
    """The offers and problems of one plugin."""

    offers: tuple[Offer, ...] = ()
    problems: tuple[Problem, ...] = ()


def load_plugin(point: importlib.metadata.EntryPoint) -> Loaded:
    """Import a plugin, check its hooks and call them. Its faults become problems."""
    printed = io.StringIO()
    # Standard output is for the user, and may have to be one JSON document.
    slow = functools.partial(log.warning, _SLOW, point.name, PATIENCE, point.name)
    with contextlib.redirect_stdout(printed), alarm(PATIENCE, slow), _exits_raise():
        loaded = _load(point)
    words = " ".join(printed.getvalue().split())
    if words:
        shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]} ..."
        problem = Problem(plugin=point.name, what=f"prints while loading: {shown}")
        loaded = attrs.evolve(loaded, problems=(*loaded.problems, problem))
    return loaded


class _ExitError(Exception):
    """A plugin called `os._exit`."""


@contextlib.contextmanager
def _exits_raise() -> Iterator[None]:
    """Turn `os._exit` into an error, except in processes that the plugin forks."""
    ours, leave = os.getpid(), os._exit

    def refuse(status: int) -> NoReturn:
        if os.getpid() != ours:
            leave(status)
        raise _ExitError(f"it calls os._exit({status}), which would end mpsearch")

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave


def _load(point: importlib.metadata.EntryPoint) -> Loaded:
    name = point.name

    def failed(what: str, error: BaseException | None = None) -> Loaded:
        text = what if error is None else f"{what}: {type(error).__name__}: {error}"
        return Loaded(problems=(Problem(plugin=name, what=text),))

    try:
        plugin = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin may raise anything
        if isinstance(error, ModuleNotFoundError) and error.name:
            return failed(f"cannot be imported, module '{error.name}' is missing")
        if isinstance(error, _ExitError):
            return failed(f"cannot be imported: {error}")
        return failed("cannot be imported", error)

    # A separate manager for each plugin: pluggy leaves a plugin half registered when its
    # validation fails, which must not affect the others.
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    try:
        manager.register(plugin, name=name)
        manager.check_pending()
        routines = dict(inspect.getmembers(plugin, inspect.isroutine))
    except Exception as error:
        return failed("its hooks do not match their specifications", error)

    misspelt = [r for r in routines if r.startswith("mpsearch_") and r not in hookspecs.HOOKS]
    if misspelt:
        known = ", ".join(hookspecs.HOOKS)
        return failed(f"'{misspelt[0]}' is not a hook; hooks are {known}")
    callers = {hook: getattr(manager.hook, hook).get_hookimpls() for hook in hookspecs.HOOKS}
    if not any(callers.values()):
        return failed("provides nothing: none of its functions is marked with mpsearch.hookimpl")
    unmarked = [hook for hook in hookspecs.HOOKS if hook in routines and not callers[hook]]
    if unmarked:
        return failed(f"'{unmarked[0]}' is not marked with mpsearch.hookimpl")

    offers: list[Offer] = []
    problems: list[Problem] = []
    for hook, kind in hookspecs.HOOKS.items():
        for implementation in callers[hook]:
            problem = _collect(implementation.function, hook, kind, offers)
            if problem:
                problems.append(Problem(plugin=name, what=problem))
    return Loaded(offers=tuple(offers), problems=tuple(problems))


def _collect(call: Callable[[], Any], hook: str, kind: type, offers: list[Offer]) -> str | None:
    """Add all that a hook returns to `offers`, or nothing and return the problem."""
    try:
        answer = call()
        found: list[Offer] = list(answer)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return f"{hook} failed: {type(error).__name__}: {error}"
    for offer in found:
        if not isinstance(offer, kind):
            return f"{hook} returned a {type(offer).__name__}, not {kind.__name__}s"
        wrong = _wrong_default(offer)
        if wrong:
            return f"{hook}: {offer.kind} '{offer.name}', {wrong}"
    offers.extend(found)
    return None


def _wrong_default(offer: Offer) -> str | None:
    """The problem of an option whose default cannot be recorded, if any."""
    options = list(offer.options)
    if isinstance(offer, GameOffer):
        for part in (*offer.branchings, *offer.bots, *offer.insights):
            options += part.options
    for option in options:
        default = option.default
        try:
            json.dumps(default)
        except (TypeError, ValueError) as error:
            return f"option '{option.name}' has a default that JSON cannot represent: {error}"
        if default is not None and type(default) not in (option.kind, int):
            kind = option.kind.__name__
            return (
                f"option '{option.name}' has the default {default!r}, which is not of type {kind}"
            )
    return None
