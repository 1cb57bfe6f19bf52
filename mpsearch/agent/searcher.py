"""SearchAgent: evaluator + propagator + opponent model + limits = a player."""

from __future__ import annotations

import functools
from typing import Any

import attrs
import numpy as np

from mpsearch.agent.policies import any_move, any_move_in_a_world, best_move
from mpsearch.contracts import (
    Array,
    Beliefs,
    Compiled,
    CompiledGame,
    Decision,
    DeskPolicy,
    Event,
    Game,
    Insight,
    Move,
    Note,
    Observation,
    OpponentModel,
    Player,
    Propagator,
    Situation,
    Stance,
    State,
    Turn,
    View,
    frozen_array,
    snap,
)
from mpsearch.kit import drawn, generator_of
from mpsearch.rivals import Manner, Rival
from mpsearch.search import (
    GREATEST_DEPTH,
    Limits,
    Report,
    SearchSpace,
    Workshop,
    make_workshop,
    search,
)

#: How many worlds are drawn for each one wanted in which a move that was seen is possible.
_TRIES = 8


@attrs.frozen(kw_only=True)
class SearchAgent(Player):
    """Draws worlds from its view, takes a stance, searches and plays."""

    space: SearchSpace
    game: Game = attrs.field(
        init=False, repr=False, default=attrs.Factory(lambda self: self.space.game, takes_self=True)
    )
    propagator: Propagator
    model: OpponentModel
    limits: Limits
    #: Worlds per decision in games with hidden information.
    worlds: int
    pool: str
    ties: str
    prune: bool
    threads: int
    insights: tuple[Insight, ...]
    #: What searches instead of the one search.
    rival: Rival | None
    #: Exact values for all moves, for explanations.
    exact: bool = False
    _searches: dict[int | None, tuple[SearchSpace, Workshop]] = attrs.field(
        factory=dict, init=False, repr=False, eq=False
    )

    @property
    def observes(self) -> bool:
        return self.model.learns

    @functools.cached_property
    def policy(self) -> Compiled | DeskPolicy | None:  # type: ignore[override]
        """For who takes one stance all game long, looks at one world at most and at one ply."""
        game = self.space.game
        if game.rules is None or self.insights or self.exact or self.rival is not None:
            return None
        if game.hidden and (self.worlds != 1 or game.rules.world is None or self.observes):
            return None  # who observes draws worlds between its moves too
        stances = [self.propagator.settled(seat, game.players) for seat in range(game.players)]
        settled = [stance for stance in stances if stance is not None]
        cares = {_cares(stance, seat) for seat, stance in enumerate(settled)}
        shuffles = self.ties == "random"
        if len(settled) < len(stances) or len(cares) > 1:
            return None
        if cares == {True}:
            shallow = self.limits.depth == 1 and self.limits.seconds is None
            native = shallow and self.space.compilable
            return best_move(self.space, settled, shuffles=shuffles) if native else None
        if not shuffles:
            return None
        return any_move_in_a_world(game.rules) if game.hidden else any_move

    def account(
        self, seat: int, memory: Beliefs, *, move: Move, known: State, note: Note | None
    ) -> Decision:
        if note is None:
            value = self._mean_value([known])
            return self._unsearched(move, self._stance(seat, memory, value), value)
        stance = self.propagator.settled(seat, self.space.game.players)
        assert stance is not None
        return Decision(
            move=move,
            stance=stance,
            value=note.value,
            outlook=note.outlook,
            nodes=note.nodes,
            depth=1,
            report=functools.partial(self._search_again, seat, known, stance, note.luck),
        )

    def _search_again(self, seat: int, known: State, stance: Stance, luck: Any) -> Report:
        """The report of a search that was native, from what was known and the same numbers."""
        rng, game = generator_of(luck), self.space.game
        if game.hidden:
            assert isinstance(game, CompiledGame)
            assert game.rules.world is not None
            records = game.records(known)
            drawn(rng, game.rules.world, records, seat)
            known = records.tobytes()
        return self._search(seat, [known], stance, self.limits, rng)

    def start(self, seat: int, rng: np.random.Generator) -> Beliefs:
        return self.model.start(self.space.game.players, seat, rng)

    def choose(self, turn: Turn, memory: Beliefs, rng: np.random.Generator) -> Decision:
        worlds = self._worlds(turn.view, rng)
        outlook = self._mean_value(worlds)
        stance = self._stance(turn.seat, memory, outlook)
        advice = [insight.advice(turn, rng) for insight in self.insights]
        known = [a.move for a in advice if a.move is not None]
        if not _cares(stance, turn.seat):
            # All moves tie for who cares about nothing: there is nothing to search.
            pick = int(rng.integers(len(turn.moves))) if self.ties == "random" else 0
            known.append(turn.moves[pick])
        if known and not self.exact:
            return self._unsearched(known[0], stance, outlook)
        forced = len(turn.moves) == 1 and not self.exact
        limits = self.limits
        deeper = sum(a.deeper for a in advice)
        if limits.depth is not None and deeper:
            limits = attrs.evolve(limits, depth=min(limits.depth + deeper, GREATEST_DEPTH))
        report = self._search(turn.seat, worlds, stance, Limits(depth=1) if forced else limits, rng)
        return Decision(
            move=report.move,
            stance=stance,
            value=report.value,
            outlook=outlook,
            exact=report.exact,
            nodes=report.nodes,
            depth=report.depth,
            report=report,
        )

    def _search(
        self,
        root: int,
        worlds: list[State],
        stance: Stance,
        limits: Limits,
        rng: np.random.Generator,
    ) -> Report:
        how: dict[str, Any] = {
            "pool": self.pool,
            "prune": self.prune,
            "threads": self.threads,
            "exact": self.exact,
        }
        shuffle = self.ties == "random"
        if self.rival is not None:
            manner = Manner(root=root, rng=rng, shuffle=shuffle, **how)
            return self.rival.search(worlds, stance, limits, manner)
        space, workshop = self.search_for(root)
        return search(
            space, worlds, stance, limits, rng=rng if shuffle else None, workshop=workshop, **how
        )

    def observe(self, memory: Beliefs, event: Event, rng: np.random.Generator) -> Beliefs:
        observation = self.observation(event, rng)
        return memory if observation is None else self.model.observe(memory, observation)

    def observation(self, event: Event, rng: np.random.Generator) -> Observation | None:
        """What this agent makes of a move; None if it was secret, or fits no world drawn."""
        if event.move is None:
            return None
        game = self.space.game
        befores = self._worlds_with(event, rng)
        if not befores:
            return None
        afters = [game.play(world, event.move) for world in befores]

        @functools.cache
        def alternatives() -> tuple[tuple[Array, int], ...]:
            found = []
            for world in befores:
                moves = list(game.moves(world))
                values = [self.space.evaluator.values(game.play(world, m)) for m in moves]
                found.append((np.array(values), moves.index(event.move)))
            return tuple(found)

        return Observation(
            mover=event.mover,
            before=self._mean_value(befores),
            after=self._mean_value(afters),
            greatest=self.space.evaluator.bounds.greatest,
            alternatives=alternatives,
        )

    def search_for(self, root: int) -> tuple[SearchSpace, Workshop]:
        """What a seat searches, and the workshop for it, made once."""
        space = self.space.for_root(root)
        # Most branchings are the same for every seat, and so is the workshop.
        key = None if space is self.space else root
        if key not in self._searches:
            self._searches[key] = (space, make_workshop(space))
        return self._searches[key]

    def _stance(self, seat: int, memory: Beliefs, value: Array) -> Stance:
        situation = Situation(root=seat, value=value, beliefs=self.model.matrix(memory))
        return self.propagator.stance(situation)

    @staticmethod
    def _unsearched(move: Move, stance: Stance, outlook: Array) -> Decision:
        return Decision(move=move, stance=stance, value=outlook, outlook=outlook)

    def _worlds(self, view: View, rng: np.random.Generator) -> list[State]:
        if not self.space.game.hidden:
            return [view]
        return self.space.game.worlds(view, self.worlds, rng)

    def _worlds_with(self, event: Event, rng: np.random.Generator) -> list[State]:
        """Worlds before a move, drawn from those in which it was possible."""
        game = self.space.game
        if not game.hidden:
            return [event.before]
        drawn = (game.world(event.before, rng) for _ in range(_TRIES * self.worlds))
        return [world for world in drawn if event.move in game.moves(world)][: self.worlds]

    def _mean_value(self, worlds: list[State]) -> Array:
        evaluator = self.space.evaluator
        if len(worlds) == 1:
            return frozen_array(evaluator.values(worlds[0]))
        return frozen_array(np.mean(evaluator.all_values(worlds), axis=0))


def _cares(stance: Stance, seat: int) -> bool:
    """Whether a seat cares about anybody; if not, all its moves tie."""
    return any(map(snap, stance.matrix[seat].tolist()))
