"""Whatever is typed for a move, in any game: a legal move, or a MoveError that says why not."""

import numpy as np
from support.fuzz import counts, generator, mutated, states

from mpsearch.contracts import CHANCE, OVER, Game, State, legal_move
from mpsearch.errors import MoveError
from mpsearch.plugins.catalog import installed


def try_text(game: Game, state: State, text: str) -> None:
    try:
        move = legal_move(game, state, text)
    except MoveError:
        return
    assert move in game.moves(state)


def try_outcome(game: Game, state: State, text: str) -> None:
    """As a record is replayed: what cannot be is known before it is played."""
    try:
        outcome = game.read(text)
    except MoveError:
        return
    if game.possible(state, outcome):
        game.mover(game.play(state, outcome))


@counts(sample=1_000, full=200_000)
def test_any_text_is_a_move_or_is_explained(count: int) -> None:
    rng = generator("moves")
    catalog = installed()
    tried = 0
    while tried < count:
        offer = catalog.games[rng.choice(sorted(catalog.games))]
        game = offer.new_game(players=rng.randint(*offer.players))
        draws = np.random.default_rng(rng.randrange(2**32))
        for state in states(game, rng):
            mover = game.mover(state)
            if mover == OVER:
                continue
            outcomes = [game.draw(state, draws)] if mover == CHANCE else game.moves(state)
            for _ in range(100):
                text = mutated(rng, game.write(rng.choice(list(outcomes))))
                try:
                    (try_outcome if mover == CHANCE else try_text)(game, state, text)
                except Exception as error:
                    raise AssertionError(f"{offer.name}, move {text!r}: {error!r}") from error
                tried += 1
