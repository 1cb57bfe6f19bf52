"""The reference of commands, from the help of the code itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from outside_pages import FOLDER, write
from typer.main import get_command

from mpsearch.cli.app import COMMANDS, make_app


def write_commands(app: Any) -> None:
    """One section for every command, with its usage and a table of its options."""
    FOLDER.mkdir(exist_ok=True)
    root: Any = get_command(make_app([]))
    lines = ["# Command line", "", "Generated from the commands' own help.", ""]
    for name in COMMANDS:
        lines += _section(root.commands[name], f"mpsearch {name}", level=2)
    write(FOLDER / "command-line.md", "\n".join(lines) + "\n")


def _section(command: Any, name: str, *, level: int) -> Iterator[str]:
    yield from (f"{'#' * level} {name}", "", (command.help or "").strip(), "")
    subcommands = getattr(command, "commands", {})
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    if not subcommands:
        words = [name, *(_argument(p) for p in arguments), "[OPTIONS]" if options else ""]
        yield from ("```console", f"$ {' '.join(words).strip()}", "```", "")
    if arguments or options:
        yield from ("| | |", "|---|---|")
        for parameter in (*arguments, *options):
            flags = ", ".join(f"`{flag}`" for flag in (*parameter.opts, *parameter.secondary_opts))
            if parameter in arguments:
                flags = f"`{parameter.name.upper()}`"
            yield f"| {flags} | {_cell(parameter)} |"
        yield ""
    for sub in sorted(subcommands):
        yield from _section(subcommands[sub], f"{name} {sub}", level=level + 1)


def _argument(parameter: Any) -> str:
    word = parameter.name.upper() + ("..." if parameter.nargs == -1 else "")
    return word if parameter.required else f"[{word}]"


def _cell(parameter: Any) -> str:
    text = " ".join((parameter.help or "").split()).replace("|", "\\|")
    default = parameter.default
    if isinstance(default, (int, float, str)) and not isinstance(default, bool) and default != "":
        text += f" Default: `{default}`."
    return text


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", write_commands)
    return {"parallel_read_safe": True}
