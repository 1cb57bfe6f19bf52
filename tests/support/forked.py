"""Python code in a process of its own, forked from one that has imported mpsearch and numba.

Starting Python and importing takes half a second to a second of processor time; a fork takes a
hundredth. The server is started once by each process that runs tests and runs no command itself, so
that whatever it forks is as good as new. Tests about starting, importing or signals start Python.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

COMMAND = "from mpsearch.cli import main; main()"

#: What most commands import.
_IMPORTED = (
    "mpsearch.api",
    "mpsearch.builtin",
    "mpsearch.cli.app",
    "mpsearch.cli.options",
    "mpsearch.experiments",
    "mpsearch.jit.numba_backend",
    "mpsearch.testing",
    "prompt_toolkit",
)
_SERVE = "from support.forked import serve; serve()"
_LOCK = threading.Lock()


def run_forked(
    code: str,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` of `python -c CODE ARGUMENTS` without input; captures the output."""
    command = [sys.executable, "-c", code, *arguments]
    request = {
        "code": code,
        "arguments": arguments,
        "env": dict(os.environ if env is None else env),
        "cwd": os.fspath(cwd or Path.cwd()),
    }
    with (
        _LOCK,
        open(os.devnull, "rb") as nothing,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        server = _server()
        with tempfile.TemporaryFile("w+") as told:
            json.dump(request, told)
            told.flush()
            streams = [file.fileno() for file in (told, nothing, out, err)]
            socket.send_fds(server, [b"run"], streams)
        code_of_exit = int(server.recv(100))
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    done = subprocess.CompletedProcess(command, code_of_exit, *texts)
    if check:
        done.check_returncode()
    return done


class Forked:
    """A process that was begun with `fork_at`; as `subprocess.Popen`, as far as it goes."""

    def __init__(self, pid: int, ended: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        #: Whoever forked it writes how it ended.
        self._ended = ended

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], timeout)[0]:
            self.returncode = int(self._ended.recv(100))
            self._ended.close()
        return self.returncode


def fork_at(terminal: int, code: str, *arguments: str, env: Mapping[str, str]) -> Forked:
    """Begin `python -c CODE ARGUMENTS` in a session of its own at a terminal."""
    request = {"code": code, "arguments": arguments, "env": dict(env), "cwd": os.getcwd()}
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with _LOCK, theirs, tempfile.TemporaryFile("w+") as told:
        json.dump(request, told)
        told.flush()
        streams = [told.fileno(), theirs.fileno(), *(terminal,) * 3]
        socket.send_fds(_server(), [b"begin"], streams)
        pid = int(ours.recv(100))
    return Forked(pid, ours)


@functools.cache
def _server() -> socket.socket:
    """The connection to the server, which ends with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    folder = str(Path(__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE],
        stdin=theirs.fileno(),
        env={**os.environ, "PYTHONPATH": folder},
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def serve() -> None:
    """Fork whenever somebody asks, and say how that ended."""
    for module in _IMPORTED:
        importlib.import_module(module)
    # What numba would do before it first loads machine code: 0.3 seconds.
    target = importlib.import_module("numba.core.registry").cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    gc.freeze()
    connection = socket.socket(fileno=os.dup(0))
    while True:
        message, streams, _, _ = socket.recv_fds(connection, 10, 5)
        if not message:
            return
        with contextlib.suppress(ChildProcessError):  # those who watched, and are done
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        pid = os.fork()
        if pid == 0:
            connection.close()
            if message == b"begin":
                told, ended, *streams = streams
                _watch(socket.socket(fileno=ended), told, *streams)
            _run(*streams)
        for stream in streams:
            os.close(stream)
        if message == b"run":
            _, status = os.waitpid(pid, 0)
            connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def _watch(ended: socket.socket, told: int, *streams: int) -> NoReturn:
    """Begin it, say which process it is, and how it ended."""
    pid = os.fork()
    if pid == 0:
        ended.close()
        os.setsid()
        fcntl.ioctl(streams[0], termios.TIOCSCTTY, 0)
        _run(told, *streams)
    for stream in (told, *streams):
        os.close(stream)
    ended.send(str(pid).encode())
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(OSError):  # whoever asked does not listen any more
        ended.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _run(told: int, *streams: int) -> NoReturn:
    """What `python -c` does, as far as a command can tell."""
    with open(told, encoding="utf-8") as file:
        file.seek(0)
        request: dict[str, Any] = json.load(file)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    path = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    sys.path = ["", *path, *sys.path[2:]]
    sys.argv = ["-c", *request["arguments"]]
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1)
    status = 0
    try:
        exec(compile(request["code"], "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        status = _status(end.code)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _status(code: Any) -> int:
    if code is None or isinstance(code, int):
        return int(code or 0) & 0xFF
    print(code, file=sys.stderr)
    return 1
