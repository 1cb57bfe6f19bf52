"""Worlds of small foreign games, by filtering: states that agree with what a seat knew."""

from __future__ import annotations

import bisect
import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import attrs
import numpy as np

from mpsearch.contracts import Array
from mpsearch.errors import ContractError
from mpsearch_openspiel.position import Inner, Notes, Position, numbers

#: So many states are listed, and so many plies tried, to know all states that agree with a view.
MOST_LISTED, MOST_TRIED = 500, 20_000
#: How many states are drawn side by side; the next number if all of them came to nothing.
PARTICLES = (16, 128, 1024)


AllShown: TypeAlias = Callable[[Inner, str], bool]

#: By game, when a seat has been shown everything done so far: given a state and what it knows.
#: To find it out by filtering, all hidden choices of a round would have to be guessed at once.
ALL_SHOWN: Mapping[str, AllShown] = MappingProxyType(
    {
        "blotto": lambda inner, _: bool(inner.is_terminal()),
        # The responder is shown both proposals: one of up to 125,000 pairs.
        "colored_trails": lambda _, known: "Proposal 1:" in known,
        # Bids are made in turns by seat here, and seen once all were made, but for the last ones.
        "goofspiel": lambda inner, _: bool(inner.is_chance_node() or inner.current_player() == 0),
        "repeated_leduc_poker": lambda _, known: known.startswith("Hand number:"),
    }
)


def notes(game: Any, state: Position, seat: int, all_shown: AllShown | None = None) -> Notes:
    """What a seat knew after every ply, and what it did."""
    inner = game.new_initial_state()
    known = [_information(inner, seat)]
    own: list[int | None] = []
    shown = 0
    for action in state.history:
        own.append(action if inner.current_player() == seat else None)
        inner.apply_action(action)
        known.append(_information(inner, seat))
        if all_shown is not None and all_shown(inner, known[-1]):
            shown = len(own)
    return Notes(
        seat=seat,
        known=tuple(known),
        own=tuple(own),
        shown=state.history[:shown],
        numbers=numbers(inner, seat),
    )


@attrs.frozen(kw_only=True, eq=False)
class Listing:
    """All states that agree with what a seat knew, and how likely each is."""

    view: Notes
    #: None if there are too many.
    states: Sequence[Inner] | None
    weights: Sequence[float]
    #: How many actions were tried to find them.
    tried: int

    def draw(self, rng: np.random.Generator) -> Position | None:
        """One of them; None if there are too many, or none at all."""
        if not self.states:
            return None
        return Position.of(self.states[int(rng.choice(len(self.states), p=self._likely))])

    @functools.cached_property
    def _likely(self) -> Array:
        return np.array(self.weights) / sum(self.weights)


def listed(game: Any, view: Notes, before: Listing | None = None) -> Listing:
    """All states that agree with a view; those of an earlier view of the seat are played on.

    A state is as likely as the chance that led to it; secret moves of others count alike.
    """
    if before is None or not view.continues(before.view):
        # Nothing but what the seat knew before the first ply.
        begun = attrs.evolve(view, known=view.known[:1], own=())
        before = Listing(view=begun, states=(game.new_initial_state(),), weights=(1.0,), tried=0)
    if len(before.view.own) == len(view.own):
        return before
    states, weights, tried = before.states, before.weights, before.tried
    for ply in range(len(before.view.own), len(view.own)):
        if states is None:
            break
        after: list[Inner] = []
        likely: list[float] = []
        for inner, weight in zip(states, weights, strict=True):
            children, chances, tries = _agreeing(inner, view, ply)
            after += children
            likely += [weight * chance for chance in chances]
            tried += tries
            if tried > MOST_TRIED or len(after) > MOST_LISTED:
                states, weights = None, ()
                break
        else:
            states, weights = after, likely
    return Listing(view=view, states=states, weights=weights, tried=tried)


def filtered(game: Any, view: Notes, rng: np.random.Generator) -> Position:
    """A state drawn by a particle filter, for views of which there are too many to list them.

    States are drawn side by side, ply by ply, each among what agrees with the seat's information
    at that ply, and weighed by how likely that was. Drawn so from n, a state is as likely as it
    should be but for an error of the order of 1/n.
    """
    for count in PARTICLES:
        states = [game.new_initial_state()] * count
        weights = [1.0] * count
        for ply in range(len(view.own)):
            states, weights = _step(states, weights, view, ply, rng)
            if not states:
                break
            # The likely ones are drawn again in place of the others, if few are left that count.
            if sum(weights) ** 2 < 0.5 * count * sum(weight * weight for weight in weights):
                drawn = rng.choice(len(states), count, p=np.array(weights) / sum(weights))
                states, weights = [states[number] for number in drawn], [1.0] * count
        else:
            likely = np.array(weights) / sum(weights)
            return Position.of(states[int(rng.choice(len(states), p=likely))])
    raise ContractError(f"no world was found that agrees with what seat {view.seat} knows")


def _step(
    states: list[Inner], weights: list[float], view: Notes, ply: int, rng: np.random.Generator
) -> tuple[list[Inner], list[float]]:
    """Every state a ply further, and how likely it is now, without those that disagree."""
    # Several may be one object, which is looked at once.
    agreeing: dict[int, tuple[list[Inner], list[float]]] = {}
    after, likely = [], []
    for inner, weight, drawn in zip(states, weights, rng.random(len(states)).tolist(), strict=True):
        if id(inner) not in agreeing:
            children, chances, _ = _agreeing(inner, view, ply)
            agreeing[id(inner)] = children, list(itertools.accumulate(chances))
        children, edges = agreeing[id(inner)]
        if children:
            number = bisect.bisect_right(edges, drawn * edges[-1])
            after.append(children[min(number, len(children) - 1)])
            likely.append(weight * edges[-1])
    return after, likely


def _agreeing(inner: Inner, view: Notes, ply: int) -> tuple[list[Inner], list[float], int]:
    """What may follow a state so that the seat knows what it knew then, each with its weight, and
    how many actions were tried."""
    actions, weights = _actions(inner, view, ply)
    known, seat = view.known[ply + 1], view.seat
    children: list[Inner] = []
    likely: list[float] = []
    for action, weight in zip(actions, weights, strict=True):
        child = inner.child(action)
        if child.information_state_string(seat) == known:
            children.append(child)
            likely.append(weight)
    return children, likely, len(actions)


def _actions(inner: Inner, view: Notes, ply: int) -> tuple[Sequence[int], Sequence[float]]:
    """What may be done in a state, with weights: what the seat did or was shown, or anything."""
    if inner.is_terminal():
        return (), ()
    if ply < len(view.shown):
        done: int | None = view.shown[ply]
    elif inner.is_chance_node():
        actions, weights = zip(*inner.chance_outcomes(), strict=True)
        return actions, weights
    else:
        done = view.own[ply]
        if (inner.current_player() == view.seat) != (done is not None):
            return (), ()
    legal = tuple(inner.legal_actions())
    if done is not None:
        legal = (done,) if done in legal else ()
    return legal, (1.0,) * len(legal)


def _information(inner: Inner, seat: int) -> str:
    known: str = inner.information_state_string(seat)
    return known
