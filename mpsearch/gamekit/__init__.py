"""What several games need and none should write again: for plugins to import."""

from mpsearch.gamekit.bits import lowest, population
from mpsearch.gamekit.colours import SEAT_COLOURS, SEAT_WEB_COLOURS, painted
from mpsearch.gamekit.deals import HIDDEN, read_hands, write_hands
from mpsearch.gamekit.pcg64 import (
    below,
    drawn,
    generator_of,
    go_on,
    native_luck,
    shuffle,
    stream_of,
)
from mpsearch.gamekit.records import record_array, record_type
from mpsearch.gamekit.svg import svg_card, svg_document, svg_move, svg_text, svg_token

__all__ = [
    "HIDDEN",
    "SEAT_COLOURS",
    "SEAT_WEB_COLOURS",
    "below",
    "drawn",
    "generator_of",
    "go_on",
    "lowest",
    "native_luck",
    "painted",
    "population",
    "read_hands",
    "record_array",
    "record_type",
    "shuffle",
    "stream_of",
    "svg_card",
    "svg_document",
    "svg_move",
    "svg_text",
    "svg_token",
    "write_hands",
]
