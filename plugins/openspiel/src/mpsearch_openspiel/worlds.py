"""Worlds of small foreign games, by filtering: states that agree with what a seat knew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mpsearch.errors import ContractError
from mpsearch_openspiel.position import Inner, Notes, Position, numbers

#: After so many plies that were tried filtering is given up.
MOST_STEPS = 20_000


def notes(game: Any, state: Position, seat: int) -> Notes:
    """What a seat knew after every ply."""
    inner = game.new_initial_state()
    known = [_information(inner, seat)]
    for action in state.history:
        inner.apply_action(action)
        known.append(_information(inner, seat))
    return Notes(seat=seat, known=tuple(known), numbers=numbers(inner, seat))


def filtered(game: Any, view: Notes, rng: np.random.Generator) -> Position:
    """A state drawn ply by ply, with every ply such that the seat learns what it learned.

    Chance is drawn by its probabilities and others' moves uniformly, both among what agrees with
    the seat's information at that ply. Where nothing does, the ply before is drawn again: some
    secrets, such as simultaneous choices, come out later.
    """
    states = [game.new_initial_state()]
    ahead = [_agreeing(states[0], view.seat, view.known[1:2], rng)]
    for _ in range(MOST_STEPS):
        if len(states) == len(view.known):
            return Position.of(states[-1])
        after = next(ahead[-1], None)
        if after is not None:
            states.append(after)
            ahead.append(_agreeing(after, view.seat, view.known[len(states) :][:1], rng))
            continue
        states.pop()
        ahead.pop()
        if not states:
            break
    raise ContractError(f"no world was found that agrees with what seat {view.seat} knows")


def _agreeing(
    inner: Inner, seat: int, known: Sequence[str], rng: np.random.Generator
) -> Iterator[Inner]:
    """What may follow a state so that the seat knows what it knew then, in an order by weight."""
    if inner.is_terminal() or not known:
        return
    if inner.is_chance_node():
        actions, weights = zip(*inner.chance_outcomes(), strict=True)
    else:
        actions = tuple(inner.legal_actions())
        weights = (1.0,) * len(actions)
    # In an order drawn by weight the first that agrees is drawn by weight among all that do.
    for number in np.argsort(rng.exponential(size=len(actions)) / np.array(weights)):
        after = inner.child(actions[number])
        if _information(after, seat) == known[0]:
            yield after


def _information(inner: Inner, seat: int) -> str:
    known: str = inner.information_state_string(seat)
    return known
