"""The contract's rules for the distribution of worlds.

The true state can be drawn, every drawn state is possible, and each has its probability.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, deque
from collections.abc import Hashable, Sequence
from typing import TypeAlias

import numpy as np

from mpsearch.contracts import Game, State
from mpsearch.testing.forward_worlds import (
    Weighted,
    all_states,
    drawn_starts,
    lists_chance_in,
    played_on,
)
from mpsearch.testing.random_play import LONGEST_GAME, GameRule, Step, rule_of, spread, turns, walk

#: A state as all seats together see it: the order of unseen cards does not count.
Kind: TypeAlias = Hashable

#: The last turns of a game in which the true state is looked for; the worlds drawn first, and in
#: all before it counts as missing.
_LATE, _FIRST_WORLDS, _ALL_WORLDS = 4, 60, 2000
#: Turns from which worlds are played on, for how many plies, compared with how many new ones, and
#: how few are too few.
_WINDOWS, _WINDOW, _WORLDS, _FEW = 3, 9, 200, 50
#: Turns of a small game at which worlds are counted, and how many at each.
_COUNTED, _SAMPLE = 3, 400
#: The error rate of one comparison; a rule makes less than a thousand.
_ERROR = 1e-8

WORLD_RULES: dict[str, GameRule] = {}
rule = rule_of(WORLD_RULES)


@rule
def true_states_can_be_drawn(game: Game, seed: int, plies: int) -> None:
    """Near the end of a random game the true state is among the worlds."""
    if not game.hidden:
        return
    # It is missing if 2000 worlds lack it and each was drawn more than once. If `world` draws the
    # true state with its probability, that happens once in 2000 times at most.
    rng = np.random.default_rng(seed)
    for step in deque(turns(game, seed, LONGEST_GAME), maxlen=_LATE):
        for seat in {step.mover, (step.mover + 1) % game.players}:
            if _is_missing(game, step.state, seat, rng):
                step.fail(
                    f"`world` never draws the state that was reached, of {_ALL_WORLDS} worlds of "
                    f"seat {seat}: what it thinks impossible was so"
                )


def _is_missing(game: Game, state: State, seat: int, rng: np.random.Generator) -> bool:
    view, truth = game.view(state, seat), _kind(game, state)
    drawn: Counter[Kind] = Counter()
    for count in (_FIRST_WORLDS, _ALL_WORLDS - _FIRST_WORLDS):
        drawn.update(_kind(game, world) for world in game.worlds(view, count, rng))
        if truth in drawn or 1 in drawn.values():
            return False
    return True


def _kind(game: Game, state: State) -> Kind:
    views: Kind = tuple(game.view(state, seat) for seat in range(game.players))
    try:
        hash(views)
    except TypeError:
        views = state
    return views


@rule
def worlds_follow_from_earlier_ones(game: Game, seed: int, plies: int) -> None:
    """Others have the same moves in worlds as in worlds drawn earlier and played on."""
    if not game.hidden:
        return
    # For every move of others, how often it is legal is compared by Fisher's exact test. The first
    # worlds have no past that could be wrong.
    rng = np.random.default_rng(seed)
    steps = list(walk(game, seed, plies=plies))
    starts = [number for number, step in enumerate(steps) if step.mover >= 0]
    for start in spread(starts, _WINDOWS):
        seat = (steps[start].mover + 1) % game.players
        _compare_with_earlier(game, steps[start : start + _WINDOW], seat, rng)


def _compare_with_earlier(
    game: Game, steps: Sequence[Step], seat: int, rng: np.random.Generator
) -> None:
    states = game.worlds(game.view(steps[0].state, seat), _WORLDS, rng)
    for step, then in itertools.pairwise(steps):
        view = game.view(then.state, seat)
        states = played_on(game, states, step, view, seat, rng)
        if len(states) < _FEW:
            return
        if then.mover < 0 or then.mover == seat:
            continue
        worlds = game.worlds(view, _WORLDS, rng)
        earlier, now = (
            Counter(move for state in some for move in game.moves(state))
            for some in (states, worlds)
        )
        for move in earlier.keys() | now.keys():
            counts = (earlier[move], len(states), now[move], len(worlds))
            if _fisher(*counts) < _ERROR:
                then.fail(
                    f"seat {then.mover} can play {game.write_in(then.state, move)} in {now[move]} "
                    f"of {len(worlds)} worlds of seat {seat}, but in {earlier[move]} of "
                    f"{len(states)} that were drawn earlier and played on: `world` forgets what "
                    "the seat has seen, such as cards played, or draws with a bias"
                )


@rule
def worlds_are_drawn_in_proportion(game: Game, seed: int, plies: int) -> None:
    """In small games each world is drawn with the probability that the rules give it."""
    if not game.hidden:
        return
    # All states are listed that the rules lead to with the seat's views; a deal that cannot be
    # listed is drawn until there are enough. Counts are compared by the chi-square test. Games with
    # too many states pass: test them in a small setting.
    rng = np.random.default_rng(seed)
    steps = list(walk(game, seed, plies=plies))
    for seat in range(min(game.players, 2)):
        _count_worlds(game, steps, seat, rng)


def _count_worlds(game: Game, steps: Sequence[Step], seat: int, rng: np.random.Generator) -> None:
    listed: Weighted | None = {steps[0].state: 1.0}
    sample: list[State] = []
    counted = {step.ply for step in spread([s for s in steps if s.mover >= 0], _COUNTED)}
    for step, then in itertools.pairwise(steps):
        view = game.view(then.state, seat)
        if listed is None:
            sample = played_on(game, sample, step, view, seat, rng)
        elif len(listed) == 1 and not lists_chance_in(game, step.state):
            sample, listed = drawn_starts(game, step.state, view, seat, rng), None
        else:
            listed = all_states(game, listed, step, view, seat)
        if listed is None and len(sample) < _FEW:
            return
        if then.ply in counted:
            _compare_counts(game, then, seat, listed, sample, rng)


def _compare_counts(
    game: Game,
    step: Step,
    seat: int,
    listed: Weighted | None,
    sample: Sequence[State],
    rng: np.random.Generator,
) -> None:
    worlds = game.worlds(game.view(step.state, seat), _SAMPLE, rng)
    found = Counter(_kind(game, world) for world in worlds)
    expected: Counter[Kind] = Counter()
    if listed is not None:
        for state, weight in listed.items():
            expected[_kind(game, state)] += weight  # type: ignore[assignment]  # a weight, no count
        if set(found) - set(expected):
            step.fail(
                f"`world` draws states for seat {seat} that cannot have come about: no play by "
                "the rules shows it what it saw and leads there"
            )
    else:
        expected.update(_kind(game, state) for state in sample)
    if _chi_square_tail(found, expected, exact=listed is not None) < _ERROR:
        kinds = len(expected)
        step.fail(
            f"`world` does not draw the {kinds} states that agree with the view of seat {seat} in "
            "proportion to the probability of chance"
        )


def _chi_square_tail(found: Counter[Kind], expected: Counter[Kind], *, exact: bool) -> float:
    """The p-value of a chi-square test; rare kinds are pooled."""
    # scipy is slow to import, and most games do not need it.
    from scipy.special import chdtrc

    drawn, total = sum(found.values()), sum(expected.values())
    pooled = (found + expected if not exact else expected).most_common()
    rows: list[tuple[float, float]] = []
    rest = (0.0, 0.0)
    for kind, _ in pooled:
        row = (float(found[kind]), float(expected[kind]))
        least = drawn * row[1] / total if exact else sum(row) * min(drawn, total) / (drawn + total)
        if least >= 8:
            rows.append(row)
        else:
            rest = (rest[0] + row[0], rest[1] + row[1])
    rows.append(rest)
    statistic, cells = 0.0, 0
    for count, weight in rows:
        if exact:
            mean = drawn * weight / total
            if mean >= 8:
                statistic, cells = statistic + (count - mean) ** 2 / mean, cells + 1
        elif count + weight >= 16:
            share = (count + weight) / (drawn + total)
            means = (drawn * share, total * share)
            statistic += (count - means[0]) ** 2 / means[0] + (weight - means[1]) ** 2 / means[1]
            cells += 1
    return float(chdtrc(cells - 1, statistic)) if cells > 1 else 1.0


def _fisher(first: int, of: int, second: int, of_second: int) -> float:
    """Twice the smaller tail of Fisher's exact test for two shares."""
    total, hits = of + of_second, first + second

    def chance(k: int) -> float:
        return math.exp(
            _log_choose(of, k) + _log_choose(of_second, hits - k) - _log_choose(total, hits)
        )

    low, high = max(0, hits - of_second), min(of, hits)
    below = first * total <= hits * of
    tail = range(low, first + 1) if below else range(first, high + 1)
    return min(1.0, 2 * sum(map(chance, tail)))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
