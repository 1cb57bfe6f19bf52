"""Engine: an agent behind a line protocol on standard input and output (docs/how-to/engine.md)."""

from mpsearch.engine.protocol import Engine
from mpsearch.engine.speaking import speak
from mpsearch.engine.thinking import found_no_more, growing_limits
