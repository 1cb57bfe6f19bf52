"""docs/results/training.md shows what the shipped weights say of their own making."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("curves", ROOT / "tools" / "learning_curves.py")
assert spec is not None
assert spec.loader is not None
curves = importlib.util.module_from_spec(spec)
spec.loader.exec_module(curves)

PAGE = (ROOT / "docs" / "results" / "training.md").read_text(encoding="utf-8")
SHIPPED = curves.shipped()


def test_every_round_of_every_file_is_in_the_table() -> None:
    assert len(SHIPPED) >= 5
    assert [row for row in curves.rows(SHIPPED) if row not in PAGE] == []


@pytest.mark.parametrize(("name", "document"), SHIPPED, ids=[name for name, _ in SHIPPED])
def test_weights_say_what_made_them(name: str, document: dict[str, object]) -> None:
    assert str(document["command"]).startswith("mpsearch train ")
    assert {"seed", "versions", "players", "options", "results"} <= set(document)
