"""Worlds of foreign games: states that agree with what a seat knows."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mpsearch.errors import ContractError
from mpsearch_openspiel.position import Inner, Notes, Position, Sight, numbers

#: After so many impossible worlds of OpenSpiel one is reshuffled.
TRIES = 500
#: After so many plies that were tried filtering is given up.
MOST_STEPS = 20_000
#: How often a reshuffle begins, and after how many steps it gives up looking for a possible world.
_STARTS, _CLIMB = 60, 400
#: Its steps from there: so many for each action that may change places, but not fewer than these.
_STEPS, _LEAST_STEPS = 5, 60


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
            return Position(states[-1])
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


def resampled(game: Any, view: Sight, rng: np.random.Generator) -> Position:
    """A state that OpenSpiel resamples; one whose history is illegal is refused and drawn again.

    It is played again from the start, move by move, each of them checked, before anything else is
    done with it: what follows an impossible history ends the process. Where what OpenSpiel draws
    is hardly ever possible, hidden cards are reshuffled instead.
    """
    for _ in range(TRIES):
        drawn = view.witness.inner.resample_from_infostate(view.seat, rng.random)
        played = _played(game, drawn.history(), view)
        if played is not None:
            return Position(played)
    return reshuffled(game, view, rng)


def reshuffled(game: Any, view: Sight, rng: np.random.Generator) -> Position:
    """A world of OpenSpiel with hidden actions, such as cards nobody showed, in another order.

    A random walk: two or three actions change places wherever they occur unseen. It begins with a
    world that OpenSpiel draws, which is hardly ever possible, and until it comes to a possible one
    no step is taken that leads further away from that. From then on a step that leads to an
    illegal history, or to other information, is not taken; a step and its reverse are equally
    likely, so in the end are all histories that agree with what the seat knows.
    """
    for _ in range(_STARTS):
        drawn = view.witness.inner.resample_from_infostate(view.seat, rng.random)
        walk = _Walk(game, view, drawn.history())
        for step in range(_CLIMB):
            if walk.possible:
                return walk.mixed(rng)
            walk.step(step, rng)
    # No way was found, late in a deal, where few worlds agree. The walk from the truth soon sees
    # them all; but it is the one place in which a world is not drawn from the view alone.
    return _Walk(game, view, view.witness.history).mixed(rng)


class _Walk:
    """A walk over histories, from an impossible one to possible ones."""

    def __init__(self, game: Any, view: Sight, history: Sequence[int]) -> None:
        self.game, self.view = game, view
        self.history = list(history)
        self.hidden, possible, unshown = _hidden(game, view)
        # What was shown since, such as a card played, can hardly move; but where moves have the
        # numbers of cards it may be something else that was shown.
        self.movable = (unshown, possible)
        self.legal, self.state = self._look(self.history)

    @property
    def possible(self) -> bool:
        """Whether it has come to a history that agrees with what the seat knows."""
        return self.legal[0] > len(self.history)

    def mixed(self, rng: np.random.Generator) -> Position:
        """A possible world, after so many steps that it does not matter where they began."""
        for step in range(max(_LEAST_STEPS, _STEPS * len(self.movable[1]))):
            self.step(step, rng)
        return Position(self.state)

    def step(self, number: int, rng: np.random.Generator) -> None:
        """Try a change, and take it if that leads no further from a possible world."""
        after = self.history.copy()
        if number % 3 == 2:
            # At two plies alone: who passes a card on must have been dealt it.
            one, two = rng.choice(self.hidden, size=2).tolist() if self.hidden else (0, 0)
            after[one], after[two] = after[two], after[one]
        else:
            movable = self.movable[number % 3]
            count = min(2 + int(rng.integers(2)), len(movable))
            picked = rng.choice(movable, size=count, replace=False).tolist() if count else []
            turned = dict(zip(picked, picked[1:] + picked[:1], strict=True))
            for ply in self.hidden:
                after[ply] = turned.get(after[ply], after[ply])
        if after == self.history:
            return
        legal, state = self._look(after)
        if legal >= self.legal:
            self.history, self.legal, self.state = after, legal, state

    def _look(self, history: Sequence[int]) -> tuple[tuple[int, int], Inner]:
        """How many plies are legal, one more if the seat then knows what it knows; and the state.

        Of histories that end alike the better one forbids more where it ends: whoever showed that
        it has no card of a suit comes closer to it with every card of that suit less. If all
        plies are legal, it is the one after which the seat knows more of the same.
        """
        inner = self.game.new_initial_state()
        for ply, action in enumerate(history):
            legal = [] if inner.is_terminal() else inner.legal_actions()
            if action not in legal:
                return (ply, -len(legal)), inner
            inner.apply_action(action)
        known, wanted = _information(inner, self.view.seat), self.view.known
        if known == wanted:
            return (len(history) + 1, 0), inner
        return (len(history), -sum(map(operator.ne, known, wanted))), inner


def _hidden(game: Any, view: Sight) -> tuple[list[int], list[int], list[int]]:
    """The plies that a seat did not see, what may have been done there, and less what it saw.

    They are the same for every history that agrees with what the seat knows.
    """
    history, seat = view.witness.history, view.seat
    inner, hidden = game.new_initial_state(), []
    possible: set[int] = set()
    shown: set[int] = set()
    for ply, action in enumerate(history):
        if _is_secret(inner, action, seat):
            hidden.append(ply)
            possible.update(inner.legal_actions())
        elif not inner.is_chance_node():
            shown.add(action)
        inner.apply_action(action)
    return hidden, sorted(possible), sorted(possible - shown)


def _is_secret(inner: Inner, action: int, seat: int) -> bool:
    """Whether a seat knows as much after another action. The last card has no other."""
    if inner.current_player() == seat:
        return False
    other = next((legal for legal in inner.legal_actions() if legal != action), None)
    if other is None:
        return bool(inner.is_chance_node())
    return _information(inner.child(action), seat) == _information(inner.child(other), seat)


def _played(game: Any, history: Sequence[int], view: Sight) -> Inner | None:
    """The state after a history; None if it is illegal, or if the seat would know otherwise."""
    inner = game.new_initial_state()
    for action in history:
        if inner.is_terminal() or action not in inner.legal_actions():
            return None
        inner.apply_action(action)
    return inner if _information(inner, view.seat) == view.known else None
