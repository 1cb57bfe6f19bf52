"""Tests as plain Python: a script run with and without the compiler, and sizes for both."""

import os

from mpsearch.jit import jit_enabled
from support.forked import run_forked


def fewer(usual: int, plain: int) -> int:
    """The size of a test: `plain` with MPSEARCH_JIT=0, where all takes up to 100 times as long."""
    return usual if jit_enabled() else plain


def outputs(script: str) -> tuple[str, str]:
    """What a script prints compiled, and as plain Python; a warning is an error."""
    strict = f"import warnings; warnings.simplefilter('error')\n{script}"

    def printed(jit: str) -> str:
        return run_forked(strict, env={**os.environ, "MPSEARCH_JIT": jit}, check=True).stdout

    return printed("1"), printed("0")
