"""Templates of a package for a new game (docs/reference/plugins.md).

A file `x.tmpl` becomes `x`; `$name` etc. are substituted in its text, as in `string.Template`, and
`__package__` and `__name__` in its path.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from string import Template

from mpsearch.contracts import pick
from mpsearch.errors import MpsearchError, UsageError

#: A name becomes part of a module name, and of lines below 100 characters.
_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
_SUFFIX = ".tmpl"
#: The files of every package.
_SHARED = "shared"
#: The kinds of games.
KINDS = {
    "compiled": "rules as machine code over a NumPy record",
    "plain": "rules over any Python objects",
    "dice": "compiled, with a die",
    "hidden": "plain, with cards that others do not see",
}


def check_name(name: str) -> None:
    """UsageError for an invalid name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"'{name}' cannot be a game's name; it has up to 30 small letters, digits and '_', "
            "a letter first, such as 'last_coin'"
        )


def write_game(
    folder: Path, name: str, *, players: tuple[int, int], kind: str = "compiled"
) -> list[Path]:
    """Write the package of a game to a new folder and return its files, sorted."""
    check_name(name)
    pick(KINDS, kind, kind="kind of game")
    if folder.exists():
        raise UsageError(f"'{folder}' already exists; choose another name or another --dir")
    fewest, most = players
    words = {
        "name": name,
        "package": f"mpsearch_{name}",
        "distribution": f"mpsearch-{name.replace('_', '-')}",
        "title": name.replace("_", " ").strip().capitalize(),
        "class_name": "".join(part.capitalize() for part in name.split("_")),
        "fewest": str(fewest),
        "most": str(most),
        "usual": str(min(max(fewest, 3), most)),
    }
    with resources.as_file(resources.files(__name__)) as templates:
        made = {
            folder / _filled(str(path.relative_to(templates / part)), words): path
            for part in (_SHARED, kind)
            for path in (templates / part).rglob(f"*{_SUFFIX}")
        }
        try:
            return [_write(path, made[path], words) for path in sorted(made)]
        except OSError as error:
            raise MpsearchError(f"'{folder}' cannot be written: {error.strerror}") from None


def _filled(path: str, words: dict[str, str]) -> str:
    """The path of the file made from a template."""
    for word in ("package", "name"):
        path = path.replace(f"__{word}__", words[word])
    return path.removesuffix(_SUFFIX)


def _write(path: Path, template: Path, words: dict[str, str]) -> Path:
    text = Template(template.read_text(encoding="utf-8")).substitute(words)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
