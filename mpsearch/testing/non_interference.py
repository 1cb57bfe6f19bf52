"""Non-interference: what a seat is given, told or shown depends on its view alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from mpsearch.contracts import (
    HIDDEN_METHODS,
    OVER,
    Game,
    Move,
    State,
    event_of,
    heard,
    turn_of,
    undeclared,
)
from mpsearch.errors import ContractError
from mpsearch.testing.look_alikes import LookAlikes, look_alikes
from mpsearch.testing.random_play import GameRule, rule_of, turns

#: Illegal moves tried in each state.
_OBJECTIONS = 3
#: Characters of a difference that are quoted.
_QUOTED = 60

NON_INTERFERENCE_RULES: dict[str, GameRule] = {}
rule = rule_of(NON_INTERFERENCE_RULES)


@rule
def hidden_games_declare_what_is_seen(game: Game, seed: int, plies: int) -> None:
    """A game with hidden information defines `view`, `world` and `seen`."""
    if not game.hidden:
        return
    for method in HIDDEN_METHODS:
        if getattr(type(game), method) is getattr(Game, method):
            raise ContractError(undeclared(game, method))


@rule
def equal_views_are_told_the_same(game: Game, seed: int, plies: int) -> None:
    """Equal views mean that a seat is given, told and shown the same."""
    if not game.hidden:
        return
    moves: dict[Move, None] = {}
    for step in turns(game, seed, min(plies, 40)):
        moves |= dict.fromkeys(game.moves(step.state))
    for pair in look_alikes(game, seed, plies):
        _compare_states(game, pair, list(moves))
        if pair.other_move is not None:
            _compare_events(game, pair)


def _compare_states(game: Game, pair: LookAlikes, moves: list[Move]) -> None:
    seat, states = pair.seat, (pair.step.state, pair.other)
    first, second = (game.mover(state) for state in states)
    if first != second:
        _differ(pair, "`mover` answers", first, second, "who is to move is for all to see")
    if first == OVER:
        return
    views = [game.view(state, seat) for state in states]
    if not _same(contents(views[0]), contents(views[1])):
        held = [contents(view) for view in views]
        _differ(pair, "`view` holds", held[0], held[1], "equal views hold the same")
    _compare(pair, "`stage` says", *(game.stage(view) for view in views))
    _compare(pair, "`observation` gives", *(game.observation(view, seat) for view in views))
    if first == seat:
        _compare_turns(game, pair, moves)
    # Only for the first pair, because pictures and worlds take longest.
    if pair.first:
        legal = tuple(game.moves(pair.step.state)) if first == seat else ()
        # Each picture needs a new view: a game may remember its last state.
        for colour in (False, True):
            pictures = [game.picture(game.view(s, seat), colour=colour) for s in states]
            _compare(pair, "`picture` shows", *pictures)
        drawings = [game.svg(game.view(state, seat), moves=legal) for state in states]
        _compare(pair, "`svg` shows", *drawings)
        if first >= 0:
            rngs = (np.random.default_rng(pair.step.seed) for _ in views)
            drawn = [game.worlds(v, 2, rng) for v, rng in zip(views, rngs, strict=True)]
            _compare(pair, "`worlds` draws", *drawn)


def _compare_turns(game: Game, pair: LookAlikes, moves: list[Move]) -> None:
    """What the seat to move is given, and what it is told about an illegal move."""
    states = (pair.step.state, pair.other)
    turns = [turn_of(game, state) for state in states]
    _compare(pair, "`moves` lists", *(turn.moves for turn in turns))
    legal = turns[0].moves
    _compare(pair, "`write_in` says", *([game.write_in(s, m) for m in legal] for s in states))
    illegal = itertools.islice((m for m in moves if m not in legal), _OBJECTIONS)
    for move in list(illegal):
        _compare(pair, "`objection` says", *(game.objection(state, move) for state in states))


def _compare_events(game: Game, pair: LookAlikes) -> None:
    """What the seat sees and hears of moves after which its views are equal."""
    seat, made = pair.seat, ((pair.step.state, pair.step.move), (pair.other, pair.other_move))
    after = [game.play(state, move) for state, move in made]
    if all(game.mover(state) == OVER for state in after):
        return  # then everything is open
    seen = [game.seen(state, move, seat) for state, move in made]
    if seen[0] != seen[1]:
        _differ(
            pair,
            "`seen` answers",
            _said(game, pair.step.state, seen[0]),
            _said(game, pair.other, seen[1]),
            "it tells what `view` does not: let it answer None or hide that, or let `view` keep it",
        )
    if seen[0] is None:
        return
    _compare(pair, "`write_in` says", *(game.write_in(state, seen[0]) for state, _ in made))
    remarks = [heard(game, (seat,), before=state, move=move) for state, move in made]
    _compare(pair, "`remark` says", *remarks)
    events = [
        event_of(game, seat, before=state, move=move, after=reached)
        for (state, move), reached in zip(made, after, strict=True)
    ]
    _compare(pair, "the event says", *events)


def _compare(pair: LookAlikes, what: str, first: Any, second: Any) -> None:
    if not _same(first, second):
        _differ(pair, what, first, second, "it may depend on the seat's view alone")


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return bool(np.array_equal(first, second))
    return bool(first == second)


def _differ(pair: LookAlikes, what: str, first: Any, second: Any, advice: str) -> NoReturn:
    one, other = _apart(str(first), str(second))
    pair.step.fail(
        f"{what} '{one}' in one state and '{other}' in another, and seat {pair.seat} has equal "
        f"views of them; {advice}"
    )


def _apart(first: str, second: str) -> tuple[str, str]:
    """Two texts from shortly before their first difference."""
    pairs = enumerate(zip(first, second, strict=False))
    same = next((i for i, (one, other) in pairs if one != other), 0)
    at = max(0, same - _QUOTED // 3)
    return first[at : at + _QUOTED], second[at : at + _QUOTED]


def _said(game: Game, state: State, move: Move | None) -> str:
    return "None" if move is None else game.write_in(state, move)


def contents(thing: Any) -> Any:
    """All that a view contains, in plain values: equal objects may carry more than they compare."""
    if isinstance(thing, np.ndarray):
        return str(thing.dtype), thing.shape, thing.tobytes()
    if isinstance(thing, dict):
        return {key: contents(value) for key, value in thing.items()}
    inside = dict(_attributes(thing))
    if isinstance(thing, tuple | list):
        return [contents(entry) for entry in thing], inside
    return (type(thing).__name__, inside) if inside else thing


def _attributes(thing: Any) -> Iterator[tuple[str, Any]]:
    names = [*getattr(thing, "__dict__", ())]
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    for name in names:
        if name not in ("__weakref__", "__dict__") and hasattr(thing, name):
            yield name, contents(getattr(thing, name))
