"""Loading one plugin, so that whatever is wrong with it stays its own problem."""

from __future__ import annotations

import contextlib
import importlib.metadata
import inspect
import io
import json
import logging
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import attrs
import pluggy

from mpsearch.contracts import GameOffer, Offer
from mpsearch.plugins import hookspecs

#: How much is shown of what a plugin prints.
_SHOWN = 60
#: Seconds after which a plugin that is still being loaded is named.
PATIENCE = 3.0

log = logging.getLogger("mpsearch")


@attrs.frozen(kw_only=True)
class Problem:
    """What is wrong with a plugin."""

    plugin: str
    what: str

    def __str__(self) -> str:
        return f"{self.plugin}: {self.what}"


@attrs.frozen(kw_only=True)
class Loaded:
    """What one plugin brought."""

    offers: tuple[Offer, ...] = ()
    problems: tuple[Problem, ...] = ()


def load_plugin(point: importlib.metadata.EntryPoint) -> Loaded:
    """Import a plugin, check its hooks and call them. Never raises for the plugin's faults."""
    printed = io.StringIO()
    # Standard output is for what the user asked for, and may have to be one JSON document.
    with contextlib.redirect_stdout(printed), _named_if_slow(point.name), _exits_raise():
        loaded = _load(point)
    words = " ".join(printed.getvalue().split())
    if words:
        shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]} ..."
        problem = Problem(plugin=point.name, what=f"prints while loading: {shown}")
        loaded = attrs.evolve(loaded, problems=(*loaded.problems, problem))
    return loaded


@contextlib.contextmanager
def _named_if_slow(name: str) -> Iterator[None]:
    """Say which plugin keeps everybody waiting, while it does: it may never end."""

    def tell() -> None:
        log.warning(
            "plugin %s is still loading after %g s; MPSEARCH_DISABLE=%s skips it",
            *(name, PATIENCE, name),
        )

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class _ExitError(Exception):
    """A plugin wanted to end the process at once, without a word."""


@contextlib.contextmanager
def _exits_raise() -> Iterator[None]:
    """Turn `os._exit` into an error, which is the plugin's problem like any other.

    Processes that the plugin forks end as they should.
    """
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
    except BaseException as error:  # a plugin may raise anything; it stays its own problem
        if isinstance(error, ModuleNotFoundError) and error.name:
            return failed(f"cannot be imported, module '{error.name}' is missing")
        if isinstance(error, _ExitError):
            return failed(f"cannot be imported: {error}")
        return failed("cannot be imported", error)

    # A manager of its own for each plugin: pluggy keeps a plugin half registered when its
    # validation fails, and nothing of that may reach the others.
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
    """Add what a hook returns to `offers`, all of it or nothing; what is wrong, if anything."""
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
    """An option whose default could not be written down, read back or shown."""
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
