"""Streams: NumPy itself is the oracle."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpsearch.contracts import compiled
from mpsearch.gamekit.pcg64 import (
    below,
    generator_of,
    native_luck,
    shuffle,
    stream_of,
    streams_agree,
)
from mpsearch.jit import jit_enabled

# PCG64 multiplies modulo 2**64; as plain Python, NumPy warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

#: Small ones, those of 32 bits, and those beyond, which are drawn in another way.
COUNTS = (
    st.integers(1, 60)
    | st.integers(1, 2**32 - 1)
    | st.integers(2**32 - 1, 2**32 + 1)
    | st.integers(2**32, 2**63 - 1)
)


@compiled
def draw(streams: Any, counts: Any, out: Any, order: Any) -> None:
    for k in range(len(counts)):
        out[k] = below(streams[0], counts[k])
    shuffle(streams[0], order)


@settings(deadline=None)  # the first example compiles
@given(
    seed=st.integers(0, 2**64),
    before=st.integers(0, 3),
    counts=st.lists(COUNTS, min_size=1, max_size=50),
    shuffled=st.integers(0, 300),
)
def test_a_stream_draws_what_the_generator_draws_and_ends_where_it_ends(
    seed: int, before: int, counts: list[int], shuffled: int
) -> None:
    rng = np.random.default_rng(seed)
    rng.integers(10, size=before)  # an odd number leaves half of a number for later
    streams, out = stream_of(rng)[None, :], np.empty(len(counts), dtype=np.int64)
    order = np.arange(shuffled)
    draw(streams, np.array(counts), out, order)
    assert out.tolist() == [int(rng.integers(count)) for count in counts]
    assert order.tolist() == rng.permutation(shuffled).tolist()
    assert streams[0].tolist() == stream_of(rng).tolist()
    other = generator_of(streams[0])
    assert [*other.random(3), *other.integers(7, size=3)] == [
        *rng.random(3),
        *rng.integers(7, size=3),
    ]


def test_the_installed_numpy_draws_alike() -> None:
    assert streams_agree()
    assert native_luck(np.random.default_rng(1)) == jit_enabled()
    assert not native_luck(np.random.Generator(np.random.MT19937(1)))
