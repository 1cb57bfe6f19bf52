"""Pages of the site that lie outside `docs/`: READMEs of plugins and benchmarks, the changelog.

They are copied when the site is built, so that links between them and the documentation hold in
the repository and on the site.
"""

from __future__ import annotations

import os.path
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
FOLDER = DOCS / "generated"

#: Files of the repository, and what they are called on the site.
PAGES = {
    ROOT / "CHANGELOG.md": "changelog",
    ROOT / "CONTRIBUTING.md": "contributing",
    ROOT / "SECURITY.md": "security",
    ROOT / "benchmarks" / "README.md": "benchmarks",
    **{path: path.parent.name for path in sorted(ROOT.glob("plugins/*/README.md"))},
}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def copy_pages(app: Any) -> None:
    """Write every outside page into `docs/generated`, with its links as they are from there."""
    FOLDER.mkdir(exist_ok=True)
    for path, name in PAGES.items():
        text = relinked(path.read_text(encoding="utf-8"), path.parent, FOLDER)
        write(FOLDER / f"{name}.md", text)


def relink_source(app: Any, name: str, source: list[str]) -> None:
    """Lead the links of a page of `docs/` to the copies."""
    folder = (DOCS / name).parent
    if folder != FOLDER:
        source[0] = relinked(source[0], folder, folder)


def relinked(text: str, there: Path, here: Path) -> str:
    """A text written for the folder `there` as it is read in `here`.

    Links to files that are no pages, such as sources, become text.
    """

    def link(found: re.Match[str]) -> str:
        image, words, target, anchor = found.groups()
        if "://" in target or target.startswith(("mailto:", "{")):
            return found[0]
        path = (there / target).resolve()
        if path.is_dir() and (path / "README.md") in PAGES:
            path = path / "README.md"
        if path in PAGES:
            path = FOLDER / f"{PAGES[path]}.md"
        elif path == DOCS / "README.md" or path == ROOT / "README.md":
            path = DOCS / "index.md"
            anchor = ""
        elif not path.is_relative_to(DOCS):
            return f"`{words.strip('`')}`" if not image else found[0]
        return f"{image}[{words}]({os.path.relpath(path, here)}{anchor or ''})"

    return _LINK.sub(link, text)


def write(path: Path, text: str) -> None:
    """Write a file only if it changes: Sphinx reads what has changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", copy_pages)
    app.connect("source-read", relink_source)
    return {"parallel_read_safe": True}
