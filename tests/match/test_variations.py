"""Variations: saved beside the game, read back, skipped by readers that do not know them."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from support.fuzz import junk_value

import mpsearch
from mpsearch.api import table_of
from mpsearch.cli import run
from mpsearch.contracts import CHANCE
from mpsearch.errors import DifferenceError, MpsearchError, RecordError, UsageError
from mpsearch.match import Record, VariationTree, read_record, recalled, write_variations
from mpsearch.match.variations import MOST


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The record of a finished game of plunder: hidden hands, and a die."""
    path = tmp_path / "game.jsonl"
    agents = ("maxn:depth=1,worlds=2", "sos:depth=1,worlds=2", "random")
    mpsearch.play("plunder", *agents, seed=12, cards=4).save(path)
    return path


def tree_of(record: Record, *, seat: int | None = None) -> VariationTree:
    game = table_of(record.setting).game
    plies = list(recalled(game, record))
    first = record.setting.first_state(game)
    tree = VariationTree(game, first, plies, record.plies, seat=seat)
    if seat is None:
        tree.recall(record.variations)
    return tree


def grown(tree: VariationTree, seed: int, moves: int) -> VariationTree:
    """A tree with some moves at random positions, of the game and of its variations."""
    rng = random.Random(seed)
    for _ in range(moves):
        here = tree[
            rng.choice([*(p.number for p in tree.played), *(p.number for p in tree.variations)])
        ]
        mover = tree.game.mover(here.state)
        if mover >= 0:
            tree.play(
                here,
                rng.choice(list(tree.game.moves(here.state))),
                agent=rng.choice([None, "maxn"]),
            )
        elif mover == CHANCE and tree.game.chance(here.state):
            tree.play(here, rng.choice([outcome for outcome, _ in tree.game.chance(here.state)]))
    return tree


def told(tree: VariationTree) -> list[tuple[list[str], Any]]:
    """Every variation as the moves that lead to it, and the state after them."""
    return [
        ([step.entry["move"] for step in position.line], position.state)
        for position in tree.variations
    ]


def test_variations_come_back_as_they_were_and_the_game_stays(path: Path) -> None:
    before = path.read_bytes()
    record = read_record(path)
    for seed in range(5):
        tree = grown(tree_of(record), seed, 60)
        assert len(tree.variations) > 20
        write_variations(path, tree.entries())
        again = read_record(path)
        assert told(tree_of(again)) == told(tree)
        assert tree_of(again).entries() == tree.entries() == [*again.variations]
        assert (again.lines, again.setting) == (record.lines, record.setting)
        record = read_record(path)
        record = Record(setting=record.setting, lines=record.lines, payoff=record.payoff)
    write_variations(path, [])
    assert path.read_bytes() == before


def test_what_reads_records_is_not_troubled_by_variations(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_variations(path, grown(tree_of(read_record(path)), 1, 40).entries())
    assert run(["replay", str(path), "--check"]) == 0
    assert "the agents repeat it exactly" in capsys.readouterr().out
    assert run(["review", str(path), "--agent", "maxn:depth=1,worlds=1"]) == 0
    head = json.loads(path.read_text().splitlines()[0])
    # A reader of the same format that knows nothing of them looks for these fields alone.
    known = {
        "record",
        "mpsearch",
        "game",
        "players",
        "options",
        "agents",
        "seed",
        "start",
        "opening",
    }
    assert set(head) == known | {"variations"}
    assert (head["record"], path.stat().st_mode & 0o777) == (1, 0o600)


def test_the_same_move_leads_to_the_same_position(path: Path) -> None:
    tree = tree_of(read_record(path))
    turn = next(p for p in tree.played if tree.game.mover(p.state) >= 0)
    next_one = tree.played[turn.number + 1]
    assert next_one.ply is not None
    assert tree.play(turn, next_one.ply.move) is next_one
    moves = list(tree.game.moves(turn.state))
    other = next(move for move in moves if move != next_one.ply.move)
    tried = tree.play(turn, other)
    assert tree.play(turn, other) is tried
    assert (tried.plies, tried.played, tried.parent) == (turn.plies + 1, False, turn)


def test_a_variation_is_removed_with_all_that_follows_it(path: Path) -> None:
    tree = grown(tree_of(read_record(path)), 3, 60)
    parent = next(p for p in tree.variations if p.children)
    gone = [p.number for p in tree.variations if parent in p.line]
    rest = [
        moves
        for moves, _ in told(tree)
        if moves[: len(parent.line)] != [p.entry["move"] for p in parent.line]
    ]
    tree.remove(parent.number)
    assert [moves for moves, _ in told(tree)] == rest
    for number in gone:
        with pytest.raises(UsageError, match=f"there is no position {number}"):
            tree[number]
    with pytest.raises(UsageError, match="the moves of the game itself stay"):
        tree.remove(tree.played[2].number)
    with pytest.raises(UsageError, match="the moves of the game itself stay"):
        tree.remove(0)


def test_a_move_that_was_a_secret_is_compared_with_nothing(path: Path) -> None:
    """For one seat, trying the move that another really made leads to a position of its own."""
    record = read_record(path)
    tree = tree_of(record, seat=0)
    game = tree.game
    for here, after in zip(tree.played, tree.played[1:], strict=False):
        assert after.ply is not None
        if after.ply.seat >= 0 and after.ply.move in game.moves(here.state):
            assert (tree.play(here, after.ply.move) is after) == (after.ply.seat == 0)


def test_there_is_an_end_to_trying(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsearch.match.variations.MOST", 5)
    with pytest.raises(MpsearchError, match="5 moves have been tried"):
        grown(tree_of(read_record(path)), 1, 60)
    assert MOST == 5000


HEAD = (
    '{"record": 1, "game": "scramble", "players": 2, "options": {}, '
    '"agents": ["random", "random"], "seed": 1, "variations": %s}\n'
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7", "line 1: variations is 7, not a list"),
        ("[7]", r"line 1: variations\[0\] is not a JSON object: 7"),
        ("[{}]", r"variations\[0\]: after is missing; expected null, or a number of an earlier"),
        ('[{"after": 0}]', r"variations\[0\]: after is 0, not null"),
        ('[{"after": true}]', r"variations\[0\]: after is true, not null"),
        ('[{"after": null, "ply": 1, "seat": 0, "move": "+1"}]', "ply is 1, not 0"),
        ('[{"after": null, "ply": -1, "seat": 0, "move": "+1"}]', "ply is -1, not 0"),
        ('[{"after": null, "ply": 0, "seat": 2, "move": "+1"}]', "seat is 2, not a seat from 0"),
        ('[{"after": null, "ply": 0, "seat": 0, "move": 1}]', "move is 1, not a text"),
        ('[{"after": null, "ply": 0, "seat": 0, "move": "+1", "agent": 3}]', "agent is 3, not a"),
        ('[{"after": null, "ply": 0, "seat": 0, "move": "+1", "value": [1]}]', "not 2 numbers"),
        ("[" * 100_000, "nested too deep"),
    ],
)  # fmt: skip
def test_variations_that_are_none_are_explained(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(HEAD % text)
    with pytest.raises(RecordError, match=words):
        read_record(path)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"move": "+9"}, r"variations\[0\], ply 0: .*'\+9'"),
        ({"seat": 1}, r"variations\[0\], ply 0: it is not the turn of seat 1"),
    ],
)
def test_a_variation_that_breaks_the_rules_is_refused(
    tmp_path: Path, entry: dict[str, Any], words: str
) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(HEAD % json.dumps([{"after": None, "ply": 0, "seat": 0, "move": "+1"} | entry]))
    record = read_record(path)
    with pytest.raises(DifferenceError, match=words):
        tree_of(record)


def test_whatever_stands_in_variations_is_read_or_explained(path: Path) -> None:
    rng, refused = random.Random(4), []
    write_variations(path, grown(tree_of(read_record(path)), 1, 30).entries())
    head, _, rest = path.read_text().partition("\n")
    for _ in range(400):
        entry = json.loads(head)
        target = rng.choice(entry["variations"])
        target[rng.choice([*target, "after", "ply", "agent", "value"])] = junk_value(rng)
        path.write_text(f"{json.dumps(entry)}\n{rest}")
        try:
            tree_of(read_record(path))
        except RecordError as error:
            refused.append(str(error))
    assert 100 < len(refused) < 400
    where = ("variations[", "NaN", "Infinity")
    assert all(any(word in text for word in where) for text in refused)
    assert not any("\n" in text for text in refused)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_says_so_and_stays(path: Path) -> None:
    before = path.read_bytes()
    path.parent.chmod(0o500)
    try:
        with pytest.raises(MpsearchError, match="cannot be written"):
            write_variations(path, [])
    finally:
        path.parent.chmod(0o700)
    assert path.read_bytes() == before


def test_a_full_disk_leaves_the_record_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mpsearch.match.record.write.shutil.copymode", full)
    with pytest.raises(MpsearchError, match="cannot be written: No space left"):
        write_variations(path, grown(tree_of(read_record(path)), 1, 9).entries())
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
