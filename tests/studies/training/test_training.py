"""Training runs: the same seed gives the same weights, before and after a kill."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from support.plain import fewer

from mpsearch.api import set_table
from mpsearch.cli import run
from mpsearch.errors import UsageError
from mpsearch.experiments import Estimate
from mpsearch.gamekit import read_network
from mpsearch.jit import jit_enabled
from mpsearch.plugins import installed
from mpsearch.studies.training import Plan, Round, Training, usual_agent
from mpsearch.studies.training.self_play import play_games

PLAN = Plan(
    agent="maxn:depth=1", units=4, games=120, measured=fewer(20, 4), rounds=3, epochs=2, seed=7
)  # fmt: skip
LENGTH, PLIES = fewer(12, 5), fewer(80, 12)


def small_table() -> Any:
    return set_table(installed(), "scramble", players=2, options={"length": LENGTH, "plies": PLIES})


def trained(out: Path, plan: Plan = PLAN, **settings: Any) -> list[Round]:
    return list(Training(small_table(), plan, out, minutes=60, **settings).rounds())


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Round]]:
    out = tmp_path_factory.mktemp("whole") / "a.npz"
    return out, trained(out)


def test_same_seed_gives_the_same_file(whole_run: tuple[Path, list[Round]], tmp_path: Path) -> None:
    out, rounds = whole_run
    again = trained(tmp_path / "b.npz")
    assert again == rounds
    assert (tmp_path / "b.npz").read_bytes() == out.read_bytes()
    trained(tmp_path / "c.npz", attrs.evolve(PLAN, seed=8, rounds=1))
    assert (tmp_path / "c.npz").read_bytes() != out.read_bytes()


def test_file_says_what_made_it(whole_run: tuple[Path, list[Round]]) -> None:
    out, rounds = whole_run
    made = read_network(out).document
    assert (made["game"], made["players"], made["seed"]) == ("scramble", 2, 7)
    assert made["options"] == dict(small_table().options)
    assert set(made["versions"]) == {"mpsearch", "numba", "numpy"}
    assert [Round.read(r) for r in made["results"]] == rounds[: len(made["results"])]


def test_nothing_but_the_file_is_left(whole_run: tuple[Path, list[Round]]) -> None:
    assert [path.name for path in whole_run[0].parent.iterdir()] == ["a.npz"]


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from studies.training.test_training import PLAN, small_table
from mpsearch.studies.training import Training

def show(text):
    if sys.argv[2] in text:
        os.kill(os.getpid(), signal.SIGKILL)

list(Training(small_table(), PLAN, Path(sys.argv[1]), minutes=60, show=show).rounds())
"""


@pytest.mark.parametrize(
    "moment",
    ["round 1: 50 of", "round 1: learning", "round 2: 100 of", "round 2: playing"],
)
def test_run_that_is_killed_goes_on_to_the_same_file(
    whole_run: tuple[Path, list[Round]], moment: str, tmp_path: Path
) -> None:
    out = tmp_path / "a.npz"
    tests = str(Path(__file__).parents[2])
    killed = subprocess.run([sys.executable, "-c", KILLED, str(out), moment, tests])
    assert killed.returncode == -9
    done: list[str] = []
    assert trained(out, show=done.append) == whole_run[1]
    assert out.read_bytes() == whole_run[0].read_bytes()
    if moment.startswith("round 2"):
        assert not any("round 1" in text for text in done)


def test_run_with_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "a.npz"
    rounds = Training(small_table(), PLAN, out, minutes=60).rounds()
    next(rounds)
    with pytest.raises(UsageError, match=r"a\.npz\.work is of a run with another units \(4, not 5"):
        Training(small_table(), attrs.evolve(PLAN, units=5), out, minutes=60)


def test_first_round_is_shorter_and_the_next_is_left_out_if_time_is_up(tmp_path: Path) -> None:
    clock = itertools.count(0, 10.0).__next__
    run = Training(small_table(), PLAN, tmp_path / "a.npz", minutes=1, clock=clock)
    (only,) = run.rounds()
    assert 0 < only.games < PLAN.games
    assert read_network(tmp_path / "a.npz").inputs


@pytest.mark.skipif(
    not jit_enabled(), reason="plain Python trains at a game too short to be better at"
)
def test_network_beats_the_evaluators_it_began_with(tmp_path: Path) -> None:
    plan = attrs.evolve(PLAN, games=1500, measured=200, rounds=2, units=8)
    rounds = trained(tmp_path / "a.npz", plan)
    assert max(each.against_written.low for each in rounds) > 0.5


def test_command_trains_and_its_file_can_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "own.npz"
    options = ["--players", "2", "--option", f"length={LENGTH}", "--seed", "3"]
    small = ["--games", "50", "--measured", "4", "--rounds", "1", "--units", "0"]
    assert run(["train", "--game", "scramble", *options, *small, "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["file"], len(found["rounds"]), found["partial"]) == (str(out), 1, False)
    assert found["rounds"][0]["written"] in ("progress", "share")
    seats = ["--seat", f"maxn:depth=1,evaluator={out}", "--seat", "random"]
    game = ["play", "--game", "scramble", "--option", f"length={LENGTH}", *seats, "--json"]
    assert run([*game, "--players", "2"]) == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--game", "scramble", "--out", "a.txt"], "the name must end in .npz"),
        (
            ["--game", "scramble", "--out", "no/such/a.npz"],
            "--out no/such/a.npz: there is no folder",
        ),
        (["--game", "plunder", "--out", "a.npz"], "needs compiled rules, or observation"),
        (["--game", "scramble", "--out", "a.npz", "--agent", "random2"], "unknown agent"),
    ],
)
def test_wrong_usage_is_one_line(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["train", *words]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_usual_agent_is_played_natively_in_hidden_games_too() -> None:
    for name in ("scramble", "plunder"):
        table = set_table(installed(), name)
        agent: Any = table.agent(usual_agent(table))
        assert (agent.limits.depth, agent.worlds == 1) == (1, table.game.hidden)


def test_run_goes_on_from_given_weights(
    whole_run: tuple[Path, list[Round]], tmp_path: Path
) -> None:
    plan = attrs.evolve(PLAN, start=str(whole_run[0]), rounds=1)
    (first,) = trained(tmp_path / "more.npz", plan)
    assert first.against_best is not None
    made, before = (read_network(path) for path in (tmp_path / "more.npz", whole_run[0]))
    assert (made.skip.tolist() != before.skip.tolist()) == first.helped
    assert made.document["start"] == str(whole_run[0]) or not first.helped


def cut_in_round_2(out: Path) -> Training:
    """A run whose time is up when its second round has played 50 games."""
    seconds = [0.0]

    def show(text: str) -> None:
        if text.startswith("round 2: 50 of"):
            seconds[0] = 7200.0

    return Training(small_table(), PLAN, out, minutes=60, show=show, clock=lambda: seconds[0])


def test_round_that_time_cut_short_learns_from_what_it_has(tmp_path: Path) -> None:
    first, second = cut_in_round_2(tmp_path / "a.npz").rounds()
    assert (first.games, second.games) == (PLAN.games, 50)
    assert second.positions > first.positions


def test_round_that_time_cut_much_too_short_goes_on_with_more(
    whole_run: tuple[Path, list[Round]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mpsearch.studies.training.run.LEAST_OF_ROUND", 1)
    out = tmp_path / "a.npz"
    assert [each.number for each in cut_in_round_2(out).rounds()] == [0]
    assert (tmp_path / "a.npz.work").exists()
    assert list(Training(small_table(), PLAN, out, minutes=600).rounds()) == whole_run[1]
    assert out.read_bytes() == whole_run[0].read_bytes()


def test_two_rounds_that_do_not_help_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worse = Estimate(mean=0.4, low=0.3, high=0.5)
    monkeypatch.setattr(Training, "_measure", lambda *_: worse)
    rounds = trained(tmp_path / "a.npz", attrs.evolve(PLAN, rounds=9, games=50))
    assert [each.helped for each in rounds] == [True, False, False]
    assert len(read_network(tmp_path / "a.npz").document["results"]) == 1


def played(branches: int, **settings: Any) -> Any:
    table = small_table()
    agents = ["maxn:depth=1"]
    return play_games(
        table, agents, range(6), seed=3, block=2, opening=4, half_life=20.0, branches=branches,
        **settings,
    )  # fmt: skip


def test_branches_add_positions_of_other_games_and_change_nothing_else() -> None:
    alone, more = played(0), played(2)
    assert alone.won.tolist()[0] == more.won.tolist()[0]
    assert len(more.positions) > 1.5 * len(alone.positions)
    first = int((alone.positions.game == 0).sum())
    assert more.positions.target[:first].tolist() == alone.positions.target[:first].tolist()
    # The positions of a branch are learnt with its own game, which is held out or not as a whole.
    assert set(more.positions.game.tolist()) == set(range(6))


def test_shares_of_the_payoff_are_not_discounted() -> None:
    targets = played(0, payoff_range=1.0).positions.target
    assert set(np.unique(targets).tolist()) <= {0.0, 0.5, 1.0}
    assert 0.0 < abs(played(0).positions.target - 0.5).min() < 0.45


def test_named_evaluator_plays_the_first_round_and_is_the_measure(tmp_path: Path) -> None:
    plan = attrs.evolve(PLAN, rounds=1, games=20, evaluator="progress")
    (found,) = trained(tmp_path / "a.npz", plan)
    assert found.written == "progress"
    with pytest.raises(UsageError, match="unknown evaluator for scramble 'luck'"):
        trained(tmp_path / "b.npz", attrs.evolve(plan, evaluator="luck"))
