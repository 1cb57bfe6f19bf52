"""SearchAgent: a player made of evaluator, propagator, opponent model, search and limits."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from mpsearch.agents.policies import any_move, any_move_in_a_world, best_move
from mpsearch.agents.text import TREE
from mpsearch.contracts import (
    GREATEST_DEPTH,
    Array,
    Beliefs,
    Compiled,
    CompiledGame,
    Decision,
    Event,
    Game,
    Insight,
    Limits,
    Move,
    Note,
    Observation,
    OpponentModel,
    Player,
    Propagator,
    Report,
    ScratchPolicy,
    SearchAlgorithm,
    SearchRequest,
    SearchSpace,
    Situation,
    Stance,
    State,
    Turn,
    View,
    frozen_array,
    snap,
)
from mpsearch.errors import ContractError, MpsearchError
from mpsearch.gamekit import drawn, generator_of
from mpsearch.jit import PlayClock
from mpsearch.plugins import check_numbers, checked_values, part_name, plugin_fault
from mpsearch.search import ChangeOverError, draw_worlds, draw_worlds_with, lookahead

#: The time limit of a search when all the time was taken before it.
_LEAST_SECONDS = 1e-6
#: The share of the time in which worlds are drawn, but for the first; the rest is to search them.
_DRAWING = 0.5


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
    algorithm: SearchAlgorithm
    #: The algorithm's name, for messages.
    search: str = TREE
    #: Exact values for all moves, for explanations.
    exact: bool = False

    @property
    def observes(self) -> bool:
        return self.model.learns

    @property
    def hurried(self) -> SearchAgent:
        """The same agent, looking one ply ahead in one world."""
        return attrs.evolve(self, limits=Limits(depth=1), worlds=1)

    @functools.cached_property
    def policy(self) -> Compiled | ScratchPolicy | None:  # type: ignore[override]
        """A compiled policy, if the stance never changes and one ply of one world is searched."""
        game = self.space.game
        if game.rules is None or self.insights or self.exact:
            return None
        if not self.algorithm.one_ply_evaluates:
            return None
        if game.hidden and (self.worlds != 1 or game.rules.world is None or self.observes):
            return None  # an observer also draws worlds between its moves
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
        self._check(note.outlook, "returned")
        self._check(note.value, "led a search to")
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
        """The report of a native search, made again with the same random numbers."""
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
        clock = PlayClock()
        worlds = self._draw(turn.view, clock, rng)
        outlook = self._mean_value(worlds)
        stance = self._stance(turn.seat, memory, outlook)
        advice = [insight.advice(turn, rng) for insight in self.insights]
        known = [a.move for a in advice if a.move is not None]
        if not _cares(stance, turn.seat):
            # All moves tie for a seat that cares about nothing: there is nothing to search.
            pick = int(rng.integers(len(turn.moves))) if self.ties == "random" else 0
            known.append(turn.moves[pick])
        if known and not self.exact:
            return self._unsearched(known[0], stance, outlook)
        forced = len(turn.moves) == 1 and not self.exact
        limits = self.limits
        deeper = sum(a.deeper for a in advice)
        if limits.depth is not None and deeper:
            limits = attrs.evolve(limits, depth=min(limits.depth + deeper, GREATEST_DEPTH))
        if limits.seconds is not None:  # drawing and evaluating worlds took some of it
            left = max(limits.seconds - clock.seconds(), _LEAST_SECONDS)
            limits = attrs.evolve(limits, seconds=left)
        limits = Limits(depth=1) if forced else limits
        report = self._search(
            turn.seat, worlds, stance, limits, rng, horizons=self.model.horizons(memory)
        )
        if report.move not in turn.moves:
            raise ContractError(f"search={self.search}: chose {report.move!r}, which is not legal")
        if known:  # searched only for the explanation
            report = _choosing(report, known[0], outlook)
        return decided(report, outlook)

    def _draw(self, view: View, clock: PlayClock, rng: np.random.Generator) -> list[State]:
        """The worlds of a decision, as many as there is time for."""
        seconds = self.limits.seconds
        over = None if seconds is None else lambda: clock.seconds() >= _DRAWING * seconds
        return draw_worlds(self.game, view, self.worlds, rng, over=over)

    def _search(
        self,
        root: int,
        worlds: list[State],
        stance: Stance,
        limits: Limits,
        rng: np.random.Generator,
        *,
        horizons: tuple[int, ...] | None = None,
    ) -> Report:
        request = SearchRequest(
            root=root,
            rng=rng,
            shuffle=self.ties == "random",
            pool=self.pool,
            exact=self.exact,
            prune=self.prune,
            threads=self.threads,
            changes_over=self.space.suspended,
            horizons=horizons,
        )
        before = rng.bit_generator.state if request.changes_over else {}
        try:
            report = self.algorithm.search(worlds, stance, limits, request)
        except ChangeOverError:
            # Machine code has arrived during the search: make the same decision natively.
            rng.bit_generator.state = before
            return self._search(root, worlds, stance, limits, rng, horizons=horizons)
        except MpsearchError:
            raise
        except Exception as error:
            raise fault_of_search(self.search, error, self.space) from error
        if not isinstance(report, Report):
            kind = type(report).__name__
            raise ContractError(f"search={self.search}: returned a {kind}, not a Report")
        self._check(report.value, "led a search to")
        return report

    def observe(self, memory: Beliefs, event: Event, rng: np.random.Generator) -> Beliefs:
        observation = self.observation(event, rng)
        return memory if observation is None else self.model.observe(memory, observation)

    def observation(self, event: Event, rng: np.random.Generator) -> Observation | None:
        """What this agent learns from a move; None if it was secret, or fits no drawn world."""
        if event.move is None:
            return None
        game = self.space.game
        befores = draw_worlds_with(game, event, self.worlds, rng)
        if not befores:
            return None
        afters = [game.play(world, event.move) for world in befores]

        @functools.cache
        def alternatives(plies: int = 1) -> tuple[tuple[Array, int], ...]:
            seen: Callable[[State], Array] = self.space.evaluator.values
            if plies > 1:
                seen = lookahead(self.space.for_root(event.mover), plies - 1)
            found = []
            for world in befores:
                moves = list(game.moves(world))
                values = [seen(game.play(world, m)) for m in moves]
                found.append((np.array(values), moves.index(event.move)))
            return tuple(found)

        return Observation(
            mover=event.mover,
            before=self._mean_value(befores),
            after=self._mean_value(afters),
            greatest=self.space.evaluator.bounds.greatest,
            alternatives=alternatives,
        )

    def _stance(self, seat: int, memory: Beliefs, value: Array) -> Stance:
        settled = self.propagator.settled(seat, self.game.players)
        if settled is not None:
            return settled
        situation = Situation(root=seat, value=value, beliefs=self.model.matrix(memory))
        return self.propagator.stance(situation)

    @staticmethod
    def _unsearched(move: Move, stance: Stance, outlook: Array) -> Decision:
        return Decision(move=move, stance=stance, value=outlook, outlook=outlook)

    def _mean_value(self, worlds: list[State]) -> Array:
        rows = checked_values(self.space.evaluator, worlds, self.space.game.players)
        return rows[0] if len(rows) == 1 else frozen_array(np.mean(rows, axis=0))

    def _check(self, value: Array, what: str) -> None:
        check_numbers(value, self.space.evaluator, what)


def decided(report: Report, outlook: Array | None) -> Decision:
    """The decision that a search comes to."""
    return Decision(
        move=report.move,
        stance=report.stance,
        value=report.value,
        outlook=outlook,
        exact=report.exact,
        nodes=report.nodes,
        depth=report.depth,
        report=report,
    )


def fault_of_search(name: str, error: Exception, space: SearchSpace | None = None) -> ContractError:
    """An error of a search algorithm, with the plugin whose code raised it.

    Of machine code that is unknown, so all parts are named.
    """
    what = plugin_fault(error) or f"{type(error).__name__}: {error}"
    if what.startswith("plugin ") or space is None or not space.compilable:
        return ContractError(f"search={name}: {what}")
    parts = f"evaluator {part_name(space.evaluator)}, game {part_name(space.game)}"
    return ContractError(f"search={name}: {what}, in compiled code; {parts}")


def _choosing(report: Report, move: Move, outlook: Array) -> Report:
    """The report with another move chosen; one that was not searched has the outlook's value."""
    for entry in report.moves:
        if entry.move == move:
            line = (move, *entry.line)
            return attrs.evolve(report, move=move, value=entry.value, exact=entry.exact, line=line)
    return attrs.evolve(report, move=move, value=outlook, line=(move,))


def _cares(stance: Stance, seat: int) -> bool:
    """Whether a seat cares about anybody; if not, all its moves tie."""
    return any(map(snap, stance.matrix[seat].tolist()))
