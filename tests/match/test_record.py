"""Records: written move by move, read back, replayed bit for bit."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.full_disk import full_disk

from mpsearch.api.game_table import table, table_of
from mpsearch.contracts import Decision
from mpsearch.errors import DifferenceError, MpsearchError, RecordError, UsageError
from mpsearch.match import Ply, Record, RecordWriter, Setting, read_record, replay, rerun
from mpsearch.match.record.format import ply_entry, result_entry


def again(record: Record) -> None:
    place = table_of(record.setting)
    rerun(place.game, place.seat(record.setting), record)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The record of a finished game of plunder."""
    agents = ("maxn:depth=2,worlds=3", "sos:worlds=3,depth=1", "random")
    setting = Setting(game="plunder", players=3, options={"cards": 3}, agents=agents, seed=12)
    place = table_of(setting)
    game = place.game
    path = tmp_path / "game.jsonl"
    with RecordWriter(path, setting) as writer:
        for ply in place.plies(setting):
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


def change(path: Path, line: int, **entries: Any) -> None:
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
        (-1, {"payoff": [9, 9, 9]}, r"the result: payoff\[0\] is recorded as 9.0, the rules say"),
        (-1, {"winners": [0, 1, 2]}, r"the result: winners is recorded as \[0, 1, 2\], the rules"),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused(
    path: Path, line: int, entries: dict[str, object], words: str
) -> None:
    change(path, line, **entries)
    record = read_record(path)
    with pytest.raises(RecordError, match=words):
        list(replay(table_of(record.setting).game, record))


def test_a_result_before_the_end_is_refused(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:4], lines[-1], ""]), encoding="utf-8")
    record = read_record(path)
    with pytest.raises(RecordError, match="the game has a result but is not over"):
        list(replay(table_of(record.setting).game, record))


HEAD = (
    '{"record": 1, "game": "plunder", "players": 3, "options": {}, '
    '"agents": ["random", "random", "random"], "seed": 1}'
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the record is empty: its game never started"),
        ('{"record": 1, "game": "plu', "line 1 is not a JSON object"),
        ("hello\n", "line 1 is not a JSON object"),
        ("[1]\n{}\n", "line 1 is not a JSON object"),
        ('{"record": 99}\n', "not the head of a record of format 1"),
        ('{"record": 1, "game": "plunder"}\n', "line 1: players is missing"),
        (f'{HEAD}\n{{"ply": 1}}\n{{"ply": 2}}\n', "line 2: ply is 1, not 0, the number of the ply"),
        (f'{HEAD}\noops\n{{"ply": 2}}\n', "line 2 is not a JSON object"),
        (f'{HEAD}\n{{"payoff": [1, 1]}}\n', r"line 2: payoff is \[1, 1\], not 3 numbers"),
        (f'{HEAD}\n{{"payoff": [1, 1, NaN]}}\n', "NaN is not a number of JSON"),
        (f'{HEAD}\n{"[" * 100_000}\n', "line 2 is not a valid record line: nested too deep"),
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
    with pytest.raises(RecordError, match="line 1 is not a JSON object"):
        read_record(str(tmp_path / "binary"))


def test_what_may_have_no_end_is_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsearch.match.record.read.MOST_BYTES", 1000)
    (tmp_path / "zeros").write_bytes(bytes(1001))
    with pytest.raises(RecordError, match="no record has more than 1000 bytes"):
        read_record(tmp_path / "zeros")


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        (0, "game", [None, 3, ["plunder"]]),
        (0, "players", [0, -1, True, 2.0, "3", 4]),
        (0, "options", [None, [], {"cards": None}, {"cards": [3]}, {"cards": {}}]),
        (0, "agents", [None, "maxn", ["maxn"], ["maxn", "maxn", 1]]),
        (0, "seed", [None, -1, 1.5, True, "1"]),
        (0, "start", [0, [], {}]),
        (4, "ply", [None, 7, True, "3"]),
        (4, "seat", [3, -1, 0.0, True, "0"]),
        (4, "move", [None, 3, ["3"]]),
        (4, "stance", [3, []]),
        (4, "target", [3, -1, "0"]),
        (4, "value", ["high", [1, 2], [1, 2, None], [1, 2, 10**400]]),
        (4, "matrix", [1, [[1, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0]]]),
        (4, "nodes", [-1, 1.5, "1"]),
        (4, "depth", [-1, True]),
        (-1, "payoff", [None, [1, 2], [1, 2, "3"]]),
        (-1, "winners", [None, 0, [3], [True]]),
    ],
)
def test_every_field_is_checked_and_named(
    path: Path, line: int, name: str, values: list[object]
) -> None:
    whole = path.read_bytes()
    number = line + 1 if line >= 0 else whole.count(b"\n")
    # With another number of players, what has one entry for each is wrong instead.
    named = f"({name}|agents)" if name == "players" else name
    for value in values:
        path.write_bytes(whole)
        change(path, line, **{name: value})
        with pytest.raises(RecordError, match=f"line {number}: {named} is .*, not "):
            read_record(path)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "value",
            lambda v: [v[0], v[1] + 1e-9, v[2]],
            r"value\[1\] is recorded as \d.*, but rerun",
        ),
        ("nodes", lambda n: n + 1, "nodes is recorded as"),
        ("stance", lambda s: "sos", 'stance is recorded as "sos", but rerun as "maxn"'),
        ("matrix", lambda m: [[0, 0, 0], *m[1:]], r"matrix\[0\]\[0\] is recorded as 0, but rerun"),
        ("mood", lambda _: "good", 'mood is recorded as "good", but rerun as nothing'),
    ],
)
def test_a_rerun_says_which_field_differs(path: Path, name: str, value: Any, words: str) -> None:
    entry = next(e for e in read_record(path).plies if e["seat"] == 0)
    change(path, entry["ply"] + 1, **{name: value(entry.get(name))})
    with pytest.raises(DifferenceError, match=f"ply {entry['ply']}: {words}") as caught:
        again(read_record(path))
    assert caught.value.exit_code == 1


def test_a_text_may_hold_what_others_take_for_a_line_end(path: Path) -> None:
    agents = ("maxn\u2028", "\x85\x1c", "\ud800")
    setting = Setting(game="plunder", players=3, agents=agents, seed=1)
    with RecordWriter(path.with_name("odd.jsonl"), setting):
        pass
    assert read_record(path.with_name("odd.jsonl")).setting.agents == agents


def test_a_line_cut_in_the_middle_of_a_letter_is_ignored(path: Path) -> None:
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + '{"ply": 2, "move": "é'.encode()[:-1])
    assert len(read_record(path).plies) == 2


def test_a_full_disk_leaves_every_line_before(path: Path) -> None:
    record = read_record(path)
    small = path.with_name("small.jsonl")
    with full_disk(700), RecordWriter(small, record.setting) as writer:
        refused = r"small\.jsonl can no longer be written: .*; it holds \d+ plies"
        with pytest.raises(MpsearchError, match=refused):
            list(map(writer.write, record.plies))
    assert small.read_bytes().endswith(b"}\n")
    assert read_record(small).plies == record.plies[: writer.plies]
    assert 0 < writer.plies < len(record.plies)


def test_a_disk_without_room_for_the_head_leaves_no_file(tmp_path: Path) -> None:
    setting = Setting(game="plunder", players=3, agents=["random"] * 3, seed=1)
    with full_disk(5), pytest.raises(MpsearchError, match="can no longer be written"):
        RecordWriter(tmp_path / "none.jsonl", setting)
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_is_only_a_bound_is_recorded_as_one() -> None:
    game = table("scramble", players=2).game
    state = game.new()
    for exact in (True, False):
        decision = Decision(move=1, value=np.array([50.0, 40.0]), exact=exact)
        ply = Ply(number=0, seat=0, move=1, decision=decision, before=state, state=state)
        entry = ply_entry(game, ply)
        assert entry["value"] == [50.0, 40.0]
        assert entry.get("bound", False) is not exact


@pytest.mark.parametrize("tail", ["", '{"ply": 1, "se', '{"ply": 1'])
def test_an_interrupted_record_is_resumed_after_its_last_whole_ply(
    tmp_path: Path, tail: str
) -> None:
    path = tmp_path / "game.jsonl"
    setting = Setting(game="scramble", players=2, agents=("random", "random"), seed=1)
    entries = [{"ply": k, "seat": k % 2, "move": "+1"} for k in range(3)]
    with RecordWriter(path, setting) as writer:
        writer.write(entries[0])
    with path.open("a") as file:
        file.write(tail)
    with RecordWriter.resume(path) as writer:
        assert writer.plies == 1
        writer.write(entries[1])
        writer.write(entries[2])
    assert read_record(path).plies == tuple(entries)


def test_a_last_line_that_lacks_only_its_end_is_kept_when_a_record_is_resumed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.jsonl"
    setting = Setting(game="scramble", players=2, agents=("random", "random"), seed=1)
    with RecordWriter(path, setting) as writer:
        writer.write({"ply": 0, "seat": 0, "move": "+1"})
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    known = read_record(path).plies
    with RecordWriter.resume(path) as writer:
        assert writer.plies == len(known) == 1
        writer.write({"ply": 1, "seat": 1, "move": "+1"})
    assert len(read_record(path).plies) == 2
    with pytest.raises(UsageError, match="cannot be written"):
        RecordWriter.resume(tmp_path / "none.jsonl")
