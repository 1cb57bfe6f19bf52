"""Sampling: the states of games that agents play, and whom each state's mover can touch.

The estimator sits with the referee: it looks at true states, also where players do not.
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
from mpsearch.match import Ply, Setting
from mpsearch.studies.impact.evaluation import choose_evaluator
from mpsearch.studies.impact.influence import READINGS
from mpsearch.studies.impact.playouts import PlayoutProbe
from mpsearch.studies.impact.probe import Probe, SearchProbe

#: Values that differ by no more are equal. Rounding in sums over chance is far below it.
TOLERANCE = 1e-6
#: What depths may count.
HORIZONS = ("plies", "rounds")


@attrs.frozen(kw_only=True)
class Survey:
    """One game to be played, and how its states are looked at."""

    setting: Setting
    depths: tuple[int, ...]
    #: None where play-outs take its place.
    evaluator: str | None
    #: What kind of evaluator that is: OWN, SHARED or PAYOFF.
    kind: str
    #: None for the game's usual one.
    branching: str | None
    tolerance: float
    #: What depths count: `plies`, or `rounds` in which every seat has a turn.
    horizon: str
    #: How many games are played out behind each move, at random; 0: a search looks behind it.
    playouts: int
    #: So many states of a game are looked at, evenly over its course; 0: all of them.
    most_states: int
    #: The seed that the user gave; the game's own is in the setting.
    seed: int
    #: What its sample is kept by; no part of what is measured.
    arm: str = attrs.field(default="", eq=False)
    number: int = attrs.field(default=0, eq=False)

    def __str__(self) -> str:
        return str(self.setting)


@attrs.frozen(kw_only=True, eq=False)
class GameSample:
    """The states of one game in which a player had to move, N of them in their order."""

    survey: Survey
    #: Who moved. Shape (N,).
    movers: npt.NDArray[np.int64]
    #: Whom the mover could touch, by depth and reading. Shape (N, D, R, P).
    touched: npt.NDArray[np.bool_]
    #: Variance over the mover's moves of what each seat gets behind them. Shape (N, D, P).
    variance: npt.NDArray[np.float64]
    #: What the searches took, without the playing and the compiler.
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
    """The games to be looked at; the agents take turns at the seats."""
    if horizon not in HORIZONS:
        raise UsageError(f"horizon '{horizon}' is not one of {', '.join(HORIZONS)}")
    if playouts == 1:
        raise UsageError("1 play-out says nothing about luck: use at least 2")
    if playouts and evaluator is not None:
        raise UsageError("play-outs need no evaluator: leave out one of the two")
    chosen, kind = choose_evaluator(table, evaluator, playouts=playouts)
    # What is wrong with a name or a text is found before the first game.
    table.space(chosen, branching)
    table.seat(table.setting(*agents, seed=seed))
    # Not who wins but what states are met: one order will do, and stores were begun with it.
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
    """What looks at the states of a survey."""
    space = table.space(survey.evaluator, survey.branching)
    if survey.playouts:
        return PlayoutProbe(space, survey.playouts, seed=survey.setting.seed)
    return SearchProbe(
        space,
        depths=survey.depths,
        tolerance=survey.tolerance,
        rounds=survey.horizon == "rounds",
    )


def survey_game(survey: Survey) -> GameSample:
    """Play one game and look at every state in which a player has to move."""
    table = table_of(survey.setting)
    probe = make_probe(table, survey)
    plies = list(table.plies(survey.setting))
    moves = [table.game.write_in(ply.before, ply.move) for ply in plies]
    # Not what chance did, nor an opening that nobody chose.
    chosen = _spaced([ply for ply in plies if ply.decision is not None], survey.most_states)
    clock = PlayClock()
    looks = [probe(ply.before) for ply in chosen]
    seconds = clock.seconds()
    movers = [ply.seat for ply in chosen]
    states, depths = len(movers), len(survey.depths)
    touched = np.array([look.touched for look in looks], dtype=np.bool_)
    variance = np.array([look.variance for look in looks], dtype=np.float64)
    return GameSample(
        survey=survey,
        movers=np.array(movers, dtype=np.int64),
        touched=touched.reshape(states, depths, len(READINGS), table.players),
        variance=variance.reshape(states, depths, table.players),
        seconds=seconds,
        identity=experiments.game_identity(survey.setting.agents, moves),
    )


def _spaced(plies: Sequence[Ply], most: int) -> Sequence[Ply]:
    """At most so many, from first to last at equal distances; all of them for 0."""
    count = min(most or len(plies), len(plies))
    return [plies[len(plies) * number // count] for number in range(count)]


def survey_games(
    work: Sequence[Sequence[Survey]], *, engine: Engine | None = None, path: Path | None = None
) -> Iterator[GameSample]:
    """Play the games of several tables, and yield what was seen in the order given.

    With a path every game is kept there as soon as it is finished, and is not played again.
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
    """What decides all games of a table but their number."""
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
    """Depths as people write them: 3, `1-4`, `1,2,5-7`, or a list of numbers."""
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
