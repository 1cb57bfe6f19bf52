"""Worlds reached by the rules: states played forward so that a seat sees what it saw.

`world` is to draw a state in proportion to the probability of chance, with every secret move of
others that agrees with the view counted alike. Here the same is done by the rules alone: from the
start, or from worlds drawn earlier, and whatever would have looked otherwise is thrown away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mpsearch.contracts import CHANCE, Game, Move, State, View
from mpsearch.testing.random_play import Step

#: States with their weights.
Weighted = dict[State, float]

#: More states than this are too many to keep them all.
_MOST = 400
#: Of a chance that is only drawn so many outcomes are tried first, and so many in all if any of
#: the first looks as it should.
_FIRST_DRAWS, _DRAWS = 200, 3000


def successors(game: Game, state: State, step: Step, seat: int) -> Iterator[tuple[State, float]]:
    """Where a state may go in a step that was made, with weights; chance that is listed only."""
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
    """Whether the outcomes of a state are listed; where a seat moves they always are."""
    return game.mover(state) != CHANCE or len(game.chance(state)) > 0


def all_states(game: Game, states: Weighted, step: Step, after: View, seat: int) -> Weighted | None:
    """All states that a step may lead to; None if they are too many, or chance is not listed."""
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
    """Outcomes of a chance that is only drawn, those that look as they should to the seat."""
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
    """Independent states, each played one step on; rejected unless it looks as it should."""
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
    # What has more ways to go on is kept more often.
    kept = rng.random(len(reached)) * max(weights) < np.array(weights)
    return [state for state, keep in zip(reached, kept.tolist(), strict=True) if keep]
