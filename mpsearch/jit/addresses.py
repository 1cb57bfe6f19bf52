"""Memory and functions by their address, in machine code."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed

#: numba's, without types.
intrinsic: Any = extending.intrinsic
carray: Any = numba.carray  # type: ignore[attr-defined]

#: The types of `expand` and `reach`: whole numbers in, a whole number out.
EXPAND = types.int64(*[types.int64] * 5)
REACH = types.int64(*[types.int64] * 3)


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


def _call(called: Any) -> Any:
    """Generates the call of a function at an address; what it raises is raised here."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(called.return_type, called.args)
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        status, answer = convention.call_function(
            builder, function, called.return_type, called.args, arguments[1:]
        )
        with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
            convention.return_status_propagate(builder, status)
        return answer

    return called.return_type(types.int64, *called.args), generate


@intrinsic
def call_expand(
    typing_context: Any, at: Any, f: Any, g: Any, i: Any, depth: Any, context: Any
) -> Any:
    """Call the function of type EXPAND that is at an address."""
    return _call(EXPAND)


@intrinsic
def call_reach(typing_context: Any, at: Any, f: Any, depth: Any, context: Any) -> Any:
    """Call the function of type REACH that is at an address."""
    return _call(REACH)
