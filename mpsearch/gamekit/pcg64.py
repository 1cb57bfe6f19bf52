"""NumPy's default generator, PCG64, in compiled functions: the same numbers from the same seed.

A stream is the state of a PCG64 as six integers: the halves of the state and of the increment, high
half first, then whether half of the last number is left, and that half.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mpsearch.contracts import Compiled, compiled
from mpsearch.jit import bind, jit_enabled

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_HIGH = np.uint64(_MULTIPLIER >> 64)
_LOW = np.uint64(_MULTIPLIER & (1 << 64) - 1)
_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)
_TURN = np.uint64(58)
_WORD = np.uint64(63)
_NONE = np.uint64(0)
_ONE = np.uint64(1)


def stream_of(rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The stream that continues a generator. Shape (6,)."""
    state = rng.bit_generator.state
    words = [*divmod(state["state"]["state"], 1 << 64), *divmod(state["state"]["inc"], 1 << 64)]
    return np.array([*words, state["has_uint32"], state["uinteger"]], dtype=np.uint64)


def go_on(rng: np.random.Generator, stream: np.ndarray[Any, np.dtype[np.uint64]]) -> None:
    """Let a generator continue a stream."""
    words = stream.tolist()
    state: Any = rng.bit_generator.state
    state["state"] = {"state": words[0] << 64 | words[1], "inc": words[2] << 64 | words[3]}
    state["has_uint32"], state["uinteger"] = words[4:]
    rng.bit_generator.state = state


def generator_of(stream: np.ndarray[Any, np.dtype[np.uint64]]) -> np.random.Generator:
    """A generator that continues a stream."""
    rng = np.random.default_rng(0)
    go_on(rng, stream)
    return rng


def native_luck(rng: np.random.Generator) -> bool:
    """Whether compiled functions can draw the same numbers as this generator."""
    return type(rng.bit_generator) is np.random.PCG64 and jit_enabled() and streams_agree()


def drawn(rng: np.random.Generator, function: Compiled, records: Any, *arguments: Any) -> Any:
    """Call `function(records[0], *arguments, stream)` with the generator's stream."""
    stream = stream_of(rng)
    found = function.on(records, *arguments, stream)
    go_on(rng, stream)
    return found


@compiled
def _high_product(a: Any, b: Any) -> Any:
    """The upper 64 bits of a product of two 64-bit numbers."""
    low = (a & _LOWER) * (b & _LOWER)
    first = (a >> _HALF) * (b & _LOWER) + (low >> _HALF)
    second = (a & _LOWER) * (b >> _HALF) + (first & _LOWER)
    return (a >> _HALF) * (b >> _HALF) + (first >> _HALF) + (second >> _HALF)


@compiled
def _next_64(r: Any) -> Any:
    high = _high_product(r[1], _LOW) + r[0] * _LOW + r[1] * _HIGH + r[2]
    low = r[1] * _LOW
    r[1] = low + r[3]
    r[0] = high + (_ONE if r[1] < low else _NONE)
    turn = r[0] >> _TURN
    mixed = r[0] ^ r[1]
    return (mixed >> turn) | (mixed << ((_WORD - turn + _ONE) & _WORD))


@compiled
def _next_32(r: Any) -> Any:
    if r[4] != _NONE:
        r[4] = _NONE
        return r[5]
    both = _next_64(r)
    r[4] = _ONE
    r[5] = both >> _HALF
    return both & _LOWER


@compiled
def below(r: Any, count: int) -> Any:
    """`int(rng.integers(count))`, for counts from 1 to 2**63 - 1."""
    if count == 1:
        return np.int64(0)
    options = np.uint64(count)
    if options > _LOWER:
        return np.int64(_next_32(r) if options - _ONE == _LOWER else _below_64(r, options))
    product = _next_32(r) * options
    if product & _LOWER < options:
        least = (_LOWER - options + _ONE) % options
        while product & _LOWER < least:
            product = _next_32(r) * options
    return np.int64(product >> _HALF)


@compiled
def _below_64(r: Any, options: Any) -> Any:
    word = _next_64(r)
    if word * options < options:
        least = (_NONE - options) % options
        while word * options < least:
            word = _next_64(r)
    return _high_product(word, options)


# 64-bit numbers wrap around, as in machine code; NumPy would warn.
for _wrapping in (_next_64, _below_64):
    _wrapping.run = np.errstate(over="ignore")(_wrapping.plain)


@compiled
def shuffle(r: Any, out: Any) -> None:
    """`rng.shuffle(out)`; for 0, 1, 2, ... the same as `rng.permutation(len(out))`."""
    mask = 1
    while mask < len(out) - 1:
        mask = 2 * mask + 1
    for last in range(len(out) - 1, 0, -1):
        # As NumPy does: rejection sampling up to a power of two.
        if mask >= 2 * last:
            mask = mask // 2
        k = np.int64(_next_32(r)) & mask
        while k > last:
            k = np.int64(_next_32(r)) & mask
        out[last], out[k] = out[k], out[last]


@functools.cache
def streams_agree() -> bool:
    """Whether the installed NumPy draws as this module does; NumPy may change.

    Asked of the functions as plain Python: to compile these calls took a tenth of a cold start.
    """
    wide = [(1 << 32) - 1, 1 << 32, (1 << 32) + 1, 3 << 60]
    counts = [*range(1, 60), 3 << 30, *wide, *range(3, 40)]
    rng, order = np.random.default_rng(5), np.arange(40)
    stream = stream_of(rng)
    drawing = (_high_product, _next_64, _next_32, _below_64, below, shuffle)
    plain = bind(function.plain for function in drawing)
    with np.errstate(over="ignore"):
        out = [int(plain["below"](stream, count)) for count in counts]
        plain["shuffle"](stream, order)
    drawn_there = [int(rng.integers(count)) for count in counts], rng.permutation(40).tolist()
    return (out, order.tolist()) == drawn_there
