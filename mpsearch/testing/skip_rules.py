"""The rule of the contract for games in which a turn may go by in thought."""

from __future__ import annotations

from mpsearch.contracts import OVER, CompiledGame, Game
from mpsearch.testing.random_play import GameRule, turns


def turns_go_by_to_another_seat(game: Game, seed: int, plies: int) -> None:
    """Where turns can be skipped, another seat is to move then, or the game is over."""
    if not game.skips:
        return
    for step in turns(game, seed, plies):
        after = game.skip(step.state)
        if after != game.skip(step.state):
            step.fail("skipping twice from one state gives different states")
        following = game.mover(after)
        if following not in (OVER, *range(game.players)) or following == step.mover:
            step.fail(f"seat {step.mover} skips its turn, and the mover is {following}")
        if following != OVER and not list(game.moves(after)):
            step.fail(f"seat {following} has no moves after a turn was skipped")
        if isinstance(game, CompiledGame) and game.rules.skip is not None:
            s = game.record(step.state)
            game.rules.skip.plain(s)
            if s.tobytes() != after:
                step.fail("skip differs between compiled and plain rules")


SKIP_RULES: dict[str, GameRule] = {
    turns_go_by_to_another_seat.__name__: turns_go_by_to_another_seat
}
