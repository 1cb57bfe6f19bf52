"""Picture files: SVG, and PNG where cairosvg is installed."""

from __future__ import annotations

from pathlib import Path

from mpsearch.api import size
from mpsearch.errors import UsageError
from mpsearch.experiments import check_files, write_files

#: The longest side of a PNG and the most pixels in it.
_MOST, _MOST_PIXELS = 16_000, 24_000_000


def check_picture(path: Path) -> None:
    """UsageError if a picture cannot be written to this file."""
    if path.suffix not in (".svg", ".png"):
        raise UsageError(f"{path}: a picture is .svg or .png")
    check_files({"FILE": path})


def write_picture(path: Path, svg: str) -> None:
    """Write an SVG document in the format of the file's name."""
    data = _png(svg) if path.suffix == ".png" else svg.encode()
    write_files({path: lambda: data})


def _png(text: str) -> bytes:
    try:
        from cairosvg import svg2png
    except (ImportError, OSError):  # the package, or the library below it
        raise UsageError("PNG needs cairosvg: pip install 'mpsearch[draw]'; SVG does not") from None
    width, height = size(text)
    # A long filmstrip can be larger than cairo draws or programs show: then it is scaled down.
    scale = min(2.0, _MOST / max(width, height), (_MOST_PIXELS / (width * height)) ** 0.5)
    data: bytes = svg2png(bytestring=text.encode(), scale=scale)
    return data
