"""Random openings: from the game's own stream, the same in all arms, and known to nobody."""

from pathlib import Path

import attrs
import pytest

import mpsearch
from mpsearch.api.game_table import table_of
from mpsearch.contracts import CHANCE
from mpsearch.experiments.games import Job, play_job, record_lines
from mpsearch.experiments.openings import usual_opening
from mpsearch.match import Setting, read_record, replay, rerun

GREEDY = Setting(
    game="scramble", players=3, options={"length": 12}, agents=("greedy",) * 3, seed=1, opening=5
)


def first_moves(setting: Setting, count: int) -> list[tuple[int, object]]:
    plies = list(table_of(setting).plies(setting))
    return [(ply.seat, ply.move) for ply in plies if ply.seat != CHANCE][:count]


def test_the_opening_does_not_depend_on_who_plays() -> None:
    others = attrs.evolve(GREEDY, agents=("maxn:depth=2", "sos:depth=2", "random"))
    assert first_moves(GREEDY, 5) == first_moves(others, 5)
    assert first_moves(GREEDY, 5) != first_moves(attrs.evolve(GREEDY, seed=2), 5)


def test_nobody_decides_the_opening_and_everybody_decides_after_it() -> None:
    decided = [ply.decision is not None for ply in table_of(GREEDY).plies(GREEDY)]
    assert decided[:5] == [False] * 5
    assert all(decided[5:])
    assert len(decided) > 5


def test_no_model_learns_from_the_opening() -> None:
    setting = attrs.evolve(GREEDY, agents=("sos:depth=1", "greedy", "greedy"), opening=3)
    plies = list(table_of(setting).plies(setting))
    first = next(ply for ply in plies if ply.decision is not None)
    assert first.seat == 0
    assert first.decision is not None
    assert first.decision.stance is not None
    assert first.decision.stance.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_an_opening_does_not_end_the_game() -> None:
    setting = attrs.evolve(GREEDY, opening=10_000)
    plies = list(table_of(setting).plies(setting))
    assert plies[-1].decision is not None


def test_a_game_with_an_opening_is_recorded_and_replayed_bit_for_bit(tmp_path: Path) -> None:
    played, packed = play_job(Job(arm="a", number=0, setting=GREEDY, roles=("x",) * 3))
    path = tmp_path / "game.jsonl"
    path.write_text(record_lines(packed), encoding="utf-8")
    record = read_record(path)
    assert record.setting == GREEDY
    table = table_of(GREEDY)
    assert len(list(replay(table.game, record))) == played.plies + 1
    rerun(table.game, table.seat(record.setting), record)


def test_without_an_opening_the_games_of_greedy_players_are_one() -> None:
    def distinct(opening: int) -> int:
        settings = [attrs.evolve(GREEDY, seed=seed, opening=opening) for seed in range(12)]
        jobs = [Job(arm="a", number=0, setting=s, roles=("x",) * 3) for s in settings]
        return len({play_job(job)[0].identity for job in jobs})

    assert distinct(0) == 1
    assert distinct(3) > 6


def test_games_without_chance_get_an_opening_unasked_and_others_none() -> None:
    assert usual_opening(mpsearch.table("plunder")) == 0
    # Three moves to choose from: 3^6 = 729 openings are too few, 3^9 = 19,683 are enough.
    assert usual_opening(mpsearch.table("scramble", players=3)) == 9
    assert usual_opening(mpsearch.table("scramble", players=4)) == 8


def test_one_move_each_is_enough_where_there_are_many_moves() -> None:
    quoridor = pytest.importorskip("mpsearch_quoridor")
    assert quoridor
    assert usual_opening(mpsearch.table("quoridor", players=4)) == 4
    assert usual_opening(mpsearch.table("quoridor", players=2)) == 2


def test_an_opening_takes_at_most_a_third_of_a_usual_game_and_it_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The shortest course: nine random moves would be most of the game."""
    table = mpsearch.table("scramble", players=3, length=5)
    lengths = sorted(len(table.play("random", seed=seed).plies) for seed in range(20))
    opening = usual_opening(table)
    assert 0 < opening <= lengths[-1] / 3
    assert "opening moves, a third of a usual game of" in caplog.text
    assert "9 would make all games different: see --opening" in caplog.text


def test_an_opening_that_fits_is_not_talked_about(caplog: pytest.LogCaptureFixture) -> None:
    assert usual_opening(mpsearch.table("scramble", players=3)) == 9
    assert caplog.text == ""
