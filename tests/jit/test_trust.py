"""The cache reads only what nobody but the user can have written."""

import logging
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from mpsearch.jit import cache, cache_directory, compiled

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")


def double(x: int) -> int:
    return 2 * x


class Bomb:
    """A pickle that leaves a mark when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


@pytest.fixture
def warnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> pytest.LogCaptureFixture:
    monkeypatch.delenv("MPSEARCH_JIT", raising=False)
    monkeypatch.setenv("MPSEARCH_CACHE", str(tmp_path / "cache"))
    cache_directory.warn_once.cache_clear()
    caplog.set_level(logging.WARNING, logger="mpsearch")
    return caplog


def entry_of(folder: Path) -> Path:
    """The entry of `double`, made and kept."""
    assert compiled(double)(21) == 42
    [entry] = folder.iterdir()
    return entry


@pytest.fixture
def planted(tmp_path: Path, warnings: pytest.LogCaptureFixture) -> Path:
    """An entry that is a bomb, and sound in every other way."""
    entry = entry_of(tmp_path / "cache")
    payload = pickle.dumps(Bomb(tmp_path / "mark"))
    entry.write_bytes(cache._digest(entry.name, payload) + payload)
    return entry


def goes_off(entry: Path) -> bool:
    """Whether a planted entry is read when its function is called, which works in any case."""
    assert compiled(double)(21) == 42
    return (entry.parent.parent / "mark").exists()


def test_folder_is_made_for_the_user_alone(
    tmp_path: Path, warnings: pytest.LogCaptureFixture
) -> None:
    entry = entry_of(tmp_path / "cache")
    assert entry.parent.stat().st_mode & 0o777 == 0o700
    assert warnings.messages == []


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_folder_that_others_can_write_is_not_read(
    planted: Path, warnings: pytest.LogCaptureFixture, mode: int
) -> None:
    folder = planted.parent
    folder.chmod(mode)
    assert not goes_off(planted)
    what = f"{folder} can be written by others; fix it with 'chmod go-w {folder}'"
    assert warnings.messages == [f"machine code is not cached: {what}"]


def test_file_that_others_can_write_is_not_read(
    planted: Path, warnings: pytest.LogCaptureFixture
) -> None:
    planted.chmod(0o666)
    assert not goes_off(planted)
    assert f"chmod go-w {planted}" in warnings.messages[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("whose", ["folder", "file"])
def test_what_belongs_to_another_user_is_not_read(
    planted: Path, warnings: pytest.LogCaptureFixture, whose: str
) -> None:
    given = planted if whose == "file" else planted.parent
    os.chown(given, 12345, 12345)
    assert not goes_off(planted)
    what = f"{given} belongs to another user; set MPSEARCH_CACHE to a folder of your own"
    assert warnings.messages == [f"machine code is not cached: {what}"]


def test_bomb_in_a_trusted_folder_goes_off(planted: Path) -> None:
    """The tests above would notice if it was read."""
    assert goes_off(planted)


def test_without_a_home_it_compiles_and_says_so(
    monkeypatch: pytest.MonkeyPatch, warnings: pytest.LogCaptureFixture
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("MPSEARCH_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert compiled(double)(21) == 42
    assert warnings.messages == [
        "machine code is not cached: there is no home folder; "
        "set MPSEARCH_CACHE to a folder of your own"
    ]
