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

#: Arguments beside the record of most functions.
_FEW = 2


def door_to(native: Any, records: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """door(records, *arguments) calls a function with records[0], for arguments of these types."""
    found = overload(native, records[0], *arguments)
    few = len(arguments) <= _FEW
    made = _door_for(_returns(found), len(arguments) if few else None)
    # What *arguments takes is a tuple.
    return _bound(made, found, records, *(arguments if few else (arguments,)))


def loop_over(native: Any, records: Any, parameters: Any, out: Any) -> Callable[..., Any]:
    """loop(records, parameters, out, length) calls it with each of the records, for its row."""
    found = overload(native, records[0], parameters, out[0])
    return _bound(_loop_for(_returns(found)), found, records, parameters, out, 0)


def _returns(found: Any) -> Any:
    return types.unliteral(found.signature.return_type)  # type: ignore[no-untyped-call]


def _bound(door: Callable[..., Any], found: Any, *arguments: Any) -> Callable[..., Any]:
    address = address_of(found)
    dispatcher = njit(door)
    dispatcher._compile_for_args(address, *arguments)
    # What is behind the address takes these types and no others.
    dispatcher.disable_compile()
    return functools.partial(dispatcher, address)


@functools.cache
def _door_for(returns: Any, count: int | None) -> Callable[..., Any]:
    call = caller(returns)

    # By number: for `*arguments` a call takes a sixth longer.
    def door_0(address: int, records: Any) -> Any:
        return call(address, (records[0],))

    def door_1(address: int, records: Any, first: Any) -> Any:
        return call(address, (records[0], first))

    def door_2(address: int, records: Any, first: Any, second: Any) -> Any:
        return call(address, (records[0], first, second))

    def door(address: int, records: Any, *arguments: Any) -> Any:
        return call(address, (records[0], *arguments))

    return door if count is None else (door_0, door_1, door_2)[count]


@functools.cache
def _loop_for(returns: Any) -> Callable[..., Any]:
    call = caller(returns)

    def loop(address: int, records: Any, parameters: Any, out: Any, length: int) -> None:
        for k in range(len(records)):
            call(address, (records[k], parameters, out[k, :length]))

    return loop
