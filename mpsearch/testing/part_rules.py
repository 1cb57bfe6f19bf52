"""The contract's rules for evaluators, branchings, propagators and opponent models."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Array,
    Branching,
    CompiledBranching,
    CompiledEvaluator,
    Evaluator,
    Game,
    Observation,
    OpponentModel,
    Propagator,
    Situation,
    winners,
)
from mpsearch.errors import ContractError
from mpsearch.jit import jit_enabled
from mpsearch.testing.random_play import LONGEST_GAME, rule_of, turns, values_at, walk

EvaluatorRule: TypeAlias = Callable[[Game, Evaluator, int, int], None]
BranchingRule: TypeAlias = Callable[[Game, Branching, int, int], None]
PropagatorRule: TypeAlias = Callable[[Propagator, int, int], None]
ModelRule: TypeAlias = Callable[[OpponentModel, int, int], None]

EVALUATOR_RULES: dict[str, EvaluatorRule] = {}
BRANCHING_RULES: dict[str, BranchingRule] = {}
PROPAGATOR_RULES: dict[str, PropagatorRule] = {}
MODEL_RULES: dict[str, ModelRule] = {}

#: Rounding tolerance of declared totals and steps.
TOLERANCE = 1e-6
evaluator_rule = rule_of(EVALUATOR_RULES)
branching_rule = rule_of(BRANCHING_RULES)
propagator_rule = rule_of(PROPAGATOR_RULES)
model_rule = rule_of(MODEL_RULES)


@evaluator_rule
def values_are_by_seat(game: Game, evaluator: Evaluator, seed: int, plies: int) -> None:
    """There is one finite value for each seat, always the same."""
    for step in walk(game, seed, plies=plies):
        values = np.asarray(values_at(evaluator, step))
        if values.shape != (game.players,):
            step.fail(f"values have shape {values.shape}, not ({game.players},)")
        if not np.isfinite(values).all():
            step.fail(f"values {values.tolist()} are not finite")
        if evaluator.values(step.state).tolist() != values.tolist():
            step.fail("values change when they are asked again")


@evaluator_rule
def values_keep_their_bounds(game: Game, evaluator: Evaluator, seed: int, plies: int) -> None:
    """Values are within the declared bounds, without tolerance."""
    bounds = evaluator.bounds
    for step in walk(game, seed, plies=plies):
        values = values_at(evaluator, step)
        if values.min() < bounds.least or values.max() > bounds.greatest:
            step.fail(f"values {values.tolist()} leave [{bounds.least:g}, {bounds.greatest:g}]")


@evaluator_rule
def totals_keep_their_bounds(game: Game, evaluator: Evaluator, seed: int, plies: int) -> None:
    """The sum over the seats is within the declared total."""
    if evaluator.bounds.total is None:
        return
    least, greatest = evaluator.bounds.total
    for step in walk(game, seed, plies=plies):
        total = float(values_at(evaluator, step).sum())
        if not least - TOLERANCE <= total <= greatest + TOLERANCE:
            step.fail(f"the values sum to {total:g}, not {least:g} to {greatest:g}")


@evaluator_rule
def values_are_on_the_grid(game: Game, evaluator: Evaluator, seed: int, plies: int) -> None:
    """Every value is the least plus a multiple of the declared step."""
    bounds = evaluator.bounds
    if bounds.step is None:
        return
    for step in walk(game, seed, plies=plies):
        steps = (values_at(evaluator, step) - bounds.least) / bounds.step
        if np.abs(steps - np.round(steps)).max() > TOLERANCE:
            step.fail(f"values are not multiples of {bounds.step:g}")


@evaluator_rule
def winners_have_the_greatest_value(
    game: Game, evaluator: Evaluator, seed: int, plies: int
) -> None:
    """At the end winners alone have the greatest value; if not decisive, no loser has more."""
    for step in walk(game, seed, plies=LONGEST_GAME):
        if step.mover != OVER:
            continue
        best = winners(game.payoff(step.state))
        values = values_at(evaluator, step)
        top = np.flatnonzero(values == evaluator.bounds.greatest).tolist()
        if best and evaluator.decisive and top != best:
            step.fail(f"winners are {best}, but the greatest value is that of {top}")
        if best and values[best].min() < np.delete(values, best).max():
            step.fail(f"winners are {best}, but a loser has more of {values.tolist()}")


@evaluator_rule
def own_affairs_are_not_shared_out(game: Game, evaluator: Evaluator, seed: int, plies: int) -> None:
    """Values of own assets do not always have the same sum."""
    if not evaluator.own_affairs:
        return
    seen = [
        values_at(evaluator, step)
        for step in walk(game, seed, plies=LONGEST_GAME)
        if step.mover != OVER
    ]
    values = np.array(seen)
    if np.ptp(values, axis=0).max() > TOLERANCE and np.ptp(values.sum(axis=1)) <= TOLERANCE:
        raise ContractError(
            f"the values always sum to {values[0].sum():g}: they are shared out, and no one's own "
            f"affairs (seed {seed})"
        )


@evaluator_rule
def compiled_values_are_the_plain_ones(
    game: Game, evaluator: Evaluator, seed: int, plies: int
) -> None:
    """A compiled evaluator agrees with the Python function it is compiled from."""
    if not isinstance(evaluator, CompiledEvaluator) or not jit_enabled():
        return
    for step in walk(game, seed, plies=min(plies, 200)):
        out = np.zeros(game.players)
        evaluator.evaluate.plain(evaluator.game.record(step.state), evaluator.parameters, out)
        if not np.allclose(out, evaluator.values(step.state), rtol=1e-12, atol=1e-12):
            step.fail("values differ between the compiled and the plain evaluator")


@evaluator_rule
def leaves_have_the_values_of_their_states(
    game: Game, evaluator: Evaluator, seed: int, plies: int
) -> None:
    """Where chance lists no outcomes, `leaf` gives the same values as `evaluate`, exactly."""
    if not isinstance(evaluator, CompiledEvaluator) or evaluator.leaf is evaluator.evaluate:
        return
    for step in walk(game, seed, plies=min(plies, 200)):
        if step.mover == CHANCE and game.tree_chance(step.state):
            continue
        values = []
        for function in (evaluator.evaluate, evaluator.leaf):
            values.append(np.zeros(game.players))
            record = evaluator.game.record(step.state)
            function.plain(record, evaluator.parameters, values[-1])
        if values[0].tolist() != values[1].tolist():
            step.fail(f"values {values[0].tolist()} are {values[1].tolist()} as a leaf")


@branching_rule
def branchings_list_legal_moves(game: Game, branching: Branching, seed: int, plies: int) -> None:
    """A branching lists at least one move, only legal ones, none twice."""
    for step in turns(game, seed, plies):
        worth = list(branching.moves(step.state))
        if not worth:
            step.fail("the branching lists no move")
        if len(set(worth)) != len(worth):
            step.fail(f"the branching lists a move twice: {worth}")
        if not set(worth) <= set(game.moves(step.state)):
            step.fail(f"the branching lists illegal moves: {worth}")


@branching_rule
def compiled_branchings_list_as_plain_ones(
    game: Game, branching: Branching, seed: int, plies: int
) -> None:
    """A compiled branching agrees with the Python function it is compiled from."""
    if not isinstance(branching, CompiledBranching) or not jit_enabled():
        return
    for step in turns(game, seed, min(plies, 200)):
        out = np.zeros(branching.game.rules.most_moves, dtype=np.int64)
        record = branching.game.record(step.state)
        count = int(branching.branch.plain(record, branching.parameters, out))
        if out[:count].tolist() != list(branching.moves(step.state)):
            step.fail("the moves differ between the compiled and the plain branching")


def situations(players: int, seed: int) -> list[Situation]:
    """Random situations: leads and ties of every seat, any beliefs."""
    rng = np.random.default_rng(seed)
    values = [rng.uniform(0, 100, players) for _ in range(10)]
    values += [np.round(v / 50) * 50 for v in values]
    return [
        Situation(root=root, value=value, beliefs=rng.uniform(-1, 1, (players, players)))
        for value in values
        for root in range(players)
    ]


@propagator_rule
def stances_fit_the_table(propagator: Propagator, players: int, seed: int) -> None:
    """A stance has a P x P matrix with entries in [-1, 1] and a label."""
    for situation in situations(players, seed):
        stance = propagator.stance(situation)
        if stance.matrix.shape != (players, players):
            raise ContractError(f"the matrix has shape {stance.matrix.shape} for {players} seats")
        if np.abs(stance.matrix).max() > 1:
            raise ContractError(f"the matrix has entries outside [-1, 1]: {stance.matrix}")
        if not stance.label:
            raise ContractError("the stance has no label")


@propagator_rule
def targets_are_others(propagator: Propagator, players: int, seed: int) -> None:
    """A target is another seat at the table."""
    for situation in situations(players, seed):
        target = propagator.stance(situation).target
        if target is not None and (target == situation.root or target not in range(players)):
            raise ContractError(f"seat {situation.root} of {players} targets seat {target}")


@propagator_rule
def stances_depend_on_the_situation_alone(propagator: Propagator, players: int, seed: int) -> None:
    """Equal situations give equal stances."""
    for situation in situations(players, seed):
        if propagator.stance(situation) != propagator.stance(situation):
            raise ContractError("two stances for one situation")


@propagator_rule
def settled_stances_never_change(propagator: Propagator, players: int, seed: int) -> None:
    """A settled stance is taken in every situation."""
    for situation in situations(players, seed):
        settled = propagator.settled(situation.root, players)
        if settled is not None and settled != propagator.stance(situation):
            raise ContractError(f"seat {situation.root} takes another stance than its settled one")


def observations(players: int, seed: int) -> list[Observation]:
    """Random observations of all seats, in each of which the second of four moves was chosen."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(6 * players):
        before = rng.uniform(0, 100, players)
        options = rng.uniform(0, 100, (4, players))
        found.append(
            Observation(
                mover=number % players,
                before=before,
                after=options[1],
                greatest=100.0,
                alternatives=functools.partial(_shown, options),
            )
        )
    return found


def _shown(options: Array, plies: int = 1) -> tuple[tuple[Array, int], ...]:
    """The same however far a mover looks."""
    return ((options, 1),)


def _matrices(model: OpponentModel, players: int, seed: int) -> list[Array]:
    beliefs = model.start(players, 0, np.random.default_rng(seed))
    found = [model.matrix(beliefs)]
    for observation in observations(players, seed):
        beliefs = model.observe(beliefs, observation)
        found.append(model.matrix(beliefs))
    return found


@model_rule
def beliefs_are_social_matrices(model: OpponentModel, players: int, seed: int) -> None:
    """Beliefs are always a P x P matrix with finite entries in [-1, 1]."""
    for matrix in _matrices(model, players, seed):
        if matrix.shape != (players, players):
            raise ContractError(f"the matrix has shape {matrix.shape} for {players} seats")
        if not (np.abs(matrix) <= 1).all():
            raise ContractError(f"the matrix has entries outside [-1, 1]: {matrix.tolist()}")


@model_rule
def horizons_are_plies(model: OpponentModel, players: int, seed: int) -> None:
    """A model that says how far seats look says it of all: 1 or 2 plies, or 0 for farther."""
    beliefs = model.start(players, 0, np.random.default_rng(seed))
    for observation in observations(players, seed):
        told = model.horizons(beliefs)
        if told is not None and (len(told) != players or not {0, 1, 2}.issuperset(told)):
            raise ContractError(f"the horizons of {players} seats are {told}")
        beliefs = model.observe(beliefs, observation)


@model_rule
def beliefs_are_values(model: OpponentModel, players: int, seed: int) -> None:
    """Observing a move does not change the beliefs it starts from."""
    beliefs = model.start(players, 0, np.random.default_rng(seed))
    for observation in observations(players, seed):
        before = np.array(model.matrix(beliefs))
        after = model.observe(beliefs, observation)
        if not np.array_equal(model.matrix(beliefs), before):
            raise ContractError("observing a move changed the beliefs it started from")
        beliefs = after


@model_rule
def beliefs_are_reproducible(model: OpponentModel, players: int, seed: int) -> None:
    """Equal generators and moves give equal beliefs."""
    first, second = (_matrices(model, players, seed) for _ in range(2))
    if any(not np.array_equal(a, b) for a, b in zip(first, second, strict=True)):
        raise ContractError("equal observations gave different beliefs")
