"""The contract check of one game, in a process of its own.

`python -m mpsearch.testing.game_check GAME` prints JSON lines: what it is about to run, and what
it found. If it dies or hangs, whoever started it knows from the last line what was to blame. Plain
functions come first, with every index checked, and compiled ones only where those were in order.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any

from mpsearch.contracts import CompiledGame, Evaluator, EvaluatorOffer, Game, Offer
from mpsearch.jit import guarded, jit_enabled
from mpsearch.plugins import Catalog, load_catalog
from mpsearch.testing.checked_settings import (
    Setting,
    few_counts,
    make_game,
    part_options,
    player_counts,
    settings,
    words,
)
from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.json_lines import json_lines
from mpsearch.testing.part_rules import BRANCHING_RULES, EVALUATOR_RULES
from mpsearch.testing.random_play import shared_walks
from mpsearch.testing.smoke_test import BreakdownError, Named, place, smoke_test

_SEED = 1
#: Length of the random games that rules look at, and those for parts if it must be quick.
_PLIES, _QUICK_PLIES = 60, 30
#: An evaluator that takes long is asked about fewer states, in about so many seconds of one rule.
_SECONDS, _FEWEST_PLIES = 0.5, 4
#: Length of the random games of smoke tests, plain and compiled.
_PLAIN_PLIES = 40
_COMPILED_PLIES = 400
#: How many there are for each number of players of compiled rules; otherwise it is one.
_COMPILED_GAMES = 8


def _usual(setting: Setting) -> bool:
    """Whether only the number of players is set."""
    return set(setting) == {"players"}


class Check:
    """The check of one game in all its settings; `say` is told what runs and what was found."""

    def __init__(
        self,
        catalog: Catalog,
        name: str,
        say: Callable[..., None],
        *,
        quick: bool = False,
        thorough: bool = False,
        smoke_test_only: bool = False,
    ) -> None:
        self.offer = catalog.games[name]
        self.plugin = catalog.origin[name].name
        self.evaluators = catalog.evaluators.get(name, {})
        self.owners = {
            f"evaluator '{e}'": catalog.evaluator_origin[name, e] for e in self.evaluators
        }
        self.say = say
        self.quick = quick
        self.thorough = thorough
        self.smoke_test_only = smoke_test_only
        #: Rules that are broken, and evaluators and branchings that are not tried any more.
        self.found: set[str] = set()
        self.broken: set[str] = set()

    def run(self) -> None:
        """Plain first. Whatever is wrong there would only be worse in machine code."""
        for plain in (True, False):
            if not all(self._smoke_tests(setting, plain=plain) for setting in self._settings()):
                return
        if not self.smoke_test_only:
            for count in self._counts():
                with shared_walks():
                    self._rules({"players": count})

    def _counts(self) -> list[int]:
        """Numbers of players with which rules are checked."""
        return player_counts(self.offer) if self.thorough else few_counts(self.offer)

    def _every_option(self, setting: Setting) -> bool:
        """Whether evaluators and branchings are tried with all their options.

        What an option of theirs does hardly depends on the options of the game.
        """
        most = self.thorough or setting["players"] == self.offer.default_players
        return _usual(setting) and most and not self.quick

    def _settings(self) -> Iterator[Setting]:
        return settings(self.offer, quick=self.quick)

    def _game(self, setting: Setting) -> Game | None:
        what = f"game '{self.offer.name}' with {words(setting)}"
        try:
            return make_game(self.offer, setting)
        except Exception as error:
            self._finding(self.plugin, what, "it cannot be made", error)
            return None

    def _evaluators(self, setting: Setting) -> list[EvaluatorOffer]:
        """Those that hold in a setting."""
        given = {name: value for name, value in setting.items() if name != "players"}
        options = self.offer.settle(given)
        return [e for e in self.evaluators.values() if e.holds(setting["players"], options)]

    def _smoke_tests(self, setting: Setting, *, plain: bool) -> bool:
        """Whether random games in this setting go through without a failure."""
        game = self._game(setting)
        if game is None or plain not in self._ways(game):
            return True
        kind = "plain" if plain else "compiled"
        what = f"game '{self.offer.name}' with {words(setting)}, {kind} functions"
        plies = _PLAIN_PLIES if plain else _COMPILED_PLIES
        many = _usual(setting) and not plain and (self.thorough or isinstance(game, CompiledGame))
        games = _COMPILED_GAMES if many else 1
        every = self._every_option(setting)
        offered = self._evaluators(setting)
        evaluators = list(self._parts(game, offered, every=every, plain=plain))
        branchings = list(self._parts(game, self.offer.branchings, every=every, plain=plain))
        for seed in range(games):
            self.say(running=what, plugin=self.plugin)
            try:
                with guarded() if plain else nullcontext():
                    smoke_test(
                        game, seed, plies=plies, evaluators=evaluators, branchings=branchings
                    )
            except BreakdownError as problem:
                part = problem.part
                if not part:
                    self._finding(self.plugin, what, "", problem)
                    return False
                self.broken.add(part)
                self._finding(self._owner(part), f"{what}, {part}", "", problem)
                return self._smoke_tests(setting, plain=plain)
        return True

    def _ways(self, game: Game) -> set[bool]:
        """Whether its functions are run as plain Python with every index checked, as they are, or
        both: without a compiler the second would be the first again."""
        if not isinstance(game, CompiledGame):
            return {False}
        return {True, False} if jit_enabled() else {True}

    def _parts(
        self, game: Game, offers: Iterable[Offer], *, every: bool, plain: bool = False
    ) -> Iterator[Named]:
        """Evaluators or branchings with their usual options and, if asked for, every other."""
        for offer in offers:
            name = f"{offer.kind} '{offer.name}'"
            usual = [offer.settle({})]
            for options in part_options(offer, greatest=not plain) if every else usual:
                if name in self.broken:
                    break
                try:
                    made = offer.make(game, **options)
                except Exception as error:
                    self.broken.add(name)
                    what = f"{name} of {self.offer.name} with {words(options)}"
                    self._finding(self._owner(name), what, "it cannot be made", error)
                else:
                    yield name, made

    def _owner(self, part: str) -> str:
        return self.owners.get(part, self.plugin)

    def _rules(self, setting: Setting) -> None:
        """The rules of the contract."""
        game = self._game(setting)
        if game is None:
            return
        for rule, check in GAME_RULES.items():
            what = f"game '{self.offer.name}' with {words(setting)}, {rule}"
            self._attempt(self.plugin, rule, what, check, game, _SEED, _PLIES)
        kinds: list[tuple[Iterable[Offer], Any]] = [
            (self._evaluators(setting), EVALUATOR_RULES),
            (self.offer.branchings, BRANCHING_RULES),
        ]
        for offers, rules in kinds:
            for name, part in self._parts(game, offers, every=False):
                plies = self._plies_of(game, part)
                for rule, check in rules.items():
                    what = f"{name} of {self.offer.name} with {words(setting)}, {rule}"
                    owner = self._owner(name)
                    self._attempt(owner, name + rule, what, check, game, part, _SEED, plies)

    def _plies_of(self, game: Game, part: Any) -> int:
        """Length of the random games for a part: fewer if it takes long, as play-outs do."""
        plies = _QUICK_PLIES if self.quick else _PLIES
        if self.thorough or not isinstance(part, Evaluator):
            return plies
        began = time.process_time()
        try:
            part.values(game.new())
        except Exception:  # a rule says so
            return plies
        seconds = max(time.process_time() - began, 1e-9)
        return max(_FEWEST_PLIES, min(plies, int(_SECONDS / seconds)))

    def _attempt(self, plugin: str, key: str, what: str, check: Any, *arguments: Any) -> None:
        """One rule; what breaks it in one setting is not said again for the others."""
        if key in self.found:
            return
        self.say(running=what, plugin=plugin)
        try:
            check(*arguments)
        except Exception as error:
            self.found.add(key)
            self._finding(plugin, what, "", error)

    def _finding(self, plugin: str, what: str, why: str, error: Exception) -> None:
        text = str(error) or type(error).__name__
        if why:
            text = f"{why}: {type(error).__name__}: {text}{place(error)}"
        self.say(finding=f"{what}: {text}", plugin=plugin)


def main() -> None:
    say = json_lines()
    name, *flags = sys.argv[1:]
    catalog = load_catalog()
    say(running=f"game '{name}'", plugin=catalog.origin[name].name)
    given = {flag.removeprefix("--").replace("-", "_"): True for flag in flags}
    Check(catalog, name, say, **given).run()
    say(done=name)


if __name__ == "__main__":
    main()
