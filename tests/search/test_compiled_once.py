"""What is compiled before a first move is compiled once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mpsearch.catalog import installed
from mpsearch.contracts import CompiledEvaluator
from mpsearch.contracts.equality import snap
from mpsearch.jit import jit_enabled
from mpsearch.table import set_table

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")


def test_a_list_of_moves_has_one_type_for_python_and_for_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba import int64
    from numba import typeof as untyped

    from mpsearch.search.compiled import frame_type
    from mpsearch.search.native import make_parts

    monkeypatch.setenv("MPSEARCH_CACHE", str(tmp_path / "cache"))
    table = set_table(installed(), "scramble", players=5, options={})
    space = table.space("progress")
    rules = space.game.rules
    assert rules is not None
    assert isinstance(space.evaluator, CompiledEvaluator)
    native: Any = rules.moves.native()
    before = set(native.signatures)  # whatever other tests had compiled in this process
    space.game.moves(space.game.new())
    typeof: Any = untyped
    frame = np.zeros(1, frame_type(rules, 5, boxed=False))[0]
    listing = make_parts(rules, space.evaluator.evaluate, None).listing
    listing.compile((typeof(frame), int64))
    state = typeof(frame["state"])
    found = Counter(signature[0] for signature in set(native.signatures) - before)
    assert found[state] <= 1


def test_what_several_parts_use_is_one_function() -> None:
    from mpsearch.search.native import inner

    def closing_over() -> float:
        return scale

    scale = 1.0
    assert inner(snap) is inner(snap)
    assert inner(closing_over) is not inner(closing_over)
