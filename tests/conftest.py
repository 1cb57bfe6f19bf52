"""For all tests: what a game leaves in the user's folders goes to a folder of the test."""

import contextlib
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where games at the terminal are recorded unasked."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No child process compiles behind a test's back: the next one would be plain Python."""
    for user in (
        "mpsearch.web.session",
        "mpsearch.cli.commands.play",
        "mpsearch.cli.commands.search",
    ):
        with contextlib.suppress(ImportError):  # without the extra there is no page
            monkeypatch.setattr(f"{user}.warm_up_elsewhere", lambda *_: False)
