"""Output files, data frames and figures; files are checked before anything is measured."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mpsearch._util import optional_import
from mpsearch.errors import MpsearchError, UsageError


def check_files(files: Mapping[str, Path | None]) -> None:
    """UsageError if a file, given by its option, cannot be written: now, not after hours."""
    for option, path in files.items():
        if path is None:
            continue
        folder = path.absolute().parent
        if option == "--plot":
            kinds = sorted(new_figure().canvas.get_supported_filetypes())
            if path.suffix.removeprefix(".") not in kinds:
                raise UsageError(f"--plot {path}: the name must end in one of .{', .'.join(kinds)}")
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


def write_files(files: Mapping[Path | None, Callable[[], bytes]]) -> None:
    """Write all files that can be written; MpsearchError lists the others. None is no file."""
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
    """Rows as CSV; missing cells are empty."""
    text = io.StringIO(newline="")
    lines = csv.DictWriter(text, list(columns or rows[0]), lineterminator="\n")
    lines.writeheader()
    lines.writerows(rows)
    return text.getvalue().encode()


def parquet_bytes(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as a Parquet file."""
    pyarrow = optional_import("pyarrow", by="--parquet", extra="parquet")
    parquet = optional_import("pyarrow.parquet", by="--parquet", extra="parquet")
    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), file)
    return file.getvalue()


def new_figure(**settings: Any) -> Any:
    """An empty matplotlib figure."""
    agg = optional_import("matplotlib.backends.backend_agg", by="--plot", extra="plots")
    figure = optional_import("matplotlib.figure", by="--plot", extra="plots").Figure(**settings)
    agg.FigureCanvasAgg(figure)
    return figure


def figure_bytes(figure: Any, path: Path | None) -> bytes:
    """A figure in the format of the path's suffix, or SVG; reproducible byte for byte."""
    import matplotlib

    file = io.BytesIO()
    kind = "svg" if path is None else path.suffix.removeprefix(".")
    metadata = {"Date": None} if kind == "svg" else None
    with matplotlib.rc_context({"svg.hashsalt": "mpsearch"}):
        figure.savefig(file, format=kind, metadata=metadata)
    return file.getvalue()


def figure_svg(draw: Callable[[], Any]) -> str | None:
    """A figure as an SVG element; None without matplotlib."""
    try:
        drawn = figure_bytes(draw(), None).decode()
    except MpsearchError:
        return None
    return drawn[drawn.index("<svg") :]


def make_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a pandas data frame or, if pandas is not installed, a polars one."""
    records = [dict(row) for row in rows]
    try:
        import pandas

        return pandas.DataFrame(records)
    except ImportError:
        pass
    try:
        import polars

        return polars.DataFrame(records)
    except ImportError:
        raise MpsearchError(
            "a data frame needs the package pandas or polars: pip install pandas"
        ) from None
