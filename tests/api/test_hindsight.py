"""A decision of a recorded game, looked at again."""

from pathlib import Path

import numpy as np
import pytest

from mpsearch.api.explain_record import last_decision, look_back, searches
from mpsearch.api.game_table import table
from mpsearch.errors import UsageError
from mpsearch.match import read_record


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("scramble", ("sos:depth=2,model=likelihood", "mpmix:td=5,to=5", "sos:model=recent,k=2")),
        ("plunder", ("sos:worlds=3,depth=2", "maxn:worlds=2", "random")),
    ],
)
def test_every_decision_is_found_again_bit_for_bit(game: str, agents: tuple[str, ...]) -> None:
    place = table(game, players=3)
    match = place.play(*agents, seed=5)
    record = match.record
    looked_at = 0
    for ply in match.plies:
        decision = ply.decision
        if decision is None or decision.report is None:
            continue
        again = look_back(place, record, ply.number, exact=False)
        assert again.made == again.report.move == ply.move
        assert again.agent == agents[ply.seat]
        assert decision.stance is not None
        assert np.array_equal(again.report.stance.matrix, decision.stance.matrix)
        assert again.report == decision.report
        looked_at += 1
    assert looked_at >= 8


def test_the_move_that_was_made_is_marked_whoever_is_asked() -> None:
    place = table("scramble", players=3)
    record = place.play("random", seed=2).record
    found = look_back(place, record, 0, "maxn")
    made = record.plies[0]["move"]
    assert found.game.write(found.made) == made
    assert f"ply 0, seat 0 to move, maxn, played {made} (!)" in str(found)
    assert found.document()["made"] == made
    rows = [line.split()[:2] for line in str(found).splitlines()]
    assert ["!", made] in rows or ["*!", made] in rows


def test_plies_without_a_decision_are_refused() -> None:
    place = table("plunder")
    record = place.play("random", seed=1).record
    with pytest.raises(UsageError, match="--ply 0: chance decides there"):
        look_back(place, record, 0)
    end = len(record.plies)
    with pytest.raises(UsageError, match=f"--ply {end}: the game is over there"):
        look_back(place, record, end)
    with pytest.raises(UsageError, match=f"--ply {end + 1}: the record has {end} plies"):
        look_back(place, record, end + 1)
    assert record.plies[last_decision(place, record)]["seat"] is not None


def test_a_person_cannot_be_asked_again(tmp_path: Path) -> None:
    place = table("scramble", players=2)
    path = tmp_path / "game.jsonl"
    place.play("maxn", "random", seed=1).save(path)
    text = path.read_text().replace('"maxn"', '"human"')
    path.write_text(text)
    record = read_record(path)
    assert not searches(place, record, 0)
    assert searches(place, record, 1)


def test_an_explanation_told_in_few_lines_keeps_the_move_that_was_made() -> None:
    place = table("scramble", players=3)
    record = place.play("random", "random", "random", seed=3).record
    for ply in range(4):
        found = look_back(place, record, ply, "maxn", exact=True)
        whole = [line.split()[:2] for line in str(found).splitlines()]
        few = [line.split()[:2] for line in found.told(most=1).splitlines()]
        assert [row for row in whole if row and "!" in row[0]] == [
            row for row in few if row and "!" in row[0]
        ]
        assert found.told(most=99) == str(found)
        left = [int(row[0]) for row in few if row[1:] == ["more"]]
        assert len(whole) - len(few) == sum(left) - len(left)
