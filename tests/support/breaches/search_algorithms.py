"""Broken search algorithms."""

import itertools
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from mpsearch.contracts import Branching, Limits, Report, SearchRequest, SearchSpace, Stance
from support.breaches.entering import REPLAY, breaks, enter_breach
from support.breaches.sound import PILE_SPACE, SEED, OnePly


class Changed(OnePly):
    """A sound search whose report is changed."""

    def search(
        self, worlds: Sequence[Any], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        report = super().search(worlds, stance, limits, request)
        return self.change(report, limits, request)

    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return report


@breaks("chosen_moves_are_worth_searching", "the search returned a str, not a Report")
class SaysAMove(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Any:
        return report.move


@breaks("chosen_moves_are_worth_searching", "the search chose 'sideways', which is not legal")
class Cheats(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, move="sideways")


@breaks(
    "chosen_moves_are_worth_searching",
    r"the search chose '(high|low)', but the line is \('nothing',\)",
)
class ExpectsAnotherMove(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, line=("nothing",))


class OnlyOne(Branching):
    def moves(self, state: Any) -> Sequence[Any]:
        return [1]


class TakesTwo(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, move=2, line=(2,))


enter_breach(
    "search algorithm",
    "chosen_moves_are_worth_searching",
    TakesTwo.__name__,
    (TakesTwo, attrs.evolve(PILE_SPACE, branching=OnlyOne()), SEED),
    "the search chose 2, which the branching does not list" + REPLAY,
)


@breaks(
    "reports_list_the_root_moves",
    r"the report lists \['low', 'high'\], the branching \['high', 'low'\]",
)
class ListsBackwards(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, moves=tuple(reversed(report.moves)))


@breaks("reported_values_are_by_seat", r"values have shape \(2,\), not \(3,\)")
class ValuesTwoSeats(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, value=report.value[:2])


@breaks("reported_values_are_by_seat", r"values \[inf, inf, inf\] are not finite")
class ValuesTheInfinite(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        first, *others = report.moves
        endless = attrs.evolve(first, value=np.full(3, np.inf))
        return attrs.evolve(report, moves=(endless, *others))


@breaks("reports_answer_what_was_asked", "the report has the stance Stance(.*), not Stance(.*)")
class OwnStance(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, stance=Stance(matrix=np.eye(3), label="mine"))


@breaks("reports_answer_what_was_asked", "the report counts 1 worlds of 3")
class CountsOneWorld(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, worlds=1)


@breaks("reports_are_reproducible", "equal searches gave different reports")
class OwnGenerator(Changed):
    rng = np.random.default_rng(1)

    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, value=self.rng.uniform(0, 100, 3))


@breaks("searches_know_only_their_worlds", "earlier searches changed the report")
class Remembers(Changed):
    def __init__(self, space: SearchSpace) -> None:
        super().__init__(space)
        self.counter = itertools.count()

    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, nodes=report.nodes + next(self.counter))


@breaks("searches_know_only_their_worlds", "the search changed the list of worlds")
class TakesTheWorlds(OnePly):
    def search(self, worlds: Any, stance: Stance, limits: Limits, request: SearchRequest) -> Report:
        report = super().search(worlds, stance, limits, request)
        worlds.clear()
        return report


@breaks("threads_change_nothing", "two threads gave another report than one")
class ThinksMoreWithThreads(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, nodes=report.nodes * request.threads)


@breaks("single_moves_are_chosen", "the root has one move, 'high', but the search chose 'low'")
class WantsAChoice(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, move="low") if len(report.moves) == 1 else report


@breaks("depth_limits_are_kept", "the search reached depth 2 with a limit of 1")
class AlwaysTwoPlies(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return attrs.evolve(report, depth=2)


@breaks(
    "node_limits_are_kept",
    "the search visited 1000 nodes with a limit of 1; depth 1 takes 3",
)
class NeverEnough(Changed):
    def change(self, report: Report, limits: Limits, request: SearchRequest) -> Report:
        return report if limits.nodes is None else attrs.evolve(report, nodes=1000)


@breaks(
    "ties_go_by_order_unless_shuffled",
    "all moves tie and 'high' is first, but 'low' was chosen",
)
class AlwaysShuffles(OnePly):
    def search(
        self, worlds: Sequence[Any], stance: Stance, limits: Limits, request: SearchRequest
    ) -> Report:
        return super().search(worlds, stance, limits, attrs.evolve(request, shuffle=True))
