"""Small programs that speak the engine protocol, well and badly."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

_HEAD = """
import json, os, sys, time
log = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
def say(*words): print(*words, flush=True)
for line in sys.stdin:
    if log: log.write(line); log.flush()
    word, _, rest = line.strip().partition(" ")
    if word == "mpsearch": say("mpsearch", 1)
    elif word == "ready": say("ready")
    elif word == "turn": turn = json.loads(rest); say("ok")
    elif word == "quit": break
"""

#: What each does when it is to move; the others are as good as any.
GO = {
    "first": 'say("bestmove", turn["moves"][0])',
    "last": """say('info {"value": [1, 2, 3], "nodes": 7, "depth": 2}'); """
    """say("bestmove", turn["moves"][-1])""",
    "hangs": "time.sleep(1000)",
    "dies": "os._exit(7)",
    "cheats": 'say("bestmove castle")',
    "complains": 'say("error I do not know")',
    "floods": 'sys.stdout.write("x" * 3_000_001); say("bestmove", turn["moves"][0])',
}


def program(folder: Path, name: str, *words: str) -> str:
    """The command of such a program."""
    path = folder / f"{name}.py"
    path.write_text(
        f'{_HEAD}    elif word == "go": {GO[name]}\n    else: say("ok")\n', encoding="utf-8"
    )
    return shlex.join([sys.executable, str(path), *words])
