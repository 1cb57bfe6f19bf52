"""The shipped experiments: a file for every row of the checklist, with claims that are judged."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import attrs
import numpy as np
import pytest

from mpsearch.cli import run
from mpsearch.experiments.design_file import make_design
from mpsearch.experiments.games import GameResult, SeatLog
from mpsearch.experiments.toml_file import TomlFile
from mpsearch.plugins.catalog import installed
from mpsearch.studies.impact.estimate import Share
from mpsearch.studies.impact.output import printed_impact
from mpsearch.studies.reproduce import impact
from mpsearch.studies.reproduce.claims import AGREES, DISAGREES, UNDECIDED, Claim, judge
from mpsearch.studies.reproduce.impact import MeasuredImpact, judge_impact
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
        for who in (claim.first, claim.second, claim.share):
            if who is not None:
                arm, _, role = (part.strip() for part in who.partition("|"))
                assert arm.split()[0] in names
                assert not role or role in roles


@pytest.mark.parametrize("name", shipped_names())
def test_the_claims_can_be_judged_at_the_scale_of_a_day(name: str) -> None:
    """At least one claim of each experiment is about arms that a day's run plays."""
    found = shipped(name, scale="day")
    if found.game not in installed().games:
        pytest.skip(f"{found.game} is not installed")
    labels = {arm.label for arm in found.design(installed()).arms}
    named = [(claim.first or claim.share or "").partition("|")[0].strip() for claim in found.claims]
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


ORDER = Claim(text="a beats b", printed="+10", first="a", second="b", least=10)


@pytest.mark.parametrize(
    ("first", "second", "games", "verdict"),
    [
        (60, 30, 100, AGREES),
        (30, 60, 100, DISAGREES),
        (3, 2, 10, UNDECIDED),
        # A difference of 10 points is ruled out, and none is shown.
        (300, 298, 1000, DISAGREES),
        (1, 0, 1, UNDECIDED),
    ],
)
def test_orders_are_judged_by_their_rule(first: int, second: int, games: int, verdict: str) -> None:
    arms = {"a": series("a", first, games), "b": series("b", second, games)}
    (found,) = judge([ORDER], arms)
    assert found.verdict == verdict
    assert found.ours == pytest.approx(100 * (first - second) / games)


@pytest.mark.parametrize(
    ("first", "second", "games", "verdict"),
    [
        (300, 298, 1000, AGREES),
        # Shown, but less than the printed games could show.
        (330, 300, 1000, AGREES),
        (60, 30, 100, DISAGREES),
        (30, 60, 100, DISAGREES),
        (3, 2, 10, UNDECIDED),
    ],
)
def test_that_two_are_alike_is_judged_by_its_rule(
    first: int, second: int, games: int, verdict: str
) -> None:
    arms = {"a": series("a", first, games), "b": series("b", second, games)}
    (found,) = judge([attrs.evolve(ORDER, alike=True)], arms)
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("wins", "games", "verdict"),
    [(270, 1000, AGREES), (400, 1000, DISAGREES), (10, 40, UNDECIDED)],
)
def test_shares_are_judged_by_their_rule(wins: int, games: int, verdict: str) -> None:
    claim = Claim(text="a wins 27 %", printed="27 %", share="a | X", points=27, games=750)
    (found,) = judge([claim], {"a": series("a", wins, games)})
    assert found.verdict == verdict


def test_claims_about_arms_that_were_not_played_say_so() -> None:
    (found,) = judge([ORDER], {"a": series("a", 3, 10)})
    assert (found.verdict, found.games) == (UNDECIDED, 0)


def test_several_claims_are_corrected_for_their_number() -> None:
    arms = {"a": series("a", 40, 100), "b": series("b", 28, 100)}
    (alone,) = judge([ORDER], arms)
    together = judge([ORDER] * 20, arms)
    assert together[0].p == pytest.approx(min(1, 20 * alone.p))


def test_wins_of_seats_leave_out_games_that_nobody_won() -> None:
    games = [played("a", n, 0 if n < 6 else -1, ["X", "Y", "Y", "Y"]) for n in range(10)]
    claim = Claim(text="", printed="", share="a | X", points=50, per="seat")
    (found,) = judge([claim], {"a": games})
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
    assert verdicts == {
        "Opponent Impact of bingo as a whole (ours: depth 1)": AGREES,
        "Opponent Impact of hearts as a whole (ours: depth 1)": DISAGREES,
        "Opponent Impact of hearts at depth 1": DISAGREES,
        "Opponent Impact of risk_lite as a whole (ours: depth 1)": AGREES,
        "Opponent Impact of risk_lite at depth 1": AGREES,
        "Opponent Impact of go_fish as a whole (ours: depth 1)": UNDECIDED,
        "Opponent Impact of hearts is above that of bingo (depth 1)": AGREES,
        "Opponent Impact of risk_lite is above that of hearts (depth 1)": AGREES,
        "Opponent Impact of go_fish is above that of risk_lite (depth 1)": UNDECIDED,
    }


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
    assert {row["verdict"] for row in found["claims"]} <= {AGREES, DISAGREES, UNDECIDED}
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"risk-2.csv", "risk-2-standings.csv", "risk-2.svg"}
    assert re.match(r"name,rows,claim", (tmp_path / "risk-2.csv").read_text())


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
    assert "Opponent Impact of bingo as a whole" in page.read_text()


def test_impact_that_was_cut_short_is_judged_by_what_there_is() -> None:
    nothing = Share(oi=0.0, low=0.0, high=0.02, states=100)
    (only,) = judge_impact({"bingo": MeasuredImpact({1: nothing}, games=5)})
    assert (only.claim.share, only.games) == ("bingo", 5)
    assert judge_impact({}) == []
