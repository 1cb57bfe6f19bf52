"""The disk cache of machine code: used when it fits, renewed when anything changed, never in the
way."""

import hashlib
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.forked import run_forked

from mpsearch.errors import ContractError
from mpsearch.jit import compiled

GAME = '''
"""A game so small that compiling its search is quick."""

import numpy as np
import tiny_constants

from mpsearch.contracts import OVER, Bounds, CompiledEvaluator, CompiledGame, Rules, compiled

STATE = np.dtype([("square", "i8", 2), ("mover", "i8"), ("left", "i8")], align=True)


@compiled
def mover(s):
    return OVER if s.left == 0 else s.mover


@compiled
def moves(s, out):
    out[0] = 1
    out[1] = 2
    return 2


@compiled
def play(s, move):
    s.square[s.mover] += move * tiny_constants.STRIDE
    s.mover = 1 - s.mover
    s.left -= 1


@compiled
def payoff(s, out):
    for seat in range(2):
        out[seat] = s.square[seat]


@compiled
def evaluate(s, parameters, out):
    for seat in range(2):
        out[seat] = s.square[seat] + 0.25


class Tiny(CompiledGame):
    players = 2
    rules = Rules(
        state=STATE, mover=mover, moves=moves, play=play, payoff=payoff, most_moves=2
    )

    def setup(self, s):
        s.left = 4

    def read(self, text):
        return int(text)


def make_evaluator(game):
    return CompiledEvaluator(game, evaluate, bounds=Bounds())
'''

SEARCH = """
import logging, sys
logging.basicConfig(format="%(message)s")
logging.getLogger("mpsearch").setLevel("DEBUG")
import numpy as np
from tiny_game import Tiny, make_evaluator
from mpsearch.contracts import Stance
from mpsearch.contracts import Limits, SearchSpace
from mpsearch.search import search

game = Tiny()
space = SearchSpace(game=game, evaluator=make_evaluator(game))
stance = Stance(matrix=np.eye(2), label="maxn")
report = search(space, [game.new()], stance, Limits(depth=4))
print(report.move, report.value.tolist(), report.line, report.nodes)
print("numba" in sys.modules)
"""

#: Only the rules are compiled here, which is quicker than the search.
PLAY = """
import logging, sys
logging.basicConfig(format="%(message)s")
logging.getLogger("mpsearch").setLevel("DEBUG")
from tiny_game import Tiny

game = Tiny()
print(game.moves(game.play(game.new(), 1)))
print("numba" in sys.modules)
"""

#: What SEARCH prints: both run two squares twice, on a quarter that the evaluator adds.
FOUND = "2 [4.25, 4.25] (2, 2, 2, 2) 31"


@attrs.frozen
class Run:
    """What a process of its own printed."""

    found: str
    #: Whether numba was imported.
    numba: bool
    #: The functions that it had to compile.
    compiled: tuple[str, ...]


def run_search(
    folder: Path, cache: Path, *, script: str = SEARCH, fresh: bool = False, **environ: str
) -> Run:
    """Search the game in `folder` in a process of its own; `fresh`: which imports numba itself."""
    env = environment(cache, **environ)
    if fresh:
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
    else:
        done = run_forked(script, cwd=folder, env=env, check=True)
    found, numba = done.stdout.splitlines()
    notices = re.findall(r"^compiling (\w+)$", done.stderr, flags=re.MULTILINE)
    return Run(found, numba == "True", tuple(sorted(notices)))


def environment(cache: Path, **more: str) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if k not in ("MPSEARCH_JIT", "PYTHONHASHSEED")}
    return {**inherited, "MPSEARCH_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **more}


def entries(cache: Path) -> dict[str, bytes]:
    """Every file in a cache."""
    return {path.name: path.read_bytes() for path in cache.iterdir()}


def is_whole(name: str, entry: bytes) -> bool:
    digest = hashlib.sha256(name.encode() + b"\0" + entry[32:]).digest()
    return len(entry) > 32 and digest == entry[:32]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Run]:
    """The game, a cache that a first process filled, and what that process found."""
    folder = tmp_path_factory.mktemp("game")
    (folder / "tiny_game.py").write_text(GAME)
    (folder / "tiny_constants.py").write_text("STRIDE = 1\n")
    cache = tmp_path_factory.mktemp("cache") / "made" / "when needed"
    return folder, cache, run_search(folder, cache, fresh=True)


def test_first_process_compiles_and_keeps(searched: tuple[Path, Path, Run]) -> None:
    _, cache, first = searched
    assert first.found == FOUND
    assert first.numba
    assert {"begin", "search_roots"} <= set(first.compiled)
    assert sorted(name.split("-")[0] for name in entries(cache)) == list(first.compiled)
    assert all(is_whole(name, entry) for name, entry in entries(cache).items())


def test_second_process_compiles_nothing(searched: tuple[Path, Path, Run]) -> None:
    folder, cache, _ = searched
    before = entries(cache)
    assert run_search(folder, cache, fresh=True) == Run(FOUND, numba=True, compiled=())
    assert entries(cache) == before


CHANGES = {
    "a rule": ("tiny_game.py", "out[1] = 2", "out[1] = 3", "3 [6.25, 6.25] (3, 3, 3, 3) 31"),
    "a constant in another module": (
        "tiny_constants.py",
        "STRIDE = 1",
        "STRIDE = 2",
        "2 [8.25, 8.25] (2, 2, 2, 2) 31",
    ),
    "the evaluator": ("tiny_game.py", "+ 0.25", "+ 0.75", "2 [4.75, 4.75] (2, 2, 2, 2) 31"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_gives_new_entries_and_new_behaviour(
    searched: tuple[Path, Path, Run], tmp_path: Path, change: str
) -> None:
    file, old, new, found = CHANGES[change]
    folder, cache = tmp_path / "game", tmp_path / "cache"
    shutil.copytree(searched[0], folder)
    shutil.copytree(searched[1], cache)
    before = entries(cache)
    text = (folder / file).read_text()
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new))
    changed = run_search(folder, cache)
    assert changed.found == found
    assert "expand" in changed.compiled
    assert "search_roots" not in changed.compiled  # the search is that of all games
    after = entries(cache)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + len(changed.compiled)


def test_changed_comment_compiles_nothing(searched: tuple[Path, Path, Run], tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.copytree(searched[0], folder)
    text = "# a comment\n\n" + GAME.replace("def play(s, move):", "def play(s, move):  # in place")
    (folder / "tiny_game.py").write_text(text)
    assert run_search(folder, searched[1]) == Run(FOUND, numba=True, compiled=())


def test_without_jit_numba_is_not_imported_and_the_result_is_the_same(
    searched: tuple[Path, Path, Run], tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    plain = run_search(searched[0], cache, fresh=True, MPSEARCH_JIT="0")
    assert plain == Run(FOUND, numba=False, compiled=())
    assert not cache.exists()


@pytest.mark.parametrize("arguments", [["games"], ["plugins"]])
def test_listing_does_not_import_numba(tmp_path: Path, arguments: list[str]) -> None:
    script = (
        "import sys; from mpsearch.cli import run; code = run(sys.argv[1:]);"
        "heavy = {name.split('.')[0] for name in sys.modules} & {'numba', 'llvmlite'};"
        "print(code, heavy, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=environment(tmp_path, MPSEARCH_PLUGINS="core"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "0 set()\n"


# One function in this process: a fresh dispatcher is what a fresh process has.


def triple(x: int) -> int:
    return 3 * x


@attrs.frozen
class Use:
    """A function made, called and perhaps compiled."""

    result: Any
    compiled: bool


@pytest.fixture
def use(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Use]:
    monkeypatch.delenv("MPSEARCH_JIT", raising=False)

    def call(cache: Path, function: Callable[..., Any] = triple, argument: int = 14) -> Use:
        monkeypatch.setenv("MPSEARCH_CACHE", str(cache))
        caplog.clear()
        with caplog.at_level(logging.DEBUG, logger="mpsearch"):
            result = compiled(function)(argument)
        lines = [record.getMessage() for record in caplog.records]
        return Use(result, f"compiling {function.__name__}" in lines)

    return call


def test_fresh_dispatcher_loads_what_another_compiled(
    use: Callable[..., Use], tmp_path: Path
) -> None:
    assert use(tmp_path) == Use(42, compiled=True)
    assert use(tmp_path) == Use(42, compiled=False)
    assert [name.split("-")[0] for name in entries(tmp_path)] == ["triple"]


def test_each_signature_has_an_entry(use: Callable[..., Use], tmp_path: Path) -> None:
    assert use(tmp_path) == Use(42, compiled=True)
    assert use(tmp_path, argument=0.5) == Use(1.5, compiled=True)
    assert use(tmp_path, argument=0.5) == Use(1.5, compiled=False)
    assert len(entries(tmp_path)) == 2


def cache_below_a_file(folder: Path) -> Path:
    (folder / "file").write_text("mine")
    return folder / "file" / "cache"


def cache_that_is_a_file(folder: Path) -> Path:
    (folder / "file").write_text("mine")
    return folder / "file"


@pytest.mark.parametrize("make", [cache_below_a_file, cache_that_is_a_file])
def test_cache_that_cannot_be_a_folder_does_no_harm(
    use: Callable[..., Use], tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    cache = make(tmp_path)
    assert use(cache) == Use(42, compiled=True)
    assert use(cache) == Use(42, compiled=True)
    assert entries(tmp_path) == {"file": b"mine"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes where it is not allowed to")
def test_read_only_cache_does_no_harm(use: Callable[..., Use], tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert use(tmp_path) == Use(42, compiled=True)
    assert use(tmp_path) == Use(42, compiled=True)
    assert entries(tmp_path) == {}


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder root cannot write")
def test_cache_where_nobody_can_write_does_no_harm(use: Callable[..., Use]) -> None:
    assert use(Path("/proc/self")) == Use(42, compiled=True)
    assert use(Path("/proc/self")) == Use(42, compiled=True)


def test_entry_that_cannot_be_replaced_does_no_harm(
    use: Callable[..., Use], tmp_path: Path
) -> None:
    use(tmp_path)
    [entry] = tmp_path.iterdir()
    entry.unlink()
    (entry / "in the way").mkdir(parents=True)
    assert use(tmp_path) == Use(42, compiled=True)
    assert list(tmp_path.iterdir()) == [entry]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda entry: b"",
    "truncated": lambda entry: entry[: len(entry) // 2],
    "truncated to its digest": lambda entry: entry[:32],
    "garbage": lambda entry: bytes(range(256)) * (len(entry) // 256),
    "one bit flipped": lambda entry: entry[:-1] + bytes([entry[-1] ^ 1]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_entry_is_compiled_again_and_replaced(
    use: Callable[..., Use], tmp_path: Path, damage: str
) -> None:
    use(tmp_path)
    [entry] = tmp_path.iterdir()
    damaged = DAMAGES[damage](entry.read_bytes())
    assert not is_whole(entry.name, damaged)
    entry.write_bytes(damaged)
    assert use(tmp_path) == Use(42, compiled=True)
    assert list(tmp_path.iterdir()) == [entry]
    assert is_whole(entry.name, entry.read_bytes())
    assert use(tmp_path) == Use(42, compiled=False)


def quadruple(x: int) -> int:
    return 4 * x


def test_sound_entry_under_the_name_of_another_is_not_used(
    use: Callable[..., Use], tmp_path: Path
) -> None:
    use(tmp_path)
    use(tmp_path, quadruple)
    three, four = sorted(tmp_path.iterdir(), reverse=True)
    shutil.copy(four, three)
    assert use(tmp_path) == Use(42, compiled=True)


def test_function_keeps_all_its_defaults() -> None:
    """numba compiles no keyword-only parameters, but what it is given must be what was written."""
    from mpsearch.jit.numba_backend import njit

    def scaled(x: int, y: int = 5, *, by: int = 2) -> int:
        return (x + y) * by

    assert njit(scaled, cached=False).py_func(16) == scaled(16) == 42


@pytest.fixture(scope="module")
def played(
    searched: tuple[Path, Path, Run], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, Run]:
    """The game, a cache with its rules alone, and what the process found that filled it."""
    folder, cache = searched[0], tmp_path_factory.mktemp("rules")
    first = run_search(folder, cache, script=PLAY)
    assert {"moves", "play"} <= set(first.compiled)
    assert run_search(folder, cache, script=PLAY) == attrs.evolve(first, compiled=())
    return folder, cache, first


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MPSEARCH_CHECK", "1"),
        ("NUMBA_BOUNDSCHECK", "1"),
        ("NUMBA_OPT", "1"),
        ("NUMBA_CPU_NAME", "generic"),
        ("NUMBA_LOOP_VECTORIZE", "0"),
    ],
)
def test_setting_that_changes_machine_code_compiles_anew(
    played: tuple[Path, Path, Run], tmp_path: Path, variable: str, value: str
) -> None:
    folder, cache, first = played
    shutil.copytree(cache, tmp_path / "cache")
    # numba reads its settings when it is imported.
    again = run_search(folder, tmp_path / "cache", script=PLAY, fresh=True, **{variable: value})
    assert (again.found, again.compiled) == (first.found, first.compiled)


def test_the_search_is_compiled_anew_where_indices_are_checked(
    searched: tuple[Path, Path, Run], tmp_path: Path
) -> None:
    folder, cache, first = searched
    shutil.copytree(cache, tmp_path / "cache")
    again = run_search(folder, tmp_path / "cache", MPSEARCH_CHECK="1")
    assert (again.found, again.compiled) == (first.found, first.compiled)


TOGETHER = """
import logging, sys
logging.basicConfig(format="%(message)s")
logging.getLogger("mpsearch").setLevel("DEBUG")
import mpsearch.jit.numba_backend
from mpsearch.jit import compiled

@compiled
def fold(x):
    total = 0
    for i in range(x):
        total = (total * 31 + i) % 1000003
    return total

print("ready", flush=True)
sys.stdin.readline()
print(fold(1000))
"""


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_of_processes_that_need_a_function_at_once_one_compiles_it(
    tmp_path: Path, count: int
) -> None:
    expected = 0
    for i in range(1000):
        expected = (expected * 31 + i) % 1000003
    cache = tmp_path / "cache"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", TOGETHER],
            env=environment(cache),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate() for process in processes]
    assert [answer for answer, _ in answers] == [f"{expected}\n"] * count
    assert sum("compiling fold\n" in notices for _, notices in answers) == 1
    [(name, entry)] = entries(cache).items()
    assert name.startswith("fold-")
    assert name.endswith(".bin")
    assert is_whole(name, entry)


def test_a_lock_that_is_never_given_back_is_not_waited_for_for_ever(
    use: Callable[..., Use], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    assert use(tmp_path) == Use(42, compiled=True)
    [entry] = tmp_path.iterdir()
    entry.unlink()
    monkeypatch.setattr("mpsearch.jit.compile_lock._LONGEST", 0.1)
    with entry.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert use(tmp_path) == Use(42, compiled=True)
    assert entry.exists()
    # The lock of a process that has ended is nobody's.
    entry.unlink()
    assert use(tmp_path) == Use(42, compiled=True)
    assert [path.name for path in tmp_path.iterdir()] == [entry.name]


def test_what_cannot_be_compiled_holds_no_lock(use: Callable[..., Use], tmp_path: Path) -> None:
    def broken(x: int) -> object:
        return open(x)

    with pytest.raises(ContractError, match="cannot be compiled"):
        use(tmp_path, broken)
    assert list(tmp_path.iterdir()) == []


NAMESAKES = """
import sys
from mpsearch.jit.numba_backend import njit


def make(number):
    def inner(times, x):  # recursive, so that it is called and not inlined
        if times == 0:
            return x
        return inner(times - 1, x + number)

    inner = njit(inner, cached=False)

    def outer(times, x):
        return inner(times, x) * 1000

    return njit(outer)


for number in map(int, sys.argv[1:]):
    print(make(number)(3, 0))
"""


def outputs(program: str, cache: Path, *arguments: str) -> list[str]:
    """The lines that a process of its own prints."""
    done = run_forked(program, *arguments, env=environment(cache), check=True)
    return done.stdout.split()


def test_code_from_the_cache_is_not_linked_with_a_namesake(tmp_path: Path) -> None:
    """numba counts functions: what one process calls inner number 1 is another's too."""

    assert outputs(NAMESAKES, tmp_path, "1") == ["3000"]
    assert outputs(NAMESAKES, tmp_path, "2", "1") == ["6000", "3000"]
    assert outputs(NAMESAKES, tmp_path, "1", "2", "3") == ["3000", "6000", "9000"]
    assert len(entries(tmp_path)) == 3


ALONE = """
import sys
import numpy as np
from mpsearch.jit.numba_backend import njit


def total(numbers):
    found = 0.0
    for number in numbers:
        found += number
    return found


print(njit(total)(np.arange(4.0)))
print("numba.np.linalg" in sys.modules)
"""


def test_names_that_are_missing_are_looked_for_where_code_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code that is linked without them would end the process."""
    from numba.core.registry import cpu_target

    from mpsearch.jit import cache

    asked: list[str] = []
    context = cpu_target.target_context
    monkeypatch.setattr(context, "refresh", lambda: asked.append("refresh"))
    cache._make_known(["NRT_Free", "PyErr_SetString"], context)
    assert asked == []
    cache._make_known(["NRT_Free", "no_such_name"], context)
    assert asked == ["refresh"]


def test_who_only_loads_does_not_import_what_compiles(tmp_path: Path) -> None:
    """To import it takes longer than to load all that a first move needs."""
    for known in ("True", "False"):
        command, env = [sys.executable, "-c", ALONE], environment(tmp_path)
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["6.0", known]


SIZES = """
import sys
import numpy as np
from mpsearch.jit.numba_backend import njit


def make():
    def total(times, s):  # recursive, so that it is called and not inlined
        if times == 0:
            return 0
        return total(times - 1, s) + len(s.cells) * s.cells[-1]

    total = njit(total, cached=False)

    def score(times, s):
        return total(times, s[0])

    return njit(score)


score = make()
for size in map(int, sys.argv[1:]):
    state = np.zeros(1, [("cells", "i8", size)])
    state["cells"] = np.arange(size)
    print(score(3, state))
"""


def test_code_from_the_cache_is_not_taken_for_that_of_another_size(tmp_path: Path) -> None:
    """numba counts types of records, too: the name of a symbol does not say how large one is."""
    assert outputs(SIZES, tmp_path, "3") == ["18"]
    assert outputs(SIZES, tmp_path, "6") == ["90"]
    assert outputs(SIZES, tmp_path, "6", "3") == ["90", "18"]
    assert outputs(SIZES, tmp_path, "3", "6") == ["18", "90"]
    assert len(entries(tmp_path)) == 2
