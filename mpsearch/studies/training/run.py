"""A training run: rounds of self-play, each with the network of the one before.

Hand-written evaluators play the first round. A new network plays a match with the best so far and
replaces it if it wins more than its share. The run ends when rounds stop helping, or when time or
rounds run out. A killed run resumes and gives the same weights.
"""

from __future__ import annotations

import importlib.metadata
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.api import Table
from mpsearch.contracts import CompiledGame
from mpsearch.errors import UsageError
from mpsearch.experiments import Estimate, usual_opening
from mpsearch.gamekit import Network, features_of, inputs_of, read_network
from mpsearch.studies.training.checkpoint import Checkpoint, write_whole
from mpsearch.studies.training.gradient_descent import RATE, fit, new_network
from mpsearch.studies.training.positions import Positions
from mpsearch.studies.training.self_play import (
    Played,
    measure_share,
    play_games,
    varied_agents,
    varied_network,
    with_evaluator,
    written_evaluators,
)

#: Games per checkpoint.
CHUNK = 50
#: Rounds whose games a network learns from.
WINDOW = 3
#: Rounds without improvement before the run ends.
PATIENCE = 2
#: Greatest number of random opening moves, besides a third of a usual game: a search meets moves
#: that nobody plays, and must evaluate them too.
LONGEST_OPENING = 24
#: Positions seen in a round at least, unless that takes too many epochs.
LEAST_SEEN, MOST_EPOCHS = 300_000, 20
#: A round after the first is cut short only after a fraction 1 / LEAST_OF_ROUND of its games.
LEAST_OF_ROUND = 4
#: Networks with perturbed weights in every round.
VARIED = 6
#: Blocks of seeds of a round: its games, and those against the best network. The games against
#: hand-written evaluators are the same in every round.
_BLOCKS, _GAMES, _AGAINST_BEST = 4, 2, 3
_AGAINST_WRITTEN, _QUALIFYING = 0, 1


@attrs.frozen(kw_only=True)
class Plan:
    """The settings of a run; the same plan gives the same weights unless time cuts it short."""

    #: The agent that plays, with various evaluators.
    agent: str
    units: int
    #: Games of a round, and of each measurement.
    games: int
    measured: int
    rounds: int
    epochs: int
    seed: int
    #: A file of weights to start from instead of a hand-written evaluator.
    start: str = ""
    #: The greatest difference between two payoffs, to learn shares of the payoff; 0: to learn
    #: chances of winning.
    payoff_range: float = 0.0
    #: The evaluator of the first round; empty: the best hand-written one.
    evaluator: str = ""
    #: Games that branch off each game with random moves.
    branches: int = 0

    def document(self, table: Table) -> dict[str, Any]:
        """All that determines the weights."""
        return {**self.where(table), **attrs.asdict(self)}

    def where(self, table: Table) -> dict[str, Any]:
        """The game, players and options that the weights are for."""
        return {"game": table.name, "players": table.players, "options": dict(table.options)}


@attrs.frozen(kw_only=True)
class Round:
    """The result of one round."""

    number: int
    games: int
    positions: int
    #: Mean cross-entropy on training and on held-out positions.
    loss: float
    held_out: float
    #: Share won by one seat of the new network against the best before; None in the first round.
    against_best: Estimate | None
    #: The same against the best hand-written evaluator, and its name.
    against_written: Estimate
    written: str
    #: Whether it is the new best.
    helped: bool

    def document(self) -> dict[str, Any]:
        """The round for JSON."""
        return attrs.asdict(self)

    @classmethod
    def read(cls, document: dict[str, Any]) -> Round:
        """A round from its checkpoint."""
        estimates = {
            name: None if document[name] is None else Estimate(**document[name])
            for name in ("against_best", "against_written")
        }
        return cls(**{**document, **estimates})


def usual_agent(table: Table) -> str:
    """The default agent: one ply, and one world in hidden games, which native play supports."""
    return "maxn:depth=1" + (",worlds=1" if table.game.hidden else "")


class Training:
    """A run of a plan that writes its best weights to `out`."""

    def __init__(
        self,
        table: Table,
        plan: Plan,
        out: Path,
        *,
        minutes: float,
        command: str = "",
        show: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table, self.plan, self.out = table, plan, out
        self.command, self.show = command, show
        self.inputs = inputs_of(table.game)
        for evaluator in filter(None, (plan.start, plan.evaluator)):
            table.space(evaluator)  # it must fit
        self.written = [plan.evaluator] if plan.evaluator else written_evaluators(table)
        if not self.written:
            raise UsageError(f"{table.name}: there is no evaluator to start from")
        table.searcher(plan.agent)
        self.kept = Checkpoint(out, plan.document(table))
        self._clock, self._started = clock, clock()
        self._before = float(self.kept.read("elapsed") or 0)
        self._seconds = 60 * minutes
        self.opening = usual_opening(table)
        found = self.kept.read("qualifying")
        if found is None:
            found = self._qualify()
            self.kept.write("qualifying", found)
        self.half_life, self.best_written = found

    def elapsed(self) -> float:
        """Seconds the run has taken, including those before a kill."""
        return self._before + self._clock() - self._started

    def rounds(self) -> Iterator[Round]:
        """Run the rounds; those in the checkpoint are not run again."""
        best = read_network(self.plan.start) if self.plan.start else None
        if best is not None:
            write_whole(self.out, best.content())
        done: list[Round] = []
        for number in range(self.plan.rounds):
            kept = self.kept.read(f"round-{number}")
            if kept is None:
                if done and self.elapsed() >= self._seconds:
                    break
                found = self._round(number, best, done)
                if found is None:
                    return  # with more time the same run can resume
            else:
                found = Round.read(kept)
            done.append(found)
            if found.helped:
                best = self.kept.read_network(f"network-{number}")
                document = {**self._document(), "results": [r.document() for r in done]}
                write_whole(self.out, attrs.evolve(best, document=document).content())
            yield found
            if len(done) >= PATIENCE and not any(each.helped for each in done[-PATIENCE:]):
                break
        self.kept.remove()

    def _round(self, number: int, best: Network | None, done: list[Round]) -> Round | None:
        """Run one round; None if time is up before its games are played."""
        table, plan = self.table, self.plan
        agents = self._agents(number, best)
        chunks = self._games(number, agents, first=not done)
        if chunks is None:
            return None
        parts = [self._positions(n) for n in range(max(0, number + 1 - WINDOW), number + 1)]
        positions = Positions.joined([part for chunk in parts for part in chunk])
        rng = self._rng(number)
        self.show(f"round {number + 1}: learning from {len(positions)} positions")
        start = best or new_network(self.inputs, plan.units, rng)
        # Few positions take more epochs; a trained network takes a smaller learning rate.
        epochs = min(max(plan.epochs, LEAST_SEEN // len(positions)), MOST_EPOCHS)
        rate = RATE if best is None else RATE / 3
        fitted = fit(start, positions, self._mirrors(), epochs=epochs, rng=rng, rate=rate)
        self.kept.forget(f"network-{number}")
        named = {**plan.where(table), "payoff_range": plan.payoff_range}
        network = attrs.evolve(fitted.network, document=named)
        path = self.kept.write_network(f"network-{number}", network)
        written = self.best_written
        new = with_evaluator(plan.agent, str(path))
        self.show(f"round {number + 1}: playing against {written}")
        against = self._measure(new, with_evaluator(plan.agent, written), _AGAINST_WRITTEN)
        against_best = None
        if best is not None:
            helped = [str(self.kept.folder / f"network-{r.number}.npz") for r in done if r.helped]
            old = with_evaluator(plan.agent, [plan.start, *helped][-1])
            against_best = self._measure(new, old, _BLOCKS * number + _AGAINST_BEST)
        found = Round(
            number=number,
            games=sum(chunk["games"] for chunk in chunks),
            positions=len(positions),
            loss=fitted.loss,
            held_out=fitted.held_out,
            against_best=against_best,
            against_written=against,
            written=written,
            helped=against_best is None or against_best.mean > 1 / table.players,
        )
        self.kept.write("elapsed", self.elapsed())
        self.kept.write(f"round-{number}", found.document())
        for old_round in range(number + 1 - WINDOW + 1):
            for chunk_number in range(-(-plan.games // CHUNK)):
                self.kept.forget(f"games-{old_round}-{chunk_number}")
        return found

    def _agents(self, number: int, best: Network | None) -> list[str]:
        """The agents that play the games of a round."""
        table, plan, rng = self.table, self.plan, self._rng(number, 1)
        if best is None:
            texts = varied_agents(table, plan.agent, self.best_written, count=VARIED, rng=rng)
            # Worse evaluators teach little; they play only where no weights can be varied.
            others = [name for name in self.written if name != self.best_written]
            return texts + [with_evaluator(plan.agent, n) for n in others if len(texts) == 1]
        texts = varied_agents(table, plan.agent, self.best_written, count=2, rng=rng)
        networks = [best, best, *(varied_network(best, rng) for _ in range(VARIED))]
        for k, network in enumerate(networks):
            path = self.kept.write_network(f"player-{number}-{k}", network)
            texts.append(with_evaluator(plan.agent, str(path)))
        return texts

    def _games(self, number: int, agents: list[str], *, first: bool) -> list[Any] | None:
        """Play the games of a round that the checkpoint lacks; None if time is up."""
        plan, chunks = self.plan, []
        enough = self.elapsed() + 0.6 * (self._seconds - self.elapsed())
        for k, start in enumerate(range(0, plan.games, CHUNK)):
            name = f"games-{number}-{k}"
            kept = self.kept.read(name)
            if kept is None:
                if k > 0 and self.elapsed() >= (enough if first else self._seconds):
                    if first or start >= plan.games / LEAST_OF_ROUND:
                        break
                    return None
                numbers = range(start, min(start + CHUNK, plan.games))
                played = self._play(
                    agents,
                    numbers,
                    block=_BLOCKS * number + _GAMES,
                    opening=min(LONGEST_OPENING, int(self.half_life) // 3),
                    half_life=self.half_life,
                )
                self.kept.write_positions(name, played.positions)
                kept = {"games": len(numbers)}
                self.kept.write(name, kept)
                self.kept.write("elapsed", self.elapsed())
                self.show(f"round {number + 1}: {numbers.stop} of {plan.games} games")
            chunks.append(kept)
        return chunks

    def _play(
        self, agents: list[str], numbers: range, *, block: int, opening: int, half_life: float
    ) -> Played:
        return play_games(
            self.table,
            agents,
            numbers,
            seed=self.plan.seed,
            block=block,
            opening=opening,
            half_life=half_life,
            payoff_range=self.plan.payoff_range,
            branches=self.plan.branches,
        )

    def _qualify(self) -> tuple[float, str]:
        """The mean length of games of hand-written evaluators, and which wins most."""
        agents = {with_evaluator(self.plan.agent, name): name for name in self.written}
        numbers = range(self.plan.measured)
        played = self._play(
            list(agents), numbers, block=_QUALIFYING, opening=self.opening, half_life=1.0
        )
        won: dict[str, list[float]] = {name: [] for name in self.written}
        for texts, shares in zip(played.agents, played.won.tolist(), strict=True):
            for text, share in zip(texts, shares, strict=True):
                won[agents[text]].append(share)
        best = max(self.written, key=lambda name: float(np.mean(won[name] or [0.0])))
        return played.plies / len(numbers), best

    def _positions(self, number: int) -> Iterator[Positions]:
        for k in range(-(-self.plan.games // CHUNK)):
            if self.kept.read(f"games-{number}-{k}") is not None:
                yield self.kept.read_positions(f"games-{number}-{k}")

    def _measure(self, agent: str, others: str, block: int) -> Estimate:
        return measure_share(
            self.table,
            agent,
            others,
            games=self.plan.measured,
            seed=self.plan.seed,
            block=block,
            opening=self.opening,
            payoff_range=self.plan.payoff_range,
        )

    def _mirrors(self) -> Any:
        """The input numbers as they are, then in each mirror."""
        game = self.table.game
        mirrors = features_of(game).mirrors if isinstance(game, CompiledGame) else ()
        return np.array([range(self.inputs), *mirrors], np.int32)

    def _rng(self, *path: int) -> np.random.Generator:
        return np.random.default_rng([self.plan.seed, *path])

    def _document(self) -> dict[str, Any]:
        origin = self.table.catalog.origin[self.table.name]
        versions = {
            name: importlib.metadata.version(name) for name in ("mpsearch", "numba", "numpy")
        }
        return {
            **self.plan.document(self.table),
            "command": self.command,
            "versions": {**versions, origin.distribution: origin.version},
        }
