"""Signals at any instant, over many commands: each ends at once, with one line."""

import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest
from support.fuzz import counts, generator
from support.processes import COUNTING, WORDS, ended, start, wait_until_watching

if sys.platform == "win32":
    pytest.skip("signals as on Unix", allow_module_level=True)

#: What is worth interrupting; some of it with a cold cache.
COMMANDS = (
    ["games"],
    ["plugins", "--check"],
    COUNTING,
    ["play", "--game", "hearts", "--seat", "maxn", "--quiet"],
    ["search", "--game", "scramble", "--agent", "maxn:depth=40,prune=no"],
    ["oi", "--game", "plunder", "--depths", "1-2", "--games", "100000", "--json"],
    ["tune", "--game", "scramble", "--evaluator", "share", "--generations", "100000"],
)


def pause(rng: random.Random) -> float:
    return rng.choice((0.0, rng.uniform(0, 0.3), rng.uniform(0, 2), rng.uniform(0, 8)))


@counts(sample=4, full=60)
def test_kills_at_any_instant_end_with_one_line(count: int, tmp_path: Path) -> None:
    rng = generator("kills")
    seconds = []
    for number in range(count):
        command = rng.choice(COMMANDS)
        cold = {"MPSEARCH_CACHE": str(tmp_path / str(number))} if rng.random() < 0.5 else {}
        process = start(*command, env={**os.environ, **cold})
        wait_until_watching(process)
        time.sleep(pause(rng))
        sent = rng.choice((signal.SIGINT, *WORDS))
        before = time.monotonic()
        code, _, said = ended(process, sent)
        if code == 0:
            continue  # it was done already
        seconds.append(time.monotonic() - before)
        assert code == 128 + sent, (command, code, said)
        lines = [line for line in said if line.startswith("mpsearch: ")]
        assert len(lines) == 1, (command, said)
        assert "Traceback" not in "".join(said), (command, said)
    slowest = max(seconds, default=0)
    print(f"{len(seconds)} of {count} ended by a signal, the slowest after {slowest:.2f} s")
