"""The contract's rules for views and worlds: information sets and their determinizations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mpsearch.contracts import OVER, Game, State, View
from mpsearch.errors import ContractError
from mpsearch.testing.random_play import (
    LONGEST_GAME,
    GameRule,
    Step,
    rng_at,
    rule_of,
    turns,
    viewed,
    walk,
    world_at,
)

#: Worlds of a game that are played to the end.
_PLAYED_ON = 12

VIEW_RULES: dict[str, GameRule] = {}
rule = rule_of(VIEW_RULES)


def _views(game: Game, seed: int, plies: int) -> Iterator[tuple[Step, int, View]]:
    """What every seat sees wherever a seat is to move in a random game."""
    for step in viewed(game, seed, plies):
        for seat in range(game.players):
            yield step, seat, game.view(step.state, seat)


@rule
def open_games_hide_nothing(game: Game, seed: int, plies: int) -> None:
    """Without hidden information a view is the state."""
    if game.hidden:
        return
    for step in walk(game, seed, plies=plies):
        for seat in range(game.players):
            if game.view(step.state, seat) != step.state:
                step.fail(f"seat {seat}'s view is not the state, but the game is not hidden")


@rule
def worlds_agree_with_views(game: Game, seed: int, plies: int) -> None:
    """A world drawn from a view gives the seat the same view and the same moves."""
    rng = np.random.default_rng(seed)
    for step, seat, view in _views(game, seed, plies):
        _agrees(game, step, seat, view, world_at(game, step, seat))
        if step.mover == seat:
            # Moves are compared for this seat only: so in another world, too.
            _agrees(game, step, seat, view, game.world(view, rng))


def _agrees(game: Game, step: Step, seat: int, view: View, world: State) -> None:
    if game.view(world, seat) != view:
        step.fail(f"seat {seat} can tell a world drawn from its view from the real one")
    if game.mover(world) != step.mover:
        step.fail(f"mover is {game.mover(world)} in a world of seat {seat}")
    if step.mover != seat:
        return
    moves = list(game.moves(step.state))
    if list(game.moves(world)) != moves:
        step.fail(f"seat {seat} has other moves in a world drawn from its view")
    texts = [[game.write_in(state, move) for move in moves] for state in (step.state, world)]
    if texts[0] != texts[1]:
        step.fail(f"seat {seat}'s moves are written otherwise in a world of its view")


@rule
def worlds_can_be_played_on(game: Game, seed: int, plies: int) -> None:
    """Random play from a drawn world ends, and never lacks moves."""
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


@rule
def worlds_are_drawn_from_views_alone(game: Game, seed: int, plies: int) -> None:
    """Equal views give equal worlds from equal generators."""
    for step, seat, _ in _views(game, seed, plies):
        first = world_at(game, step, seat)
        second = game.world(game.view(first, seat), rng_at(step, seat))
        if first != second:
            step.fail(f"a world of seat {seat} depends on more than its view")


@rule
def views_hide_something(game: Game, seed: int, plies: int) -> None:
    """In a hidden game some view fits more than one state."""
    if not game.hidden:
        return
    rng = np.random.default_rng(seed)
    for step, _, view in _views(game, seed, plies):
        if any(game.world(view, rng) != step.state for _ in range(5)):
            return
    raise ContractError(f"the game is declared hidden, but every view gives all away (seed {seed})")
