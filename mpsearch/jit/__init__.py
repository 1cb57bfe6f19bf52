"""Compilation of rules, evaluators and the search to machine code, and its cache."""

from mpsearch.jit.clock import PlayClock
from mpsearch.jit.compiled import Compiled, checking, compiled, jit_enabled

__all__ = ["Compiled", "PlayClock", "checking", "compiled", "jit_enabled"]
