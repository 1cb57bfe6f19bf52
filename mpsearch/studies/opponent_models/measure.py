"""Measurement of opponent models: each watches the same game and plays one of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch._util import array_field, plain
from mpsearch.agents import SearchAgent
from mpsearch.api import table_of
from mpsearch.contracts import CHANCE, Array, event_of
from mpsearch.experiments import Engine, Local, Store, ordered_answers, play_job
from mpsearch.social import angle, chance_of_choice, is_forced
from mpsearch.studies.opponent_models.design import WATCHED, ModelDesign, Round

#: Softmax precisions of the choice model; each opponent model gets the one that fits it best.
#: Shape (B,). 0 is indifference.
PRECISIONS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
#: Smaller probabilities count as this one in the log loss.
LEAST_CHANCE = 1e-6


@attrs.frozen(kw_only=True)
class Predictions:
    """Predictions of one model just before each of n watched moves."""

    #: Degrees between the mover's true row and the believed one. Shape (n,).
    angles: Array = array_field()
    #: Number of that mover's earlier moves. Shape (n,).
    seen: Array = array_field()
    #: Log loss of each move that was not forced. Shape (m, B), m <= n.
    losses: Array = array_field()


@attrs.frozen(kw_only=True)
class RoundResult:
    """The result of a round, by model."""

    scenario: str
    number: int
    predictions: dict[str, Predictions]
    #: The learner's share of its own game.
    shares: dict[str, float]
    #: Equal for rounds whose games are all equal.
    identity: str = ""


def measure_rounds(
    design: ModelDesign, *, engine: Engine | None = None, path: Path | None = None
) -> Iterator[RoundResult]:
    """All rounds of a design in order, on any engine.

    With a path, every finished round is stored there and is not played again.
    """
    about = attrs.asdict(design)
    del about["games"], about["scenarios"]
    with Store(path) as store:
        store.bind({"models": about})
        yield from ordered_answers(
            measure_round,
            list(design.rounds()),
            store=store,
            engine=engine or Local(),
            write=_document,
            read=_measured,
        )


def _document(measured: RoundResult) -> dict[str, Any]:
    return {
        "scenario": measured.scenario,
        "number": measured.number,
        # The name in existing stores.
        "sightings": {model: plain(found) for model, found in measured.predictions.items()},
        "shares": measured.shares,
        "identity": measured.identity,
    }


def _measured(_: Round, document: dict[str, Any]) -> RoundResult:
    predictions = {
        name: Predictions(
            angles=found["angles"],
            seen=found["seen"],
            losses=np.reshape(found["losses"], (-1, len(PRECISIONS))),
        )
        for name, found in document.pop("sightings").items()
    }
    return RoundResult(**document, predictions=predictions)


def measure_round(task: Round) -> RoundResult:
    """Let all models watch one game, then let the learner play it with each."""
    played = {model: play_job(task.job(model))[0] for model in task.design.models}
    return RoundResult(
        scenario=task.scenario,
        number=task.number,
        predictions=watch_round(task),
        shares={model: result.shares()[task.seat] for model, result in played.items()},
        identity=" ".join(result.identity for result in played.values()),
    )


def watch_round(task: Round) -> dict[str, Predictions]:
    """The predictions of every model at each move of the opponents in one game."""
    setting, seat, models = task.setting(WATCHED), task.seat, task.design.models
    table = table_of(setting)
    game = table.game
    watcher = table.searcher(setting.agents[seat])
    minds = {m: table.searcher(task.design.learner(m)).model for m in models}
    # All models see the same worlds, from a stream that no player uses.
    rng = np.random.default_rng([setting.seed, 1])
    beliefs = {
        m: mind.start(game.players, seat, np.random.default_rng([setting.seed, 2]))
        for m, mind in minds.items()
    }
    seen = [0] * game.players
    found: dict[str, list[tuple[float, int, Array | None]]] = {m: [] for m in models}
    for ply in table.plies(setting):
        if ply.seat in (seat, CHANCE) or ply.decision is None or ply.decision.stance is None:
            continue
        event = event_of(game, seat, before=ply.before, move=ply.move, after=ply.state)
        observation = watcher.observation(event, rng)
        if observation is None:
            continue
        worlds = observation.alternatives()
        true = ply.decision.stance.matrix[ply.seat]
        for m, mind in minds.items():
            row = mind.matrix(beliefs[m])[ply.seat]
            loss = None
            if not is_forced(worlds):
                chances = [chance_of_choice(row[None], worlds, precision=p)[0] for p in PRECISIONS]
                loss = -np.log(np.maximum(chances, LEAST_CHANCE))
            apart = angle(_told(true, watcher), _told(row, watcher))
            found[m].append((apart, seen[ply.seat], loss))
            beliefs[m] = mind.observe(beliefs[m], observation)
        seen[ply.seat] += 1
    return {m: _predictions(entries) for m, entries in found.items()}


def _told(row: Array, watcher: SearchAgent) -> Array:
    """The part of a row that choices reveal: where values have a fixed sum, not its mean."""
    total = watcher.space.evaluator.bounds.total
    return row - row.mean() if total is not None and total[0] == total[1] else row


def _predictions(entries: list[tuple[float, int, Array | None]]) -> Predictions:
    losses = [loss for _, _, loss in entries if loss is not None]
    return Predictions(
        angles=np.array([apart for apart, _, _ in entries]),
        seen=np.array([before for _, before, _ in entries], dtype=np.float64),
        losses=np.reshape(losses, (len(losses), len(PRECISIONS))),
    )
