"""The store keeps what is finished, once, and says what is wrong in one line."""

import sqlite3
from pathlib import Path

import pytest

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.experiments.store import Store


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        store.bind({"game": "x"}, text="game = 'x'")
        assert store.add("b", 1, {"payoff": [1, 0]}, b"record")
        assert store.add("a", 1, {"payoff": [0, 1]})
        assert store.add("b", 0, {"payoff": [0, 0]})
    with Store(tmp_path / "a.db", read_only=True) as store:
        assert list(store.rows()) == [
            ("b", 0, {"payoff": [0, 0]}),
            ("a", 1, {"payoff": [0, 1]}),
            ("b", 1, {"payoff": [1, 0]}),
        ]
        assert store.done() == {("b", 0), ("a", 1), ("b", 1)}
        assert store.record("b", 1) == b"record"
        assert store.record("a", 1) is None
        assert (store.text, store.about) == ("game = 'x'", {"game": "x"})


def test_nothing_is_counted_twice() -> None:
    with Store(None) as store:
        assert store.add("a", 0, 1)
        assert not store.add("a", 0, 2)
        assert list(store.rows()) == [("a", 0, 1)]


def test_another_experiment_is_refused_with_what_differs(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        store.bind({"seed": 1, "arms": {"x": ["maxn"], "y": ["sos"]}})
    cases = {
        "seed is 1 there and 2 here": {"seed": 2, "arms": {"x": ["maxn"], "y": ["sos"]}},
        r"arms\.y is \[\"sos\"\] there": {"seed": 1, "arms": {"x": ["maxn"], "y": ["maxn"]}},
        r"arms\.z is not in it": {"seed": 1, "arms": {"x": ["maxn"], "y": ["sos"], "z": []}},
        r"it has arms\.y, which": {"seed": 1, "arms": {"x": ["maxn"]}},
    }
    for words, about in cases.items():
        with Store(tmp_path / "a.db") as store, pytest.raises(UsageError, match=words):
            store.bind(about)


def test_two_runs_cannot_have_one_file_but_a_reader_can(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        store.add("a", 0, 1)
        with pytest.raises(MpsearchError, match="in use by another run"):
            Store(path)
        with Store(path, read_only=True) as reader:
            assert len(reader) == 1
    with Store(path) as store:
        assert len(store) == 1


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        # SQLite behaves as on a full disk once the file may not grow.
        pages = store._db.execute("pragma page_count").fetchone()[0]
        store._db.execute(f"pragma max_page_count = {pages + 20}")
        kept, message = 0, ""
        while not message:
            try:
                store.add("a", kept, "x" * 500)
                kept += 1
            except MpsearchError as error:
                message = str(error)
        assert message == (
            f"{path} cannot be used: database or disk is full; games finished before are kept"
        )
    assert kept > 20
    with Store(path) as store:
        assert store.done() == {("a", number) for number in range(kept)}
        assert store.add("a", kept, 1)


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("a text that is no database " * 100)
    with pytest.raises(MpsearchError, match="cannot be used"):
        Store(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("create table t (x)")
    with pytest.raises(UsageError, match="is not the store of an experiment"):
        Store(other)
    with pytest.raises(UsageError, match="there is no such file"):
        Store(tmp_path / "none.db", read_only=True)
    with pytest.raises(UsageError, match="there is no folder"):
        Store(tmp_path / "none" / "a.db")
