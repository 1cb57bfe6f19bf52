"""Shared by all benchmarks: compiling C, timing two sides in turn, and printing rows.

Machines are shared and noisy, so a time means little by itself. Two sides are timed in pairs,
one right after the other and in changing order, in processor time, which leaves out what other
processes take; and what counts is the median of the ratios.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.cli.options import print_rows

#: No contraction: C must round as numba does for values to agree to the last bit.
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-Wall", "-Wextra", "-shared", "-fPIC")


def compile_c(source: Path, **defines: object) -> ctypes.CDLL:
    """The C file as a loaded library, with the given macros; ends the program without gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        sys.exit("this benchmark compares with C and needs gcc")
    # The library stays loaded after its file has gone.
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "bench.so"
        macros = [f"-D{name}={value}" for name, value in defines.items()]
        subprocess.run([gcc, *FLAGS, *macros, str(source), "-o", str(library), "-lm"], check=True)
        return ctypes.CDLL(str(library))


def pointer(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    """An array as an argument of a C function."""
    assert array.flags.c_contiguous
    return array.ctypes.data_as(ctypes.c_void_p)


@attrs.frozen(kw_only=True)
class Duel:
    """Times of two sides doing the same work, pair by pair, in seconds."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratios(self) -> list[float]:
        """Our speed relative to theirs in each pair; 1 is equal, more is faster."""
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        """The median ratio."""
        return statistics.median(self.ratios)


def duel(ours: Callable[[], object], theirs: Callable[[], object], *, pairs: int) -> Duel:
    """Time both sides `pairs` times in turn; who begins changes with every pair."""
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    sides = [("ours", ours), ("theirs", theirs)]
    for k in range(pairs):
        for name, side in sides if k % 2 == 0 else reversed(sides):
            times[name].append(seconds(side))
    return Duel(ours=tuple(times["ours"]), theirs=tuple(times["theirs"]))


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one call, all threads of this process together."""
    started = time.process_time()
    work()
    return time.process_time() - started


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser with what every benchmark understands."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def print_result(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Rows with the same keys, as a table or as JSON."""
    if as_json:
        print(json.dumps(list(rows)))
        return
    print_rows(list(rows[0]), [[_cell(value) for value in row.values()] for row in rows])


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
