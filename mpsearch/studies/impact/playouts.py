"""Random play-outs: the effect of a move on others from final payoffs, without an evaluator.

Play-out n uses common random numbers after every move, for chance and for each seat. An analysis
of variance in blocks of equal luck tests the rest, so that noise alone makes a state look
influential with probability ERROR at most.
"""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Game, SearchSpace, State
from mpsearch.studies.impact.influence import READINGS, Touched
from mpsearch.studies.impact.probe import StateSample

#: How often a state without influence is taken for an influential one.
ERROR = 0.01
#: Moves played out per state; of more, so many are drawn.
MOST_MOVES = 12
#: A longer play-out is cut off and counts as a draw.
LONGEST = 10_000


class PlayoutProbe:
    """Plays out every move of a state at random, `number` times each."""

    def __init__(self, space: SearchSpace, number: int, *, seed: int) -> None:
        self.game, self.number, self.seed = space.game, number, seed
        self.listing = space.listing
        self.looked = 0

    def __call__(self, state: State) -> StateSample:
        game, root = self.game, self.game.mover(state)
        self.looked += 1
        moves = list(self.listing(state))
        if len(moves) > MOST_MOVES:
            drawn = np.random.default_rng([self.seed, self.looked]).permutation(len(moves))
            moves = [moves[number] for number in sorted(drawn[:MOST_MOVES].tolist())]
        results = np.array(
            [
                [
                    play_out(game, game.play(state, move), [self.seed, self.looked, n], last=root)
                    for n in range(self.number)
                ]
                for move in moves
            ]
        )
        touched, variance = effects(results)
        touched[root] = False
        # The value before the choice is the mean over the moves: whoever varies is also reduced.
        return StateSample(
            touched=np.array([[touched] * len(READINGS)]), variance=variance[np.newaxis]
        )


def play_out(game: Game, state: State, luck: list[int], *, last: int = 0) -> Array:
    """The payoff at the end of random play; `last` is who moved last.

    Each seat has random streams of its own for its choices and for the chance that follows them:
    one more roll by one seat must not change what the others roll.
    """
    streams = np.random.SeedSequence(luck).spawn(2 * game.players)
    rngs = [np.random.default_rng(stream) for stream in streams]
    for _ in range(LONGEST):
        mover = game.mover(state)
        if mover == OVER:
            return np.asarray(game.payoff(state), dtype=np.float64)
        if mover == CHANCE:
            state = game.play(state, game.draw(state, rngs[game.players + last]))
        else:
            moves, last = game.moves(state), mover
            state = game.play(state, moves[int(rngs[mover].random() * len(moves))])
    return np.zeros(game.players)


def effects(results: Array) -> tuple[Touched, Array]:
    """Which seats' payoffs depend on the move, and their variance over moves net of noise.

    Results have shape (M, N, P): M moves, N play-outs, P seats.
    """
    moves, number, players = results.shape
    if moves < 2:
        return np.zeros(players, dtype=np.bool_), np.zeros(players)
    by_move, by_luck = results.mean(axis=1, keepdims=True), results.mean(axis=0, keepdims=True)
    noise = results - by_move - by_luck + results.mean(axis=(0, 1), keepdims=True)
    between = number * by_move.var(axis=0, ddof=1)[0]
    within = (noise**2).sum(axis=(0, 1)) / ((moves - 1) * (number - 1))
    # Without an effect there is no difference at all; a sure effect has no noise at all.
    ratio = np.divide(between, within, out=np.full(players, np.inf), where=within > 1e-12)
    ratio[between <= 1e-12] = 0.0
    from scipy.stats import f

    chance = f.sf(ratio, moves - 1, (moves - 1) * (number - 1))
    touched: Touched = chance < ERROR / (players - 1)
    return touched, np.where(between > 1e-12, (between - within) / number, 0.0)
