"""Memory and functions by their address, in machine code."""

from __future__ import annotations

import functools
from typing import Any

import numba
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed

#: numba's, without types.
intrinsic: Any = extending.intrinsic
carray: Any = numba.carray  # type: ignore[attr-defined]


@intrinsic
def pointer(typing_context: Any, address: Any) -> Any:
    """An address as a pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@intrinsic
def read_only(typing_context: Any, array: Any) -> Any:
    """An array that may only be read, as Python hands it on: another type to the compiler."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.return_type
        return impl_ret_borrowed(context, builder, kind, arguments[0])  # type: ignore[no-untyped-call]

    return array.copy(readonly=True)(array), generate


@intrinsic
def record_at(typing_context: Any, address: Any, like: Any) -> Any:
    """The record at an address: of this type, or of the type of another record."""
    kind = like.dtype if isinstance(like, types.DType) else like

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(kind))

    return kind(types.int64, like), generate


@intrinsic
def copy_record(typing_context: Any, into: Any, source: Any) -> Any:
    """Copy the bytes of a record into another one of its type."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, into.size)
        to, start = arguments
        cgutils.raw_memcpy(builder, to, start, size, itemsize=1)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.none(into, source), generate


@functools.cache
def caller(returns: Any) -> Any:
    """call(address, arguments) for machine code that returns this; what it raises is raised."""

    @intrinsic
    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        called = returns(*map(types.unliteral, arguments))

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            convention = context.call_conv
            kind = convention.get_function_type(called.return_type, called.args)
            status, answer = convention.call_function(
                builder,
                builder.inttoptr(given[0], kind.as_pointer()),
                called.return_type,
                called.args,
                cgutils.unpack_tuple(builder, given[1]),  # type: ignore[no-untyped-call]
            )
            with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
                convention.return_status_propagate(builder, status)
            return answer

        return called.return_type(types.int64, arguments), generate

    return call


#: What functions that are called by their address return: a number, nothing, or whether a node is
#: beaten with two merits.
NUMBER, NOTHING = types.int64, types.none
LIMITS = types.Tuple((types.boolean, types.float64, types.float64))  # type: ignore[no-untyped-call]
call_number, call_nothing, call_limits = map(caller, (NUMBER, NOTHING, LIMITS))
