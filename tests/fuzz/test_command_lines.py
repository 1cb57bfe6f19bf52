"""Whatever stands on a command line: it is done, or one or two lines say what is wrong."""

import random
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fuzz import JUNK, counts, generator, mutated

from mpsearch.catalog import installed
from mpsearch.cli import run
from mpsearch.cli.app import COMMANDS

#: Cheap and right as they stand; the fuzzer changes a word or two.
LINES = (
    "games --json",
    "plugins",
    "install mpsearch-hearts",
    "uninstall hearts",
    "play --game scramble --players 3 --seat random --seat greedy --option length=6 --seed 1",
    "play --game plunder --seat maxn:depth=1,worlds=2 --seat random --option cards=1 --quiet",
    "play --game bingo --seat random --option cells=2 --option numbers=5 --seed 2 --json",
    "play --game quoridor --from GAME --seat random --option size=3 --record FILE --quiet",
    "search --game scramble --agent mpmix:td=5,to=5,depth=1 --moves +1 --seed 3",
    "search --game scramble --agent sos:model=recent,k=2,depth=1 --json",
    "search --game scramble --agent coalition:with=1+2,depth=1 --bounds",
    "search --game scramble --agent offensive:target=1,depth=1,ties=first,prune=no,threads=2",
    "search --game scramble --agent oriented:row=1:0:0:0,switch=2,drift=0.5",
    "search --record FILE --ply 1 --agent maxn:nodes=9,depth=1,time=1",
    "perft --game scramble --depth 2 --players 3 --moves +2",
    "replay FILE --check --matrices --pictures --json",
    "oi --game plunder --option cards=1 --games 1 --depths 1 --agent random --tolerance 0.1",
    "models --game scramble --players 3 --option length=5 --agent sos:depth=1 --games 1 "
    "--scenario fixed --model recent --processes 1",
    "tune --game scramble --players 2 --option length=5 --agent maxn:depth=1 --evaluator share "
    "--generations 1 --games 2 --final 2",
)
#: A server that is rightly asked for goes on until it is ended, and measuring takes minutes.
ENDING = tuple(name for name in COMMANDS if name not in ("serve", "bench"))
KEPT = "kept.jsonl"
#: Numbers that are right, but mean to work for hours.
_LONG = {word for word in JUNK if word.isdecimal() and len(word) > 2}


class TooLongError(BaseException):
    """An input that is no mistake, and takes its time."""


@pytest.fixture
def limit() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def changed(rng: random.Random, words: list[str]) -> list[str]:
    words = list(words)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(words))
        kind = rng.randrange(6)
        if kind == 0:
            words.insert(at, rng.choice(("--json", "--help", "--", "-x", *JUNK)))
        elif kind == 1 and len(words) > 1:
            del words[at]
        elif kind == 2:
            words[at] = rng.choice(("--game", "--seat", "--seed", "--ply", "--from", *ENDING))
        elif kind == 3:
            words[at] = rng.choice((*installed().games, *installed().propagators))
        else:
            words[at] = mutated(rng, words[at])
    return [word for word in words if word not in _LONG] or ["games"]


@counts(sample=60, full=4_000)
def test_any_command_line_is_done_or_explained(
    count: int,
    limit: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rng = generator("commands")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("subprocess.run", lambda c, **_: subprocess.CompletedProcess(c, 0))
    run(
        [
            "play",
            "--game",
            "plunder",
            "--option",
            "cards=1",
            "--seed",
            "1",
            "--record",
            "kept.jsonl",
            "--quiet",
        ]
    )
    long = 0
    wrong = []
    for number in range(count):
        words = [
            word.replace("FILE", KEPT if rng.random() < 0.8 else f"{number}.jsonl")
            for word in changed(rng, rng.choice(LINES).split())
        ]
        capsys.readouterr()
        signal.setitimer(signal.ITIMER_REAL, 20)
        try:
            code = run(words)
        except TooLongError:
            long += 1
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        shown = capsys.readouterr()
        said = [line for line in shown.err.splitlines() if line.startswith("mpsearch: ")]
        if (
            code not in (0, 1, 2)
            or "mpsearch: unexpected" in shown.err
            or "\x1b" in shown.out + shown.err
            or bool(code) > bool(said)
        ):
            wrong.append((words, code, shown.err))
    assert wrong == []
    assert long <= count // 100
