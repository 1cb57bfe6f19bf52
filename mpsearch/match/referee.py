"""The referee: hands views to players, rolls the dice, checks every move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Decision,
    Event,
    Game,
    Move,
    Player,
    State,
    Turn,
)
from mpsearch.errors import ContractError


@attrs.frozen(kw_only=True)
class Ply:
    """One step of a game: a player's move, or an outcome of chance."""

    number: int
    #: The seat that moved, or CHANCE.
    seat: int
    move: Move
    #: None for chance.
    decision: Decision | None
    #: The states before and after. For the referee's side of the table only.
    before: State
    state: State


def generators(seed: int, players: int) -> list[np.random.Generator]:
    """Independent streams: one for chance, then one per seat.

    Chance has its own, so that no player's search can meet the numbers of its future.
    """
    return [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(players + 1)]


def play_match(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int,
    start: State | None = None,
    past: Sequence[Move] = (),
) -> Iterator[Ply]:
    """Play one game, ply by ply, from its start or from a given state.

    The same seed gives the same game. A game that was interrupted goes on after its `past`, the
    moves and outcomes so far: they are played again and observed, but nobody is asked for them,
    and their plies are not yielded.
    """
    if len(players) != game.players:
        raise ContractError(f"{len(players)} players at a table for {game.players}")
    chance, *rngs = generators(seed, game.players)
    memories = [player.start(seat, rngs[seat]) for seat, player in enumerate(players)]
    state = game.new() if start is None else start
    number = 0
    while (mover := game.mover(state)) != OVER:
        decision = None
        if mover == CHANCE:
            # Drawn for the past too, so that chance goes on as if there had been no break.
            move = game.draw(state, chance)
        if number < len(past):
            move = past[number]
        elif mover != CHANCE:
            moves = tuple(game.moves(state))
            turn = Turn(seat=mover, view=game.view(state, mover), moves=moves)
            decision = players[mover].choose(turn, memories[mover], rngs[mover])
            move = decision.move
            if move not in moves:
                raise ContractError(
                    f"seat {mover} played {move!r}, which is not legal: "
                    f"{game.objection(state, move)}"
                )
        after = game.play(state, move)
        if mover != CHANCE:
            for seat, player in enumerate(players):
                if seat != mover and player.observes:
                    event = Event(
                        mover=mover,
                        move=game.seen(state, move, seat),
                        before=game.view(state, seat),
                        after=game.view(after, seat),
                    )
                    memories[seat] = player.observe(memories[seat], event, rngs[seat])
        if number >= len(past):
            yield Ply(
                number=number, seat=mover, move=move, decision=decision, before=state, state=after
            )
        state = after
        number += 1
