"""The mutation run changes what runs, one place at a time, and knows what is explained."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("mutate", ROOT / "tools" / "mutate.py")
assert spec is not None
assert spec.loader is not None
mutate = importlib.util.module_from_spec(spec)
sys.modules["mutate"] = mutate
spec.loader.exec_module(mutate)

SOURCE = '''"""Größe > 1 and 2."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT = 3
@decorated(depth=4)
def f(x: int | None = 5, *, wide: bool = True) -> int | str:
    """Not 6."""
    if not x or x >= 7:
        raise ValueError(f"{x + 8} is über 9")
    check(x)
    return -x * 2 if wide else x
'''


def changes() -> list[tuple[str, str]]:
    return [(m.before, m.after) for m in mutate.mutations(SOURCE)]


def test_every_kind_of_change_is_made_and_nothing_is_changed_that_does_not_run() -> None:
    assert sorted(changes()) == sorted(
        [
            ("5", "(6)"),
            ("True", "(False)"),
            ("not x or x >= 7", "(not x and x >= 7)"),
            ("not x", "(x)"),
            ("x >= 7", "(x > 7)"),
            ("7", "(8)"),
            ('raise ValueError(f"{x + 8} is über 9")', "pass"),
            ("check(x)", "pass"),
            ("-x * 2 if wide else x", "(-x * 2)"),
            ("-x * 2 if wide else x", "(x)"),
            ("-x * 2", "(-x / 2)"),
            ("-x", "(x)"),
            ("2", "(3)"),
        ]
    )


def test_a_mutation_changes_its_own_place_and_nothing_else() -> None:
    """Also behind letters that take several bytes."""
    trees = set()
    for mutation in mutate.mutations(SOURCE):
        changed = mutation.apply(SOURCE)
        lines = list(zip(SOURCE.splitlines(), changed.splitlines(), strict=True))
        assert [number for number, (a, b) in enumerate(lines, 1) if a != b] == [mutation.line]
        trees.add(ast.dump(ast.parse(changed)))
    assert len(trees) == len(changes())
    assert ast.dump(ast.parse(SOURCE)) not in trees


def _path(word: str) -> str:
    """The file that a word for pytest names."""
    return word.removeprefix("--deselect=").partition("::")[0]


def test_every_part_and_every_test_of_it_is_there() -> None:
    for part, tests in mutate.PARTS.items():
        assert mutate.tries([part])
        assert [path for path in map(_path, tests) if not (ROOT / path).exists()] == []


def test_the_log_knows_a_mutation_until_its_file_is_changed() -> None:
    mutation = mutate.mutations(SOURCE)[0]
    tried = [
        mutate.Try(part="search", path="search/x.py", source=source, mutation=mutation)
        for source in (SOURCE, SOURCE, SOURCE + "\n")
    ]
    assert tried[0].key == tried[1].key != tried[2].key


@pytest.mark.parametrize(
    ("row", "known"),
    [
        ("| `a/b.py` | `x > 1` -> `(x >= 1)` | x is never 1 |", True),
        ("| `a/b.py` | `x > 1` -> `(x >= 1)` |  |", False),
        ("`a/b.py`: `x > 1` -> `(x >= 1)`", False),
    ],
)
def test_a_survivor_is_explained_by_a_row_that_says_why(row: str, known: bool) -> None:
    assert (("a/b.py", "x > 1", "(x >= 1)") in mutate.explained(f"text\n{row}\ntext")) == known


def test_what_is_explained_can_still_be_tried() -> None:
    """An explanation of code that is gone is removed with it."""
    there = {trial.explanation for trial in mutate.tries(list(mutate.PARTS))}
    assert mutate.explained((ROOT / "docs" / "testing.md").read_text(encoding="utf-8")) <= there
