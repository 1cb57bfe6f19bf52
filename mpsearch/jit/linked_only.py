"""Functions that are only linked into others: no machine code of their own is made.

numba turns everything that it compiles into machine code at once, with all that is called from
there. Of a function that nothing but compiled code calls, that would be thrown away: what calls it
takes its intermediate code and is optimised with it.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary

#: numba's, without types.
_Library: Any = JITCodeLibrary
_Pipeline: Any = compiler.Compiler

#: What is on disk of such a function: its intermediate code.
_KIND = "linked only"
#: How numba calls the variable with the objects that a function's errors are made of.
_ENVIRONMENT = "_ZN08NumbaEnv"


class LinkedLibrary(_Library):  # type: ignore[misc]
    """The intermediate code of one function, for those that call it."""

    def _finalize_final_module(self) -> None:
        """Make the module ready to be linked; of itself only the environment is there."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._add_environments()
        self._finalized = True

    def _add_environments(self) -> None:
        """Have the variables for environments, which numba fills and whoever links this uses."""
        engine = self._codegen._engine
        named = [variable.name for variable in self._final_module.global_variables]
        module = self._codegen._create_empty_module("environments")
        for name in named:
            if name.startswith(_ENVIRONMENT) and not engine.is_symbol_defined(name):
                variable = ir.GlobalVariable(module, ir.IntType(8).as_pointer(), name)
                variable.linkage = "common"
                variable.initializer = ir.Constant(variable.type.pointee, None)
        if module.global_values:
            self._codegen._add_module(llvmlite.binding.parse_assembly(str(module)))
            engine.finalize_object()

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is no machine code."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What is kept of it on disk."""
        self._ensure_finalized()
        return self.name, _KIND, self._get_module_for_linking().as_bitcode()


class LinkedOnly(_Pipeline):  # type: ignore[misc]
    """numba's pipeline for such functions."""

    def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
        library = LinkedLibrary(target_context.codegen(), "linked only")
        super().__init__(typing_context, target_context, library, *rest)


def rebuild(target_context: Any, stored: tuple[Any, ...], *rest: Any) -> Any:
    """What numba compiled, from its parts on disk."""
    name, kind, code = stored
    if kind != _KIND:
        result: Any = compiler.CompileResult
        return result._rebuild(target_context, stored, *rest)
    described, environment, signature, objectmode, lifted, annotation, reload, environments = rest
    library = LinkedLibrary(target_context.codegen(), name)
    library._final_module = llvmlite.binding.parse_bitcode(code)
    library._finalize_final_module()
    for other in environments:
        library.codegen.set_env(other.env_name, other)
    make: Any = compiler.compile_result
    return make(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=target_context.get_executable(library, described, environment),
        typing_error=None,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        fndesc=described,
        library=library,
        environment=environment,
        reload_init=reload,
        referenced_envs=environments,
    )
