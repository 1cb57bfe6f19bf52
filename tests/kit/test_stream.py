"""Streams: NumPy itself is the oracle."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mpsearch.kit.stream import _draw, stream_of, streams_agree


@settings(deadline=None)  # the first example compiles
@given(
    seed=st.integers(0, 2**64),
    before=st.integers(0, 3),
    counts=st.lists(st.integers(1, 60) | st.integers(1, 2**32 - 1), min_size=1, max_size=50),
)
def test_a_stream_draws_what_the_generator_draws_and_ends_where_it_ends(
    seed: int, before: int, counts: list[int]
) -> None:
    rng = np.random.default_rng(seed)
    rng.integers(10, size=before)  # an odd number leaves half of a number for later
    streams, out = stream_of(rng)[None, :], np.empty(len(counts), dtype=np.int64)
    _draw(streams, np.array(counts), out)
    assert out.tolist() == [int(rng.integers(count)) for count in counts]
    assert streams[0].tolist() == stream_of(rng).tolist()


def test_the_installed_numpy_draws_alike() -> None:
    assert streams_agree()
