"""The shell of measuring commands: check the files, measure with progress, report.

Nothing measured is lost: an interrupted study reports partial results, and says so.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import attrs
import typer

from mpsearch import experiments
from mpsearch.cli.options import Csv, Json, Plot, print_json
from mpsearch.cli.signals import exit_code, interruptible
from mpsearch.cli.terminal.progress import Progress, ProgressLines
from mpsearch.experiments import Cut, Design, Engine, Store

T = TypeVar("T")

EngineName = Annotated[
    str,
    typer.Option(
        "--engine", help="Where games run: local, dask (a local cluster) or dask:ADDRESS."
    ),
]
Processes = Annotated[
    int, typer.Option("--processes", min=1, help="Number of games played in parallel.")
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="Save finished games to this file and resume from it."),
]
Opening = Annotated[
    int | None,
    typer.Option(
        "--opening",
        min=0,
        help="Number of random opening moves per game (default: enough to vary deterministic "
        "games, otherwise 0).",
    ),
]
Html = Annotated[
    Path | None, typer.Option("--html", help="Write an HTML report with tables and plots.")
]
Ratings = Annotated[bool, typer.Option("--ratings", help="Rate the agents with OpenSkill.")]
#: The files that a study can write.
_FILES = {"csv": Csv, "html": Html, "plot": Plot}


def _nothing() -> bytes:
    return b""


@attrs.frozen(kw_only=True)
class Report:
    """Results in every form, each made only when it is asked for."""

    json: Callable[[], Any]
    text: Callable[[], str]
    csv: Callable[[], bytes] = _nothing
    html: Callable[[], bytes] = _nothing
    figure: Callable[[], Any] = _nothing
    #: Files besides those of the options.
    files: Mapping[Path | None, Callable[[], bytes]] = attrs.field(factory=dict)


class Study:
    """How a study is run and where its results go.

    UsageError, before anything is measured, if a file cannot be written or there is no such engine.
    """

    def __init__(
        self,
        *,
        engine: str = "local",
        processes: int = 1,
        progress: bool = False,
        csv: Path | None = None,
        html: Path | None = None,
        plot: Path | None = None,
        as_json: bool,
    ) -> None:
        experiments.check_files({"--csv": csv, "--html": html, "--plot": plot})
        self.engine = experiments.make_engine(engine, processes=processes)
        self.progress = progress
        self.csv, self.html, self.plot = csv, html, plot
        self.as_json = as_json

    def run(
        self,
        measure: Callable[[Engine, Progress], tuple[T, Cut]],
        report: Callable[[T, Cut], Report],
        done: Callable[[T], str],
    ) -> int:
        """Measure and report all there is; returns the exit code.

        `measure` says what interrupted it, if anything did, and `done` how far it came.
        """
        with Progress(lines=self.progress) as shown, interruptible():
            found, cut = measure(self.engine, shown)
        with _partial(cut, done(found)) as code:
            self.put(report(found, cut))
        return code

    def put(self, report: Report) -> None:
        """Print a report and write its files."""
        if self.as_json:
            print_json(report.json())
        else:
            print(report.text())
        experiments.write_files(
            {
                self.csv: report.csv,
                self.html: report.html,
                self.plot: lambda: experiments.figure_bytes(report.figure(), self.plot),
                **report.files,
            }
        )


def measures(*files: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Decorates a command that takes a `study`: the options that make one follow its own.

    `files` are those of csv, html and plot that it can write.
    """
    options: dict[str, tuple[Any, Any]] = {
        "engine": (EngineName, "local"),
        "processes": (Processes, 1),
        **{name: (_FILES[name], None) for name in files},
        "progress": (ProgressLines, False),
        "as_json": (Json, False),
    }

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(command)
        def run(**given: Any) -> int:
            study = Study(**{name: given.pop(name) for name in options})
            return command(study=study, **given)

        whole = inspect.signature(command, eval_str=True)
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters = [p.replace(kind=kind) for p in whole.parameters.values() if p.name != "study"]
        parameters += [
            inspect.Parameter(name, kind, annotation=annotation, default=default)
            for name, (annotation, default) in options.items()
        ]
        # What typer reads.
        run.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run

    return decorate


@contextlib.contextmanager
def _partial(cut: Cut, done: str) -> Iterator[int]:
    """While results are reported: say why they are partial, if they are, and what is `done`.

    Gives the exit code. After a Ctrl-C another one is ignored, since it would lose the results.
    """
    if cut is None:
        yield 0
        return
    main = threading.current_thread() is threading.main_thread()
    pressed = main and isinstance(cut, KeyboardInterrupt)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if pressed else None
    try:
        why = str(cut) or "interrupted"
        print(f"mpsearch: {why}; results are partial: {done}", file=sys.stderr, flush=True)
        yield 1
    finally:
        if pressed and not exit_code(0):  # otherwise the process is about to end
            signal.signal(signal.SIGINT, before)


def play_design(
    study: Study,
    design: Design,
    *,
    store: Path | None,
    text: str = "",
    ratings: bool = False,
    note: str = "",
    report: Callable[[Design, Store], Report] | None = None,
) -> int:
    """Play the games that the store lacks, then report all there are; returns the exit code.

    The `note` is printed once the store is found to be usable. Without a `report`, the usual one.
    """
    again = "" if store is None else f"; run the command again to continue from {store}"
    with Store(store) as kept:
        design = experiments.bind_design(kept, design, text=text)
        total = design.games * len(design.arms)
        if note:
            print(f"mpsearch: {note}", file=sys.stderr)

        def play(engine: Engine, shown: Progress) -> tuple[Store, Cut]:
            show = _shows(shown, total)
            cut = experiments.run_until_cut(design, store=kept, engine=engine, show=show)
            return kept, cut

        def reported(kept: Store, _: Cut) -> Report:
            if report is not None:
                return report(design, kept)
            return design_report(design, kept, ratings=ratings)

        return study.run(play, reported, lambda kept: f"{len(kept)} of {total} games{again}")


def design_report(design: Design, store: Store, *, ratings: bool) -> Report:
    """The report of the games in a store."""
    found = experiments.analyse_store(design, store)
    games = experiments.played_games(store, design)
    rated = experiments.rate(games) if ratings else []
    return Report(
        json=lambda: experiments.json_report(found, rated),
        text=lambda: experiments.text_report(found, rated),
        csv=lambda: experiments.csv_bytes(experiments.csv_rows(found)),
        html=lambda: experiments.html_report(found, rated).encode(),
        figure=lambda: experiments.all_in_one(found),
    )


def _shows(progress: Progress, total: int) -> Callable[[int], None]:
    """Shows how many games are finished, and how long the rest will take."""
    started, first = time.monotonic(), -1

    def show(done: int) -> None:
        nonlocal first
        if first < 0:
            first = done
        took = time.monotonic() - started
        rate = (done - first) / took if took > 0 else 0.0
        left = f", {(total - done) / rate / 60:.1f} minutes left" if rate > 0 else ""
        progress.show(f"{done}/{total} games, {rate:.1f} per second{left}")

    return show
