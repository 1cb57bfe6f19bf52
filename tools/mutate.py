"""Mutation run: change the code a little, and see whether the tests notice.

    uv run python tools/mutate.py --sample 100 --minutes 15
    uv run python tools/mutate.py impact match --sample 50 --seed 2
    uv run python tools/mutate.py --list contracts

Each mutation is tried in a temporary copy of the repository with the tests of its part, as plain
Python (MPSEARCH_JIT=0). What was found is kept in a log, so that a run goes on where the last one
ended as long as the file is the same. The exit code is 1 if a mutation survives that
docs/testing.md does not explain.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = ROOT / "docs" / "testing.md"

#: As plain Python these take longer than all others together.
SLOW_AS_PLAIN = [
    "--deselect=tests/search/test_worlds.py::"
    "test_the_value_of_the_move_that_wins_the_vote_is_exact",
    "--deselect=tests/match/test_referee.py::"
    "test_the_same_seed_gives_the_same_game_interpreted_and_compiled",
]
#: Tests by part of the core, the quickest first; a word with a dash is for pytest.
PARTS = {
    "contracts": [
        "tests/contract/test_deferred_parts.py",
        "tests/contract/test_what_is_wrong_is_said.py",
        "tests/kit",
        "tests/agent",
        "tests/contract/test_every_rule_catches_its_breach.py",
        "tests/match/test_possible_draws.py",
        "tests/plugins/test_catalog.py",
    ],
    "search": [
        "tests/search/test_known_examples.py",
        "tests/search/test_worlds.py",
        "tests/search/test_properties.py",
        "tests/search/test_limits.py",
        "tests/social/test_theorems.py",
        *SLOW_AS_PLAIN,
    ],
    "agent": [
        "tests/agent",
        "tests/match/test_referee.py",
        "tests/search/test_worlds.py",
        "tests/table",
        *SLOW_AS_PLAIN,
    ],
    "match": ["tests/match", "tests/table", *SLOW_AS_PLAIN],
    "impact": ["tests/impact"],
    "social": ["tests/social"],
}
#: Not run as plain Python, so that no mutation in it could be noticed.
COMPILED_ONLY = {"search/compiled.py", "match/stretch.py"}

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@attrs.frozen(kw_only=True)
class Mutation:
    """One change of one place in a source."""

    #: Where it is: first line, and the bytes it replaces.
    line: int
    start: int
    end: int
    before: str
    after: str

    def apply(self, source: str) -> str:
        """The source with this change."""
        raw = source.encode()
        return (raw[: self.start] + self.after.encode() + raw[self.end :]).decode()


def mutations(source: str) -> list[Mutation]:
    """Every mutation of a source, in the order of its lines."""
    tree = ast.parse(source)
    starts = [0]
    for row in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    raw, found = source.encode(), []
    for node in _places(tree):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for other in _changes(node):
            text = ast.unparse(ast.fix_missing_locations(other))
            found.append(
                Mutation(
                    line=node.lineno,
                    start=start,
                    end=end,
                    before=" ".join(raw[start:end].decode().split()),
                    after=text if isinstance(node, ast.stmt) else f"({text})",
                )
            )
    return sorted(found, key=lambda m: (m.start, m.end, m.after))


def _places(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Expressions and statements that run: no annotations, decorators, docstrings or f-strings."""
    skipped: list[ast.AST | None] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        skipped = [node.returns, *node.decorator_list]
    elif isinstance(node, ast.ClassDef):
        skipped = [*node.decorator_list]
    elif isinstance(node, (ast.arg, ast.AnnAssign)):
        skipped = [node.annotation]
    elif isinstance(node, ast.JoinedStr) or _for_readers(node):
        return
    if isinstance(node, (ast.expr, ast.stmt)):
        yield node
    for child in ast.iter_child_nodes(node):
        if not any(child is other for other in skipped):
            yield from _places(child)


def _for_readers(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:`, names given to types, and whether a field is shown in a repr."""
    if isinstance(node, ast.keyword):
        return node.arg == "repr"
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    names = {"TypeAlias", "TypeVar"}
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.annotation, ast.Name) and node.annotation.id in names
    return False


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[index] = _COMPARE[type(operator)]()
            yield changed
    elif isinstance(node, ast.BoolOp):
        changed_bool = copy.deepcopy(node)
        changed_bool.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield changed_bool
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC and not _is_text(node):
        changed_sum = copy.deepcopy(node)
        changed_sum.op = _ARITHMETIC[type(node.op)]()
        yield changed_sum
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, (int, float)):
            yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield copy.deepcopy(node.body)
        yield copy.deepcopy(node.orelse)
    elif isinstance(node, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()


def _is_text(node: ast.BinOp) -> bool:
    """Whether a text is put together, or one is filled in."""
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in ast.walk(node)
    )


@attrs.frozen(kw_only=True)
class Try:
    """A mutation of a file of the core, and the part whose tests must notice it."""

    part: str
    #: From the core's folder.
    path: str
    source: str = attrs.field(repr=False)
    mutation: Mutation

    @property
    def key(self) -> str:
        """The same for the same change of the same source."""
        digest = hashlib.sha256(self.source.encode()).hexdigest()[:12]
        m = self.mutation
        return f"{self.path}:{digest}:{m.start}:{m.after}"

    @property
    def explanation(self) -> tuple[str, str, str]:
        """What docs/testing.md would call it."""
        return self.path, self.mutation.before, self.mutation.after

    def __str__(self) -> str:
        m = self.mutation
        return f"mpsearch/{self.path}:{m.line}  {m.before}  ->  {m.after}"


def tries(parts: list[str], root: Path = ROOT) -> list[Try]:
    """Everything that can be tried in some parts of the core."""
    found = []
    for part in parts:
        for file in sorted((root / "mpsearch" / part).rglob("*.py")):
            path = file.relative_to(root / "mpsearch").as_posix()
            if path not in COMPILED_ONLY:
                source = file.read_text(encoding="utf-8")
                found += [
                    Try(part=part, path=path, source=source, mutation=mutation)
                    for mutation in mutations(source)
                ]
    return found


def explained(text: str) -> set[tuple[str, str, str]]:
    """The mutations in a table `| path | before -> after | why |` whose cells are code."""
    row = re.compile(r"^\| `([^`]+\.py)` \| `(.+?)` -> `(.+?)` \| \S.* \|$", re.M)
    return set(row.findall(text))


class Bench:
    """A copy of the repository in which mutations are tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "mpsearch-mutated"
        leave = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "*.jsonl")
        shutil.copytree(ROOT, self.folder, ignore=leave)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPSEARCH_JIT": "0",
            "MPSEARCH_CACHE": str(folder / "cache"),
        }

    def tests(self, part: str, seconds: float | None = None) -> tuple[str, float]:
        """Run the tests of a part: `passed`, `failed` or `stopped`, and how long it took."""
        started = time.monotonic()
        command = [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                [*command, *PARTS[part]],
                cwd=self.folder,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "stopped", time.monotonic() - started
        if done.returncode not in (0, 1, 2):  # 2: a file could not be imported
            raise SystemExit(f"pytest ended with {done.returncode}:\n{done.stdout.decode()}")
        return "passed" if done.returncode == 0 else "failed", time.monotonic() - started

    def outcome(self, trial: Try, seconds: float) -> str:
        """`killed`, `stopped` (the tests went on for ever) or `survived`."""
        file = self.folder / "mpsearch" / trial.path
        file.write_text(trial.mutation.apply(trial.source), encoding="utf-8")
        try:
            found, _ = self.tests(trial.part, seconds)
        finally:
            file.write_text(trial.source, encoding="utf-8")
        return {"passed": "survived", "failed": "killed", "stopped": "stopped"}[found]


def run(chosen: list[Try], log: Path, *, minutes: float) -> dict[str, str]:
    """Try mutations until all are tried or the time is over; outcomes by key."""
    known: dict[str, str] = {}
    if log.exists():
        lines = log.read_text(encoding="utf-8").splitlines()
        known = {entry["key"]: entry["outcome"] for entry in map(json.loads, lines)}
    deadline = time.monotonic() + 60 * minutes
    usual: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, log.open("a", encoding="utf-8") as kept:
        bench = Bench(Path(folder))
        for number, trial in enumerate(chosen):
            if trial.key in known:
                continue
            if time.monotonic() >= deadline:
                print(f"the time is over: {len(chosen) - number} are left", file=sys.stderr)
                break
            if trial.part not in usual:
                found, usual[trial.part] = bench.tests(trial.part)
                if found != "passed":
                    raise SystemExit(f"the tests of {trial.part} fail without any mutation")
            known[trial.key] = bench.outcome(trial, 60 + 5 * usual[trial.part])
            entry = {"key": trial.key, "outcome": known[trial.key], "what": str(trial)}
            print(json.dumps(entry), file=kept, flush=True)
            print(f"{number + 1}/{len(chosen)}  {known[trial.key]:8}  {trial}", flush=True)
    return known


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--sample", type=int, help="how many, drawn at random; all if not given")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn")
    parser.add_argument("--minutes", type=float, default=15.0, help="the longest time (15)")
    parser.add_argument("--log", type=Path, default=ROOT / "mutation.jsonl", help="what is known")
    parser.add_argument("--list", action="store_true", help="only list the mutations")
    given = parser.parse_args()
    unknown = [part for part in given.parts if part not in PARTS]
    if unknown:
        parser.error(f"unknown part '{unknown[0]}'; there is {', '.join(PARTS)}")
    chosen = tries(given.parts or list(PARTS))
    if given.sample is not None and given.sample < len(chosen):
        chosen = random.Random(given.seed).sample(chosen, given.sample)
        chosen.sort(key=lambda t: (t.part, t.path, t.mutation.start))
    if given.list:
        print("\n".join(map(str, chosen)))
        return 0
    known = run(chosen, given.log, minutes=given.minutes)
    tried = [trial for trial in chosen if trial.key in known]
    alive = [trial for trial in tried if known[trial.key] == "survived"]
    reasons = explained(EXPLAINED.read_text(encoding="utf-8"))
    new = [trial for trial in alive if trial.explanation not in reasons]
    print(f"{len(tried)} tried, {len(alive)} survived, {len(new)} of them not explained")
    for trial in new:
        print(f"  {trial}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
