"""The comparison of opponent models: paired games, honest intervals, a command to run it."""

import csv
import json
import math
import statistics
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from mpsearch.agents import SearchAgent, make_agent
from mpsearch.api.game_table import table, table_of
from mpsearch.cli import run
from mpsearch.contracts import Array, Event
from mpsearch.errors import UsageError
from mpsearch.experiments import student
from mpsearch.experiments.engines import Local
from mpsearch.match import play_match
from mpsearch.plugins.catalog import load_catalog
from mpsearch.studies.opponent_models import (
    ModelDesign,
    Round,
    make_model_design,
    measure_round,
    measure_rounds,
    summarise,
)
from mpsearch.studies.opponent_models.measure import watch_round
from mpsearch.studies.opponent_models.summary import clustered


def design(**changes: Any) -> ModelDesign:
    settings: dict[str, Any] = {
        "agent": "sos:depth=1",
        "opponent": "oriented",
        "models": ("selfish", "recent", "likelihood:particles=20"),
        "scenarios": ("fixed", "switch"),
        "games": 2,
        "seed": 3,
        "drift": 0.1,
        "opening": 0,
    } | changes
    return make_model_design(table("scramble", players=3, length=9), **settings)


def degrees(first: list[float], second: list[float]) -> float:
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    return math.degrees(math.acos(dot / math.hypot(*first) / math.hypot(*second)))


@pytest.mark.parametrize(
    ("game", "options", "watcher", "fall"),
    [
        ("scramble", {"length": 30}, "sos:depth=1,model=advantage", 0.9),
        ("scramble", {"length": 30}, "sos:depth=1,model=likelihood", 0.8),
        ("quoridor", {"size": 5}, "greedy:model=advantage", 0.85),
        ("quoridor", {"size": 5}, "greedy:model=likelihood", 0.7),
    ],
)
def test_a_model_that_watches_oriented_opponents_finds_their_rows(
    game: str, options: dict[str, Any], watcher: str, fall: float
) -> None:
    """By hand, and with rows known from the texts: angles fall with the number of moves.

    Less for `advantage`, which also learns what the moves of a game are like.
    """
    at = table(game, players=3, **options)
    learner = at.agent(watcher)
    assert isinstance(learner, SearchAgent)
    angles: dict[int, list[float]] = {}
    for seed in range(8):
        rng = np.random.default_rng(seed)
        # Seats 1 and 2, each with a row that begins with itself.
        relative = [[rng.uniform(0.2, 1), *rng.uniform(-1, 1, 2)] for _ in range(2)]
        texts = ["oriented:row=" + ":".join(f"{x:.17g}" for x in row) for row in relative]
        others = [at.agent(text) for text in texts]
        beliefs = learner.start(0, rng)
        moves = [0, 0, 0]
        for ply in play_match(at.game, [learner, *others], seed=seed):
            if ply.seat == 0:
                continue
            true = [relative[ply.seat - 1][(s - ply.seat) % 3] for s in range(3)]
            believed = learner.model.matrix(beliefs)[ply.seat].tolist()
            if any(believed):
                angles.setdefault(min(moves[ply.seat], 4), []).append(degrees(believed, true))
            event = Event(mover=ply.seat, move=ply.move, before=ply.before, after=ply.state)
            beliefs = learner.observe(beliefs, event, rng)
            moves[ply.seat] += 1
    assert statistics.mean(angles[4]) < fall * statistics.mean(angles[0])


def test_all_models_and_scenarios_meet_the_same_orientations() -> None:
    """The first angle of the selfish model tells the first row of the first opponent to move."""
    rounds = list(design().rounds())
    assert [(r.number, r.scenario, r.seat) for r in rounds] == [
        (0, "fixed", 0),
        (0, "switch", 0),
        (1, "fixed", 1),
        (1, "switch", 1),
    ]
    seen = [watch_round(r) for r in rounds]
    starts = [found["selfish"].angles[0] for found in seen]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    for found in seen:
        first = [predictions.angles[0] for predictions in found.values()]
        assert first == [first[0]] * 3
    settings = [rounds[1].setting(model) for model in ("recent", "selfish")]
    assert settings[0].seed == settings[1].seed
    assert settings[0].agents == (
        "sos:depth=1,model=recent",
        "oriented:switch=10",
        "oriented:switch=10",
    )


def test_selfish_beliefs_are_scored_by_hand() -> None:
    """Angles and the losses at precision 0 of one watched game, from its moves alone."""
    task = next(design(scenarios=("retaliate",)).rounds())
    catalog = load_catalog()
    setting = task.setting("selfish")
    game = table_of(setting).game
    agents = [make_agent(catalog, "scramble", game, text) for text in setting.agents]
    angles, uniform = [], []
    for ply in play_match(game, agents, seed=setting.seed):
        if ply.seat > 0:
            assert ply.decision is not None
            assert ply.decision.stance is not None
            row = ply.decision.stance.matrix[ply.seat].tolist()
            angles.append(degrees(row, [float(s == ply.seat) for s in range(3)]))
            if len(game.moves(ply.before)) > 1:
                uniform.append(math.log(len(game.moves(ply.before))))
    found = watch_round(task)["selfish"]
    assert found.angles.tolist() == pytest.approx(angles)
    assert found.losses[:, 0].tolist() == pytest.approx(uniform)
    assert len(set(np.round(angles, 6))) > 2


def test_where_values_have_a_fixed_sum_rows_count_without_their_mean() -> None:
    """There a row and the same row plus a constant choose alike."""
    agent = "sos:depth=1,evaluator=share"
    shifted = ("oriented:evaluator=share,row=0.9:-0.1:-0.1", "oriented:evaluator=share,row=1:0:0")
    for opponent in shifted:
        task = next(design(agent=agent, opponent=opponent, scenarios=("fixed",)).rounds())
        assert watch_round(task)["selfish"].angles.max() < 1e-4


def same(first: Any, second: Any) -> bool:
    return json.dumps(attrs.asdict(first), default=np.ndarray.tolist) == json.dumps(
        attrs.asdict(second), default=np.ndarray.tolist
    )


def test_rounds_do_not_depend_on_the_number_of_processes() -> None:
    small = design(games=1)
    alone, spread = (list(measure_rounds(small, engine=Local(n))) for n in (1, 2))
    assert len(alone) == len(spread) == 2
    assert all(same(a, b) for a, b in zip(alone, spread, strict=True))
    assert not same(alone[0], alone[1])


def test_an_interval_treats_a_game_as_one_draw() -> None:
    """With games of equal length: the usual interval of the games' means."""
    games: list[Array] = [np.array([1.0, 3]), np.array([4.0, 4]), np.array([0.0, 9])]
    found = clustered(games, "abc")
    error = statistics.stdev([2, 4, 4.5]) / math.sqrt(3)
    assert found.mean == pytest.approx(3.5)
    reach = student(2) * error
    assert (found.low, found.high) == pytest.approx((3.5 - reach, 3.5 + reach), 1e-4)
    longer = clustered([np.array([1.0]), np.array([4.0, 4, 4])], "ab")
    assert longer.mean == pytest.approx(13 / 4)
    assert clustered([np.array([1.0, 3])], "a").high == math.inf
    twice = [np.array([1.0, 3])] * 2
    assert clustered(twice, "aa").high == math.inf


def test_a_summary_compares_with_the_printed_rule() -> None:
    small = design()
    measured = [measure_round(r) for r in small.rounds()]
    assert small.baseline == "recent"
    rows = {(r.scenario, r.model): r for r in summarise(measured, baseline="recent")}
    assert len(rows) == 6
    for scenario in ("fixed", "switch"):
        base = rows[scenario, "recent"]
        assert (base.angle_gap.mean, base.loss_gap.mean, base.wins_gap.mean) == (0, 0, 0)
        for model in ("selfish", "likelihood:particles=20"):
            row = rows[scenario, model]
            assert row.angle.mean - base.angle.mean == pytest.approx(row.angle_gap.mean)
            assert row.log_loss.mean - base.log_loss.mean == pytest.approx(row.loss_gap.mean)
            assert row.wins.mean - base.wins.mean == pytest.approx(row.wins_gap.mean)
            # At worst a model is given the precision 0, which is to know nothing.
            assert row.log_loss.mean <= row.uniform_loss
    known = [r for r in measured if r.scenario == "fixed"]
    angles = [angle for r in known for angle in r.predictions["recent"].angles]
    assert rows["fixed", "recent"].angle.mean == pytest.approx(statistics.mean(angles))
    assert sum(count for *_, count in rows["fixed", "recent"].curve) == len(angles)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scenarios": ("fixed", "moody")}, "unknown scenario 'moody'; choose from fixed, switch"),
        ({"models": ("psychic",)}, "unknown opponent model 'psychic'"),
        ({"models": ("recent:k=0",)}, "k=0 is not a whole number"),
        ({"agent": "sos:model=recent"}, "its model is what is being compared"),
        ({"opponent": "maxn"}, "unknown key 'switch'"),
    ],
)
def test_what_cannot_be_compared_is_explained(changes: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        design(**changes)


COMMAND = ["models", "--game", "scramble", "--players", "3", "--option", "length=8"]
COMMAND += ["--agent", "sos:depth=1", "--model", "recent", "--model", "advantage", "--seed", "2"]
COMMAND += ["--opening", "6"]


def test_the_command_prints_writes_and_draws(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table, drawing = tmp_path / "models.csv", tmp_path / "models.svg"
    arguments = [*COMMAND, "--games", "2", "--csv", str(table), "--plot", str(drawing)]
    assert run([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    rows = json.loads(captured.out)
    assert [(row["scenario"], row["model"]) for row in rows] == [
        (scenario, model)
        for scenario in ("fixed", "switch", "drift", "retaliate")
        for model in ("recent", "advantage")
    ]
    for row in rows:
        assert row["angle_low"] <= row["angle"] <= row["angle_high"]
        assert 0 <= row["wins_low"] <= row["wins"] <= row["wins_high"] <= 1
    assert captured.err == ""
    assert not any(row["partial"] for row in rows)
    with table.open(newline="") as file:
        written = list(csv.DictReader(file))
    assert [float(row["angle"]) for row in written] == [row["angle"] for row in rows]
    assert drawing.read_text().count("<svg") == 1


def test_an_interrupted_command_prints_what_it_has(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Round] = []

    def interrupted(task: Round) -> object:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(task)
        return measure_round(task)

    monkeypatch.setattr("mpsearch.studies.opponent_models.measure.measure_round", interrupted)
    assert run([*COMMAND, "--games", "2", "--scenario", "fixed", "--scenario", "drift"]) == 1
    captured = capsys.readouterr()
    assert captured.err == "mpsearch: interrupted; results are partial: 3 of 4 rounds\n"
    lines = [line.split() for line in captured.out.splitlines()]
    assert [(line[0], line[1], line[-1]) for line in lines[1:5]] == [
        ("fixed", "recent", "2"),
        ("fixed", "advantage", "2"),
        ("drift", "recent", "1"),
        ("drift", "advantage", "1"),
    ]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--plot", "models.xyz"], "--plot models.xyz: the name must end in one of"),
        (["--csv", "/no/such/folder/x.csv"], "--csv /no/such/folder/x.csv: there is no folder"),
        (["--csv", "/"], "--csv / cannot be written: it is a folder"),
        (["--scenario", "moody"], "unknown scenario 'moody'"),
        (["--games", "0"], "--games"),
    ],
)
def test_wrong_usage_is_told_before_the_first_game(
    more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*COMMAND, *more]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert len(captured.err.splitlines()) <= 2


def test_without_the_extra_plots_say_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    assert run([*COMMAND, "--plot", "models.svg"]) == 1
    assert "pip install 'mpsearch[plots]'" in capsys.readouterr().err
