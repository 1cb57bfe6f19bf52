"""Output files, data frames and figures; a file is tried before anything is measured."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mpsearch.errors import MpsearchError, UsageError


def check_files(files: Mapping[str, Path | None]) -> None:
    """Fail now, not after hours, if one of the files, by the option that names it, cannot be."""
    for option, path in files.items():
        if path is None:
            continue
        folder = path.absolute().parent
        if option == "--plot":
            _check_plot(path)
        try:
            if not folder.is_dir():
                raise UsageError(f"{option} {path}: there is no folder {folder}")
            new = not path.exists()
            if new or path.is_file():
                path.open("ab").close()
            elif path.is_dir():
                raise IsADirectoryError(None, "it is a folder")
            if new:
                path.unlink()
        except OSError as error:
            raise UsageError(f"{option} {path} cannot be written: {error.strerror}") from None


def _check_plot(path: Path) -> None:
    kinds = sorted(new_figure().canvas.get_supported_filetypes())
    if path.suffix.removeprefix(".") not in kinds:
        raise UsageError(f"--plot {path}: the name must end in one of .{', .'.join(kinds)}")


def write_files(files: Mapping[Path | None, Callable[[], bytes]]) -> None:
    """Write what can be written; MpsearchError says what cannot. None is no file."""
    failed = []
    for path, content in files.items():
        try:
            if path is not None:
                path.write_bytes(content())
        except OSError as error:
            failed.append(f"{path} could not be written: {error.strerror}")
    if failed:
        raise MpsearchError("\n".join(failed))


def csv_bytes(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> bytes:
    """Rows as CSV; what a row lacks stays empty."""
    text = io.StringIO(newline="")
    lines = csv.DictWriter(text, list(columns or rows[0]), lineterminator="\n")
    lines.writeheader()
    lines.writerows(rows)
    return text.getvalue().encode()


def parquet_bytes(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as a Parquet file."""
    try:
        from pyarrow import Table
        from pyarrow.parquet import write_table
    except ImportError:
        raise MpsearchError(
            "--parquet needs the package pyarrow: pip install 'mpsearch[parquet]'"
        ) from None
    file = io.BytesIO()
    write_table(Table.from_pylist([dict(row) for row in rows]), file)
    return file.getvalue()


def new_figure(**settings: Any) -> Any:
    """An empty figure of matplotlib, which is imported only here."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MpsearchError(
            "--plot needs the package matplotlib: pip install 'mpsearch[plots]'"
        ) from None
    figure = Figure(**settings)
    FigureCanvasAgg(figure)
    return figure


def figure_bytes(figure: Any, path: Path | None) -> bytes:
    """A figure as a file of the kind that a path's ending says, or SVG; always the same bytes."""
    import matplotlib

    file = io.BytesIO()
    kind = "svg" if path is None else path.suffix.removeprefix(".")
    metadata = {"Date": None} if kind == "svg" else None
    with matplotlib.rc_context({"svg.hashsalt": "mpsearch"}):
        figure.savefig(file, format=kind, metadata=metadata)
    return file.getvalue()


def figure_svg(draw: Callable[[], Any]) -> str | None:
    """A figure as an element of a page; None where matplotlib is not installed."""
    try:
        drawn = figure_bytes(draw(), None).decode()
    except MpsearchError:
        return None
    return drawn[drawn.index("<svg") :]


def make_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a data frame of pandas or, where that is not installed, of polars."""
    try:
        import pandas

        return pandas.DataFrame([dict(row) for row in rows])
    except ImportError:
        pass
    try:
        import polars

        return polars.DataFrame([dict(row) for row in rows])
    except ImportError:
        raise MpsearchError(
            "a data frame needs the package pandas or polars: pip install pandas"
        ) from None
