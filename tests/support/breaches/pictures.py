"""Games that picture or draw themselves wrongly."""

from collections.abc import Sequence
from typing import Any

from support.breaches.entering import breaks
from support.breaches.sound import Pile


@breaks("pictures_are_text", "the picture for seat 0 is ''")
class EmptyPicture(Pile):
    def picture(self, view: Any, *, colour: bool = False) -> str:
        return "" if colour else "a pile"


@breaks("pictures_are_text", "the picture for seat 0 is None")
class NoPicture(Pile):
    def picture(self, view: Any, *, colour: bool = False) -> Any:
        return None


def drawn(*marks: str, root: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"{root}>{"".join(marks)}</svg>'


class Drawn(Pile):
    """A pile whose drawing marks what `marked` says."""

    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return drawn(*self.marked([self.write(move) for move in moves]))

    def marked(self, texts: list[str]) -> list[str]:
        return [f'<g data-move="{text}"/>' for text in texts]


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has no mark for the move '.*'")
class ForgetsAMark(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return super().marked(texts)[1:]


@breaks(
    "drawings_mark_the_legal_moves",
    "the drawing for seat 0 marks 'resign', which is not a legal move",
)
class MarksTooMuch(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return super().marked([*texts, "resign"])


@breaks(
    "drawings_mark_the_legal_moves",
    "the drawing for seat 0 marks the part 'b', of which no legal move is made",
)
class MarksAStrayPart(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return drawn('<g data-part="b"/>', root=' data-join="-"')


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 is not well-formed: .*")
class DrawsNonsense(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return "<svg><g></svg>"


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 is not an SVG document .*")
class DrawsHtml(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return "<p>a pile</p>"


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has no viewBox .*")
class CannotBeScaled(Drawn):
    def svg(self, view: Any, *, moves: Sequence[Any] = ()) -> str | None:
        return '<svg xmlns="http://www.w3.org/2000/svg"/>'


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has a <script>, .*")
class DrawsAScript(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return ["<script/>", *super().marked(texts)]


@breaks("drawings_mark_the_legal_moves", "the drawing for seat 0 has an attribute onclick, .*")
class DrawsAHandler(Drawn):
    def marked(self, texts: list[str]) -> list[str]:
        return ['<g onclick="alert(1)"/>', *super().marked(texts)]
