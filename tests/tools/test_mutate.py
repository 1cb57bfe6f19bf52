"""The mutation run changes what runs, one place at a time, and knows what is explained."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import mutate
import pytest
from mutations import Mutation, mutations

ROOT = Path(__file__).parents[2]

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
    return [(m.before, m.after) for m in mutations(SOURCE)]


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
    for mutation in mutations(SOURCE):
        changed = mutation.apply(SOURCE)
        lines = list(zip(SOURCE.splitlines(), changed.splitlines(), strict=True))
        assert [number for number, (a, b) in enumerate(lines, 1) if a != b] == [mutation.line]
        trees.add(ast.dump(ast.parse(changed)))
    assert len(trees) == len(changes())
    assert ast.dump(ast.parse(SOURCE)) not in trees


def test_every_mutation_knows_the_function_it_is_in() -> None:
    source = "A = 1\nclass B:\n  c = 2\n  def d(self, e=3):\n    return [lambda: 4 for f in g(5)]\n"
    found = [(m.before, m.function) for m in mutations(source)]
    assert found == [("1", ""), ("2", ""), ("3", ""), ("4", "B.d"), ("5", "B.d")]


def test_every_part_and_every_test_of_it_is_there() -> None:
    assert {trial.part for trial in mutate.tries(mutate.PARTS)} == set(mutate.PARTS)
    assert [path for path in mutate.TESTS if not (ROOT / path).exists()] == []
    assert [path for path in mutate.COMPILED_ONLY if not (ROOT / "mpsearch" / path).exists()] == []


def test_a_sample_has_as_many_of_each_part() -> None:
    everything = mutate.tries(mutate.PARTS)
    parts = [trial.part for trial in mutate.sample(everything, 7 * 5, seed=1)]
    assert {part: parts.count(part) for part in mutate.PARTS} == dict.fromkeys(mutate.PARTS, 5)
    assert len(mutate.sample(everything, len(everything) + 1, seed=1)) == len(everything)


TINY = """
LIMIT = 3

def clipped(x):
    def over():
        return x > LIMIT
    while x < 0:
        x += 1
    return LIMIT if over() else x
"""
TESTS_OF_TINY = """
from mpsearch.social.tiny import clipped

def test_what_is_too_much_is_clipped():
    assert (clipped(5), clipped(-1)) == (3, 0)
"""
#: The same, with what is tested imported only when it is needed.
LATER = """
def test_what_is_too_much_is_clipped():
    from mpsearch.social.tiny import clipped
    assert (clipped(5), clipped(-1)) == (3, 0)
"""
TRY_TINY = """
import json, mutate, sys, trying
from pathlib import Path
root, trying.LIMIT = Path(sys.argv[1]), 0.5
chosen = mutate.tries(["social"], root)
found = mutate.run(chosen, root / "log.jsonl", minutes=9, root=root, tests=["tests"])
print(json.dumps({f"{t.mutation.before} -> {t.mutation.after}": found[t.key] for t in chosen}))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("tests", [TESTS_OF_TINY, LATER], ids=["at once", "later"])
def test_mutations_are_killed_by_the_tests_that_call_their_function(
    tests: str, tmp_path: Path
) -> None:
    """In functions, within functions and at import; what goes on for ever is stopped."""
    files = {
        "mpsearch/__init__.py": "",
        "mpsearch/social/__init__.py": "",
        "mpsearch/social/tiny.py": TINY,
        "tests/test_tiny.py": tests,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", TRY_TINY, str(tmp_path)],
        cwd=ROOT / "tools",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "3 -> (4)": "killed",
        "x > LIMIT -> (x >= LIMIT)": "survived",
        "x < 0 -> (x <= 0)": "killed",
        "0 -> (1)": "killed",
        "x += 1 -> pass": "stopped",
        "1 -> (2)": "killed",
        "LIMIT if over() else x -> (LIMIT)": "killed",
        "LIMIT if over() else x -> (x)": "killed",
    }
    assert (tmp_path / "mpsearch/social/tiny.py").read_text(encoding="utf-8") == TINY


def test_the_log_knows_a_mutation_until_its_file_is_changed() -> None:
    mutation: Mutation = mutations(SOURCE)[0]
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
    there = {trial.explanation for trial in mutate.tries(mutate.PARTS)}
    assert mutate.explained((ROOT / "docs" / "testing.md").read_text(encoding="utf-8")) <= there
