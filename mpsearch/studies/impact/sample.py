"""Sampling: states of games that agents play, and whom each mover can affect.

The estimator sees what the referee sees: true states, even where players do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from mpsearch import experiments
from mpsearch.api import Table, table_of
from mpsearch.errors import UsageError
from mpsearch.experiments import Engine, Local, Store
from mpsearch.jit import PlayClock
from mpsearch.match import Setting
from mpsearch.studies.impact.evaluation import choose_evaluator
from mpsearch.studies.impact.influence import READINGS
from mpsearch.studies.impact.playouts import PlayoutProbe
from mpsearch.studies.impact.probe import Probe, SearchProbe

#: Values that differ by no more are equal. Rounding in sums over chance is far below it.
TOLERANCE = 1e-6
HORIZONS = ("plies", "rounds")


@attrs.frozen(kw_only=True)
class Survey:
    """One game to be played, and how its states are examined."""

    setting: Setting
    depths: tuple[int, ...]
    #: None for play-outs.
    evaluator: str | None
    #: The evaluator's kind: OWN, SHARED or PAYOFF.
    kind: str
    #: None: the game's default.
    branching: str | None
    tolerance: float
    #: What a depth counts: `plies`, or `rounds` in which every seat has a turn.
    horizon: str
    #: Random play-outs after each move; 0: search instead.
    playouts: int
    #: States examined per game, evenly spaced; 0: all.
    most_states: int
    #: The seed that the user gave; the game's own is in the setting.
    seed: int
    #: The key of its sample in a store.
    arm: str = attrs.field(default="", eq=False)
    number: int = attrs.field(default=0, eq=False)

    def __str__(self) -> str:
        return str(self.setting)


@attrs.frozen(kw_only=True, eq=False)
class GameSample:
    """The N states of one game in which a player had to move, in order."""

    survey: Survey
    #: Who moved. Shape (N,).
    movers: npt.NDArray[np.int64]
    #: Whom the mover could affect, by depth and reading. Shape (N, D, R, P).
    touched: npt.NDArray[np.bool_]
    #: Variance of each seat's value over the mover's moves. Shape (N, D, P).
    variance: npt.NDArray[np.float64]
    #: Time of the searches, without playing and compiling.
    seconds: float
    #: Equal for equal games.
    identity: str = ""


def make_surveys(
    table: Table,
    agents: Sequence[str],
    *,
    games: int,
    depths: Sequence[int],
    evaluator: str | None = None,
    branching: str | None = None,
    tolerance: float = TOLERANCE,
    horizon: str = "plies",
    playouts: int = 0,
    most_states: int = 0,
    seed: int,
    opening: int | None = None,
) -> list[Survey]:
    """The games to be surveyed; agents rotate over the seats."""
    if horizon not in HORIZONS:
        raise UsageError(f"horizon '{horizon}' is not one of {', '.join(HORIZONS)}")
    if playouts == 1:
        raise UsageError("1 play-out says nothing about luck: use at least 2")
    if playouts and evaluator is not None:
        raise UsageError("play-outs need no evaluator: leave out one of the two")
    chosen, kind = choose_evaluator(table, evaluator, playouts=playouts)
    # Finds mistakes in names and texts before the first game.
    table.space(chosen, branching)
    table.seat(table.setting(*agents, seed=seed))
    # The states matter, not who wins: one order will do, and existing stores have it.
    design = experiments.tournament_design(
        table, agents, games=games, seed=seed, opening=opening, seating=experiments.ROTATION
    )
    return [
        Survey(
            setting=job.setting,
            depths=(0,) if playouts else tuple(depths),
            evaluator=chosen,
            kind=kind,
            branching=branching,
            tolerance=tolerance,
            horizon=horizon,
            playouts=playouts,
            most_states=most_states,
            seed=seed,
        )
        for job in design.jobs()
    ]


def make_probe(table: Table, survey: Survey) -> Probe:
    """What examines the states of a survey."""
    space = table.space(survey.evaluator, survey.branching)
    if survey.playouts:
        return PlayoutProbe(space, survey.playouts, seed=survey.setting.seed)
    return SearchProbe(
        space, depths=survey.depths, tolerance=survey.tolerance, rounds=survey.horizon == "rounds"
    )


def survey_game(survey: Survey) -> GameSample:
    """Play one game and examine the states in which a player has to move."""
    table = table_of(survey.setting)
    probe = make_probe(table, survey)
    plies = list(table.plies(survey.setting))
    moves = [table.game.write_in(ply.before, ply.move) for ply in plies]
    # Neither outcomes of chance nor random opening moves.
    decided = [ply for ply in plies if ply.decision is not None]
    states, depths = min(survey.most_states or len(decided), len(decided)), len(survey.depths)
    chosen = [decided[len(decided) * number // states] for number in range(states)]
    clock = PlayClock()
    found = [probe(ply.before) for ply in chosen]
    seconds = clock.seconds()
    touched = np.array([sample.touched for sample in found], dtype=np.bool_)
    variance = np.array([sample.variance for sample in found], dtype=np.float64)
    return GameSample(
        survey=survey,
        movers=np.array([ply.seat for ply in chosen], dtype=np.int64),
        touched=touched.reshape(states, depths, len(READINGS), table.players),
        variance=variance.reshape(states, depths, table.players),
        seconds=seconds,
        identity=experiments.game_identity(survey.setting.agents, moves),
    )


def survey_games(
    work: Sequence[Sequence[Survey]], *, engine: Engine | None = None, path: Path | None = None
) -> Iterator[GameSample]:
    """Survey the games of several tables and yield their samples in the order given.

    With a path, every finished game is stored there and is not played again.
    """
    jobs = [
        attrs.evolve(survey, arm=f"{place} {survey.setting.game}", number=number)
        for place, surveys in enumerate(work)
        for number, survey in enumerate(surveys)
    ]
    about = {f"{place}": _about(surveys[0]) for place, surveys in enumerate(work)}
    with Store(path) as store:
        store.bind({"oi": about})
        yield from experiments.ordered_answers(
            survey_game, jobs, store=store, engine=engine or Local(), write=_document, read=_sample
        )


def _about(survey: Survey) -> dict[str, Any]:
    """All that determines the games of a table, except how many there are."""
    entries = attrs.asdict(survey)
    setting, *_ = (entries.pop(name) for name in ("setting", "arm", "number"))
    return {**entries, **{name: setting[name] for name in setting if name != "seed"}}


def _document(sample: GameSample) -> dict[str, Any]:
    return {
        "movers": sample.movers.tolist(),
        "touched": np.packbits(sample.touched).tobytes().hex(),
        "shape": list(sample.touched.shape),
        "variance": sample.variance.tobytes().hex(),
        "seconds": sample.seconds,
        "identity": sample.identity,
    }


def _sample(survey: Survey, document: dict[str, Any]) -> GameSample:
    bits = np.frombuffer(bytes.fromhex(document["touched"]), dtype=np.uint8)
    count = int(np.prod(document["shape"]))
    states, depths, _, players = document["shape"]
    variance = np.frombuffer(bytes.fromhex(document["variance"]), dtype=np.float64)
    return GameSample(
        survey=survey,
        movers=np.array(document["movers"], dtype=np.int64),
        touched=np.unpackbits(bits, count=count).astype(np.bool_).reshape(document["shape"]),
        variance=variance.reshape(states, depths, players),
        seconds=document["seconds"],
        identity=document["identity"],
    )


def read_depths(given: str | int | Iterable[int]) -> tuple[int, ...]:
    """Parse depths: 3, `1-4`, `1,2,5-7`, or a list of numbers."""
    if isinstance(given, int):
        given = str(given)
    text = given if isinstance(given, str) else ",".join(map(str, given))
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.partition("-")
        if not (low.isdecimal() and (high.isdecimal() or not dash)):
            raise UsageError(f"depths '{text}' are not of the form 1-4 or 1,3")
        depths = range(int(low), int(high if dash else low) + 1)
        if not depths or depths[0] < 1 or depths[-1] > 99:
            raise UsageError(f"depths '{text}': they rise from 1 to 99 at most")
        found |= set(depths)
    return tuple(sorted(found))
