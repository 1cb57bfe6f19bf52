"""Play-outs: what a move does to others without any evaluator, from final payoffs of random play.

Behind every move the same luck: play-out n uses the same numbers after each of them, for chance and
for every seat. What still differs is tested, as an analysis of variance in blocks of equal luck, so
that noise alone makes a state influential no more often than ERROR says.
"""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import CHANCE, OVER, Array, Game, SearchSpace, State
from mpsearch.studies.impact.influence import READINGS, Touched
from mpsearch.studies.impact.probe import StateSample

#: How often a state in which nobody is touched is taken for an influential one.
ERROR = 0.01
#: Of more moves than this so many are drawn.
MOST_MOVES = 12
#: A play-out that lasts longer is cut off and counts as a draw.
LONGEST = 10_000


class PlayoutProbe:
    """Plays every move of a state out to the end, so many times, at random."""

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
        # What was before the choice is the mean over the moves: who varies is also reduced.
        return StateSample(
            touched=np.array([[touched] * len(READINGS)]), variance=variance[np.newaxis]
        )


def play_out(game: Game, state: State, luck: list[int], *, last: int = 0) -> Array:
    """The payoff at the end of random play.

    `last` is who moved last. Each seat has luck of its own for its choices, and for the chance
    that follows them: who rolls the dice once more must not change what the others roll.
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
    """Which seats' payoffs depend on the move, and their variance over the moves without noise.

    Of results of shape (M, N, P): after M moves, with the luck of N play-outs, for P seats.
    """
    moves, number, players = results.shape
    if moves < 2:
        return np.zeros(players, dtype=np.bool_), np.zeros(players)
    by_move, by_luck = results.mean(axis=1, keepdims=True), results.mean(axis=0, keepdims=True)
    noise = results - by_move - by_luck + results.mean(axis=(0, 1), keepdims=True)
    between = number * by_move.var(axis=0, ddof=1)[0]
    within = (noise**2).sum(axis=(0, 1)) / ((moves - 1) * (number - 1))
    # A seat that nobody touches has not a bit of difference; a sure effect not a bit of noise.
    ratio = np.divide(between, within, out=np.full(players, np.inf), where=within > 1e-12)
    ratio[between <= 1e-12] = 0.0
    from scipy.stats import f

    chance = f.sf(ratio, moves - 1, (moves - 1) * (number - 1))
    touched: Touched = chance < ERROR / (players - 1)
    return touched, np.where(between > 1e-12, (between - within) / number, 0.0)
