"""The tree of best-reply search over compiled rules; see `mpsearch.search.best_reply.reply_tree`.

The record holds the game's own, the root and the replier. A move is four times the game's own
plus what it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import attrs
import numpy as np

from mpsearch.contracts import (
    OVER,
    Compiled,
    CompiledBranching,
    CompiledEvaluator,
    CompiledGame,
    Move,
    Rules,
    SearchSpace,
    State,
    compiled,
    snap,
)
from mpsearch.search.best_reply.reply_tree import NOBODY, REPLY, SKIP, ReplyTree

_BITS = 2
_KIND = 3


class CompiledReplies(ReplyTree):
    """The tree over compiled rules."""

    def __init__(self, space: SearchSpace, root: int, others: str) -> None:
        evaluator, branching = space.evaluator, space.branching
        assert isinstance(space.game, CompiledGame)
        assert isinstance(evaluator, CompiledEvaluator)
        assert branching is None or isinstance(branching, CompiledBranching)
        parts = _parts(
            space.game.rules,
            evaluator.evaluate,
            evaluator.reach if others != "skip" else None,
            None if branching is None else branching.branch,
            others,
        )
        game = _Replies(space.game, root, parts.rules)
        own = () if branching is None else branching.parameters.tolist()
        self.space = SearchSpace(
            game=game,
            evaluator=CompiledEvaluator(
                game,
                parts.evaluate,
                bounds=evaluator.bounds,
                parameters=evaluator.parameters.tolist(),
                reach=parts.reach,
                short_wins=evaluator.short_wins,
            ),
            # A greedy seat is asked what it likes best: the evaluator's parameters stand last.
            branching=CompiledBranching(
                game,
                parts.branch,
                parameters=[game.players, len(own), *own, *evaluator.parameters.tolist()],
            ),
            exact_ends=space.exact_ends,
        )
        self._room = np.zeros(1, parts.rules.state)
        self._room["root"], self._room["replier"] = root, NOBODY

    def enter(self, state: State) -> bytes:
        place = self._room.copy()
        place["inner"] = np.frombuffer(state, place["inner"].dtype)
        return place.tobytes()

    def taken_apart(self, move: Move) -> tuple[Move, int]:
        return move >> _BITS, move & _KIND


class _Replies(CompiledGame):
    """The game under the tree."""

    def __init__(self, game: CompiledGame, root: int, rules: Rules) -> None:
        self.game = game
        self.players = game.players
        self.root = root
        self.rules = rules

    def setup(self, s: Any) -> None:
        self.game.setup(s.inner)
        s.root, s.replier = self.root, NOBODY

    def read(self, text: str) -> Move:
        return self.game.read(text) << _BITS


class _Parts(NamedTuple):
    rules: Rules
    evaluate: Compiled
    reach: Compiled | None
    branch: Compiled


@functools.lru_cache(maxsize=64)
def _parts(
    rules: Rules,
    evaluate: Compiled,
    reach: Compiled | None,
    branch: Compiled | None,
    others: str,
) -> _Parts:
    """Everything about the game and its evaluator as functions over the wider record."""

    @compiled
    def inner_evaluate(s: Any, parameters: Any, out: Any) -> None:
        evaluate(s.inner, parameters, out)

    inner_reach = None
    if reach is not None:

        @compiled
        def inner_reach(s: Any, depth: int, parameters: Any, low: Any, high: Any) -> None:
            reach(s.inner, depth, parameters, low, high)

    return _Parts(
        _rules(rules, others),
        inner_evaluate,
        inner_reach,
        _branch(rules, evaluate, branch, others),
    )


def _rules(rules: Rules, others: str) -> Rules:
    rules_mover, rules_moves, rules_play = rules.mover, rules.moves, rules.play
    rules_payoff, rules_skip = rules.payoff, rules.skip or rules.play

    @compiled
    def mover(s: Any) -> Any:
        return rules_mover(s.inner)

    @compiled
    def moves(s: Any, out: Any) -> Any:
        count = rules_moves(s.inner, out)
        for i in range(count):
            out[i] = (out[i] << _BITS) | REPLY
        return count

    if rules.skip is None:

        @compiled
        def make(s: Any, move: int) -> None:
            rules_play(s.inner, move >> _BITS)
    else:

        @compiled
        def make(s: Any, move: int) -> None:
            if move & _KIND == SKIP:
                rules_skip(s.inner)
            else:
                rules_play(s.inner, move >> _BITS)

    @compiled
    def play(s: Any, move: int) -> None:
        seat = rules_mover(s.inner)
        make(s, move)
        if seat == s.root:
            s.replier = NOBODY
        elif move & _KIND == REPLY:
            s.replier = seat

    @compiled
    def payoff(s: Any, out: Any) -> None:
        rules_payoff(s.inner, out)

    solve, rules_solve = None, rules.solve
    if rules_solve is not None:

        @compiled
        def solve(s: Any) -> Any:
            return rules_solve(s.inner)

    fields = [("inner", rules.state), ("root", "i8"), ("replier", "i8")]
    return attrs.evolve(
        rules,
        state=np.dtype(fields, align=True),
        mover=mover,
        moves=moves,
        play=play,
        payoff=payoff,
        most_moves=rules.most_moves + (others == "skip"),  # a turn may go by too
        fields=(),  # those of the record inside
        chance=_outcomes(rules.chance),
        merged_chance=_outcomes(rules.merged_chance),
        draw=None,
        hide=None,
        world=None,
        skip=None,
        solve=solve,
    )


def _outcomes(chance: Compiled | None) -> Compiled | None:
    if chance is None:
        return None

    @compiled
    def outcomes(s: Any, out: Any, probabilities: Any) -> Any:
        count = chance(s.inner, out, probabilities)
        for i in range(count):
            out[i] <<= _BITS
        return count

    return outcomes


def _branch(rules: Rules, evaluate: Compiled, branch: Compiled | None, others: str) -> Compiled:
    """The narrowed listing.

    Parameters: players, who are no constant so that the listing serves any number of them; how many
    parameters the branching has, its own, the evaluator's.
    """
    rules_mover, rules_moves = rules.mover, rules.moves
    listing: Callable[..., Any]
    if branch is None:

        @compiled
        def listing(s: Any, parameters: Any, out: Any) -> Any:
            return rules_moves(s.inner, out)
    else:

        @compiled
        def listing(s: Any, parameters: Any, out: Any) -> Any:
            return branch(s.inner, parameters[2 : 2 + int(parameters[1])], out)

    narrow = _narrow_skip(rules) if others == "skip" else _narrow(rules, evaluate, others)

    @compiled
    def narrowed(s: Any, parameters: Any, out: Any) -> Any:
        count = listing(s, parameters, out)
        for i in range(count):
            out[i] <<= _BITS
        seat = rules_mover(s.inner)
        if count < 1 or seat == s.root or seat == s.replier:
            return count
        return narrow(s, parameters, out, count)

    return narrowed


def _narrow(rules: Rules, evaluate: Compiled, others: str) -> Compiled:
    """Opponents who do not reply make their first move, or the greediest."""
    rules_mover, rules_play = rules.mover, rules.play
    record = rules.state
    snapped = compiled(snap)

    if others == "greedy":

        @compiled
        def put_first(s: Any, parameters: Any, out: Any, count: int) -> None:
            seat = rules_mover(s.inner)
            place = np.empty(1, record)
            value = np.empty(int(parameters[0]))
            its_own = parameters[2 + int(parameters[1]) :]
            best, most = 0, 0.0
            for i in range(count):
                place[0] = s.inner
                rules_play(place[0], out[i] >> _BITS)
                evaluate(place[0], its_own, value)
                own = snapped(value[seat])
                if i == 0 or own > most:
                    best, most = i, own
            first = out[best]
            for i in range(best, 0, -1):
                out[i] = out[i - 1]
            out[0] = first
    else:

        @compiled
        def put_first(s: Any, parameters: Any, out: Any, count: int) -> None:
            pass

    @compiled
    def narrow(s: Any, parameters: Any, out: Any, count: int) -> Any:
        put_first(s, parameters, out, count)
        if s.replier != NOBODY:
            return 1
        for i in range(1, count):
            out[i] |= REPLY
        return count

    return narrow


def _narrow_skip(rules: Rules) -> Compiled:
    """The turns of opponents who do not reply go by."""
    rules_mover, rules_skip, record = rules.mover, rules.skip, rules.state
    assert rules_skip is not None

    @compiled
    def narrow(s: Any, parameters: Any, out: Any, count: int) -> Any:
        if s.replier != NOBODY:
            out[0] = SKIP
            return 1
        for i in range(count):
            out[i] |= REPLY
        place = np.empty(1, record)
        place[0] = s.inner
        rules_skip(place[0])
        following = rules_mover(place[0])
        if following == s.root or following == OVER:
            return count
        out[count] = SKIP
        return count + 1

    return narrow
