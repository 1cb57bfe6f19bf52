"""The clickable marks of an SVG drawing, and what the page forbids in one."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

import attrs

#: Elements that the page's security policy blocks.
_FORBIDDEN = {"script", "style", "foreignObject", "image", "iframe", "a"}


@attrs.frozen(kw_only=True)
class Marks:
    """The clickable moves and parts of moves of a drawing, and what joins parts."""

    moves: frozenset[str]
    parts: frozenset[str]
    join: str | None


def read_marks(drawing: str) -> Marks:
    """The marks of an SVG document; ValueError says what is wrong."""
    try:
        root = ET.fromstring(drawing)
    except ET.ParseError as error:
        raise ValueError(f"is not well-formed: {error}") from None
    if root.tag != "{http://www.w3.org/2000/svg}svg":
        raise ValueError(f"is not an SVG document but begins with {root.tag}")
    if "viewBox" not in root.attrib:
        raise ValueError("has no viewBox and cannot be scaled")
    moves, parts = set(), set()
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name in _FORBIDDEN:
            raise ValueError(f"has a <{name}>, which the page does not show")
        for attribute in element.attrib:
            if attribute == "style" or attribute.startswith("on"):
                raise ValueError(f"has an attribute {attribute}, which the page ignores")
        if "data-move" in element.attrib:
            moves.add(element.attrib["data-move"])
        if "data-part" in element.attrib:
            parts.add(element.attrib["data-part"])
    join = root.attrib.get("data-join")
    return Marks(moves=frozenset(moves), parts=frozenset(parts), join=join)


def objection_to_marks(marks: Marks, texts: Sequence[str]) -> str | None:
    """Why marks do not offer exactly these moves; None if they do."""
    for text in sorted(marks.moves.difference(texts)):
        return f"marks '{text}', which is not a legal move"
    made = {text: text.split(marks.join) if marks.join else [text] for text in texts}
    used = {part for parts in made.values() for part in parts}
    for part in sorted(marks.parts - used):
        return f"marks the part '{part}', of which no legal move is made"
    for text, parts in made.items():
        if text not in marks.moves and not marks.parts.issuperset(parts):
            return f"has no mark for the move '{text}'"
    return None
