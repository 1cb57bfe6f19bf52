"""Ctrl-C and its kin: any command ends at once, with one line."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.processes import COUNTING, START, WORDS, ended, start, wait_until_watching

if sys.platform == "win32":
    pytest.skip("signals as on Unix", allow_module_level=True)

import pty
import termios


@pytest.mark.parametrize("number", WORDS)
def test_a_signal_ends_native_code_with_one_line(number: signal.Signals) -> None:
    process = start(*COUNTING, env={**os.environ, "MPSEARCH_JIT": "1"})
    wait_until_watching(process)
    assert process.stdout is not None
    while not process.stdout.readline().startswith("depth 12"):
        pass
    code, _, said = ended(process, number)
    assert (code, said) == (128 + number, [WORDS[number]])


def test_a_signal_at_the_first_instant_is_said_in_one_line() -> None:
    # It waits for its first line: on a busy machine other commands end before they are looked at.
    process = start("engine", "--game", "scramble", stdin=subprocess.PIPE)
    wait_until_watching(process)
    code, out, said = ended(process, signal.SIGINT)
    assert (code, out, said) == (130, "", ["mpsearch: interrupted"])


def test_a_shell_that_asks_for_completions_hears_nothing_of_ctrl_c() -> None:
    script = "import os, signal; from mpsearch import cli; cli.run = lambda _: os.kill("
    script += "os.getpid(), signal.SIGINT); cli.main([])"
    asked = {**os.environ, "_MPSEARCH_COMPLETE": "complete_bash"}
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=asked)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, "", "")


#: The second Ctrl-C comes while the main thread is busy with the first.
TWICE = """
import os, signal, time
from mpsearch.cli import interrupt
calls = []
def words():
    calls.append(1)
    if len(calls) == 1:
        os.kill(os.getpid(), signal.SIGINT)
    return ""
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job's is ignored
interrupt.watch()
with interrupt.last_words(words):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
"""


def test_two_signals_at_once_end_it_as_one_does() -> None:
    ran = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, timeout=30)
    assert (ran.returncode, ran.stderr) == (130, "mpsearch: interrupted\n")


#: The kernel hands Ctrl-C to another thread, as if it came just before the read began.
UNNOTICED = """
import signal
from mpsearch.cli import interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)
interrupt.watch()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
print("reads", flush=True)
try:
    with interrupt.hurrying():
        input()
except KeyboardInterrupt:
    print("hurried", flush=True)
"""


def test_ctrl_c_breaks_off_a_read_that_did_not_notice_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", UNNOTICED],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reads\n"
        time.sleep(0.3)  # by now it most likely waits; if not, the test shows less
        process.send_signal(signal.SIGINT)
        watchdog = threading.Timer(30, process.kill)
        watchdog.start()
        # Its input stays open: at an end of it the read would come back by itself.
        out = process.stdout.read()
        process.wait()
        watchdog.cancel()
    assert (process.returncode, out) == (0, "hurried\n")


#: Interrupted in the middle of the import named last.
INTERRUPTED_IMPORT = """
import sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from mpsearch.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["mpsearch.cli", "mpsearch.errors", "termios"])
def test_a_signal_while_the_command_line_is_imported_is_said_in_one_line(module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, module], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "mpsearch: interrupted\n")


def test_nothing_is_imported_before_signals_have_an_answer() -> None:
    code = (
        "import sys; before = set(sys.modules); import mpsearch.__main__; "
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["__future__", "mpsearch", "mpsearch.__main__"]


def test_a_signal_while_compiling_is_said_in_one_line(tmp_path: Path) -> None:
    environment = {**os.environ, "MPSEARCH_CACHE": str(tmp_path), "MPSEARCH_JIT": "1"}
    process = start(*COUNTING, env=environment)
    assert process.stderr is not None
    while not process.stderr.readline().startswith("compiling"):
        pass
    time.sleep(0.2)  # let it begin
    code, _, said = ended(process, signal.SIGINT)
    assert (code, said) == (130, ["mpsearch: interrupted"])


COMPILES = """
import os, signal, time
from mpsearch.cli import signals
from mpsearch.jit.compile_time import compiling
signals.watch()
with signals.interruptible(), compiling():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    except KeyboardInterrupt:  # as native code does that calls back
        print("raised in the compiler")
"""


def test_nothing_is_raised_in_the_middle_of_compiling() -> None:
    ran = subprocess.run([sys.executable, "-c", COMPILES], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (143, "", "mpsearch: terminated\n")


COMPILED = """
import os, signal, sys
from mpsearch.cli import signals
from mpsearch.jit.compile_time import compiling
signals.watch()
try:
    with signals.interruptible():
        with compiling():
            os.kill(os.getpid(), signal.SIGTERM)
            print("compiled")
        print("went on")
except KeyboardInterrupt:
    print("saved")
sys.exit(signals.exit_code(0))
"""


def test_what_can_be_saved_is_saved_once_the_compiler_is_done() -> None:
    ran = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (143, "compiled\nsaved\n", "")


def test_an_interrupted_game_says_where_its_plies_are(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    process = start("play", "--game", "scramble", "--seat", "maxn:time=0.05", "--record", str(path))
    while not path.exists() or path.read_bytes().count(b"\n") < 3:
        time.sleep(0.01)
    code, _, said = ended(process, signal.SIGINT)
    plies = path.read_bytes().count(b"\n") - 1
    assert code == 130
    resume = f"to continue: mpsearch play --resume {path}"
    assert said == [f"mpsearch: interrupted; {plies} plies are in {path}; {resume}"]


def test_a_signal_that_the_parent_ignores_stays_ignored() -> None:
    ignoring = START.replace("number, usual", "number, signal.SIG_IGN")
    process = subprocess.Popen(
        [sys.executable, "-c", ignoring, "perft", "--game", "scramble", "--depth", "2"],
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(20):
        process.send_signal(signal.SIGHUP)
        time.sleep(0.01)
    out, _ = process.communicate()
    # Signals before Python had come so far may have ended it; after that, none does.
    assert process.returncode == -signal.SIGHUP or "depth 2" in out


def test_ctrl_c_at_the_prompt_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    """A person types half a move and then Ctrl-C, at a terminal of their own."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    own_terminal = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    command = ["play", "--game", "scramble", "--players", "2", "--record", str(tmp_path / "game")]
    process = subprocess.Popen(
        [sys.executable, "-c", own_terminal + START, *command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    shown = b""
    while b"your move" not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, b"+1\x03")
    while b"again to leave" not in shown:
        shown += os.read(ours, 4096)
    while shown.rpartition(b"again to leave")[2].count(b"your move") < 1:
        shown += os.read(ours, 4096)
    os.write(ours, b"\x03")
    assert process.wait() == 130
    assert termios.tcgetattr(theirs) == before
    said = os.read(ours, 4096).decode().splitlines()[-1]
    assert said.startswith(
        f"mpsearch: interrupted; 0 plies are in {tmp_path / 'game'}; to continue: "
    )


NATIVE = """
import hashlib, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job's is ignored
from mpsearch.cli import interrupt
interrupt.watch()
try:
    with interrupt.hurrying():
        threading.Timer(0.5, print, ["thinking"], {{"flush": True}}).start()
        hashlib.pbkdf2_hmac("sha256", b"", b"", {rounds})
except KeyboardInterrupt:
    print("hurried")
"""


def _thinks(rounds: int) -> subprocess.Popen[str]:
    """A process that is hurried while native code runs, which no exception ends."""
    code = NATIVE.format(rounds=rounds)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "thinking\n"
    process.send_signal(signal.SIGINT)
    time.sleep(1.0)  # longer than native code is waited for where nothing is hurried
    return process


def test_an_agent_in_native_code_is_hurried_when_it_comes_back() -> None:
    shown, said = _thinks(5_000_000).communicate()
    assert (shown, said) == ("hurried\n", "")


def test_a_second_press_is_told_and_a_third_does_not_wait_for_native_code() -> None:
    process = _thinks(2_000_000_000)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    time.sleep(1.0)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate()
    assert (process.returncode, shown) == (130, "")
    assert said == (
        "\n  it is moving as fast as it can; Ctrl-C once more leaves the game\n"
        "mpsearch: interrupted\n"
    )
