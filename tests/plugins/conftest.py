import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.site import Site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield Site(tmp_path)
    for name in set(sys.modules) - before:
        if name.startswith("dist_"):
            del sys.modules[name]
