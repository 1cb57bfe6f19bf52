"""Worlds of small foreign games, by filtering: states that agree with what a seat knew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mpsearch.contracts import Array
from mpsearch.errors import ContractError
from mpsearch_openspiel.position import Inner, Notes, Position, numbers

#: After so many plies that were tried filtering is given up.
MOST_STEPS = 20_000
#: So many plies are tried to list all states that agree with a view.
MOST_LISTED = 1000


def notes(game: Any, state: Position, seat: int) -> Notes:
    """What a seat knew after every ply, and what it did."""
    inner = game.new_initial_state()
    known = [_information(inner, seat)]
    own: list[int | None] = []
    for action in state.history:
        own.append(action if inner.current_player() == seat else None)
        inner.apply_action(action)
        known.append(_information(inner, seat))
    return Notes(seat=seat, known=tuple(known), own=tuple(own), numbers=numbers(inner, seat))


def listed(game: Any, view: Notes) -> tuple[list[Inner], Array] | None:
    """All states that agree with what a seat knew, and how likely they are; None if too many.

    A state is as likely as the chance that led to it; secret moves of others count alike.
    """
    states, weights, tried = [game.new_initial_state()], [1.0], 0
    for ply in range(len(view.own)):
        after: list[Inner] = []
        likely: list[float] = []
        for inner, weight in zip(states, weights, strict=True):
            actions, chances = _actions(inner, view, ply)
            tried += len(actions)
            if tried > MOST_LISTED:
                return None
            for action, chance in zip(actions, chances, strict=True):
                child = inner.child(action)
                if _information(child, view.seat) == view.known[ply + 1]:
                    after.append(child)
                    likely.append(weight * chance)
        states, weights = after, likely
    if not states:
        return None
    return states, np.array(weights) / sum(weights)


def filtered(game: Any, view: Notes, rng: np.random.Generator) -> Position:
    """A state drawn ply by ply, with every ply such that the seat learns what it learned.

    For views of which there are too many states to list them. Chance is drawn by its probabilities
    and others' moves uniformly, both among what agrees with the seat's information at that ply.
    Where nothing does, the ply before is drawn again: some secrets, such as simultaneous choices,
    come out later. What chance made unlikely on the way is not weighed, so it is not quite fair.
    """
    states = [game.new_initial_state()]
    ahead = [_agreeing(states[0], view, 0, rng)]
    for _ in range(MOST_STEPS):
        if len(states) == len(view.known):
            return Position.of(states[-1])
        after = next(ahead[-1], None)
        if after is not None:
            states.append(after)
            ahead.append(_agreeing(after, view, len(states) - 1, rng))
            continue
        states.pop()
        ahead.pop()
        if not states:
            break
    raise ContractError(f"no world was found that agrees with what seat {view.seat} knows")


def _actions(inner: Inner, view: Notes, ply: int) -> tuple[Sequence[int], Sequence[float]]:
    """What may be done in a state, with weights: by the seat itself only what it did."""
    if inner.is_terminal():
        return (), ()
    if inner.is_chance_node():
        actions, weights = zip(*inner.chance_outcomes(), strict=True)
        return actions, weights
    legal = tuple(inner.legal_actions())
    own = view.own[ply]
    if (inner.current_player() == view.seat) != (own is not None):
        return (), ()
    if own is not None:
        legal = (own,) if own in legal else ()
    return legal, (1.0,) * len(legal)


def _agreeing(inner: Inner, view: Notes, ply: int, rng: np.random.Generator) -> Iterator[Inner]:
    """What may follow a state so that the seat knows what it knew then, in an order by weight."""
    if ply >= len(view.own):
        return
    actions, weights = _actions(inner, view, ply)
    if not actions:
        return
    # In an order drawn by weight the first that agrees is drawn by weight among all that do.
    for number in np.argsort(rng.exponential(size=len(actions)) / np.array(weights)):
        after = inner.child(actions[number])
        if _information(after, view.seat) == view.known[ply + 1]:
            yield after


def _information(inner: Inner, seat: int) -> str:
    known: str = inner.information_state_string(seat)
    return known
