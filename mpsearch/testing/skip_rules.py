"""The contract's rule for games in which a search may skip a turn."""

from __future__ import annotations

from mpsearch.contracts import OVER, CompiledGame, Game
from mpsearch.testing.random_play import GameRule, rule_of, turns

SKIP_RULES: dict[str, GameRule] = {}
rule = rule_of(SKIP_RULES)


@rule
def turns_go_by_to_another_seat(game: Game, seed: int, plies: int) -> None:
    """After a skipped turn another seat is to move, or the game is over."""
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
