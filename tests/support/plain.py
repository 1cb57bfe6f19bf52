"""Tests as plain Python: a script run with and without the compiler, and sizes for both."""

import os

from mpsearch.jit import jit_enabled
from support.forked import run_forked


def fewer(usual: int, plain: int) -> int:
    """The size of a test: `plain` with MPSEARCH_JIT=0, where all takes up to 100 times as long."""
    return usual if jit_enabled() else plain


def same_digest(script: str) -> None:
    """A script prints the same digest compiled and as plain Python; a warning is an error."""
    strict = f"import warnings; warnings.simplefilter('error')\n{script}"

    def printed(jit: str) -> str:
        return run_forked(strict, env={**os.environ, "MPSEARCH_JIT": jit}, check=True).stdout

    compiled, plain = printed("1"), printed("0")
    assert len(plain.split()[0]) == 64
    assert compiled == plain
