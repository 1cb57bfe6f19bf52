"""The prompt: a line of input, with editing, history and completion if the terminal can."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from mpsearch.cli import signals as interrupt

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completion

#: The words that may come next.
Words = Callable[[], Iterable[str]]


class Prompt:
    """Reads lines from the terminal, with one history for a whole game."""

    def __init__(self) -> None:
        self._session: PromptSession[str] | None = None

    def ask(self, text: str, words: Words = tuple, *, warning: str = "") -> str:
        """One line, stripped; EOFError at the end of input.

        With a `warning`, the first Ctrl-C prints it and asks again; the next one ends the program.
        """
        while True:
            try:
                return self._ask(text, words)
            except KeyboardInterrupt:
                if not warning:
                    interrupt.interrupt_now()
                print(f"\n  {warning}", flush=True)
                warning = ""

    def _ask(self, text: str, words: Words) -> str:
        if not _edits():
            with interrupt.hurrying():
                return input(text).strip()
        if self._session is None:
            self._session = _new_session()
        try:
            return self._session.prompt(
                text, completer=_completer(words), handle_sigint=False
            ).strip()
        finally:
            interrupt.watch_again()


def _edits() -> bool:
    """Whether the terminal can move its cursor."""
    try:
        real = os.isatty(0) and os.isatty(1) and sys.stdin.fileno() == 0
    except (OSError, ValueError):
        return False
    return real and os.environ.get("TERM", "dumb") != "dumb"


def _new_session() -> PromptSession[str]:
    # The cursor's position is not needed, and some terminals cannot report it.
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    from prompt_toolkit import PromptSession
    from prompt_toolkit.shortcuts import CompleteStyle

    return PromptSession(
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        reserve_space_for_menu=0,
    )


def _completer(words: Words) -> Any:
    from prompt_toolkit.completion import Completer, Completion

    class WordsOf(Completer):
        def get_completions(self, document: Any, event: Any) -> Iterator[Completion]:
            typed = document.text_before_cursor.lstrip()
            for word in words():
                if word.lower().startswith(typed.lower()):
                    yield Completion(word, start_position=-len(typed))

    return WordsOf()
