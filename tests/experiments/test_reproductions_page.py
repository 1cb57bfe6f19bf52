"""The page of reproductions is made of the results that are kept, and of nothing else."""

import math
import tomllib
from pathlib import Path
from typing import Any

import attrs
import pytest
from kept_results import read_rows, rejudge
from reproductions_page import BEGIN, END, kept_verdicts, rebuilt, results_text

from mpsearch.plugins import installed
from mpsearch.studies.reproduce.claims import AGREES, LESS, Claim, verdict_entries
from mpsearch.studies.reproduce.impact import IMPACT, shipped_impact
from mpsearch.studies.reproduce.shipped_designs import shipped, shipped_names

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs/results"
HEAD = "name,rows,claim,printed,ours,low,high,first,second,p,p_holm,miss,verdict,games,seed,version"
STANDINGS = "arm,role,games,wins,won_of_decided,equal"


def kept(folder: Path, *rows: str) -> None:
    lines = [f"{HEAD},command", *(f"risk-2,26,{row},26,1,mpsearch x" for row in rows), ""]
    (folder / "risk-2.csv").write_text("\n".join(lines))


MIX = "MIX wins 27 % of the games,27 %,26,24,28,,,0.5,1,0.5,agrees,300"


def test_the_page_says_what_the_results_say() -> None:
    page = (ROOT / "docs/results/reproductions.md").read_text(encoding="utf-8")
    assert rebuilt(page, RESULTS) == page


@pytest.mark.parametrize("name", [*shipped_names(), IMPACT])
def test_the_results_have_the_verdicts_that_follow_from_their_figures(name: str) -> None:
    """Nobody writes a verdict by hand: the rule gives those that stand in the committed files."""
    found = shipped_impact("day") if name == IMPACT else shipped(name, scale="day")
    judged = {v.claim.text: verdict_entries(v) for v in kept_verdicts(found, RESULTS)}
    for row in read_rows(RESULTS / f"{name}.csv"):
        again = judged[row["claim"]]
        assert row["verdict"] == again["verdict"], row["claim"]
        assert row["miss"] == str(again["miss"])
        assert math.isclose(float(row["p_holm"]), again["p_holm"], rel_tol=0.01)


def allowance(claim: dict[str, Any]) -> float:
    """The error of a printed figure in points, from its design alone."""
    if "error" in claim:
        return float(claim["error"])
    shares = [share / 100 for share in claim.get("shares", ())]
    drawn = [share for k, share in enumerate(shares) if k != claim.get("symmetric")]
    if "games" not in claim or not drawn:
        return 0.0
    names = [claim.get("first", ""), claim.get("second", "")]
    arms = {name.split("|")[0].strip() for name in names if isinstance(name, str)}
    one_table = len(drawn) == 2 and len(arms) == 1 and claim.get("per") != "seat"
    variance = sum(share * (1 - share) for share in drawn)
    if one_table:
        variance += 2 * drawn[0] * drawn[1]
    return 100 * math.sqrt(variance / claim["games"])


@pytest.mark.parametrize("name", shipped_names())
def test_orders_have_the_verdicts_of_the_rule_written_again(name: str) -> None:
    """The rule of the page for X over Y and for shares, from the files; shares no code with it."""
    path = ROOT / "mpsearch/studies/reproduce" / f"{name}.toml"
    claims = {c["text"]: c for c in tomllib.loads(path.read_text(encoding="utf-8"))["claims"]}
    for row in read_rows(RESULTS / f"{name}.csv"):
        claim = claims[row["claim"]]
        if int(row["games"]) < 2 or {"alike", "level", "between"} & set(claim):
            continue
        ours, low, high = (float(row[key]) for key in ("ours", "low", "high"))
        shown = float(row["p_holm"]) < 0.05
        if "share" in claim:
            told = "disagrees" if shown else "agrees" if high - low <= 10 else "not enough games"
        elif shown:
            told = "agrees" if ours > 0 else "disagrees"
        else:
            one, two = claim.get("shares", (0, 0))
            size = claim.get("points", one - two)
            both = math.hypot((high - low) / 3.919928, allowance(claim))
            short = "disagrees" if size - ours > 1.959964 * both else LESS
            told = short if size and high < size else "not enough games"
        assert row["verdict"] == told, row["claim"]


def test_claims_are_judged_by_their_figures_and_counted(tmp_path: Path) -> None:
    # The verdict in the file is not read: 10 % is not 20.
    kept(
        tmp_path,
        MIX,
        "EvilPixie wins 20 % of the games,20 %,10,8,12,,,0.0001,1,9,agrees,310",
        "A claim that is no more,,1,0,2,,,0.5,1,,agrees,310",
    )
    text = results_text(tmp_path)
    # 6 of the 8 that are shipped have no figures.
    assert "| `risk-2` | 1 | 0 | 0 | 1 | 6 |  |" in text
    # Two questions: 2.241 for 1 - 5 % / 4, 0.842 for 80 %, by the root of (2 / 1.96)^2 and
    # 27 * 73 / 750, the games that are printed.
    assert (
        "| MIX wins 27 % of the games | 27 % | 26.00 [24.00, 28.00] | 0.5 | 5.9 | 0.5 | 300 | "
        "**agrees** |" in text
    )
    assert "| 0.0002 | 5.5 | 5.6 | 310 | **disagrees** |" in text
    assert (
        "| Angry wins 2 % of the games | 2 % | - | - | - | - | 0 | **not enough games** |" in text
    )
    assert "no more" not in text
    assert "Seed 26; again: `mpsearch x --games 310`." in text
    for name in shipped_names():
        assert f"### `{name}`: " in text
        assert (f"Not run yet: `mpsearch reproduce {name} " in text) == (name != "risk-2")


def test_what_was_played_otherwise_than_now_is_said(tmp_path: Path) -> None:
    kept(tmp_path, MIX)
    design = shipped("risk-2", scale="day")
    (tmp_path / "risk-2.toml").write_text(design.text)
    assert "again: `mpsearch x --games 300`." in results_text(tmp_path)
    design.file.values |= {"seating": "rotation", "games": 3}
    (tmp_path / "risk-2.toml").write_text(design.text)
    assert (
        f"again: `mpsearch experiment run docs/{tmp_path.name}/risk-2.toml --games 300`. Played "
        'with `seating` `"rotation"` (now `"orders"`).' in results_text(tmp_path)
    )


@pytest.mark.parametrize("name", ["sos-1", "sos-2"])
def test_a_rotation_is_told_only_where_it_leaves_out_seat_orders(name: str, tmp_path: Path) -> None:
    """Orders of one agent among equal ones are its rotations: both plans have the same games."""
    row = f"{name},13,x,,26,24,28,,,0.5,1,0.5,agrees,300,26,1,mpsearch x"
    (tmp_path / f"{name}.csv").write_text(f"{HEAD},command\n{row}\n")
    design = shipped(name, scale="day")
    plans = []
    for seating in ("orders", "rotation"):
        design.file.values["seating"] = seating
        plan = attrs.evolve(design.design(installed()), games=30)
        plans.append(list(plan.jobs()))
    (tmp_path / f"{name}.toml").write_text(design.text)
    same = plans[0] == plans[1]
    assert same == (name == "sos-1")
    assert ("Played with `seating`" in results_text(tmp_path)) != same


def test_games_are_counted_as_they_were_played(tmp_path: Path) -> None:
    """Seats of some of the games stand behind a claim; the command names all games."""
    kept(tmp_path, MIX)
    rows = ["six,MIX,200,.3,.3,.16", "six,PAR,198,.3,.3,.16"]
    (tmp_path / "risk-2-standings.csv").write_text("\n".join([STANDINGS, *rows, ""]))
    assert "again: `mpsearch x --games 200`." in results_text(tmp_path)


def test_the_room_of_thresholds_stands_with_the_results(tmp_path: Path) -> None:
    kept(tmp_path, MIX)
    rows = ["six,MIX,200,.3,.3,.16,.0345,,.04", "six,PAR,200,.3,.3,.16,,,"]
    head = f"{STANDINGS},room_td,room_to,room_td_to"
    (tmp_path / "risk-2-standings.csv").write_text("\n".join([head, *rows, ""]))
    assert (
        "the most that a threshold can gain over MaxN, in points: MIX in `six` 3.5 by td, 4.0 by "
        "td or to.\n" in results_text(tmp_path)
    )


def test_a_new_claim_is_judged_by_the_shares_that_were_kept(tmp_path: Path) -> None:
    """One winner per game at a table, other tables independent, seats of a role shared out."""
    rows = [
        "a,X,400,0.5,0.5,0.25",
        "a,Y,400,0.3,0.15,0.5",
        "a,Z,400,0.2,0.2,0.25",
        "b,X,100,0.25,0.25,0.25",
        "b,Y,100,0.75,0.25,0.75",
    ]
    (tmp_path / "risk-2-standings.csv").write_text("\n".join([STANDINGS, *rows, ""]))

    def judged(first: str, second: str) -> tuple[float, float]:
        claim = Claim(text="", printed="", first=first, second=second)
        (found,) = rejudge("risk-2", [claim], tmp_path)
        return found.ours, (found.high - found.low) / (2 * 1.959964)

    assert judged("a | X", "a | Y") == pytest.approx((20.0, 100 * (0.76 / 400) ** 0.5))
    apart = 100 * (0.25 / 400 + 0.1875 / 100) ** 0.5
    assert judged("a", "b") == pytest.approx((25.0, apart))
    assert judged("a", "risk-2: b | X") == pytest.approx((25.0, apart))
    assert judged("a", "a | best other")[0] == pytest.approx(30.0)
    assert judged("b", "b | best other")[0] == pytest.approx(0.0)
    claim = Claim(text="", printed="", first="a", second="c")
    assert rejudge("risk-2", [claim], tmp_path)[0].games == 0
    sure = Claim(text="", printed="", first="a | X", second="a | Z")
    assert rejudge("risk-2", [sure], tmp_path)[0].verdict == AGREES


def test_what_is_written_by_hand_stays(tmp_path: Path) -> None:
    made = rebuilt(f"before\n{BEGIN}\nby hand\n{END}\nafter\n", tmp_path)
    assert made.startswith(f"before\n{BEGIN}\n")
    assert made.endswith(f"{END}\nafter\n")
    assert "by hand" not in made
