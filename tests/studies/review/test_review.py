"""A reviewed game: what decisions lost, by hand; where it turned; what stays hidden."""

import json
import re
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import mpsearch
from mpsearch.api import table_of
from mpsearch.cli import run
from mpsearch.contracts import CHANCE
from mpsearch.errors import UsageError
from mpsearch.match import Ply, read_record
from mpsearch.studies.review import Judge, finished_review, make_judge, review
from mpsearch.studies.review.turning_points import attacks, leader, turning_points


def recorded(tmp_path: Path, game: str, *agents: str, seed: int = 1, cut: int = 0) -> Path:
    """A record of a game; `cut` leaves out so many of its last plies, and the result."""
    path = tmp_path / f"{game}-{seed}-{cut}.jsonl"
    mpsearch.play(game, *agents, seed=seed).save(path)
    if cut:
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[: -1 - cut]))
    return path


def judge_of(path: Path, agent: str | None = None, **settings: Any) -> Judge:
    record = read_record(path)
    return make_judge(table_of(record.setting), record, agent=agent, **settings)


def test_what_a_decision_lost_is_what_a_look_at_every_move_says(tmp_path: Path) -> None:
    path = recorded(tmp_path, "scramble", "random", "random", "greedy")
    found = review(path, "maxn:depth=1")
    judge = found.judge
    game, value = judge.table.game, judge.table.space().evaluator.values
    assert [entry.ply for entry in found.decisions] == [ply.number for ply in judge.judged_plies]
    lost = []
    for entry in found.decisions:
        ply = judge.plies[entry.ply]
        after = {move: value(game.play(ply.before, move)) for move in game.moves(ply.before)}
        best = max(float(vector[ply.seat]) for vector in after.values())
        lost.append(best - float(after[ply.move][ply.seat]))
        assert entry.value == pytest.approx(after[ply.move])
        assert entry.lost == pytest.approx(lost[-1], abs=1e-5)
        assert entry.effect == pytest.approx(entry.value - entry.best_value, abs=1e-5)
        assert (entry.move == entry.best) == (entry.lost == 0)
    assert max(lost) > 1
    assert all(entry.lost == 0 for entry in found.decisions if entry.seat == 2)  # greedy
    positions = [game.new(), *(ply.state for ply in judge.plies)]
    assert [ply for ply, _ in found.values] == list(range(len(positions)))
    for (_, vector), state in zip(found.values, positions, strict=True):
        assert vector == pytest.approx(value(state))


def test_a_move_outside_the_branching_is_judged_among_all_one_ply_deep(tmp_path: Path) -> None:
    path = recorded(tmp_path, "risk_lite", "random", "random", seed=2, cut=40)
    judge = judge_of(path, "maxn:depth=2")
    game = judge.table.game
    branching = judge.table.searcher("maxn:depth=2").space.branching
    assert branching is not None
    plies = [p for p in judge.judged_plies if len(game.moves(p.before)) > 150]
    outside = next(p for p in plies if p.move not in branching.moves(p.before))
    inside = next(p for p in plies if p.move in branching.moves(p.before))
    assert judge.judge(outside).depth == 1
    assert judge.judge(inside).depth == 2


@pytest.mark.parametrize("game", ["plunder", "hearts"])
def test_a_decision_is_judged_from_the_movers_view_alone(tmp_path: Path, game: str) -> None:
    agents = ["random"] * 4 if game == "hearts" else ["random"] * 3
    judge = judge_of(recorded(tmp_path, game, *agents), "maxn:depth=1,worlds=3")
    rules, rng = judge.table.game, np.random.default_rng(5)
    different = 0
    for ply in judge.judged_plies[:12]:
        view = rules.view(ply.before, ply.seat)
        other = rules.world(view, rng)
        different += other != ply.before
        assert judge.judge(attrs.evolve(ply, before=other)) == judge.judge(ply)
    assert different > 6


@pytest.mark.parametrize("game", ["plunder", "hearts"])
def test_an_unfinished_hidden_game_is_told_to_one_seat_from_its_views(
    tmp_path: Path, game: str
) -> None:
    agents = ["mpmix:td=0,to=0,depth=1,worlds=2"] + ["random"] * (3 if game == "hearts" else 2)
    path = recorded(tmp_path, game, *agents, cut=6)
    with pytest.raises(UsageError, match=r"not over.*--seat"):
        judge_of(path)
    agent = "maxn:depth=1,worlds=3"
    judge = judge_of(path, agent, seat=1)
    found = finished_review(judge, tuple(judge.judgements()))
    assert {entry.seat for entry in found.decisions} == {1}
    assert found.attacks == found.turning_points == ()
    rules, rng = judge.table.game, np.random.default_rng(7)

    def imagined(ply: Ply) -> Ply:
        """The ply with everything that seat 1 does not know drawn anew."""
        if ply.seat != 1:
            return ply
        return attrs.evolve(ply, before=rules.world(rules.view(ply.before, 1), rng))

    elsewhere = attrs.evolve(judge, plies=tuple(map(imagined, judge.plies)))
    assert any(a != b for a, b in zip(elsewhere.plies, judge.plies, strict=True))
    again = finished_review(elsewhere, tuple(elsewhere.judgements()))
    assert json.dumps(again.document()) == json.dumps(found.document())
    assert str(again) == str(found)
    assert again.html() == found.html()
    assert "offensive" not in str(found)


def a_ply(number: int, seat: int) -> Ply:
    return Ply(number=number, seat=seat, move="m", decision=None, before=None, state=None)


def test_turning_points_are_lasting_leads_and_great_swings() -> None:
    seats = [CHANCE, 0, 1, 2, 0, 1, 2, 0, 1]
    first = [90.0, 50, 50, 50, 50, 50, 50, 50, 50, 50]
    second = [10.0, 40, 40, 55, 40, 60, 60, 60, 60, 45]
    values = [np.array([a, b, 20.0]) for a, b in zip(first, second, strict=True)]
    plies = [a_ply(k, seat) for k, seat in enumerate(seats)]
    found = turning_points(plies, values, [f"m{k}" for k in range(len(seats))])
    # The deal turns nothing, the lead at ply 2 did not last, the last swing ends one.
    assert [(point.ply, point.leader) for point in found] == [(2, None), (3, None), (4, 1), (8, 0)]
    assert found[2].swing == 20
    assert leader(np.array([1.0, 1.0])) is None


def test_who_turned_against_whom_is_told_once_each_time() -> None:
    values = [np.array([50.0, 30.0, 20.0])] * 8
    against = {"stance": "sos", "matrix": [[1, 0, 0], [-0.02, 0.03, 0], [0, 0, 1]]}
    entries: list[dict[str, Any]] = [
        {"stance": "offensive", "target": 1, "matrix": None},
        against,
        {"stance": "offensive", "target": 1, "matrix": None},
        {"stance": "maxn", "target": None, "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
        {"stance": "offensive", "target": 1, "matrix": None},
    ]
    plies = [a_ply(k, seat) for k, seat in enumerate([2, 1, 2, 2, 2])]
    found = attacks(entries, values, plies=plies)
    assert [(a.ply, a.seat, a.target, a.lead) for a in found] == [
        (0, 2, 1, None),
        (1, 1, 0, 20.0),
        (4, 2, 1, None),
    ]


def test_the_forms_of_a_review_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = ("mpmix:td=5,to=0,depth=1", "random", "greedy")
    path, page = recorded(tmp_path, "scramble", *agents), tmp_path / "review.html"
    assert run(["review", str(path), "--agent", "maxn:depth=2", "--html", str(page), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = review(path, "maxn:depth=2")
    assert document == found.document()
    assert document["judge"] == "maxn:depth=2"
    assert document["attacks"]
    assert document["total"] == len(document["decisions"])
    text, written = str(found), page.read_text()
    assert f"evaluator {document['evaluator']}" in " ".join(text.split())
    assert re.search(r"turned against\s+seat \d, who\s+(led by|stood at)", text)
    for title, lines in found.told():
        assert title in text
        assert title in written
        assert all(" ".join(line.split()) in " ".join(text.split()) for line in lines)
    assert written.count("<polyline") == document["players"]
    assert written.startswith("<!doctype html>")
    assert found._repr_html_().count("<svg") == 1
    outside = re.findall(r'(?:src|href)\s*=|<script|url\(|@import|https?://[^"]*', written)
    assert set(outside) <= {"http://www.w3.org/2000/svg"}
    assert max(map(len, text.split("\n\nSeats\n")[0].splitlines())) <= 80


def test_what_others_wrote_is_text_on_the_page(tmp_path: Path) -> None:
    path = recorded(tmp_path, "scramble", "random", "random")
    head, *rest = path.read_text().splitlines(keepends=True)
    entry = json.loads(head) | {"agents": ["<script>x</script>", "\x1b[2J", "a", "b"]}
    path.write_text(json.dumps(entry) + "\n" + "".join(rest))
    found = review(path, "maxn:depth=1")
    assert "<script" not in found.html()
    assert "\x1b" not in str(found)


def test_a_review_that_is_stopped_puts_out_what_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recorded(tmp_path, "scramble", "random", "random")
    judged = Judge.judge
    seen: list[Ply] = []

    def tired(self: Judge, ply: Ply) -> Any:
        if len(seen) == 3:
            raise KeyboardInterrupt
        seen.append(ply)
        return judged(self, ply)

    monkeypatch.setattr(Judge, "judge", tired)
    assert run(["review", str(path), "--agent", "maxn:depth=1", "--json"]) == 1
    out, error = capsys.readouterr()
    document = json.loads(out)
    assert len(document["decisions"]) == 3
    assert f"partial: 3 of {document['total']} decisions" in error


def test_wrong_usage_is_one_line(tmp_path: Path) -> None:
    path = recorded(tmp_path, "scramble", "random", "random")
    with pytest.raises(UsageError, match="seats are 0 to 3"):
        judge_of(path, seat=4)
    path = recorded(tmp_path, "hearts", "random", seed=3)
    with pytest.raises(UsageError, match="does not search"):
        judge_of(path, "wrt")
