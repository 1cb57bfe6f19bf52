"""Worlds by rejection sampling: states played forward by the rules to a seat's view.

`world` must draw a state in proportion to its probability, with all secret moves of others that
agree with the view equally likely. Here the rules alone do the same, from the start or from worlds
drawn earlier, and states with another view are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mpsearch.contracts import CHANCE, Game, Move, State, View
from mpsearch.testing.random_play import Step

#: States with their weights.
Weighted = dict[State, float]

#: More states are too many to list.
_MOST = 400
#: Outcomes of unlisted chance that are drawn first, and in all if any of the first fits.
_FIRST_DRAWS, _DRAWS = 200, 3000


def successors(game: Game, state: State, step: Step, seat: int) -> Iterator[tuple[State, float]]:
    """The states that a step may lead to, with weights; listed chance only."""
    assert step.move is not None
    if game.mover(state) != step.mover:
        return
    if step.mover == CHANCE:
        for outcome, probability in game.chance(state):
            yield game.play(state, outcome), probability
        return
    legal: Sequence[Move] = game.moves(state)
    if step.mover == seat or game.seen(step.state, step.move, seat) == step.move:
        legal = [step.move] if step.move in legal else []
    for move in legal:
        yield game.play(state, move), 1.0


def lists_chance_in(game: Game, state: State) -> bool:
    """Whether the successors of a state can be listed."""
    return game.mover(state) != CHANCE or len(game.chance(state)) > 0


def all_states(game: Game, states: Weighted, step: Step, after: View, seat: int) -> Weighted | None:
    """All states that a step may lead to; None if there are too many or chance is not listed."""
    found: Weighted = {}
    for state, weight in states.items():
        if not lists_chance_in(game, state):
            return None
        for reached, more in successors(game, state, step, seat):
            if game.view(reached, seat) == after:
                found[reached] = found.get(reached, 0.0) + weight * more
                if len(found) > _MOST:
                    return None
    return found


def drawn_starts(
    game: Game, state: State, after: View, seat: int, rng: np.random.Generator
) -> list[State]:
    """States after drawn outcomes of unlisted chance that have the seat's view."""
    found: list[State] = []
    for number in range(_DRAWS):
        if number == _FIRST_DRAWS and not found:
            break
        reached = game.play(state, game.draw(state, rng))
        if game.view(reached, seat) == after:
            found.append(reached)
    return found


def played_on(
    game: Game,
    states: Sequence[State],
    step: Step,
    after: View,
    seat: int,
    rng: np.random.Generator,
) -> list[State]:
    """Independent states, each played one step on and rejected unless the view agrees."""
    reached: list[State] = []
    weights: list[float] = []
    for state in states:
        if not lists_chance_in(game, state):
            drawn = game.play(state, game.draw(state, rng))
            ways = [(drawn, 1.0)] if game.view(drawn, seat) == after else []
        else:
            ways = [
                (way, weight)
                for way, weight in successors(game, state, step, seat)
                if game.view(way, seat) == after
            ]
        if ways:
            total = sum(weight for _, weight in ways)
            shares = np.array([weight for _, weight in ways]) / total
            reached.append(ways[int(rng.choice(len(ways), p=shares))][0])
            weights.append(total)
    if not reached or min(weights) == max(weights):
        return reached
    # Accept in proportion to the total weight.
    kept = rng.random(len(reached)) * max(weights) < np.array(weights)
    return [state for state, keep in zip(reached, kept.tolist(), strict=True) if keep]
