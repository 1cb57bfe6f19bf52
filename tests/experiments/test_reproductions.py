"""The shipped experiments: a file for every row of the checklist, with claims that are judged."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

import attrs
import numpy as np
import pytest
from kept_results import impact_verdicts

from mpsearch.cli import run
from mpsearch.experiments.design_file import make_design
from mpsearch.experiments.games import GameResult, SeatLog
from mpsearch.experiments.toml_file import TomlFile, read_toml
from mpsearch.plugins.catalog import installed
from mpsearch.studies.impact.estimate import Share
from mpsearch.studies.impact.output import printed_impact
from mpsearch.studies.reproduce import impact
from mpsearch.studies.reproduce.claims import (
    AGREES,
    DISAGREES,
    LESS,
    MORE,
    UNDECIDED,
    VERDICTS,
    Claim,
    Verdict,
    decided,
)
from mpsearch.studies.reproduce.impact import MeasuredImpact, judge_impact
from mpsearch.studies.reproduce.measures import BEST_OTHER, judge
from mpsearch.studies.reproduce.shipped_designs import SCALES, shipped, shipped_names

#: Rows of the checklist that must have an experiment; 28 is `impact`.
ROWS = {13, 14, 15, 22, 23, 24, 25, 26, 27}


def test_every_row_of_the_checklist_has_an_experiment() -> None:
    assert {row for name in shipped_names() for row in shipped(name, scale="day").rows} >= ROWS


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_file_is_a_design_whose_claims_name_its_arms(name: str, scale: str) -> None:
    found = shipped(name, scale=scale)
    if found.game not in installed().games:
        pytest.skip(f"{found.game} is not installed")
    design = found.design(installed())
    assert make_design(TomlFile(found.text, name=f"{name}.toml"), installed()) == design
    names = {arm.name for arm in design.arms}
    roles = {role for arm in design.arms for role in arm.roles}
    assert found.claims
    for claim in found.claims:
        for who in (*claim.first, *claim.second, claim.share, claim.plies):
            if who is not None:
                arm, _, role = (part.strip() for part in who.partition("|"))
                other, _, own = arm.rpartition(": ")
                assert not other or other in shipped_names()
                assert own.split()[0] in names
                assert not role or role in {*roles, BEST_OTHER}


@pytest.mark.parametrize("name", shipped_names())
def test_the_claims_can_be_judged_at_the_scale_of_a_day(name: str) -> None:
    """At least one claim of each experiment is about arms that a day's run plays."""
    found = shipped(name, scale="day")
    if found.game not in installed().games:
        pytest.skip(f"{found.game} is not installed")
    labels = {arm.label for arm in found.design(installed()).arms}
    told = [who for claim in found.claims for who in (*claim.first, claim.share or "")]
    named = [who.partition("|")[0].strip() for who in told]
    assert set(named) & labels


def played(arm: str, number: int, winner: int, roles: Sequence[str]) -> GameResult:
    payoff = [1.0 if seat == winner else 0.0 for seat in range(len(roles))]
    return GameResult(
        arm=arm,
        number=number,
        roles=tuple(roles),
        payoff=np.array(payoff),
        plies=1,
        identity=f"{arm} {number}",
        logs=(SeatLog(),) * len(roles),
    )


def series(arm: str, wins: int, games: int) -> list[GameResult]:
    """Games of X, who moves up a seat, of which it wins the first so many."""
    found = []
    for number in range(games):
        roles = ["other"] * 4
        roles[number % 4] = "X"
        winner = number % 4 if number < wins else (number + 1) % 4
        found.append(played(arm, number, winner, roles))
    return found


FIRSTS = {"a": "X", "b": "X"}
#: 10 points are printed, from so many games that they have hardly an error.
ORDER = Claim(
    text="a beats b", printed="+10", first="a", second="b", shares=(35, 25), games=1_000_000
)


ALIKE = attrs.evolve(ORDER, alike=True, least=10, shares=(30, 30))


@pytest.mark.parametrize(
    ("claim", "first", "second", "games", "verdict"),
    [
        (ORDER, 60, 30, 100, AGREES),
        (ORDER, 30, 60, 100, DISAGREES),
        (ORDER, 3, 2, 10, UNDECIDED),
        # A difference of 10 points is ruled out, and none is shown.
        (ORDER, 300, 298, 1000, DISAGREES),
        (ORDER, 1, 0, 1, UNDECIDED),
        (ALIKE, 300, 298, 1000, AGREES),
        # Shown, but less than the printed games could show.
        (ALIKE, 330, 300, 1000, AGREES),
        (ALIKE, 60, 30, 100, DISAGREES),
        (ALIKE, 30, 60, 100, DISAGREES),
        (ALIKE, 3, 2, 10, UNDECIDED),
    ],
)
def test_orders_and_that_two_are_alike_are_judged_by_their_rules(
    claim: Claim, first: int, second: int, games: int, verdict: str
) -> None:
    arms = {"a": series("a", first, games), "b": series("b", second, games)}
    (found,) = judge([claim], arms, firsts=FIRSTS)
    assert found.verdict == verdict
    assert found.ours == pytest.approx(100 * (first - second) / games)


@pytest.mark.parametrize(
    ("wins", "games", "verdict"),
    [(270, 1000, AGREES), (400, 1000, DISAGREES), (10, 40, UNDECIDED)],
)
def test_shares_are_judged_by_their_rule(wins: int, games: int, verdict: str) -> None:
    claim = Claim(text="a wins 27 %", printed="27 %", share="a | X", shares=(27,), games=750)
    (found,) = judge([claim], {"a": series("a", wins, games)}, firsts=FIRSTS)
    assert found.verdict == verdict


def test_claims_about_arms_that_were_not_played_say_so() -> None:
    (found,) = judge([ORDER], {"a": series("a", 3, 10)}, firsts=FIRSTS)
    assert (found.verdict, found.games) == (UNDECIDED, 0)


def test_several_claims_are_corrected_for_their_number() -> None:
    arms = {"a": series("a", 40, 100), "b": series("b", 28, 100)}
    (alone,) = judge([ORDER], arms, firsts=FIRSTS)
    together = judge([ORDER] * 20, arms, firsts=FIRSTS)
    assert together[0].p == alone.p
    assert together[0].corrected == pytest.approx(min(1, 20 * alone.p))


def found(
    claim: Claim, ours: float, error: float, *, games: int = 500, shares: tuple[float, ...] = ()
) -> str:
    """The verdict on a claim that was found with a standard error, of one claim alone."""
    reach = 1.959964 * error
    p = 2 * (1 - NormalDist().cdf(abs(ours) / error))
    verdict = Verdict(
        claim=claim,
        ours=ours,
        low=ours - reach,
        high=ours + reach,
        p=p,
        games=games,
        shares=shares,
    )
    return decided([verdict])[0].verdict


#: Printed is p < .01 in 500 games, of two at one table: 7.1 points with an error of 3.36.
PRINTED = Claim(
    text="SOS beats MaxN", printed="p < .01", first="a | S", second="a | M", shares=(32.1, 25),
    games=500,
)  # fmt: skip


@pytest.mark.parametrize(
    ("ours", "error", "verdict"),
    [
        (9.0, 2.0, AGREES),
        (-9.0, 2.0, DISAGREES),
        (3.5, 2.2, UNDECIDED),  # 7.1 lies within ours
        (1.4, 2.21, LESS),  # z = 1.42, as `sos-2` at depth 2
        (-0.27, 2.31, LESS),  # z = 1.81
        (-3.33, 2.19, DISAGREES),  # z = 2.6
    ],
)
def test_orders_count_the_error_of_what_is_printed(ours: float, error: float, verdict: str) -> None:
    assert found(PRINTED, ours, error) == verdict
    exact = attrs.evolve(PRINTED, games=None)
    assert found(exact, ours, error) == (DISAGREES if verdict == LESS else verdict)


def test_the_error_of_a_printed_difference_is_that_of_its_design() -> None:
    """Against draws of the printed design: two at one table, two apart, one known by symmetry."""
    rng = np.random.default_rng(5)
    winners = rng.multinomial(500, [0.321, 0.25, 0.2, 0.229], size=20_000)
    at_one_table = 100 * np.std((winners[:, 0] - winners[:, 1]) / 500)
    assert PRINTED.size_error == pytest.approx(at_one_table, rel=0.03)
    one, two = (rng.binomial(500, share, size=20_000) / 500 for share in (0.321, 0.25))
    apart = attrs.evolve(PRINTED, second="b | M")
    assert apart.size_error == pytest.approx(100 * np.std(one - two), rel=0.03)
    known = attrs.evolve(apart, symmetric=1)
    assert known.size_error == pytest.approx(100 * np.std(one), rel=0.03)
    assert PRINTED.size == pytest.approx(7.1)


@pytest.mark.parametrize(
    ("shares", "games", "verdict"),
    [
        ((49.2, 42.2), 500, AGREES),  # p = .026 by the paper's own test, not below .01
        ((49.2, 42.2), 499, UNDECIDED),
        ((49.2, 42.2), 3000, MORE),  # shown, but 500 games would not have shown it
        ((60, 40), 500, DISAGREES),
    ],
)
def test_what_a_paper_could_not_tell_apart_is_held_against_its_own_test(
    shares: tuple[float, float], games: int, verdict: str
) -> None:
    claim = attrs.evolve(PRINTED, second="b | M", level=0.01, shares=(25, 25))
    ours = shares[0] - shares[1]
    assert found(claim, ours, 100 * (0.5 / games) ** 0.5, games=games, shares=shares) == verdict


def test_a_shown_difference_may_still_be_one_that_the_paper_missed() -> None:
    claim = attrs.evolve(PRINTED, second="b | M", alike=True, least=7.1, shares=(25, 25))
    assert found(claim, 6.0, 1.5) == MORE  # z = 1.92 of both errors
    assert found(claim, 8.2, 1.5) == DISAGREES
    assert found(claim, 1.0, 1.5) == AGREES
    assert found(claim, 5.0, 3.0) == UNDECIDED


@pytest.mark.parametrize(
    ("lengths", "verdict"),
    [([9, 11] * 20, AGREES), ([15, 16] * 20, DISAGREES), ([12, 14], UNDECIDED)],
)
def test_lengths_are_held_against_their_bounds(lengths: list[int], verdict: str) -> None:
    claim = Claim(text="", printed="", plies="a", unit=52, between=(7, 13))
    games = [
        attrs.evolve(played("a", n, 0, ["X"] * 4), plies=52 * deals)
        for n, deals in enumerate(lengths)
    ]
    (judged,) = judge([claim], {"a": games}, firsts=FIRSTS)
    assert judged.verdict == verdict
    assert judged.ours == pytest.approx(sum(lengths) / len(lengths))


def test_the_best_of_the_others_is_who_wins_most_of_a_seat() -> None:
    """Y wins 4 of 10 with two seats, Z 3 with one: Z is the best other."""
    winners = [0, 0, 0, 1, 1, 2, 2, 3, 3, 3]
    games = [played("a", n, winner, ["X", "Y", "Y", "Z"]) for n, winner in enumerate(winners)]
    claim = Claim(text="", printed="", first=f"a | {BEST_OTHER}", second="a")
    (judged,) = judge([claim], {"a": games}, firsts=FIRSTS)
    assert judged.ours == pytest.approx(0.0)
    assert judged.shares == pytest.approx((30.0, 30.0))


def test_shares_of_several_arms_are_added() -> None:
    wins = {"a": 50, "b": 30, "c": 40, "d": 35}
    arms = {arm: series(arm, count, 100) for arm, count in wins.items()}
    claim = Claim(text="", printed="", first=["a", "d"], second=["b", "c"])
    (judged,) = judge([claim], arms, firsts=dict.fromkeys("abcd", "X"))
    assert judged.ours == pytest.approx(15.0)


def test_seats_of_one_table_are_one_draw() -> None:
    """The interval of a difference between kinds of seats holds the truth as often as it says.

    Two kinds that are equally strong, X at every table with Y beside it: at most one of them wins,
    so their difference varies more than if they sat apart.
    """
    rng, held = np.random.default_rng(3), 0
    claim = Claim(text="", printed="", first="a | X", second="a | Y", per="seat")
    for _ in range(400):
        games = [played("a", n, int(rng.integers(2)), ["X", "Y", "Z", "Z"]) for n in range(60)]
        (judged,) = judge([claim], {"a": games}, firsts=FIRSTS)
        held += judged.low <= 0 <= judged.high
    # 95 % of 400 are 380, with a standard deviation of 4.4; seats taken as independent hold 83 %.
    assert held > 362


def test_wins_of_seats_leave_out_games_that_nobody_won() -> None:
    games = [played("a", n, 0 if n < 6 else -1, ["X", "Y", "Y", "Y"]) for n in range(10)]
    claim = Claim(text="", printed="", share="a | X", shares=(50,), per="seat")
    (found,) = judge([claim], {"a": games}, firsts=FIRSTS)
    assert (found.ours, found.games) == (100.0, 6)


def test_printed_figures_lie_beside_the_reproductions() -> None:
    assert printed_impact("hearts") == {0: 0.35, 1: 0.04, 2: 0.08}
    assert printed_impact("scramble") == {}


def test_printed_impact_is_judged_by_the_same_rule() -> None:
    def known(oi: float, reach: float) -> MeasuredImpact:
        return MeasuredImpact(
            {1: Share(oi=oi, low=oi - reach, high=oi + reach, states=100)}, games=20
        )

    found = judge_impact(
        {
            "bingo": known(0.0, 0.04),
            "hearts": known(0.17, 0.02),
            "risk_lite": known(0.80, 0.04),
            "go_fish": known(0.82, 0.2),
        }
    )
    verdicts = {verdict.claim.text: verdict.verdict for verdict in found}
    # What is printed for a game as a whole has no depth to stand beside.
    assert verdicts == {
        "Opponent Impact of hearts at depth 1": DISAGREES,
        "Opponent Impact of risk_lite at depth 1": AGREES,
        "Opponent Impact of hearts is above that of bingo (depth 1)": AGREES,
        "Opponent Impact of risk_lite is above that of hearts (depth 1)": AGREES,
        "Opponent Impact of go_fish is above that of risk_lite (depth 1)": UNDECIDED,
    }


def test_printed_impact_has_the_error_of_its_tournaments() -> None:
    share = Share(oi=0.1, low=0.08, high=0.12, states=100)
    (found,) = judge_impact({"hearts": MeasuredImpact({1: share}, games=25)})
    ours = 100 * 0.02 / 1.959964
    assert found.claim.size_error == pytest.approx(ours / 2)
    assert found.p == pytest.approx(2 * NormalDist().cdf(-6 / (ours * 1.25**0.5)))


def test_impact_is_judged_again_from_the_figures_that_were_kept() -> None:
    kept = {"scope": "all", "states": "100", "games": "20", "depth": "1"}
    rows = [
        {
            **kept,
            "game": "hearts",
            "reading": "variation",
            "oi": ".17",
            "low": ".15",
            "high": ".19",
        },
        {**kept, "game": "hearts", "reading": "reduction", "oi": ".9", "low": ".8", "high": "1"},
    ]
    share = Share(oi=0.17, low=0.15, high=0.19, states=100)
    expected = judge_impact({"hearts": MeasuredImpact({1: share}, games=20)})
    assert impact_verdicts(rows) == expected


def test_the_list_names_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce"]) == 0
    out = capsys.readouterr().out
    names = [*shipped_names(), "impact"]
    assert [line.split()[0] for line in out.splitlines()[1 : len(names) + 1]] == names
    assert run(["reproduce", "sos-9"]) == 2
    assert "unknown reproduction 'sos-9'; did you mean 'sos-" in capsys.readouterr().err
    assert run(["reproduce", "sos-1", "--scale", "year"]) == 2
    assert "scale 'year' is not one of smoke, day, paper" in capsys.readouterr().err


def test_a_smoke_run_gives_every_claim_a_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "risk_lite" not in installed().games:
        pytest.skip("risk_lite is not installed")
    assert run(["reproduce", "risk-2", "--json", "--save", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["command"] == "mpsearch reproduce risk-2 --scale smoke"
    assert [row["claim"] for row in found["claims"]] == [
        claim.text for claim in shipped("risk-2", scale="smoke").claims
    ]
    assert {row["games"] for row in found["claims"]} == {2}
    assert {row["verdict"] for row in found["claims"]} <= set(VERDICTS)
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"risk-2.csv", "risk-2-standings.csv", "risk-2.svg", "risk-2.toml"}
    kept = make_design(read_toml(tmp_path / "risk-2.toml"), installed())
    assert kept == shipped("risk-2", scale="smoke").design(installed())
    assert re.match(r"name,rows,claim", (tmp_path / "risk-2.csv").read_text())


def test_another_seed_is_played_and_stands_in_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "risk_lite" not in installed().games:
        pytest.skip("risk_lite is not installed")
    command = ["reproduce", "risk-2", "--games", "1", "--json"]
    assert run([*command, "--seed", "7"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["command"] == "mpsearch reproduce risk-2 --scale smoke --seed 7"
    assert {row["seed"] for row in found["claims"]} == {7}
    assert run([*command, "--seed", "26"]) == 0
    own = json.loads(capsys.readouterr().out)
    assert own["command"] == "mpsearch reproduce risk-2 --scale smoke"
    surveys = impact.impact_surveys("smoke", seed=9)
    assert {survey.seed for game in surveys for survey in game} == {9}


def test_a_store_of_a_reproduction_is_one_of_an_experiment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "risk_lite" not in installed().games:
        pytest.skip("risk_lite is not installed")
    store = str(tmp_path / "risk.db")
    assert run(["reproduce", "risk-2", "--games", "1", "--store", store]) == 0
    capsys.readouterr()
    assert run(["experiment", "report", store]) == 0
    assert capsys.readouterr().out.startswith("risk-2: risk_lite, 6 players")
    assert run(["experiment", "export", store, "--csv", str(tmp_path / "risk.csv")]) == 0
    assert capsys.readouterr().out == "1 games\n"


def test_impact_is_measured_through_the_store_and_goes_on_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not {"hearts", "risk_lite", "bingo"} <= set(installed().games):
        pytest.skip("the games of figure 5 are not installed")
    monkeypatch.setattr(impact, "ORDER", ("bingo", "go_fish"))
    command = ["reproduce", "impact", "--store", str(tmp_path / "oi.db"), "--json"]
    assert run([*command, "--games", "1"]) == 0
    first = json.loads(capsys.readouterr().out)["claims"]
    assert {row["games"] for row in first} == {1}
    page = tmp_path / "page.html"
    saved = [*command, "--games", "2", "--save", str(tmp_path / "kept"), "--html", str(page)]
    assert run(saved) == 0
    second = json.loads(capsys.readouterr().out)["claims"]
    assert {row["games"] for row in second} == {2}
    assert [row["claim"] for row in second] == [row["claim"] for row in first]
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {
        "impact.csv",
        "impact-standings.csv",
        "impact.svg",
    }
    assert "verdicts" in page.read_text()
    assert "Opponent Impact of go_fish is above that of bingo" in page.read_text()


def test_impact_that_was_cut_short_is_judged_by_what_there_is() -> None:
    some = Share(oi=0.1, low=0.05, high=0.15, states=100)
    (only,) = judge_impact({"hearts": MeasuredImpact({1: some}, games=5)})
    assert (only.claim.share, only.games) == ("hearts", 5)
    assert judge_impact({}) == []
