"""Doors: the way from Python to a compiled function of a record.

numba takes a record in an array ten times faster than by itself, so there is a function in between.
It calls the compiled one by its address: with that one inside, as numba would have it, a rule or an
evaluator was optimised once more for its door, a tenth of a cold start.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba import types

from mpsearch.jit.addresses import caller
from mpsearch.jit.numba_backend import address_of, njit, overload


def door_to(native: Any, records: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """door(records, *arguments) calls a function with records[0], for arguments of these types."""
    found = overload(native, records[0], *arguments)
    return _bound(_door_for, found, records, arguments)  # what *arguments takes is a tuple


def loop_over(native: Any, records: Any, parameters: Any, out: Any) -> Callable[..., Any]:
    """loop(records, parameters, out, length) calls it with each of the records, for its row."""
    found = overload(native, records[0], parameters, out[0])
    return _bound(_loop_for, found, records, parameters, out, 0)


def _bound(make: Callable[[Any], Any], found: Any, *arguments: Any) -> Callable[..., Any]:
    address = address_of(found)
    dispatcher = njit(make(types.unliteral(found.signature.return_type)))
    dispatcher._compile_for_args(address, *arguments)
    # What is behind the address takes these types and no others.
    dispatcher.disable_compile()
    return functools.partial(dispatcher, address)


@functools.cache
def _door_for(returns: Any) -> Callable[..., Any]:
    call = caller(returns)

    def door(address: int, records: Any, *arguments: Any) -> Any:
        return call(address, (records[0], *arguments))

    return door


@functools.cache
def _loop_for(returns: Any) -> Callable[..., Any]:
    call = caller(returns)

    def loop(address: int, records: Any, parameters: Any, out: Any, length: int) -> None:
        for k in range(len(records)):
            call(address, (records[k], parameters, out[k, :length]))

    return loop
