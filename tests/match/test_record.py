"""Records: written move by move, read back, replayed bit for bit."""

import json
from pathlib import Path

import pytest

from mpsearch.agent import make_agent
from mpsearch.catalog import Catalog, load_catalog
from mpsearch.contracts import Decision
from mpsearch.errors import RecordError
from mpsearch.match import Setting, play_match, read_record, replay, rerun
from mpsearch.match.record import header_entry, ply_entry, result_entry, write_line
from mpsearch.match.referee import Ply


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture
def path(catalog: Catalog, tmp_path: Path) -> Path:
    """The record of a finished game of plunder."""
    agents = ("maxn:depth=2,worlds=3", "sos:worlds=3,depth=1", "random")
    setting = Setting(game="plunder", players=3, options={"cards": 3}, agents=agents, seed=12)
    game = setting.new_game(catalog)
    players = [make_agent(catalog, "plunder", game, text) for text in agents]
    path = tmp_path / "game.jsonl"
    with path.open("w", encoding="utf-8") as file:
        write_line(file, header_entry(setting))
        for ply in play_match(game, players, seed=12):
            write_line(file, ply_entry(game, ply))
            state = ply.state
        write_line(file, result_entry(game.payoff(state)))
    return path


def test_a_record_replays_and_reruns(catalog: Catalog, path: Path) -> None:
    record = read_record(path)
    game = record.setting.new_game(catalog)
    states = list(replay(game, record))
    assert len(states) == len(record.plies) + 1
    assert record.payoff is not None
    assert game.payoff(states[-1]).tolist() == record.payoff.tolist()
    rerun(catalog, record)


def test_every_move_has_its_stance_and_value(path: Path) -> None:
    moves = [entry for entry in read_record(path).plies if entry["seat"] is not None]
    assert {entry["stance"] for entry in moves} == {"maxn", "sos", "random"}
    assert all(len(entry["value"]) == 3 and len(entry["matrix"]) == 3 for entry in moves)


def test_a_record_is_whole_after_every_line(catalog: Catalog, path: Path) -> None:
    """Killed at any byte, what was written before the last line end can be replayed."""
    whole = path.read_bytes()
    head = whole.index(b"\n") + 1
    for end in range(head, len(whole), 97):
        path.write_bytes(whole[:end])
        record = read_record(path)
        game = record.setting.new_game(catalog)
        assert len(list(replay(game, record))) == len(record.plies) + 1
        assert len(record.plies) >= whole[:end].count(b"\n") - 2


def change(path: Path, line: int, **entries: object) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **entries})
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_another_move_is_noticed(catalog: Catalog, path: Path) -> None:
    record = read_record(path)
    line = next(i for i, e in enumerate(record.plies) if e["seat"] == 0) + 1
    game = record.setting.new_game(catalog)
    states = list(replay(game, record))
    other = [m for m in game.moves(states[line - 1]) if str(m) != record.plies[line - 1]["move"]]
    change(path, line, move=str(other[0]))
    with pytest.raises(RecordError, match=r"ply \d+"):
        rerun(catalog, read_record(path))


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
    catalog: Catalog, path: Path, line: int, entries: dict[str, object], words: str
) -> None:
    change(path, line, **entries)
    record = read_record(path)
    with pytest.raises(RecordError, match=words):
        list(replay(record.setting.new_game(catalog), record))


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


def test_a_value_that_is_only_a_bound_is_recorded_as_one(catalog: Catalog) -> None:
    game = catalog.game("scramble", players=2)
    state = game.new()
    for exact in (True, False):
        decision = Decision(move=1, value=[50.0, 40.0], exact=exact)
        ply = Ply(number=0, seat=0, move=1, decision=decision, before=state, state=state)
        entry = ply_entry(game, ply)
        assert entry["value"] == [50.0, 40.0]
        assert entry.get("bound", False) is not exact
