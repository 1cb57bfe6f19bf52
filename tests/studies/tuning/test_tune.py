"""Tuning: the paper's algorithm step by step, resumed without loss, and able to find a peak."""

import json
from pathlib import Path

import numpy as np
import pytest

from mpsearch.api.game_table import table
from mpsearch.cli import run
from mpsearch.errors import RecordError, UsageError
from mpsearch.studies.tuning import Parameter, Task, make_task, tune
from mpsearch.studies.tuning.methods import METHODS, cmaes, genetic


def task(agent: str = "greedy:evaluator=share", keys: tuple[str, ...] = ()) -> Task:
    return make_task(table("scramble", players=2, length=8, plies=60), agent, keys=keys, seed=3)


def two_parameters() -> Task:
    parameters = (
        Parameter(name="a", start=1.0),
        Parameter(name="b", start=4.0, least=0.0, greatest=5.0),
    )
    base = task()
    return Task(
        game=base.game, players=2, options={}, agent=base.agent, parameters=parameters, seed=5
    )


def test_the_challenger_is_a_mutant_within_the_printed_range() -> None:
    steps = genetic(two_parameters())
    proposal = next(steps)
    seen = set()
    for _ in range(200):
        champion, challenger = proposal.champion, proposal.challenger
        changed = [name for name in champion if challenger[name] != champion[name]]
        seen.add(tuple(changed))
        for name in changed:
            factor = challenger[name] / champion[name]
            assert 0.7 <= factor <= 1.3
        assert challenger["b"] <= 5.0
        proposal = steps.send(0.0)
        assert proposal.champion == proposal.answer == {"a": 1.0, "b": 4.0}
    assert {("a",), ("b",), ("a", "b")} <= seen


def test_the_next_champion_is_the_average_weighted_by_share_of_wins() -> None:
    steps = genetic(two_parameters())
    first = next(steps)
    following = steps.send(0.25)
    for name, value in following.champion.items():
        assert value == 0.75 * first.champion[name] + 0.25 * first.challenger[name]


@pytest.mark.parametrize("method", METHODS)
def test_a_method_climbs_a_noisy_hill(method: str) -> None:
    """Win chances by distance from (2, 1) on a log scale: both methods come nearer."""
    rng = np.random.default_rng(0)

    def distance(weights: dict[str, float]) -> float:
        return abs(np.log(max(weights["a"], 1e-9) / 2)) + abs(np.log(max(weights["b"], 1e-9)))

    steps = METHODS[method](two_parameters())
    proposal = next(steps)
    start = distance(proposal.answer)
    for _ in range(400):
        gain = distance(proposal.champion) - distance(proposal.challenger)
        proposal = steps.send(rng.binomial(20, 1 / (1 + np.exp(-4 * gain))) / 20)
    assert distance(proposal.answer) < 0.4 * start


def test_without_the_extra_cmaes_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cmaes", None)
    with pytest.raises(Exception, match=r"pip install 'mpsearch\[tune\]'"):
        next(cmaes(two_parameters()))


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = list(tune(task(), generations=4, games=4, log=tmp_path / "whole"))
    begun = list(tune(task(), generations=2, games=4, log=tmp_path / "log"))
    assert begun == whole[:2]
    assert list(tune(task(), generations=4, games=4, log=tmp_path / "log")) == whole
    lines = (tmp_path / "log").read_text().splitlines()
    assert (tmp_path / "whole").read_text().splitlines() == lines
    assert len(lines) == 5
    assert list(tune(task(), generations=4, games=4)) == whole
    with pytest.raises(RecordError, match="log of another run"):
        list(tune(task(), generations=4, games=6, log=tmp_path / "log"))


def test_thresholds_of_mpmix_can_be_tuned() -> None:
    made = task("mpmix:td=20,to=30,depth=1", keys=("td", "to"))
    assert made.start == {"td": 20.0, "to": 30.0}
    assert made.text({"td": 5.0, "to": 7.5}) == "mpmix:depth=1,td=5,to=7.5"


@pytest.mark.parametrize(
    ("agent", "keys", "words"),
    [
        ("mpmix", ("td",), "'td' needs a finite value to start from"),
        ("maxn", (), "evaluator 'progress' has no weights"),
        ("maxn", ("depth",), "'depth' cannot be tuned"),
        ("maxn:evaluator=share", ("luck",), "'luck' is not a tunable parameter"),
        ("maxn:evaluator=shore", (), "unknown evaluator"),
    ],
)
def test_what_cannot_be_tuned_is_explained(agent: str, keys: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        task(agent, keys)


def test_the_command_reports_the_result_with_fresh_games(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["tune", "--game", "scramble", "--players", "2", "--option", "length=8"]
    arguments += ["--agent", "greedy", "--evaluator", "share", "--generations", "2"]
    arguments += ["--games", "4", "--final", "6", "--seed", "1", "--log", str(tmp_path / "log")]
    arguments += ["--opening", "2"]
    assert run([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["agent"].startswith("greedy:evaluator=share,stamina=")
    assert 0 <= found["low"] <= found["share"] <= found["high"] <= 1
    assert captured.err == ""
    assert run([*arguments, "--method", "luck"]) == 2
    assert capsys.readouterr().err.startswith("mpsearch: --method 'luck' is not one of")


def test_a_pair_of_games_in_a_run_off_shares_its_seed_with_seats_swapped() -> None:
    made = task()
    first, second = {"stamina": 1.0}, {"stamina": 2.0}
    games = made.run_off(first, second, games=7, block=1)
    one, two = made.text(first), made.text(second)
    assert [game.agents for game in games] == [(one, two), (two, one)] * 3 + [(one, two)]
    seeds = [game.seed for game in games]
    assert seeds[0:6:2] == seeds[1:6:2]
    assert len({*seeds}) == 4
    others = made.run_off(first, {"stamina": 3.0}, games=7, block=1)
    assert [game.seed for game in others] == seeds
    later = made.run_off(first, second, games=7, block=2)
    assert not {game.seed for game in later} & {*seeds}
