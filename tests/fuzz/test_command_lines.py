"""Whatever stands on a command line: it is done, or one or two lines say what is wrong."""

import random
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fuzz import JUNK, counts, generator, mutated

from mpsearch.cli import run
from mpsearch.cli.app import COMMANDS
from mpsearch.plugins.catalog import installed

#: Cheap and right as they stand; the fuzzer changes a word or two.
LINES = (
    "games --json",
    "games hearts",
    "rules plunder",
    "agents scramble --json",
    "evaluators quoridor",
    "plugins",
    "install mpsearch-hearts",
    "uninstall hearts",
    "play --game scramble --players 3 --seat random --seat greedy --option length=6 --seed 1",
    "play --game plunder --seat maxn:depth=1,worlds=2 --seat random --option cards=1 --quiet",
    "play --game bingo --seat random --option cells=2 --option numbers=5 --seed 2 --json",
    "play --game quoridor --from GAME --seat random --option size=3 --record NEW --quiet",
    "play --game scramble --players 3 --seat brs:depth=2,others=greedy --seat mcts:nodes=9,cut=1 "
    "--option length=5 --seed 3 --quiet --record NEW",
    "play --game hearts --option single=yes --seat random --seed 4 --quiet --record NEW",
    "play --game risk_lite --option rounds=2 --seat random --seat angry --seed 5 --quiet",
    "search --game scramble --agent mpmix:td=5,to=5,depth=1 --moves +1 --seed 3",
    "search --game quoridor --option size=3 --agent brs:depth=2,others=skip",
    "search --game hearts --agent mcts:nodes=9,worlds=2,playout=wrt,cut=9,explore=1.4,pool=mean",
    "search --game scramble --players 2 --agent mcts:nodes=9,matrix=1:0/-0.5:1,depth=3 --json",
    "search --game scramble --agent mcts:time=0.05,stance=paranoid,cut=0,threads=2",
    "search --game scramble --agent mpmix:td=5,to=5,search=mcts,nodes=9,ties=first",
    "search --game go_fish --agent maxn:search=brs,depth=2,worlds=2,others=ordered --bounds",
    "search --game scramble --agent maxn:depth=2 --tree 60 --tree-file tree.svg",
    "search --game scramble --agent sos:model=recent,k=2,depth=1 --json",
    "search --game scramble --agent coalition:with=1+2,depth=1 --bounds",
    "search --game scramble --agent offensive:target=1,depth=1,ties=first,prune=no,threads=2",
    "search --game scramble --agent oriented:row=1:0:0:0,switch=2,drift=0.5",
    "search --record FILE --ply 3 --agent maxn:nodes=9,depth=1,time=1",
    "perft --game scramble --depth 2 --players 3 --moves +2",
    "replay FILE --check --matrices --pictures --json",
    "replay FILE --no-step",
    "draw drawn.svg --game hearts --option single=yes --seed 2",
    "draw drawn.svg --record BOARD --ply 2",
    "draw drawn.svg --record BOARD --strip 4",
    "draw drawn.svg --record BOARD --animate 0.5",
    "new-game last_coin --dir new --players 2-4 --json",
    "atlas --game bingo --games 2 --states 1 --depths 1 --playouts 2 --agent random --csv a.csv",
    "tournament --game scramble --players 3 --option length=5 --agent random --agent greedy "
    "--games 2 --opening 1 --csv t.csv --html t.html",
    "tournament --game plunder --agent random --option cards=1 --games 2 --store STORE --json",
    "experiment run DESIGN --store STORE --processes 1",
    "experiment show DESIGN",
    "experiment report KEPT --json",
    "experiment resume KEPT",
    "experiment export KEPT --csv e.csv --records kept",
    "reproduce sos-1 --scale nothing --games 1 --json",
    "bench --quick --game nobody --json",
    "serve FILE --port 0 --no-open --host 127.0.0.1 --name there --folder tables",
    "oi --game plunder --option cards=1 --games 1 --depths 1 --agent random --tolerance 0.1",
    "models --game scramble --players 3 --option length=5 --agent sos:depth=1 --games 1 "
    "--scenario fixed --model recent --processes 1",
    "tune --game scramble --players 2 --option length=5 --agent maxn:depth=1 --evaluator share "
    "--generations 1 --games 2 --final 2",
)
#: Measuring takes minutes.
ENDING = tuple(name for name in COMMANDS if name != "bench")
DESIGN = """
game = "scramble"
players = 3
options = { length = 5 }
games = 2
others = ["random", "greedy"]

[arms]
brs = "brs:depth=2"
mcts = "mcts:nodes=9"
"""
#: What is in the folder, besides the design.
MADE = (
    "play --game plunder --option cards=1 --seed 1 --record kept.jsonl --quiet",
    "play --game quoridor --option size=3 --seat random --seed 1 --record board.jsonl --quiet",
    "experiment run design.toml --store kept.db",
)
#: What only asks for a mistake.
MISTAKEN = ("--from GAME", "--scale nothing", "--game nobody")
#: Numbers that are right, but mean to work for hours.
_LONG = {word for word in JUNK if word.isdecimal() and len(word) > 2}


class TooLongError(BaseException):
    """An input that is no mistake, and takes its time."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a record, a design and a store, where nothing is installed or served."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "subprocess.run", lambda c, **_: subprocess.CompletedProcess(c, 0, stdout="[]", stderr="")
    )
    monkeypatch.setattr("mpsearch.web.server.Server.run", lambda *_, **__: None)
    Path("design.toml").write_text(DESIGN)
    # The same files as with machine code, without compiling what made them.
    with monkeypatch.context() as plain:
        plain.setenv("MPSEARCH_JIT", "0")
        assert [run(words.split()) for words in MADE] == [0] * len(MADE)


@pytest.fixture
def limit() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


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


def named(rng: random.Random, number: int, word: str) -> str:
    """A word with the names of files, most of which are there."""
    return (
        word.replace("FILE", "kept.jsonl" if rng.random() < 0.8 else f"{number}.jsonl")
        .replace("STORE", "kept.db" if rng.random() < 0.2 else f"{number}.db")
        .replace("NEW", f"new-{number}.jsonl")
        .replace("BOARD", "board.jsonl")
        .replace("KEPT", "kept.db")
        .replace("DESIGN", "design.toml")
    )


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in LINES if not any(m in line for m in MISTAKEN)])
def test_the_lines_are_right_as_they_stand(line: str, folder: None) -> None:
    """So that what is changed in them is what is wrong; and what they compile is compiled."""
    assert run([named(random.Random(1), 1, word) for word in line.split()]) == 0


@counts(sample=60, full=4_000)
def test_any_command_line_is_done_or_explained(
    count: int,
    limit: None,
    folder: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rng = generator("commands")
    long = 0
    wrong = []
    for number in range(count):
        words = [named(rng, number, word) for word in changed(rng, rng.choice(LINES).split())]
        capsys.readouterr()
        signal.setitimer(signal.ITIMER_PROF, 20)
        try:
            code = run(words)
        except TooLongError:
            long += 1
            continue
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
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
    assert long <= 1 + count // 100
