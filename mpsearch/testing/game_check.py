"""The contract check of one game in its own process.

`python -m mpsearch.testing.game_check GAME` prints JSON lines: what it is about to run, and what it
found. If it dies or hangs, the last line names the culprit. Plain functions run first, with every
index checked, and compiled ones only if those were in order.
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
    options_in,
    part_options,
    player_counts,
    settings,
    words,
)
from mpsearch.testing.game_rules import GAME_RULES
from mpsearch.testing.json_lines import json_lines, rarer_collections
from mpsearch.testing.part_rules import BRANCHING_RULES, EVALUATOR_RULES
from mpsearch.testing.random_play import shared_walks
from mpsearch.testing.smoke_test import BreakdownError, Named, place, smoke_test
from mpsearch.testing.world_rules import WORLD_RULES

_SEED = 1
#: Plies of the random games for rules, and for parts if quick.
_PLIES, _QUICK_PLIES = 60, 30
#: Views of a random game from which one rule draws worlds, if quick, with another number of players
#: than the default: every seat's at ten turns if there are ten.
_QUICK_VIEWS = 100
#: A slow evaluator gets fewer states, about so many seconds per rule.
_SECONDS, _FEWEST_PLIES = 0.5, 4
#: One that declares that it is noisy, and so plays games to their end, if quick: with the default
#: number of players, and with another.
_NOISY_PLIES = (8, 2)
#: Plies of the random games of smoke tests, plain and compiled.
_PLAIN_PLIES, _COMPILED_PLIES = 40, 400
#: Plies of a plain one in a setting that mostly repeats another: another value of an option, or
#: neither the default, fewest nor most players. Compiled ones are as long there as elsewhere.
_REPEATED_PLIES = 12
#: Smoke tests for each number of players of compiled rules; otherwise one.
_COMPILED_GAMES = 8


class Check:
    """The check of one game in all its settings; `say` gets what runs and what was found."""

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
            f"evaluator '{e}'": catalog.owners[EvaluatorOffer.kind, (name, e)]
            for e in self.evaluators
        }
        self.say, self.quick, self.thorough = say, quick, thorough
        self.smoke_test_only = smoke_test_only
        #: Broken rules, and evaluators and branchings that are not tried again.
        self.found: set[str] = set()
        self.broken: set[str] = set()

    def run(self) -> None:
        """Smoke tests, plain and then compiled, and the rules if those succeed."""
        for plain in (True, False):
            for setting in settings(self.offer, quick=self.quick):
                if not self._smoke_tests(setting, plain=plain):
                    return
        if not self.smoke_test_only:
            for count in player_counts(self.offer) if self.thorough else few_counts(self.offer):
                few = self.quick and count != self.offer.default_players
                with shared_walks(most_views=_QUICK_VIEWS if few else None):
                    self._rules({"players": count})

    def _game(self, setting: Setting) -> Game | None:
        what = f"game '{self.offer.name}' with {words(setting)}"
        try:
            return make_game(self.offer, setting)
        except Exception as error:
            self._finding(self.plugin, what, "it cannot be made", error)
            return None

    def _evaluators(self, setting: Setting) -> list[EvaluatorOffer]:
        """The evaluators that fit a setting."""
        options = self.offer.settle(options_in(setting))
        return [e for e in self.evaluators.values() if e.holds(setting["players"], options)]

    def _smoke_tests(self, setting: Setting, *, plain: bool) -> bool:
        """Whether random games in this setting run without a failure."""
        game = self._game(setting)
        if game is None or plain not in self._ways(game):
            return True
        kind = "plain" if plain else "compiled"
        what = f"game '{self.offer.name}' with {words(setting)}, {kind} functions"
        default = not options_in(setting)
        repeats = not default or setting["players"] not in few_counts(self.offer)
        plies = _PLAIN_PLIES if plain else _COMPILED_PLIES
        if plain and repeats and not self.thorough:
            plies = _REPEATED_PLIES
        many = default and not plain and (self.thorough or isinstance(game, CompiledGame))
        # Options of parts hardly depend on the options of the game.
        most = self.thorough or setting["players"] == self.offer.default_players
        every = default and most and not self.quick
        evaluators, branchings = (
            list(self._parts(game, offers, every=every, plain=plain))
            for offers in (self._evaluators(setting), self.offer.branchings)
        )
        for seed in range(_COMPILED_GAMES if many else 1):
            self.say(running=what, plugin=self.plugin)
            if seed == 1 and not self.thorough:
                # The first game tried all options; the others look for rare states.
                evaluators, branchings = _first_of_each(evaluators), _first_of_each(branchings)
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
        """Evaluators or branchings with their default options and, if `every`, all others."""
        for offer in offers:
            name = f"{offer.kind} '{offer.name}'"
            default = [offer.settle({})]
            for options in part_options(offer, greatest=not plain) if every else default:
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
        """Check the rules of the contract."""
        game = self._game(setting)
        if game is None:
            return
        # Drawing many worlds for many seats may take minutes, and seldom depends on their number.
        few = self.quick and setting["players"] != self.offer.default_players
        for rule, check in GAME_RULES.items():
            if few and rule in WORLD_RULES:
                continue
            what = f"game '{self.offer.name}' with {words(setting)}, {rule}"
            self._attempt(self.plugin, rule, what, check, game, _SEED, _PLIES)
        kinds: list[tuple[Iterable[Offer], Any]] = [
            (self._evaluators(setting), EVALUATOR_RULES),
            (self.offer.branchings, BRANCHING_RULES),
        ]
        for offers, rules in kinds:
            for name, part in self._parts(game, offers, every=False):
                plies = self._plies_of(game, part, repeats=few)
                for rule, check in rules.items():
                    what = f"{name} of {self.offer.name} with {words(setting)}, {rule}"
                    owner = self._owner(name)
                    self._attempt(owner, name + rule, what, check, game, part, _SEED, plies)

    def _plies_of(self, game: Game, part: Any, *, repeats: bool = False) -> int:
        """Plies of the random game for a part: fewer if it is slow, as play-outs are.

        `repeats`: the setting mostly repeats another.
        """
        plies = _QUICK_PLIES if self.quick else _PLIES
        if self.thorough or not isinstance(part, Evaluator):
            return plies
        if self.quick and part.noisy:
            plies = _NOISY_PLIES[repeats]
        began = time.process_time()
        try:
            part.values(game.new())
        except Exception:  # a rule reports it
            return plies
        seconds = max(time.process_time() - began, 1e-9)
        return min(plies, max(_FEWEST_PLIES, int(_SECONDS / seconds)))

    def _attempt(self, plugin: str, key: str, what: str, check: Any, *arguments: Any) -> None:
        """Check one rule; a broken rule is reported in one setting only."""
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


def _first_of_each(parts: list[Named]) -> list[Named]:
    """Each evaluator or branching with its default options only, which come first."""
    return list(dict(reversed(parts)).items())


def main() -> None:
    rarer_collections()
    say = json_lines()
    name, *flags = sys.argv[1:]
    catalog = load_catalog()
    say(running=f"game '{name}'", plugin=catalog.origin[name].name)
    given = {flag.removeprefix("--").replace("-", "_"): True for flag in flags}
    Check(catalog, name, say, **given).run()
    say(done=name)


if __name__ == "__main__":
    main()
