"""A script run twice: compiled, and as plain Python."""

import os
import subprocess
import sys


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
