"""The rules of the contract for views and worlds: what a seat may know, and what it may imagine."""

from __future__ import annotations

import numpy as np

from mpsearch.contracts import OVER, Game
from mpsearch.errors import ContractError
from mpsearch.testing.random_play import LONGEST_GAME, GameRule, turns, walk

#: From how many worlds of a game play goes on to the end.
_PLAYED_ON = 12


def open_games_hide_nothing(game: Game, seed: int, plies: int) -> None:
    """Without hidden information a view is the state."""
    if game.hidden:
        return
    for step in walk(game, seed, plies=plies):
        for seat in range(game.players):
            if game.view(step.state, seat) != step.state:
                step.fail(f"seat {seat}'s view is not the state, but the game is not hidden")


def worlds_agree_with_views(game: Game, seed: int, plies: int) -> None:
    """A world drawn from a view looks the same to that seat, who has the same moves in it."""
    rng = np.random.default_rng(seed)
    for step in turns(game, seed, plies):
        for seat in range(game.players):
            view = game.view(step.state, seat)
            world = game.world(view, rng)
            if game.view(world, seat) != view:
                step.fail(f"seat {seat} can tell a world drawn from its view from the real one")
            if game.mover(world) != step.mover:
                step.fail(f"mover is {game.mover(world)} in a world of seat {seat}")
            if step.mover != seat:
                continue
            moves = list(game.moves(step.state))
            if list(game.moves(world)) != moves:
                step.fail(f"seat {seat} has other moves in a world drawn from its view")
            if any(game.write_in(world, m) != game.write_in(step.state, m) for m in moves):
                step.fail(f"seat {seat}'s moves are written otherwise in a world of its view")


def worlds_can_be_played_on(game: Game, seed: int, plies: int) -> None:
    """Random play from a drawn world comes to an end, and never to a state without moves."""
    if not game.hidden:
        return
    rng = np.random.default_rng(seed)
    steps = list(turns(game, seed, plies))
    for number in range(0, len(steps), max(1, len(steps) // _PLAYED_ON)):
        step = steps[number]
        world = game.world(game.view(step.state, step.mover), rng)
        made: list[str] = []
        try:
            for on in walk(game, seed + number, plies=LONGEST_GAME, start=world):
                made = on.history
                if on.mover == OVER:
                    game.payoff(on.state)
        except Exception as error:
            shown, what = "; ".join(made) or "none", str(error).partition(" (seed")[0]
            step.fail(f"a world of seat {step.mover} breaks down after {shown}: {what}")


def worlds_are_drawn_from_views_alone(game: Game, seed: int, plies: int) -> None:
    """States that look the same to a seat give it the same worlds from equal generators."""
    rng = np.random.default_rng(seed)
    for step in turns(game, seed, plies):
        for seat in range(game.players):
            other = game.world(game.view(step.state, seat), rng)
            worlds = [
                game.world(game.view(state, seat), np.random.default_rng(seed))
                for state in (step.state, other)
            ]
            if worlds[0] != worlds[1]:
                step.fail(f"a world of seat {seat} depends on more than its view")


def views_hide_something(game: Game, seed: int, plies: int) -> None:
    """With hidden information, some view fits more than one state."""
    if not game.hidden:
        return
    rng = np.random.default_rng(seed)
    for step in turns(game, seed, plies):
        for seat in range(game.players):
            view = game.view(step.state, seat)
            if any(game.world(view, rng) != step.state for _ in range(5)):
                return
    raise ContractError(f"the game is declared hidden, but every view gives all away (seed {seed})")


#: Every rule for views and worlds, by name.
VIEW_RULES: dict[str, GameRule] = {
    check.__name__: check
    for check in (
        open_games_hide_nothing,
        worlds_agree_with_views,
        worlds_can_be_played_on,
        worlds_are_drawn_from_views_alone,
        views_hide_something,
    )
}
