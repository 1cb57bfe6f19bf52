"""Damaged stores: one line, exit code 1, and never another result."""

import json
import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from mpsearch.cli import run
from mpsearch.errors import MpsearchError
from mpsearch.experiments.store import DamagedStoreError, Store

DESIGN = """\
name = "d"
game = "scramble"
players = 3
games = 24
seed = 3
baseline = "random"
others = ["random", "random"]
options = { length = 6 }

[arms]
random = "random"
greedy = "greedy"
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 48 games, closed, so that all of it is in one file."""
    folder = tmp_path_factory.mktemp("sound")
    (folder / "d.toml").write_text(DESIGN)
    assert run(["experiment", "run", str(folder / "d.toml")]) == 0
    return folder / "d.db"


def flip_bit(blob: bytearray, chance: random.Random) -> None:
    blob[chance.randrange(len(blob))] ^= 1 << chance.randrange(8)


def overwrite(blob: bytearray, chance: random.Random) -> None:
    at, length = chance.randrange(len(blob)), chance.randrange(1, 64)
    blob[at : at + length] = chance.randbytes(length)


def zero(blob: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(blob) // 512) * 512
    blob[at : at + 512] = bytes(512)


def truncate(blob: bytearray, chance: random.Random) -> None:
    del blob[chance.randrange(len(blob)) :]


def swap_pages(blob: bytearray, chance: random.Random) -> None:
    first, second = (4096 * chance.randrange(len(blob) // 4096) for _ in range(2))
    one, other = blob[first : first + 4096], blob[second : second + 4096]
    blob[first : first + 4096], blob[second : second + 4096] = other, one


def change_digit(blob: bytearray, chance: random.Random) -> None:
    """JSON stays JSON, and says something else."""
    at = chance.choice([found.start() for found in re.finditer(rb"\d", blob)])
    blob[at] = ord("0") + (blob[at] - ord("0") + 1) % 10


KINDS = [flip_bit, overwrite, zero, truncate, swap_pages, change_digit]


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_store_is_named_in_one_line_or_gives_the_same_result(
    kind: Callable[[bytearray, random.Random], None],
    sound: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """210 damaged stores in all, seeds 0 to 34 of each kind."""
    assert run(["experiment", "report", str(sound), "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    wrong: dict[int, str] = {}
    for seed in range(35):
        blob = bytearray(sound.read_bytes())
        kind(blob, random.Random(seed))
        path = tmp_path / f"{seed}.db"
        path.write_bytes(blob)
        code = run(["experiment", "report", str(path), "--json"])
        out, err = capsys.readouterr()
        if code == 0:
            if json.loads(out) != whole:
                wrong[seed] = "another result"
        elif len(err.splitlines()) != 1 or "unexpected" in err or str(path) not in err:
            wrong[seed] = err
    assert wrong == {}


def test_damage_is_said_with_what_to_do(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.db"
    path.write_bytes(sound.read_bytes())
    with sqlite3.connect(path) as database:
        database.execute(
            "update results set result = replace(result, '1', '2') where number = 7 "
            "and arm = 'greedy'"
        )
    with pytest.raises(DamagedStoreError) as caught:
        Store(path, read_only=True)
    assert re.fullmatch(
        rf"{path} is damaged \(game 7 of arm 'greedy'\); restore a backup, or start again in "
        "another file",
        str(caught.value),
    )
    with pytest.raises(MpsearchError, match="is damaged"):
        Store(path)


def test_a_damaged_record_is_found_when_it_is_read(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.db"
    path.write_bytes(sound.read_bytes())
    with sqlite3.connect(path) as database:
        database.execute("update results set record = x'00' where number = 7")
    with Store(path, read_only=True) as store:
        assert store.record("greedy", 6) is not None
        with pytest.raises(DamagedStoreError, match="the record of game 7 of arm 'greedy'"):
            store.record("greedy", 7)


def test_a_row_that_is_gone_is_missed(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.db"
    path.write_bytes(sound.read_bytes())
    with sqlite3.connect(path) as database:
        database.execute("delete from results where number = 7")
    with pytest.raises(DamagedStoreError, match="rows are missing"):
        Store(path, read_only=True)


def without_digests(path: Path) -> None:
    """The store as earlier versions wrote it: layout 1."""
    with sqlite3.connect(path) as database:
        for table in ("about", "results"):
            database.execute(f"alter table {table} drop column digest")
        database.execute("delete from about where key in ('note.plan', 'note.stages')")
        database.execute("pragma user_version = 1")


def test_stores_of_earlier_versions_are_read_and_go_on(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["experiment", "report", str(sound), "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    path = tmp_path / "old.db"
    path.write_bytes(sound.read_bytes())
    without_digests(path)
    assert run(["experiment", "report", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == whole
    with sqlite3.connect(path) as database:
        database.execute("delete from results where number > 20")
    assert run(["experiment", "resume", str(path), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    for row in (*again["agents"], *whole["agents"]):
        del row["seconds"]
    assert again == whole


@pytest.mark.parametrize(("result", "why"), [("{}", "KeyError"), ("no json", "Expecting value")])
def test_an_earlier_store_with_a_senseless_game_is_named(
    result: str, why: str, sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.db"
    path.write_bytes(sound.read_bytes())
    without_digests(path)
    with sqlite3.connect(path) as database:
        database.execute("update results set result = ? where number = 5", (result,))
    assert run(["experiment", "report", str(path)]) == 1
    # A notice about the opening may come before it.
    said = capsys.readouterr().err.splitlines()
    [damage] = [line for line in said if line.startswith("mpsearch: ")]
    assert damage.startswith(f"mpsearch: {path} is damaged (")
    assert why in damage
    assert damage == said[-1]


@pytest.mark.parametrize("command", ["tournament", "oi"])
@pytest.mark.parametrize(
    ("store", "words"),
    [
        (".", ". is a folder; a store is a file"),
        ("/dev/null", "/dev/null is a device or a pipe; a store is a file"),
        ("x" * 300, "cannot be used: File name too long"),
    ],
)
def test_what_cannot_be_a_store_is_wrong_usage(
    command: str, store: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--game", "scramble", "--agent", "random", "--store", store]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
