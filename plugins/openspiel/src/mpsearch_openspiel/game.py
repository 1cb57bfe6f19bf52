"""A game of OpenSpiel as a Game."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel

from mpsearch.contracts import CHANCE, OVER, Array, Game
from mpsearch.errors import UsageError
from mpsearch_openspiel.foreign import BY_NAME, DEAL, FILTER, Foreign
from mpsearch_openspiel.position import Inner, Notes, Position, Seen, numbers
from mpsearch_openspiel.text import read_action, said, write_action
from mpsearch_openspiel.trick_games import TRICK_GAMES
from mpsearch_openspiel.tricks import HIDDEN
from mpsearch_openspiel.worlds import ALL_SHOWN, Listing, filtered, listed, notes

#: More outcomes of chance than this are drawn, not listed: a search could not look at them.
MOST_LISTED = 36
#: What OpenSpiel says of a finished game; as a number it is much quicker to compare with.
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)
#: Seconds that a game with options that others do not use may take to be tried.
_PATIENCE = 60

_TRIAL = """
import json, random, sys, pyspiel
name, parameters = json.loads(sys.argv[1])
try:
    state = pyspiel.load_game(name, parameters).new_initial_state()
    for _ in range(200):
        if state.is_terminal():
            break
        if state.is_simultaneous_node():
            seats = range(state.num_players())
            state.apply_actions([random.choice(state.legal_actions(s) or [0]) for s in seats])
        elif actions := state.legal_actions():
            state.apply_action(random.choice(actions))
except pyspiel.SpielError as error:
    sys.exit(str(error))
"""

#: What does not travel to other processes, but is loaded there again.
_LOADED = ("inner", "tricks", "listings", "last_said")

View = Position | Notes | Seen


def __getattr__(name: str) -> Callable[..., OpenSpielGame]:
    """`make` of the offer of that game."""
    if name not in BY_NAME:
        raise AttributeError(name)
    return functools.partial(EndlessGame if BY_NAME[name].endless else OpenSpielGame, name)


class OpenSpielGame(Game):
    """Rules that OpenSpiel knows. Those with simultaneous moves are played in turns."""

    lists_chance = True

    def __init__(self, name: str, /, *, players: int, **options: Any) -> None:
        self.foreign = _foreign(name, players)
        parameters = {
            key: value for key, value in options.items() if value != self.foreign.options[key]
        }
        if parameters:
            _try_in_child(name, self._counted(parameters, players))
        self.parameters = self._counted(parameters, players)
        self.players = players
        self.hidden = self.foreign.secrecy in (DEAL, FILTER)
        self._load()
        self.actions = self.inner.num_distinct_actions()

    def _counted(self, parameters: dict[str, Any], players: int) -> dict[str, Any]:
        by = self.foreign.counted_by
        seats = {} if by is None else {by: players}
        return {**seats, **self.foreign.fixed, **parameters}

    def _load(self) -> None:
        inner = pyspiel.load_game(self.foreign.name, self.parameters)
        if inner.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            inner = pyspiel.convert_to_turn_based(inner)
        #: The game as OpenSpiel has it.
        self.inner = inner
        #: By seat, the states that agree with its last view.
        self.listings: dict[int, Listing] = {}
        #: The last state whose actions were written, and what OpenSpiel says for each.
        self.last_said: tuple[Position, Mapping[int, str]] | None = None
        if self.foreign.secrecy == DEAL:
            self.tricks = TRICK_GAMES[self.foreign.name](inner)
        first = inner.new_initial_state()
        #: Whether OpenSpiel lists chance that is not legal, as Hearts does that passes no cards.
        self.lists_too_much = first.is_chance_node() and len(first.chance_outcomes()) > len(
            first.legal_actions()
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _LOADED}

    def __setstate__(self, entries: dict[str, Any]) -> None:
        self.__dict__.update(entries)
        self._load()

    def new(self) -> Position:
        return Position.of(self.inner.new_initial_state())

    def mover(self, state: Position) -> int:
        player: int = state.inner.current_player()
        if player >= 0:
            return player
        return OVER if player == _TERMINAL else CHANCE

    def moves(self, state: Position) -> Sequence[int]:
        moves: list[int] = state.inner.legal_actions()
        return moves

    def play(self, state: Position, move: int) -> Position:
        # As Position.of, without a call.
        after = Position()
        after.inner = state.inner.child(move)
        return after

    def payoff(self, state: Position) -> Array:
        return np.array(state.inner.returns(), dtype=np.float64)

    def _outcomes(self, inner: Inner) -> list[tuple[int, float]]:
        outcomes: list[tuple[int, float]] = inner.chance_outcomes()
        if self.lists_too_much:
            legal = set(inner.legal_actions())
            outcomes = [listed for listed in outcomes if listed[0] in legal]
            total = sum(probability for _, probability in outcomes)
            outcomes = [(action, probability / total) for action, probability in outcomes]
        return outcomes

    def chance(self, state: Position) -> Sequence[tuple[int, float]]:
        outcomes = self._outcomes(state.inner)
        return outcomes if len(outcomes) <= MOST_LISTED else ()

    def draw(self, state: Position, rng: np.random.Generator) -> int:
        outcomes = self._outcomes(state.inner)
        edges = np.cumsum([probability for _, probability in outcomes])
        number = int(np.searchsorted(edges, rng.random() * edges[-1], side="right"))
        return int(outcomes[min(number, len(outcomes) - 1)][0])

    def possible(self, state: Position, outcome: Any) -> bool:
        return any(outcome == listed for listed, _ in self._outcomes(state.inner))

    def view(self, state: Position, seat: int) -> View:
        if self.foreign.secrecy == FILTER:
            return notes(self.inner, state, seat, ALL_SHOWN.get(self.foreign.name))
        if self.foreign.secrecy == DEAL:
            return self.tricks.view(state.inner, seat)
        return state

    def write_view(self, view: View) -> str:
        # A position is OpenSpiel's own object: what was played says all of it.
        return json.dumps(view.history) if isinstance(view, Position) else super().write_view(view)

    def read_view(self, text: str) -> View:
        if self.hidden:
            view: View = super().read_view(text)
            return view
        position = self.new()
        for action in json.loads(text):
            if action not in position.inner.legal_actions():
                raise UsageError(f"action {action!r} is not legal after {position.history}")
            position = self.play(position, action)
        return position

    def world(self, view: Any, rng: np.random.Generator) -> Position:
        if isinstance(view, Notes):
            return self._filtered(view, rng)
        if isinstance(view, Seen):
            return self.tricks.world(view, rng)
        position: Position = view
        return position

    def _filtered(self, view: Notes, rng: np.random.Generator) -> Position:
        # An agent draws many worlds from one view, and later ones continue it.
        listing = listed(self.inner, view, self.listings.get(view.seat))
        self.listings[view.seat] = listing
        if found := listing.draw(rng):
            return found
        return filtered(self.inner, view, rng)

    def write(self, move: int) -> str:
        return write_action(move)

    def read(self, text: str) -> int:
        return read_action(text)

    def write_in(self, state: Position, move: int) -> str:
        return self._said(state).get(move, write_action(move))

    def read_in(self, state: Position, text: str) -> int:
        wanted = " ".join(text.split())
        found = [action for action, word in self._said(state).items() if word == wanted]
        return found[0] if found else read_action(text)

    def _said(self, state: Position) -> Mapping[int, str]:
        # All moves of a state are written one after another.
        last = self.last_said
        if last is None or last[0] is not state:
            last = self.last_said = (state, said(state.inner))
        return last[1]

    def seen(self, state: Position, move: int, seat: int) -> int | None:
        """A move is seen by others where it changes what they know in a way of its own.

        The only one there is may be forced by cards that they do not see: it is withheld, unless
        it is known to be made openly, as cards are played.
        """
        mover = self.mover(state)
        if not self.hidden or seat == mover:
            return move
        if self.foreign.secrecy == DEAL and mover >= 0:
            plies, _, _ = self.tricks.look([*state.history, move], seat)
            return None if plies[-1] == HIDDEN else move
        others = [a for a in state.inner.legal_actions() if a != move]
        known = state.inner.child(move).information_state_string(seat)
        alike = (state.inner.child(a).information_state_string(seat) == known for a in others)
        return None if not others or any(alike) else move

    def action(self, move: int) -> int:
        return move

    def observation(self, view: Any, seat: int) -> Array | None:
        if isinstance(view, Notes | Seen):
            found = view.numbers
        else:
            # Where OpenSpiel has no numbers all is seen by all: then it is what was done.
            found = numbers(view.inner, seat) or self._done(view)
        return np.array(found, dtype=np.float64) if found else None

    @functools.cached_property
    def longest(self) -> int:
        """The most plies, those of chance included."""
        # In coin_game with three players or more, OpenSpiel says fewer than it deals at the start.
        start, dealt = self.inner.new_initial_state(), 0
        while start.is_chance_node() and (outcomes := start.legal_actions()):
            start.apply_action(outcomes[0])
            dealt += 1
        chance = max(self.inner.max_chance_nodes_in_history(), dealt)
        return int(self.inner.max_game_length() + chance)

    def _done(self, state: Position) -> tuple[float, ...]:
        """Every action so far, and -1 for those to come."""
        to_come = self.longest - len(state.history)
        return (*map(float, state.history), *(-1.0,) * to_come)

    def picture(self, view: Any, *, colour: bool = False) -> str:
        return super().picture(str(view).strip() or "(OpenSpiel shows nothing here)", colour=colour)


class EndlessGame(OpenSpielGame):
    """One that OpenSpiel may not end: it is over where it stands still, or has lasted too long."""

    def mover(self, state: Position) -> int:
        inner = state.inner
        stuck = inner.is_chance_node() and not inner.chance_outcomes()
        if stuck or inner.move_number() >= self.inner.max_game_length():
            return OVER
        return super().mover(state)


def _foreign(name: str, players: int) -> Foreign:
    foreign = BY_NAME[name]
    if foreign.counts and players not in foreign.counts:
        there = " or ".join(map(str, foreign.counts))
        raise UsageError(f"os_{name}: {players} players; the game is for {there}")
    return foreign


def _try_in_child(name: str, parameters: dict[str, Any]) -> None:
    """Options that OpenSpiel does not like may end the process: so let it be another one."""
    command = [sys.executable, "-c", _TRIAL, json.dumps([name, parameters])]
    try:
        child = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"os_{name}: with these options OpenSpiel takes too long") from None
    if child.returncode != 0:
        said = child.stderr.strip().splitlines()
        why = said[-1] if said and child.returncode > 0 else "it ends the process"
        raise UsageError(f"os_{name}: OpenSpiel refuses these options: {why}")
