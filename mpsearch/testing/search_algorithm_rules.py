"""The contract's rules for search algorithms, checked in states of a random game."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import attrs
import numpy as np

from mpsearch.contracts import (
    Branching,
    GameOffer,
    Limits,
    Move,
    Report,
    SearchAlgorithm,
    SearchAlgorithmOffer,
    SearchRequest,
    SearchSpace,
    Stance,
    State,
)
from mpsearch.errors import ContractError
from mpsearch.testing.random_play import Step, rule_of, turns

#: Makes the algorithm for a search space.
MakeAlgorithm: TypeAlias = Callable[[SearchSpace], SearchAlgorithm]
#: A rule: a function of a maker, a space and a seed.
SearchAlgorithmRule: TypeAlias = Callable[[MakeAlgorithm, SearchSpace, int], None]

SEARCH_ALGORITHM_RULES: dict[str, SearchAlgorithmRule] = {}
search_algorithm_rule = rule_of(SEARCH_ALGORITHM_RULES)

#: Length of the random game, and the number of its states that are searched.
_PLIES = 40
_POSITIONS = 4
#: Worlds of a decision in hidden games.
_WORLDS = 3
_DEPTH = Limits(depth=2)
_LIMITS = (_DEPTH, Limits(nodes=60))


def algorithm_maker(offer: SearchAlgorithmOffer, game: GameOffer, **options: Any) -> MakeAlgorithm:
    """A maker for an offer with these options, otherwise the defaults."""
    bots = {bot.name: bot for bot in game.bots}
    settled = offer.settle({}) | options

    def make(space: SearchSpace) -> SearchAlgorithm:
        made = offer.make(space, bots, **settled)
        if not isinstance(made, SearchAlgorithm):
            kind = type(made).__name__
            raise ContractError(f"make returned a {kind}, not a SearchAlgorithm")
        return made

    return make


@attrs.frozen(kw_only=True)
class Position:
    """A decision to search: a seat's worlds and a stance."""

    step: Step
    space: SearchSpace
    worlds: tuple[State, ...]
    stance: Stance
    seed: int

    @property
    def root(self) -> int:
        return self.step.mover

    @property
    def listed(self) -> list[Move]:
        """The root's moves in all worlds, in the branching's order."""
        listing = self.space.for_root(self.root).listing
        return list(dict.fromkeys(move for world in self.worlds for move in listing(world)))

    def search(
        self,
        algorithm: SearchAlgorithm,
        limits: Limits = _DEPTH,
        *,
        shuffle: bool = True,
        threads: int = 1,
        seed: int | None = None,
    ) -> Report:
        """The algorithm's report, checked to be one."""
        request = SearchRequest(
            root=self.root,
            rng=np.random.default_rng(self.seed if seed is None else seed),
            shuffle=shuffle,
            threads=threads,
        )
        report = algorithm.search(list(self.worlds), self.stance, limits, request)
        if not isinstance(report, Report):
            self.step.fail(f"the search returned a {type(report).__name__}, not a Report")
        return report


def positions(space: SearchSpace, seed: int) -> Iterator[Position]:
    """Decisions in a random game, each with a selfish and with a random matrix."""
    game, rng = space.game, np.random.default_rng(seed)
    steps = list(turns(game, seed, _PLIES))
    for step in steps[:: max(1, len(steps) // _POSITIONS)][:_POSITIONS]:
        view = game.view(step.state, step.mover)
        worlds = game.worlds(view, _WORLDS, rng) if game.hidden else [step.state]
        players = game.players
        for matrix in (np.eye(players), rng.uniform(-1, 1, (players, players))):
            stance = Stance(matrix=matrix, label="asked")
            yield Position(step=step, space=space, worlds=tuple(worlds), stance=stance, seed=seed)


@search_algorithm_rule
def chosen_moves_are_worth_searching(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """The chosen move is legal, listed by the branching, and first in the line."""
    algorithm = make(space)
    for position, limits in itertools.product(positions(space, seed), _LIMITS):
        report = position.search(algorithm, limits)
        if report.move not in list(space.game.moves(position.worlds[0])):
            position.step.fail(f"the search chose {report.move!r}, which is not legal")
        if report.move not in position.listed:
            position.step.fail(
                f"the search chose {report.move!r}, which the branching does not list"
            )
        if tuple(report.line[:1]) != (report.move,):
            position.step.fail(f"the search chose {report.move!r}, but the line is {report.line!r}")


@search_algorithm_rule
def reports_list_the_root_moves(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """A report lists every move of the root once, in the branching's order."""
    algorithm = make(space)
    for position in positions(space, seed):
        listed = [root_move.move for root_move in position.search(algorithm).moves]
        if listed != position.listed:
            position.step.fail(f"the report lists {listed!r}, the branching {position.listed!r}")


@search_algorithm_rule
def reported_values_are_by_seat(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """The decision and every root move have one finite value for each seat."""
    algorithm = make(space)
    for position, limits in itertools.product(positions(space, seed), _LIMITS):
        report = position.search(algorithm, limits)
        for value in (report.value, *(root_move.value for root_move in report.moves)):
            if value.shape != (space.game.players,):
                position.step.fail(f"values have shape {value.shape}, not ({space.game.players},)")
            if not np.isfinite(value).all():
                position.step.fail(f"values {value.tolist()} are not finite")


@search_algorithm_rule
def reports_answer_what_was_asked(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """A report has the given stance and the number of worlds."""
    algorithm = make(space)
    for position in positions(space, seed):
        report = position.search(algorithm)
        if report.stance != position.stance:
            position.step.fail(f"the report has the stance {report.stance}, not {position.stance}")
        if report.worlds != len(position.worlds):
            position.step.fail(
                f"the report counts {report.worlds} worlds of {len(position.worlds)}"
            )


@search_algorithm_rule
def reports_are_reproducible(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """Equal worlds, stances, limits and generators give equal reports."""
    first, second = make(space), make(space)
    for position, limits in itertools.product(positions(space, seed), _LIMITS):
        if position.search(first, limits) != position.search(second, limits):
            position.step.fail("equal searches gave different reports")


@search_algorithm_rule
def searches_know_only_their_worlds(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """Earlier searches change nothing, and the list of worlds is left as it was."""
    asked = list(positions(space, seed))
    algorithm = make(space)
    for position in asked:
        worlds = list(position.worlds)
        request = SearchRequest(root=position.root, rng=np.random.default_rng(seed))
        algorithm.search(worlds, position.stance, _DEPTH, request)
        if worlds != list(position.worlds):
            position.step.fail("the search changed the list of worlds")
    for position in asked:
        if position.search(algorithm) != position.search(make(space)):
            position.step.fail("earlier searches changed the report")


@search_algorithm_rule
def threads_change_nothing(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """The report does not depend on the number of threads."""
    algorithm = make(space)
    for position in positions(space, seed):
        if position.search(algorithm) != position.search(algorithm, threads=2):
            position.step.fail("two threads gave another report than one")


class _FirstMove(Branching):
    """Only the first of the moves that would be listed."""

    def __init__(self, listing: Callable[[State], Sequence[Move]]) -> None:
        self._listing = listing

    def moves(self, state: State) -> Sequence[Move]:
        return list(self._listing(state))[:1]


@search_algorithm_rule
def single_moves_are_chosen(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """A single move is chosen."""
    narrow = attrs.evolve(space, branching=_FirstMove(space.listing))
    algorithm = make(narrow)
    for position in positions(narrow, seed):
        (only,) = position.listed
        move = position.search(algorithm).move
        if move != only:
            position.step.fail(f"the root has one move, {only!r}, but the search chose {move!r}")


@search_algorithm_rule
def depth_limits_are_kept(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """The depth of a report is not above the limit."""
    algorithm = make(space)
    for position, depth in itertools.product(positions(space, seed), (1, 2)):
        reached = position.search(algorithm, Limits(depth=depth)).depth
        if not 0 <= reached <= depth:
            position.step.fail(f"the search reached depth {reached} with a limit of {depth}")


@search_algorithm_rule
def node_limits_are_kept(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """A search of one world visits at most one node beyond the limit, unless depth 1 takes more."""
    algorithm = make(space)
    for position in positions(space, seed):
        alone = attrs.evolve(position, worlds=position.worlds[:1])
        least = alone.search(algorithm, Limits(depth=1)).nodes
        for nodes in (1, 60):
            visited = alone.search(algorithm, Limits(nodes=nodes)).nodes
            if visited > max(nodes + 1, least):
                alone.step.fail(
                    f"the search visited {visited} nodes with a limit of {nodes}; depth 1 takes "
                    f"{least}"
                )


@search_algorithm_rule
def ties_go_by_order_unless_shuffled(make: MakeAlgorithm, space: SearchSpace, seed: int) -> None:
    """Without `shuffle`, ties go to the first move listed, whatever the generator."""
    algorithm = make(space)
    for position in positions(space, seed):
        indifferent = position.stance.matrix.copy()
        indifferent[position.root] = 0  # so that all its moves tie
        stance = Stance(matrix=indifferent, label="indifferent")
        tied = attrs.evolve(position, stance=stance)
        for seed in (position.seed, position.seed + 1):
            move = tied.search(algorithm, shuffle=False, seed=seed).move
            if move != tied.listed[0]:
                tied.step.fail(
                    f"all moves tie and {tied.listed[0]!r} is first, but {move!r} was chosen"
                )
