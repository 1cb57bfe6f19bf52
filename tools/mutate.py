"""Mutation run: change the code a little, and see whether the tests notice.

    uv run python tools/mutate.py --sample 300 --minutes 30
    uv run python tools/mutate.py impact match --sample 50 --seed 2
    uv run python tools/mutate.py --list contracts

Tests run as plain Python (MPSEARCH_JIT=0), in a temporary copy of the repository. A first run notes
which functions each test calls; a mutation is tried with the tests that call its function, the
quickest first. What was found is kept in a log, so that a run goes on where the last one
ended as long as the file is the same. The exit code is 1 if a mutation survives that
docs/testing.md does not explain.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import multiprocessing
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = ROOT / "docs" / "testing.md"
#: What every test needs: loaded once, then forked.
PRELOADED = ["numpy", "numba", "pytest", "hypothesis", "rich.console", "typer"]

#: What is mutated: folders of the core.
PARTS = ("contracts", "search", "agent", "match", "impact", "social", "rivals")
#: What must notice: files and folders of tests that run as plain Python.
TESTS = (
    *("tests/social", "tests/contract", "tests/kit", "tests/agent", "tests/match", "tests/table"),
    *("tests/search", "tests/rivals", "tests/impact", "tests/builtin"),
    "tests/plugins/test_catalog.py",
)
#: Not run as plain Python, so that no mutation in it could be noticed.
COMPILED_ONLY = {
    *("search/compiled.py", "match/stretch.py"),
    *("rivals/replies_compiled.py", "rivals/uct_compiled.py"),
}

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

    #: The function it is in, as Python calls it; empty outside of all functions.
    function: str
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
    for node, function in _places(tree):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for other in _changes(node):
            text = ast.unparse(ast.fix_missing_locations(other))
            found.append(
                Mutation(
                    function=function,
                    line=node.lineno,
                    start=start,
                    end=end,
                    before=" ".join(raw[start:end].decode().split()),
                    after=text if isinstance(node, ast.stmt) else f"({text})",
                )
            )
    return sorted(found, key=lambda m: (m.start, m.end, m.after))


def _places(
    node: ast.AST, function: str = "", scope: str = ""
) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Expressions and statements that run, with the function they are in.

    No annotations, decorators, docstrings or f-strings.
    """
    skipped: list[ast.AST | None] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        skipped = [node.returns, *node.decorator_list]
        function = scope + node.name
        scope = f"{function}.<locals>."
    elif isinstance(node, ast.ClassDef):
        skipped = [*node.decorator_list]
        scope += f"{node.name}."
    elif isinstance(node, (ast.arg, ast.AnnAssign)):
        skipped = [node.annotation]
    elif isinstance(node, ast.JoinedStr) or _for_readers(node):
        return
    if isinstance(node, (ast.expr, ast.stmt)):
        yield node, function
    for child in ast.iter_child_nodes(node):
        if not any(child is other for other in skipped):
            yield from _places(child, function, scope)


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
    """A mutation of a file of the core."""

    part: str
    #: From the core's folder.
    path: str
    source: str = attrs.field(repr=False)
    mutation: Mutation

    @property
    def key(self) -> str:
        """The same for the same change of the same source."""
        m = self.mutation
        return f"{self.path}:{_digest(self.source)}:{m.start}:{m.after}"

    @property
    def explanation(self) -> tuple[str, str, str]:
        """What docs/testing.md would call it."""
        return self.path, self.mutation.before, self.mutation.after

    def __str__(self) -> str:
        m = self.mutation
        return f"mpsearch/{self.path}:{m.line}  {m.before}  ->  {m.after}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def tries(parts: Sequence[str], root: Path = ROOT) -> list[Try]:
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


def sample(everything: list[Try], count: int, seed: int) -> list[Try]:
    """Some mutations, as many of each part as it has, in the order of their places."""
    rng = random.Random(seed)
    parts: dict[str, list[Try]] = defaultdict(list)
    for trial in rng.sample(everything, len(everything)):
        parts[trial.part].append(trial)
    by_turns = [(turn, trial) for drawn in parts.values() for turn, trial in enumerate(drawn)]
    by_turns.sort(key=lambda t: (t[0], t[1].part))
    return sorted(
        (trial for _, trial in by_turns[:count]),
        key=lambda t: (t.part, t.path, t.mutation.start),
    )


def explained(text: str) -> set[tuple[str, str, str]]:
    """The mutations in a table `| path | before -> after | why |` whose cells are code."""
    row = re.compile(r"^\| `([^`]+\.py)` \| `(.+?)` -> `(.+?)` \| \S.* \|$", re.M)
    return set(row.findall(text))


def _pytest(folder: Path, words: list[str]) -> None:
    """A process of its own: run tests, say nothing, end with pytest's exit code."""
    import pytest

    os.chdir(folder)
    sys.path[:0] = [str(folder), str(ROOT / "tools")]
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    # `plain`: why a test fails is of no interest, and rewriting takes long.
    always = ["-q", "-n0", "--assert=plain", "-p", "no:cacheprovider", "-p", "touching"]
    os._exit(pytest.main([*always, *words]))


class Bench:
    """A copy of the repository in which mutations are tried."""

    def __init__(self, folder: Path, root: Path = ROOT, tests: Sequence[str] = TESTS) -> None:
        self.folder = folder / "mpsearch-mutated"
        self.tests = tests
        self.listed = folder / "listed"
        #: By the name of a test: its seconds, and the functions that it calls.
        self.known: dict[str, tuple[float, frozenset[str]]] = {}
        leave = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "*.jsonl")
        shutil.copytree(root, self.folder, ignore=leave)
        os.environ |= {
            "PYTHONPATH": str(self.folder),  # for processes that tests start
            "MPSEARCH_JIT": "0",
            "MPSEARCH_FUZZ": "0.2",  # fewer examples of hypothesis
            "MPSEARCH_CACHE": str(folder / "cache"),
            "OPENBLAS_NUM_THREADS": "1",  # so that a fork is safe
        }
        self._start = multiprocessing.get_context("forkserver")
        self._start.set_forkserver_preload(PRELOADED)

    def _run(self, words: list[str], seconds: float | None) -> int | None:
        """pytest's exit code; None if it took too long."""
        process = self._start.Process(target=_pytest, args=(self.folder, words))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
            return None
        return process.exitcode

    def learn(self, kept: Path) -> None:
        """Note what every test calls; files that did not change since are not run again."""
        there = {
            file.relative_to(self.folder).as_posix(): _digest(file.read_text(encoding="utf-8"))
            for words in self.tests
            for file in sorted(_test_files(self.folder / words))
        }
        lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
        entries = [json.loads(line) for line in lines]
        entries = [e for e in entries if there.get(_file(e["test"])) == e["digest"]]
        known = {_file(entry["test"]) for entry in entries}
        new = [path for path in there if path not in known]
        if new:
            print(f"seeing what the tests of {len(new)} files call", flush=True)
            touching = self.folder / "touching.jsonl"
            self._run(["--touching", str(touching), *new], None)
            for line in touching.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                entries.append({**entry, "digest": there[_file(entry["test"])]})
            touching.unlink()
            kept.write_text("".join(json.dumps(e) + "\n" for e in entries), encoding="utf-8")
        self.known = {e["test"]: (e["seconds"], frozenset(e["runs"])) for e in entries}

    def tests_of(self, trial: Try) -> list[str]:
        """The tests that call its function, or else anything of its file, the quickest first."""
        function = trial.mutation.function
        within = {name for _, runs in self.known.values() for name in runs}
        wanted = {n for n in within if n == f"{trial.path} {function}"}
        wanted = wanted or {n for n in within if n.startswith(f"{trial.path} ")}
        found = [(took, test) for test, (took, runs) in self.known.items() if runs & wanted]
        return [test for _, test in sorted(found)]

    def outcome(self, trial: Try) -> str:
        """`killed`, `stopped` (the tests went on for ever), `survived` or `untested`."""
        tests = self.tests_of(trial)
        if not tests:
            return "untested"
        self.listed.write_text("\n".join(tests), encoding="utf-8")
        file = self.folder / "mpsearch" / trial.path
        self._write(file, trial.mutation.apply(trial.source))
        try:
            files = sorted({_file(test) for test in tests})
            usual = sum(self.known[test][0] for test in tests)
            code = self._run(["-x", "--listed", str(self.listed), *files], 60 + 5 * usual)
        finally:
            self._write(file, trial.source)
        return {0: "survived", None: "stopped"}.get(code, "killed")

    @staticmethod
    def _write(file: Path, source: str) -> None:
        """Python tells sources of one second and one size not apart: its own copy is removed."""
        file.write_text(source, encoding="utf-8")
        for copied in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            copied.unlink()


def _file(test: str) -> str:
    return test.partition("::")[0]


def _test_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else [*path.rglob("test_*.py")]


def run(chosen: list[Try], log: Path, *, minutes: float) -> dict[str, str]:
    """Try mutations until all are tried or the time is over; outcomes by key."""
    known: dict[str, str] = {}
    if log.exists():
        lines = log.read_text(encoding="utf-8").splitlines()
        known = {entry["key"]: entry["outcome"] for entry in map(json.loads, lines)}
    with tempfile.TemporaryDirectory() as folder, log.open("a", encoding="utf-8") as kept:
        bench = Bench(Path(folder))
        bench.learn(log.with_suffix(".tests.jsonl"))
        deadline = time.monotonic() + 60 * minutes
        for number, trial in enumerate(chosen):
            if trial.key in known:
                continue
            if time.monotonic() >= deadline:
                print(f"the time is over: {len(chosen) - number} are left", file=sys.stderr)
                break
            known[trial.key] = bench.outcome(trial)
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
    chosen = tries(given.parts or PARTS)
    if given.sample is not None:
        chosen = sample(chosen, given.sample, given.seed)
    if given.list:
        print("\n".join(map(str, chosen)))
        return 0
    known = run(chosen, given.log, minutes=given.minutes)
    tried = [trial for trial in chosen if trial.key in known]
    alive = [trial for trial in tried if known[trial.key] in ("survived", "untested")]
    reasons = explained(EXPLAINED.read_text(encoding="utf-8"))
    new = [trial for trial in alive if trial.explanation not in reasons]
    print(f"{len(tried)} tried, {len(alive)} survived, {len(new)} of them not explained")
    for trial in new:
        print(f"  {trial}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
