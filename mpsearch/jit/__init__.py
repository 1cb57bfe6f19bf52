"""Compilation of rules, evaluators and the search to machine code, and its cache on disk."""

from typing import TYPE_CHECKING, Any

from mpsearch.jit.binding import bind
from mpsearch.jit.bounds_checking import guarded
from mpsearch.jit.cache_directory import cache_folder, trusted_folder
from mpsearch.jit.compile import Compiled, compiled, jit_enabled, jit_suspended
from mpsearch.jit.compile_policy import compile_elsewhere, compiling_elsewhere
from mpsearch.jit.compile_time import PlayClock, after_compiling, is_compiling
from mpsearch.jit.guarded_memory import (
    GUARD,
    SLACK,
    Guards,
    all_by_seat,
    by_seat,
    guarded_frame,
    make_frames,
    take_room,
)
from mpsearch.jit.signals import heard, heard_by, stopped_by_signals

if TYPE_CHECKING:
    from mpsearch.jit.addresses import (
        LIMITS,
        NOTHING,
        NUMBER,
        call_limits,
        call_nothing,
        call_number,
        caller,
        carray,
        copy_record,
        pointer,
        read_only,
        record_at,
    )
    from mpsearch.jit.numba_backend import (
        address_of,
        entry,
        from_python,
        function_address,
        is_compiled,
        njit,
        overload,
    )


#: What needs numba, which takes longer to import than all of mpsearch: only whoever compiles
#: imports it.
_HOMES = {
    **dict.fromkeys(
        (
            *("address_of", "entry", "from_python", "function_address"),
            *("is_compiled", "njit", "overload"),
        ),
        "numba_backend",
    ),
    **dict.fromkeys(
        (
            *("LIMITS", "NOTHING", "NUMBER", "call_limits", "call_nothing", "call_number"),
            *("caller", "carray", "copy_record", "pointer", "read_only", "record_at"),
        ),
        "addresses",
    ),
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"mpsearch.jit.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'mpsearch.jit' has no attribute '{name}'")
