"""The designs of the findings, and replicator dynamics with known rest points."""

import importlib.util
import itertools
import math
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import findings_page
import findings_plots
import numpy as np
import pytest

from mpsearch.cli import run
from mpsearch.experiments import (
    GameResult,
    Job,
    Store,
    Z,
    play_job,
    played_games,
    read_design,
    read_toml,
    stored_design,
)
from mpsearch.plugins import installed

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
SCRIPTS = ROOT / "benchmarks" / "findings"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def replicator() -> ModuleType:
    return script("replicator")


def test_hawks_and_doves_come_to_rest_at_the_share_of_the_textbook(
    replicator: ModuleType,
) -> None:
    """A prize of 2 and a fight's cost of 6: a third of hawks (Maynard Smith and Price 1973)."""
    found = {
        ("hawk", ("hawk",)): (2 - 6) / 2,
        ("hawk", ("dove",)): 2.0,
        ("dove", ("hawk",)): 0.0,
        ("dove", ("dove",)): 1.0,
    }
    scaled = {key: value / 10 for key, value in found.items()}
    for start in ([0.9, 0.1], [0.05, 0.95]):
        end = replicator.rest_point(scaled, ["dove", "hawk"], np.array(start), 2)
        assert end.tolist() == pytest.approx([2 / 3, 1 / 3], abs=1e-3)
    (reached,) = replicator.stable(scaled, ["dove", "hawk"], 2, starts=5, seed=0)
    assert reached == (0.67, 0.33)


def test_fitness_is_the_mean_over_drawn_companies(replicator: ModuleType) -> None:
    """Against drawing all companies of a table of three one by one."""
    roles, rng = ["a", "b", "c"], np.random.default_rng(2)
    found: dict[tuple[str, tuple[str, ...]], float] = {
        (role, others): float(rng.uniform())
        for role in roles
        for others in itertools.combinations_with_replacement(roles, 2)
    }
    x = np.array([0.5, 0.3, 0.2])
    slow = [
        sum(
            x[roles.index(p)] * x[roles.index(q)] * found[role, tuple(sorted((p, q)))]
            for p in roles
            for q in roles
        )
        for role in roles
    ]
    assert replicator.fitness(found, roles, 3)(x).tolist() == pytest.approx(slow)


def test_redrawn_games_have_the_payoffs_they_are_drawn_from_in_the_mean(
    replicator: ModuleType,
) -> None:
    """A table that somebody wins in 9 of 10 games; the error of a share follows from the games."""
    found = {("a", ("a", "b")): 0.25, ("b", ("a", "a")): 0.4}
    rng = np.random.default_rng(3)
    drawn = [replicator.redrawn(found, {("a", "a", "b"): 100}, rng) for _ in range(2000)]
    for key, share in found.items():
        values = np.array([one[key] for one in drawn])
        assert values.mean() == pytest.approx(share, abs=0.004)
    lone = np.array([one["b", ("a", "a")] for one in drawn])
    assert lone.std() == pytest.approx(np.sqrt(0.4 * 0.6 / 100), rel=0.1)


DESIGN = """\
game = "scramble"
players = 3
games = 4
options = { length = 8 }
[agents]
G = "greedy"
R = "random"
[arms]
GGG = ["G", "G", "G"]
GGR = ["G", "G", "R"]
GRR = ["G", "R", "R"]
RRR = ["R", "R", "R"]
"""


def test_payoffs_are_read_from_a_store(
    replicator: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / "d.toml").write_text(DESIGN)
    assert run(["experiment", "run", str(tmp_path / "d.toml")]) == 0
    with Store(tmp_path / "d.db", read_only=True) as store:
        found, games = replicator.payoffs(store)
    assert games == {tuple(name): 4 for name in ("GGG", "GGR", "GRR", "RRR")}
    # All that is won at a table is shared out: ties and wins add up to the games with a winner.
    assert found["G", ("G", "G")] == pytest.approx(1 / 3)
    mixed = 2 * found["G", ("G", "R")] + found["R", ("G", "G")]
    assert mixed == pytest.approx(1.0)
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["replicator", str(tmp_path / "d.db"), "--starts", "3"])
    replicator.main()
    assert "3 of 3 starts end at" in capsys.readouterr().out


THRESHOLDS = """\
game = "scramble"
players = 3
games = 12
seed = 5
baseline = "maxn"
options = { length = 12 }
others = ["others", "others"]
[vary]
td = [5, 25]
to = [30]
[agents]
MAXN = "maxn:depth=2"
PARANOID = "paranoid:depth=2"
DEFENDS = "mpmix:td={td},depth=2"
BOTH = "mpmix:td={td},to={to},depth=2"
others = "maxn:depth=2"
[arms]
maxn = "MAXN"
paranoid = "PARANOID"
defends = "DEFENDS"
both = "BOTH"
"""


#: The same with two MP-Mix players at a table of four.
DOUBLED = """\
game = "scramble"
players = 4
games = 12
seed = 6
baseline = "maxn"
options = { length = 12 }
[vary]
td = [25]
[agents]
X = "maxn:depth=2"
PARANOID = "paranoid:depth=2"
DEFENDS = "mpmix:td={td},depth=2"
MAXN = "maxn:depth=2"
[arms]
maxn = ["X", "PARANOID", "X", "MAXN"]
defends = ["DEFENDS", "PARANOID", "DEFENDS", "MAXN"]
"""


@pytest.mark.parametrize(("text", "arms"), [(THRESHOLDS, 6), (DOUBLED, 2)], ids=["one", "two"])
def test_games_that_reach_no_threshold_need_not_be_played(
    text: str, arms: int,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """All results are those of a run that plays every game, and some were not played."""
    path, found = tmp_path / "d.toml", []
    path.write_text(text)
    assert run(["experiment", "run", str(path)]) == 0
    short = tmp_path / "short.db"
    monkeypatch.setattr(sys, "argv", ["thresholds", str(path), "--store", str(short)])
    capsys.readouterr()
    script("thresholds").main()
    copied = int(capsys.readouterr().out.splitlines()[-1].split()[0])
    assert 0 < copied < 12 * (arms - 1)
    for name in (tmp_path / "d.db", short):
        with Store(name, read_only=True) as store:
            games = played_games(store, stored_design(store, installed()))
            found.append(
                [
                    (
                        *(g.arm, g.number, g.roles, g.payoff.tolist(), g.plies),
                        *((log.stances, log.most_ahead, log.most_behind) for log in g.logs),
                    )
                    for g in games
                ]
            )
    assert len(found[0]) == 12 * arms
    assert found[0] == found[1]


def test_a_stopped_run_of_thresholds_has_nearly_as_many_games_of_every_arm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after 25 games, before all 12 of any arm are done."""
    path, store = tmp_path / "d.toml", tmp_path / "d.db"
    path.write_text(THRESHOLDS)
    thresholds = script("thresholds")
    left = iter(range(25))

    def cut_off(job: Job) -> tuple[GameResult, bytes]:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return play_job(job)

    monkeypatch.setattr(thresholds, "BLOCK", 2)
    monkeypatch.setattr(thresholds, "play_job", cut_off)
    monkeypatch.setattr(sys, "argv", ["thresholds", str(path), "--store", str(store)])
    with pytest.raises(KeyboardInterrupt):
        thresholds.main()
    with Store(store, read_only=True) as kept:
        design = stored_design(kept, installed())
        done = Counter(arm for arm, _ in kept.done())
    counts = [done[arm.label] for arm in design.arms]
    assert 0 < max(counts) < 12
    assert max(counts) - min(counts) <= 2


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_design_of_the_findings_can_be_played(path: Path) -> None:
    """Games, options and agents are there, and whoever is exchanged is compared."""
    game = read_toml(path).values["game"]
    if game not in installed().games:
        pytest.skip(f"{game} is not installed")
    design = read_design(path, installed())
    if design.baseline is not None:
        assert len(design.comparisons()) >= len(design.arms) - len(
            [arm for arm in design.arms if arm.name == design.baseline]
        )
        others = {role for arm in design.arms for role in arm.roles[1:]}
        assert not others & {arm.roles[0] for arm in design.arms}
    else:
        # Every mixture of four stances at a table of three.
        assert len({tuple(sorted(s.role for s in arm.seated)) for arm in design.arms}) == 20
    assert path.stem == design.name
    assert path.name in (ROOT / "docs/results/findings.md").read_text(encoding="utf-8")


def test_the_page_says_what_the_results_say() -> None:
    page = (RESULTS / "findings.md").read_text(encoding="utf-8")
    assert findings_page.rebuilt(page, RESULTS) == page
    named = {found["name"] for found in findings_page.MARK.finditer(page)}
    assert named == set(findings_page.TABLES)


def test_every_plot_can_be_drawn_and_stands_on_the_page() -> None:
    page = (RESULTS / "findings.md").read_text(encoding="utf-8")
    for name, draw in findings_plots.PLOTS.items():
        assert f"({name}.svg)" in page
        assert (RESULTS / f"{name}.svg").exists()
        figure = draw(RESULTS)
        assert all(axis.get_xlabel() and axis.get_title() for axis in figure.axes), name


def test_the_trend_is_weighted_least_squares() -> None:
    """Against numpy's fit with weights, which are one over the standard errors."""
    rng = np.random.default_rng(8)
    x, y, error = rng.uniform(size=6), rng.normal(size=6), rng.uniform(0.5, 2, size=6)
    rows = [
        {
            "oi_variation": str(a),
            "gain": str(b / 100),
            "low": str((b - Z * e) / 100),
            "high": str((b + Z * e) / 100),
        }
        for a, b, e in zip(x, y, error, strict=True)
    ]
    (slope, _), scale = np.polyfit(x, y, 1, w=1 / error, cov="unscaled")
    assert findings_page.trend(rows) == pytest.approx((slope, np.sqrt(scale[0, 0])))


def test_two_runs_of_a_design_are_weighted_by_games(tmp_path: Path) -> None:
    """As if the games were in one run: sums of their values, and of their variances."""
    rng = np.random.default_rng(4)
    samples = [rng.normal(0.1, 1, size=size) for size in (300, 700)]

    def row(sample: np.ndarray, reached: float) -> str:
        middle, error = sample.mean(), sample.std(ddof=1) / np.sqrt(sample.size)
        ends = f"{middle - Z * error},{middle + Z * error}"
        return f"a td=1,maxn,{middle},{ends},.5,.5,{sample.size},td=1,{reached},{reached / 2}"

    head = "first,second,difference,low,high,p,p_holm,games,threshold,reached,room"
    for name, sample, reached in zip(("d", "d-2"), samples, (0.3, 0.4), strict=True):
        (tmp_path / f"{name}.csv").write_text(f"{head}\n{row(sample, reached)}\n")
    (found,) = findings_page.run_rows(tmp_path, "d")
    everything = np.concatenate(samples)
    error = everything.std(ddof=1) / np.sqrt(everything.size)
    assert found["games"] == "1000"
    assert float(found["difference"]) == pytest.approx(everything.mean())
    assert float(found["high"]) == pytest.approx(everything.mean() + Z * error, abs=1e-3)
    assert float(found["p"]) == pytest.approx(
        math.erfc(everything.mean() / error / math.sqrt(2)), rel=0.05
    )
    assert found["p_holm"] == found["p"]
    assert float(found["reached"]) == pytest.approx(0.37)
    assert float(found["room"]) == pytest.approx(0.185)
    (tmp_path / "d-2.csv").unlink()
    assert findings_page.run_rows(tmp_path, "d")[0]["games"] == "300"


def test_a_dose_sets_its_thresholds_by_how_often_they_are_reached() -> None:
    dose = script("dose")
    found = np.array([0.0, 0, 5, 10, 20, 30, 40, 50])
    assert dose.thresholds(found) == [0.01, 10.0, 30.0]
    for value, reached in zip(dose.thresholds(found), dose.REACHED, strict=True):
        assert (found >= value).mean() >= reached / 100
    knob = dose.KNOBS["scramble-back"]
    plain = {"maxn": knob.agent("maxn"), "paranoid": knob.agent("paranoid")}
    usual = dose.candidates(knob, plain, [1, 2, 3], [4, 5, 6], 0.0)
    assert usual[dose.PLANNED] == "mpmix:td=2,to=5,evaluator=progress,depth=3"
    assert len(usual) == 7
    tied = dose.candidates(knob, plain, [1, 2, 3], [4, 5, 6], 0.01)
    assert tied[dose.PLANNED] == "mpmix:td=2,to=5,own=0.01,evaluator=progress,depth=3"


def test_what_some_arm_lacks_is_not_kept(tmp_path: Path) -> None:
    """Copied games are there before others are played: alone they would be no fair sample."""
    (tmp_path / "d.toml").write_text(THRESHOLDS)
    design = read_design(tmp_path / "d.toml", installed())
    with Store(None) as store:
        for arm in design.arms:
            for number in range(9 if arm.name == "maxn" else 5):
                store.add(arm.label, number, {})
        store.add("defends td=25", 7, {})
        assert script("keep").complete(design, store).games == 5
