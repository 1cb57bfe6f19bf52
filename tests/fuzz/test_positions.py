"""Whatever stands for a position: a state that can be played, or a UsageError that says why not."""

from support.fuzz import counts, generator, mutated, states

from mpsearch.contracts import CHANCE, OVER, Game
from mpsearch.errors import UsageError
from mpsearch.plugins.catalog import installed


def notations() -> list[Game]:
    """Every game with a notation for positions, for each number of players."""
    found = []
    for offer in installed().games.values():
        for players in range(offer.players[0], offer.players[1] + 1):
            game = offer.new_game(players=players)
            try:
                game.position(game.new())
            except UsageError:
                continue
            found.append(game)
    return found


def try_position(game: Game, text: str) -> None:
    try:
        state = game.from_position(text)
    except UsageError:
        return
    mover = game.mover(state)
    assert mover in (CHANCE, OVER, *range(game.players))
    if mover >= 0:
        for move in list(game.moves(state))[:3]:
            game.mover(game.play(state, move))
    game.picture(game.view(state, 0))
    assert game.from_position(game.position(state)) == state


@counts(sample=300, full=8_000)
def test_any_text_is_a_position_or_is_explained(count: int) -> None:
    rng = generator("positions")
    games = notations()
    assert games
    tried = 0
    while tried < count:
        game = rng.choice(games)
        for state in states(game, rng):
            for _ in range(10):
                text = mutated(rng, game.position(state))
                for _ in range(rng.randrange(2)):
                    text = mutated(rng, text)
                try:
                    try_position(game, text)
                except Exception as error:
                    raise AssertionError(f"position {text!r}: {error!r}") from error
                tried += 1
