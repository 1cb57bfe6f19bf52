"""A game of an experiment: its record is the one that is written line by line."""

from pathlib import Path

import pytest

from mpsearch.api.game_table import table_of
from mpsearch.experiments import games
from mpsearch.experiments.games import Job, play_job, record_lines
from mpsearch.match import Setting
from mpsearch.match.record.format import ply_entry, result_entry
from mpsearch.match.record.write import RecordWriter

SETTING = Setting(
    game="scramble",
    players=3,
    options={"length": 40},
    agents=("mpmix:td=3,to=3,depth=2", "sos:depth=1", "greedy"),
    seed=4,
    opening=5,
)


@pytest.mark.parametrize("waiting", [1, 7, games.WAITING])
def test_plies_that_wait_are_written_as_if_none_had(
    waiting: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "WAITING", waiting)
    played, packed = play_job(Job(arm="a", number=0, setting=SETTING, roles=("x", "y", "z")))
    table = table_of(SETTING)
    plies = list(table.plies(SETTING))
    with RecordWriter(tmp_path / "game.jsonl", SETTING) as writer:
        for ply in plies:
            writer.write(ply_entry(table.game, ply))
        writer.write(result_entry(table.game.payoff(plies[-1].state)))
    assert record_lines(packed) == writer.path.read_text(encoding="utf-8")
    # Full once or more often, and a rest at the end but for one at a time.
    assert played.plies == len(plies) > waiting
    assert (len(plies) % waiting > 0) == (waiting > 1)
    for seat, log in enumerate(played.logs):
        decided = [ply.decision for ply in plies if ply.seat == seat and ply.decision is not None]
        assert log.moves == len(decided) > 0
        assert log.nodes == sum(decision.nodes for decision in decided)
