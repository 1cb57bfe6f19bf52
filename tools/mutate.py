"""Mutation run: change the code a little, and see whether the tests notice.

    uv run python tools/mutate.py --sample 300 --minutes 30
    uv run python tools/mutate.py impact match --sample 50 --seed 2
    uv run python tools/mutate.py --list contracts

Tests run as plain Python (MPSEARCH_JIT=0), in a temporary copy of the repository. First it is noted
which functions each test calls; a mutation is tried with the tests that call its function, the
quickest first. What was found is kept in a log, so that a run goes on where the last one
ended as long as the file is the same. The exit code is 1 if a mutation survives that
docs/testing.md does not explain.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from mutations import Mutation, mutations
from trying import Trying

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = ROOT / "docs" / "testing.md"

#: What is mutated: folders of the core.
PARTS = ("contracts", "search", "agent", "match", "impact", "social", "rivals")
#: What must notice: files and folders of tests that run as plain Python. Of tests/search not the
#: files with hundreds of trees: test_properties.py and test_drawn_boxes.py draw their own.
TESTS = (
    *("tests/social", "tests/contract", "tests/kit", "tests/agent", "tests/match", "tests/table"),
    *("tests/rivals", "tests/impact", "tests/builtin", "tests/plugins/test_catalog.py"),
    "tests/search/test_drawn_boxes.py",
    "tests/search/test_equality.py",
    "tests/search/test_known_examples.py",
    "tests/search/test_leaf_order.py",
    "tests/search/test_limits.py",
    "tests/search/test_perft.py",
    "tests/search/test_properties.py",
    "tests/search/test_traced.py",
    "tests/search/test_worlds.py",
)
#: Not run as plain Python, so that no mutation in it could be noticed.
COMPILED_ONLY = {
    *("search/compiled.py", "search/native.py", "search/one_ply.py"),
    *("match/stretch.py", "agent/policies.py"),
    *("rivals/replies_compiled.py", "rivals/uct_compiled.py"),
}


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
    """Some mutations, as many of each part as it has, in the order of their places.

    What is drawn of a part does not depend on the other parts: a run can be done part by part.
    """
    parts: dict[str, list[Try]] = defaultdict(list)
    for trial in everything:
        parts[trial.part].append(trial)
    by_turns = []
    for part, there in parts.items():
        drawn = random.Random(f"{seed} {part}").sample(there, len(there))
        by_turns += list(enumerate(drawn))
    by_turns.sort(key=lambda t: (t[0], t[1].part))
    return sorted(
        (trial for _, trial in by_turns[:count]),
        key=lambda t: (t.part, t.path, t.mutation.start),
    )


def explained(text: str) -> set[tuple[str, str, str]]:
    """The mutations in a table `| path | before -> after | why |` whose cells are code."""
    row = re.compile(r"^\| `([^`]+\.py)` \| `(.+?)` -> `(.+?)` \| \S.* \|$", re.M)
    return set(row.findall(text))


def run(
    chosen: list[Try], log: Path, *, minutes: float, root: Path = ROOT, tests: Sequence[str] = TESTS
) -> dict[str, str]:
    """Try mutations until all are tried or the time is over; outcomes by key.

    In this process: nothing of the core may be imported yet.
    """
    known: dict[str, str] = {}
    if log.exists():
        lines = log.read_text(encoding="utf-8").splitlines()
        known = {entry["key"]: entry["outcome"] for entry in map(json.loads, lines)}

    def try_all(trying: Trying) -> None:
        deadline = time.monotonic() + 60 * minutes
        left = [trial for trial in chosen if trial.key not in known]
        for number, trial in enumerate(left):
            if time.monotonic() >= deadline:
                print(f"the time is over: {len(left) - number} are left", file=sys.stderr)
                break
            m = trial.mutation
            after = m.apply(trial.source)
            outcome = trying.outcome(trial.path, m.function, trial.source, after)
            known[trial.key] = outcome
            with log.open("a", encoding="utf-8") as kept:
                entry = {"key": trial.key, "outcome": outcome, "what": str(trial)}
                print(json.dumps(entry), file=kept)
            print(f"{number + 1}/{len(left)}  {outcome:8}  {trial}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "mutated"
        leave = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "*.jsonl")
        shutil.copytree(root, copied, ignore=leave)
        os.environ |= {
            "PYTHONPATH": str(copied),
            "MPSEARCH_JIT": "0",
            "MPSEARCH_FUZZ": "0.1",  # fewer examples of hypothesis
            "MPSEARCH_CACHE": str(Path(folder) / "cache"),
            "OPENBLAS_NUM_THREADS": "1",  # so that a fork is safe
        }
        sys.path.insert(0, str(copied))
        os.chdir(copied)
        # `plain`: why a test fails is of no interest, and rewriting takes long. Without capture
        # the outcomes are seen; the tests themselves are silent.
        words = ["-q", "-n0", "-s", "--assert=plain", "-p", "no:cacheprovider", *tests]
        kept = log.with_suffix(".tests.jsonl")
        code = pytest.main(words, [Trying(copied / "mpsearch", kept, try_all)])
        os.chdir(root)
    if code:
        raise SystemExit(f"pytest ended with {code}")
    return known


def _told(part: str, tried: int, alive: int, new: int) -> str:
    caught, explained = tried - alive, alive - new
    return (
        f"{part:10} {tried} tried, {caught} caught, {alive} survived, {explained} of them explained"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--sample", type=int, help="how many, drawn at random; all if not given")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn")
    parser.add_argument("--minutes", type=float, default=15.0, help="the longest time (15)")
    parser.add_argument("--log", type=Path, default=ROOT / "mutation.jsonl", help="what is known")
    parser.add_argument(
        "--tests", nargs="+", default=TESTS, help="files and folders of tests that must notice"
    )
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
    known = run(chosen, given.log.resolve(), minutes=given.minutes, tests=given.tests)
    tried = [trial for trial in chosen if trial.key in known]
    alive = [trial for trial in tried if known[trial.key] in ("survived", "untested")]
    reasons = explained(EXPLAINED.read_text(encoding="utf-8"))
    new = [trial for trial in alive if trial.explanation not in reasons]
    for part in sorted({trial.part for trial in tried}):
        counts = [sum(t.part == part for t in some) for some in (tried, alive, new)]
        print(_told(part, *counts))
    print(_told("all", len(tried), len(alive), len(new)))
    for trial in new:
        print(f"  {trial}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
