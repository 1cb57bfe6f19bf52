"""The commands of docs/how-to/cluster.md that set up a cluster with TLS."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.processes import stopping

DOCS = Path(__file__).parents[2] / "docs/how-to/cluster.md"
BIN = Path(sys.executable).parent
DESIGN = """\
game = "scramble"
players = 3
games = 2
seed = 1
options = { length = 8 }
others = ["random", "random"]

[arms]
maxn = "maxn:depth=1"
random = "random"
"""
PATIENCE = 300

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates need openssl"),
]


class Commands(NamedTuple):
    """What the page says, by what it is for."""

    certificates: list[str]
    scheduler: str
    worker: str
    settings: list[str]
    run: str


def commands() -> Commands:
    text = DOCS.read_text()
    section = text[text.index("TLS, where only holders") : text.index("Keep `ca-key.pem`")]
    found = [line.split("$ ", 1)[1].strip() for line in section.splitlines() if "$ " in line]
    *certificates, scheduler, worker, first, second, run = found
    return Commands(certificates, scheduler, worker, [first, second], run)


def shell(lines: list[str], folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Lines that are typed one after the other, of which none may fail."""
    return subprocess.run(
        ["bash", "-ec", "\n".join(lines)],
        cwd=folder,
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "MPSEARCH_JIT": "0", **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def start(line: str, folder: Path, name: str) -> subprocess.Popen[bytes]:
    with (folder / name).open("wb") as said:
        return subprocess.Popen(
            ["bash", "-c", f"exec {line}"],
            cwd=folder,
            env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "MPSEARCH_JIT": "0"},
            stdout=subprocess.DEVNULL,
            stderr=said,
        )


def heard(pattern: str, said: Path, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + PATIENCE
    while not (found := re.search(pattern, said.read_text())):
        assert process.poll() is None, said.read_text()
        assert time.monotonic() < end, said.read_text()
        time.sleep(0.1)
    return found[1]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A folder with certificates, and the address of a scheduler there with a worker."""
    folder = tmp_path_factory.mktemp("tls")
    (folder / "sos.toml").write_text(DESIGN)
    made = shell(commands().certificates, folder)
    assert made.returncode == 0, made.stderr
    local = commands().scheduler.replace("--port 8786", "--host 127.0.0.1 --port 0 --no-dashboard")
    with stopping(start(local, folder, "scheduler")) as scheduler:
        address = heard(r"Scheduler at:\s+(tls://\S+)", folder / "scheduler", scheduler)
        line = commands().worker.replace("tls://first:8786", address)
        with stopping(start(f"{line} --nthreads 1 --no-dashboard", folder, "worker")) as worker:
            heard(r"(Registered to)", folder / "worker", worker)
            yield folder, address


def asked(folder: Path, address: str, *before: str) -> subprocess.CompletedProcess[str]:
    line = commands().run.replace("tls://first:8786", address)
    return shell([*before, f"{line} --store {len(before)}.db"], folder)


def test_whoever_has_a_certificate_is_let_in(cluster: tuple[Path, str]) -> None:
    done = asked(*cluster, *commands().settings)
    assert done.returncode == 0, done.stderr


def test_whoever_has_none_is_refused_in_one_line(cluster: tuple[Path, str]) -> None:
    refused = asked(*cluster)
    assert refused.returncode == 1
    *_, line = refused.stderr.splitlines()
    why = "requires a certificate, but dask's configuration names none: "
    assert line.startswith(f"mpsearch: dask: {cluster[1]} {why}")
    assert "Traceback" not in refused.stderr


def test_whoever_does_not_encrypt_is_refused(cluster: tuple[Path, str]) -> None:
    folder, address = cluster
    plain = address.replace("tls://", "tcp://")
    refused = asked(folder, plain, *commands().settings)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].startswith(f"mpsearch: dask: no scheduler at {plain}: ")


def test_a_certificate_of_another_authority_is_refused(
    cluster: tuple[Path, str], tmp_path: Path
) -> None:
    assert shell(commands().certificates, tmp_path).returncode == 0
    # It trusts the scheduler's authority, and shows a certificate of its own.
    shutil.copy(cluster[0] / "ca.pem", tmp_path / "ca.pem")
    shutil.copy(cluster[0] / "sos.toml", tmp_path / "sos.toml")
    refused = asked(tmp_path, cluster[1], *commands().settings)
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert refused.stderr.splitlines()[-1].startswith("mpsearch: dask: no scheduler at tls://")
