"""The referee: gives players their views, draws chance outcomes, checks every move."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from mpsearch.contracts import (
    CHANCE,
    OVER,
    Decision,
    Game,
    Memory,
    Move,
    Player,
    State,
    event_of,
    turn_of,
)
from mpsearch.errors import ContractError, UsageError
from mpsearch.match.native_play import native_play
from mpsearch.plugins import checked_payoff, part_name

#: As many bits as numpy's SeedSequence keeps. A clock would have about 30 unknown ones.
SEED_BITS = 128


@attrs.frozen(kw_only=True)
class Ply:
    """One step of a game: a player's move, or an outcome of chance."""

    number: int
    #: The seat that moved, or CHANCE.
    seat: int
    move: Move
    #: None for chance, and for the moves of a random opening.
    decision: Decision | None
    #: The states before and after. Players must not see them.
    before: State
    state: State


def secret_seed() -> int:
    """A cryptographically random seed, so that nobody can compute the deals."""
    return secrets.randbits(SEED_BITS)


def generators(seed: int, players: int) -> list[np.random.Generator]:
    """Independent generators: one for chance, then one per seat.

    Chance has its own, so that no player's search can foresee its outcomes.
    """
    return [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(players + 1)]


def opening_generator(seed: int, players: int) -> np.random.Generator:
    """The generator of random openings, independent of those of players and chance."""
    return np.random.default_rng(np.random.SeedSequence(seed).spawn(players + 2)[-1])


def play_match(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int,
    start: State | None = None,
    opening: int = 0,
    past: Sequence[Move] = (),
    most_plies: int | None = None,
) -> Iterator[Ply]:
    """Play one game, ply by ply, from its start or from a given state.

    The same seed gives the same game. The first `opening` moves are random, the same whoever plays,
    and not observed, as if the game began after them.

    An interrupted game continues after its `past`, the moves and outcomes so far: they are played
    again and observed, but nobody is asked for them, and their plies are not yielded.

    More than `most_plies`, or than the game itself declares, is an error.
    """
    most_plies = game.most_plies if most_plies is None else most_plies
    if len(players) != game.players:
        raise ContractError(f"{len(players)} players at a table for {game.players}")
    for seat, player in enumerate(players):
        _check_table(game, seat, player)
    chance, *rngs = generators(seed, game.players)
    memories = [player.start(seat, rngs[seat]) for seat, player in enumerate(players)]
    try:
        observers = [(seat, player) for seat, player in enumerate(players) if player.observes]
        state = game.new() if start is None else start
        number = 0
        for ply in _opening(game, state, opening, chance, opening_generator(seed, game.players)):
            _check_length(game, ply.number, most_plies)
            if ply.number >= len(past):
                yield ply
            state, number = ply.state, ply.number + 1
        native = native_play(game, players, rngs, chance)
        while (mover := game.mover(state)) != OVER:
            _check_length(game, number, most_plies)
            decision = None
            if mover == CHANCE:
                # Drawn for the past too, so that chance continues as if uninterrupted.
                move = game.draw(state, chance)
            if number < len(past):
                move = past[number]
            elif mover != CHANCE and native is not None and (steps := native.play(state, mover)):
                for step in steps:
                    decision = None
                    if step.seat != CHANCE:
                        decision = players[step.seat].account(
                            step.seat,
                            memories[step.seat],
                            move=step.move,
                            known=step.known,
                            note=step.note,
                        )
                    ply = Ply(
                        number=number,
                        seat=step.seat,
                        move=step.move,
                        decision=decision,
                        before=state,
                        state=step.state,
                    )
                    _tell(game, observers, memories, rngs, ply)
                    yield ply
                    state, number = step.state, number + 1
                continue
            elif mover != CHANCE:
                moves = tuple(game.moves(state))
                turn = turn_of(game, state, moves)
                decision = players[mover].choose(turn, memories[mover], rngs[mover])
                move = decision.move
                if move not in moves:
                    raise ContractError(
                        f"seat {mover} played {move!r}, which is not legal: "
                        f"{game.objection(state, move)}"
                    )
            after = game.play(state, move)
            ply = Ply(
                number=number, seat=mover, move=move, decision=decision, before=state, state=after
            )
            _tell(game, observers, memories, rngs, ply)
            if number >= len(past):
                yield ply
            state = after
            number += 1
        checked_payoff(game, state)
    finally:
        for player, memory in zip(players, memories, strict=True):
            player.end(memory)


def _check_length(game: Game, number: int, most_plies: int) -> None:
    if number >= most_plies:
        raise ContractError(
            f"{part_name(game)}: the game is not over after {number:,} plies; allow more "
            "with --most-plies, or in the game itself with 'most_plies'"
        )


def _tell(
    game: Game,
    observers: Sequence[tuple[int, Player]],
    memories: list[Memory],
    rngs: Sequence[np.random.Generator],
    ply: Ply,
) -> None:
    """Let the other observers see a move, and those who want to an outcome of chance."""
    for seat, player in observers:
        if seat != ply.seat and (ply.seat != CHANCE or player.observes_chance):
            event = event_of(game, seat, before=ply.before, move=ply.move, after=ply.state)
            memories[seat] = player.observe(memories[seat], event, rngs[seat])


def _opening(
    game: Game, state: State, moves: int, chance: np.random.Generator, rng: np.random.Generator
) -> Iterator[Ply]:
    """So many random moves, and chance between them; fewer if one would end the game."""
    number, made = 0, 0
    while made < moves and (mover := game.mover(state)) != OVER:
        if mover == CHANCE:
            move = game.draw(state, chance)
        else:
            legal = game.moves(state)
            move = legal[int(rng.integers(len(legal)))]
            made += 1
        after = game.play(state, move)
        if mover != CHANCE and game.mover(after) == OVER:
            return
        yield Ply(number=number, seat=mover, move=move, decision=None, before=state, state=after)
        state, number = after, number + 1


def _check_table(game: Game, seat: int, player: Player) -> None:
    """A player made for another game would misread every view."""
    own = player.game
    if own is None or own is game:
        return
    if type(own) is not type(game) or own.players != game.players or own.new() != game.new():
        raise UsageError(
            f"seat {seat} was made for {type(own).__name__} with {own.players} players and other "
            f"settings, and this is {type(game).__name__} with {game.players}; make it with this "
            "game"
        )
