"""Tools that games share, for plugins to import."""

from mpsearch.gamekit.bits import lowest, population
from mpsearch.gamekit.colours import SEAT_COLOURS, SEAT_WEB_COLOURS, painted
from mpsearch.gamekit.deals import HIDDEN, read_hands, write_hands
from mpsearch.gamekit.learned import (
    inputs_of,
    learned_evaluator,
    logit_of,
    observations,
    share_out,
    shares,
    softmax,
)
from mpsearch.gamekit.network import SUFFIX, Network, read_network
from mpsearch.gamekit.pcg64 import (
    below,
    drawn,
    generator_of,
    go_on,
    native_luck,
    shuffle,
    stream_of,
)
from mpsearch.gamekit.record_features import features_of, record_features
from mpsearch.gamekit.records import record_array, record_type
from mpsearch.gamekit.svg import svg_card, svg_document, svg_move, svg_text, svg_token

__all__ = [
    "HIDDEN",
    "SEAT_COLOURS",
    "SEAT_WEB_COLOURS",
    "SUFFIX",
    "Network",
    "below",
    "drawn",
    "features_of",
    "generator_of",
    "go_on",
    "inputs_of",
    "learned_evaluator",
    "logit_of",
    "lowest",
    "native_luck",
    "observations",
    "painted",
    "population",
    "read_hands",
    "read_network",
    "record_array",
    "record_features",
    "record_type",
    "share_out",
    "shares",
    "shuffle",
    "softmax",
    "stream_of",
    "svg_card",
    "svg_document",
    "svg_move",
    "svg_text",
    "svg_token",
    "write_hands",
]
