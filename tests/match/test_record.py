"""Records: written move by move, read back, replayed bit for bit."""

import json
from pathlib import Path

import pytest

from mpsearch.errors import RecordError
from mpsearch.match import Record, RecordWriter, Setting, read_record, replay, rerun
from mpsearch.match.record import ply_entry, result_entry
from mpsearch.table import table_of


def again(record: Record) -> None:
    table = table_of(record.setting)
    rerun(table.game, table.seat(record.setting), record)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The record of a finished game of plunder."""
    agents = ("maxn:depth=2,worlds=3", "sos:worlds=3,depth=1", "random")
    setting = Setting(game="plunder", players=3, options={"cards": 3}, agents=agents, seed=12)
    table = table_of(setting)
    game = table.game
    path = tmp_path / "game.jsonl"
    with RecordWriter(path, setting) as writer:
        for ply in table.plies(setting):
            writer.write(ply_entry(game, ply))
            state = ply.state
        writer.write(result_entry(game.payoff(state)))
    return path


def test_a_record_replays_and_reruns(path: Path) -> None:
    record = read_record(path)
    game = table_of(record.setting).game
    states = list(replay(game, record))
    assert len(states) == len(record.plies) + 1
    assert record.payoff is not None
    assert game.payoff(states[-1]).tolist() == record.payoff.tolist()
    again(record)


def test_every_move_has_its_stance_and_value(path: Path) -> None:
    moves = [entry for entry in read_record(path).plies if entry["seat"] is not None]
    assert {entry["stance"] for entry in moves} == {"maxn", "sos", "random"}
    assert all(len(entry["value"]) == 3 and len(entry["matrix"]) == 3 for entry in moves)


def test_a_record_is_whole_after_every_line(path: Path) -> None:
    """Killed at any byte, what was written before the last line end can be replayed."""
    whole = path.read_bytes()
    head = whole.index(b"\n") + 1
    for end in range(head, len(whole), 97):
        path.write_bytes(whole[:end])
        record = read_record(path)
        game = table_of(record.setting).game
        assert len(list(replay(game, record))) == len(record.plies) + 1
        assert len(record.plies) >= whole[:end].count(b"\n") - 2


def change(path: Path, line: int, **entries: object) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **entries})
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_another_move_is_noticed(path: Path) -> None:
    record = read_record(path)
    line = next(i for i, e in enumerate(record.plies) if e["seat"] == 0) + 1
    game = table_of(record.setting).game
    states = list(replay(game, record))
    other = [m for m in game.moves(states[line - 1]) if str(m) != record.plies[line - 1]["move"]]
    change(path, line, move=str(other[0]))
    with pytest.raises(RecordError, match=r"ply \d+"):
        again(read_record(path))


@pytest.mark.parametrize(
    ("line", "entries", "words"),
    [
        (3, {"move": "99"}, "'99' is not legal: the hand is"),
        (3, {"move": "queen"}, "'queen' is not the number of a card"),
        (3, {"seat": 2}, "it is not the turn of seat 2"),
        (2, {"move": "7"}, "'7' is not a possible outcome"),
        (-1, {"payoff": [9, 9, 9]}, "the result is recorded as"),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused(
    path: Path, line: int, entries: dict[str, object], words: str
) -> None:
    change(path, line, **entries)
    record = read_record(path)
    with pytest.raises(RecordError, match=words):
        list(replay(table_of(record.setting).game, record))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not the head of a record"),
        ("hello\n", "line 1 is not a JSON object"),
        ("[1]\n{}\n", "line 1 is not a JSON object"),
        ('{"record": 99}\n', "not the head of a record of format 1"),
        ('{"record": 1, "game": "plunder"}\n', "the head lacks"),
        ('{"record": 1, "game": "plunder", "players": 3, "options": {}, "agents": [], "seed": 1}\n'
         '{"ply": 1}\n{"ply": 2}\n', "line 2 is not ply 0"),
        ('{"record": 1, "game": "plunder", "players": 3, "options": {}, "agents": [], "seed": 1}\n'
         'oops\n{"ply": 2}\n', "line 2 is not a JSON object"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_record_is_explained(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=words):
        read_record(path)


def test_a_missing_or_binary_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(tmp_path / "nothing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(tmp_path / "binary")
