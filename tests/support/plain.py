"""Tests as plain Python: a script run with and without the compiler, and sizes for both."""

import os
import subprocess
import sys

from mpsearch.jit import jit_enabled


def fewer(usual: int, plain: int) -> int:
    """The size of a test: `plain` with MPSEARCH_JIT=0, where all takes up to 100 times as long."""
    return usual if jit_enabled() else plain


def outputs(script: str) -> tuple[str, str]:
    """What a script prints compiled, and as plain Python; a warning is an error."""

    def printed(jit: str) -> str:
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            env={**os.environ, "MPSEARCH_JIT": jit},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    return printed("1"), printed("0")
