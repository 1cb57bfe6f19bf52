"""The rules of the contract for games that know how they end before they do."""

from __future__ import annotations

from mpsearch.contracts import OVER, CompiledGame, Game, State, winners
from mpsearch.jit import jit_enabled
from mpsearch.testing.random_play import GameRule, Step, rule_of, spread, turns

#: Solved states of a random game that are looked at.
_LOOKS = 6

SOLVE_RULES: dict[str, GameRule] = {}
rule = rule_of(SOLVE_RULES)


@rule
def solved_games_are_finished(game: Game, seed: int, plies: int) -> None:
    """What is solved is a finished game of two seats that one has won, at least a ply later."""
    for step in _solved(game, seed, plies):
        if game.players != 2:
            step.fail(f"`solve` is for two seats; there are {game.players}")
        ending = game.solve(step.state)
        assert ending is not None
        end, later = ending
        if later < 1 or game.mover(end) != OVER:
            step.fail(f"solved to end in {later} plies, where the mover is {game.mover(end)}")
        if len(winners(game.payoff(end))) != 1:
            step.fail(f"solved, but nobody wins: the payoff is {game.payoff(end).tolist()}")
        if ending != game.solve(step.state):
            step.fail("solving twice gives different ends")


@rule
def solved_games_end_as_played_best(game: Game, seed: int, plies: int) -> None:
    """A solved end is that of the best move: the soonest win, or if all lose the latest loss."""
    # Ply after ply along the line of best play: what holds for one ply everywhere holds for the
    # whole rest of the game, by induction.
    for step in _solved(game, seed, plies):
        state = step.state
        while (seat := game.mover(state)) != OVER:
            winner, later = _end(game, state) or (seat, 0)
            behind = [game.play(state, move) for move in game.moves(state)]
            ends = [(end, after) for after in behind if (end := _end(game, after)) is not None]
            wins = {end[1] + 1: after for end, after in ends if end[0] == seat}
            losses = {end[1] + 1: after for end, after in ends if end[0] != seat}
            if winner == seat:
                if not wins or min(wins) != later:
                    step.fail(f"solved as a win in {later} plies; moves win in {sorted(wins)}")
                state = wins[later]
            else:
                lost = sum(end[0] != seat for end, _ in ends)
                if lost < len(behind) or max(losses) != later:
                    step.fail(
                        f"solved as a loss in {later} plies; {lost} of {len(behind)} moves lose, "
                        f"in {sorted(losses)}"
                    )
                state = losses[later]


@rule
def compiled_ends_are_the_plain_ones(game: Game, seed: int, plies: int) -> None:
    """A compiled `solve` agrees with the Python function it is compiled from."""
    if not isinstance(game, CompiledGame) or game.rules.solve is None or not jit_enabled():
        return
    for step in spread(list(turns(game, seed, plies)), _LOOKS):
        s = game.record(step.state)
        later = int(game.rules.solve.plain(s))
        plain = (s.tobytes(), later) if later else None
        if plain is None and s.tobytes() != step.state:
            step.fail("`solve` says 0 and has changed the state")
        if game.solve(step.state) != plain:
            step.fail("`solve` differs between compiled and plain rules")


def _solved(game: Game, seed: int, plies: int) -> list[Step]:
    """Some states of a random game that are solved."""
    if not game.solves:
        return []
    return spread([s for s in turns(game, seed, plies) if game.solve(s.state) is not None], _LOOKS)


def _end(game: Game, state: State) -> tuple[int, int] | None:
    """Who wins, and how many plies later; None if that is not known, or nobody does."""
    ending = (state, 0) if game.mover(state) == OVER else game.solve(state)
    if ending is None:
        return None
    best = winners(game.payoff(ending[0]))
    return (best[0], ending[1]) if len(best) == 1 else None
