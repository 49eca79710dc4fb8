"""How numba compiles kernels: once, in what calls them, and without what only other programs need.

Everything here leans on numba's insides, which is why its minor version is pinned. What stands in for parts of numba
does so only while a kernel is compiled.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import itertools
import operator
import zlib
from collections.abc import Iterator
from typing import Any

import numba
from numba import _dynfunc, types
from numba.core import cgutils, event, ir, transforms
from numba.core.base import BaseContext as TargetContext
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import Compiler
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.untyped_passes import IRProcessing
from numba.np import arrayobj

from stressim.compiled.freezing import FreezeRules
from stressim.compiled.record_arrays import function_for, getattr_for, index_as_it_is


class PartOfAnother(Compiler):  # type: ignore[misc]
    """Compile a function for its callers only: no machine code of its own, no way to call it from Python.

    Otherwise every helper is translated twice, once by itself and once in what calls it (measured: a third of the
    time).
    """

    def define_pipelines(self) -> list[Any]:
        """Put frozen rules in before branches that cannot be taken are cut off, and join no operations on arrays."""
        pipelines = super().define_pipelines()
        pipelines[0].passes = [each for each in pipelines[0].passes if each[0]._name not in _NOT_FOR_KERNELS]
        pipelines[0].add_pass_after(FreezeRules, IRProcessing)
        pipelines[0].finalize()
        return pipelines  # type: ignore[no-any-return]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        flags = self.state.flags.copy()
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        self.state.flags = flags
        self.state.targetctx = _NothingToCall(self.state.targetctx)


class _NothingToCall:
    """A target context that hands out a stand-in where numba wants something that Python could call."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def get_executable(self, library: Any, description: Any, environment: Any) -> Any:
        """Return an object that stands for the function; numba looks functions up by it, and nobody calls it."""
        # What calls the function is linked and optimised as a whole, with all that it calls, and only that may be found
        # by the linker: it would take the helper as it is here instead.
        library.finalize = lambda: _leave_to_callers(library)
        return _dynfunc.make_function(
            description.lookup_module(), description.qualname, "", _NO_CODE, environment, (library,)
        )


# What looks in each function for closures, ``with``, ``literally``, expressions on whole arrays and the like.
_NOT_FOR_KERNELS = {
    "Rewrite dynamic raises",
    "annotate_types",
    "find_literally",
    "inline_closure_likes",
    "inline_inlinables",
    "literal_unroll",
    "make_function_op_code_to_jit_function",
    "nopython_rewrites",
    "with_lifting",
}

_NO_CODE = ctypes.cast(ctypes.pythonapi.PyErr_BadInternalCall, ctypes.c_void_p).value


def _leave_to_callers(library: Any) -> None:
    library._finalize_dynamic_globals()
    library._finalized = True
    library.is_part = True


_FINALIZE = CPUCodeLibrary.finalize


def _link_once(library: Any) -> None:
    """Stand in for what links a function with those that it calls: with theirs too, for they have not done so.

    Measured: a seventh of the time to compile. numba links each helper into each of its callers, theirs, and so on.
    """
    library._linking_libraries = _callers_first(library)
    _FINALIZE(library)


def _callers_first(library: Any) -> list[Any]:
    """List all that a function calls, directly or not, each after all that call it.

    What nothing calls when it is linked in is left out, as if it were not needed.
    """
    done: dict[Any, None] = {}

    def visit(part: Any) -> None:
        for called in reversed(part._linking_libraries):
            if called not in done:
                if getattr(called, "is_part", False):
                    visit(called)
                done[called] = None

    visit(library)
    return list(reversed(done))


def _optimize_once(library: Any) -> None:
    """Stand in for what optimises a whole twice, to find pairs of reference counts in between: kernels count none."""
    passes, builder = library._codegen._module_pass_manager()
    passes.run(library._final_module, builder)


def _optimize_functions(library: Any, module: Any) -> None:
    """Stand in for what cleans up each function of a module: there is nothing to clean where one is only named."""
    module.data_layout = library._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = library._codegen._function_pass_manager()
            passes.run(function, builder)


def _without_zeros(builder: Any, kind: Any, size: Any = None, name: str = "", zfill: bool = False) -> Any:
    """Stand in for what makes a local variable and writes zeros to it: kernels read none before they write it."""
    if isinstance(size, int):
        size = cgutils.intp_t(size)
    with builder.goto_entry_block():
        place = builder.alloca(kind, size=size, name=name)
    if zfill:
        builder.store(kind(None), place)
    return place


_OPERATIONS: dict[Any, Any] = {}
_PLAIN = (types.Number, types.Boolean, types.NestedArray, types.Record)
_CALL_TYPE_OF = BaseFunction.get_call_type


def _call_type_once(function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
    """Stand in for what tries all meanings of an operation, strings' and lists' among them: for numbers once is enough.

    Measured: a sixth of the time to compile.
    """
    if keywords or not all(isinstance(argument, _PLAIN) for argument in arguments):
        return _CALL_TYPE_OF(function, context, arguments, keywords)
    key = (function, arguments)
    if key not in _OPERATIONS:
        _OPERATIONS[key] = _CALL_TYPE_OF(function, context, arguments, keywords)
    return _OPERATIONS[key]


def _hash_of_names(flags: Any) -> int:
    """Stand in for a hash of all options, which is taken at every look at what an overloaded function means."""
    return hash(tuple(sorted(flags._values)))


_DEFAULTS: dict[Any, dict[str, Any]] = {}


def _values_of(flags: Any) -> dict[str, Any]:
    """Stand in for what asks for one option after the other, at every pass over every function."""
    kind = type(flags)
    if kind not in _DEFAULTS:
        _DEFAULTS[kind] = {name: option.default for name, option in kind.options.items()}
    values: dict[str, Any] = _DEFAULTS[kind] | flags._values
    return values


_REFRESH = {context: context.refresh for context in (TypingContext, TargetContext)}
_KNOWN: dict[int, int] = {}


def _refresh(context: Any) -> None:
    """Stand in for what goes through all that numba knows for news, at each function and at what is not found at once.

    What is registered is only ever added to, so its number tells.
    """
    which = id(context._registries)
    if _KNOWN.get(which) != _number_registered(context):
        _REFRESH[TargetContext if isinstance(context, TargetContext) else TypingContext](context)
        _KNOWN[which] = _number_registered(context)


def _number_registered(context: Any) -> int:
    return sum(
        len(entries) for registry in context._registries for entries in vars(registry).values() if type(entries) is list
    )


def _variables_in(instruction: Any, part: Any) -> list[Any]:
    """Stand in for what lists the variables of an instruction: most parts are numbers, names or places in a file."""
    kind = type(part)
    if kind is ir.Var:
        return [part]
    if kind in _WITHOUT_VARIABLES:
        return []
    if kind is dict:
        part = list(part.values())
    elif kind is not list and kind is not tuple:
        return part.list_vars() if isinstance(part, ir.Inst) else []
    return [variable for each in part for variable in _variables_in(instruction, each)]


_WITHOUT_VARIABLES = {ir.Loc, str, int, bool, type(None)}


def _tell_nobody(_: Any) -> None:
    """Stand in for what tells listeners of each step: each function that is being compiled has two that take times."""


_RECORD_TEXT = types.Record.__repr__


@functools.cache
def _text_of(record: Any) -> str:
    """Stand in for what puts a record's hundred fields into words, for each pass over each function."""
    return str(_RECORD_TEXT(record))


_POST_PROCESS = PostProcessor.run


def _post_process(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Stand in for what looks, after each pass, which variables live on where: only generators want to know.

    Nor is it written down where each dies: that is for counting references, of which kernels have none.
    """
    code = processor.func_ir
    if code.is_generator:
        _POST_PROCESS(processor, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = VariableLifetime(code.blocks)
    code.generator_info = None


_LOWER_BINOP = Lower.lower_binop


def _lower_binop(lower: Any, result: Any, expression: Any, operation: Any) -> Any:
    """Stand in for what writes down an operation: that of two numbers has no other form where one of them is known.

    numba asks three times for one, and for new operations each time.
    """
    left, right = lower.typeof(expression.lhs.name), lower.typeof(expression.rhs.name)
    if not (isinstance(left, _NUMBERS_ONLY) and isinstance(right, _NUMBERS_ONLY)) or operation in _POWERS:
        return _LOWER_BINOP(lower, result, expression, operation)
    context = lower.context
    function = context.typing_context.resolve_value_type(operation)
    asked = lower.fndesc.calltypes[expression]
    arguments = [
        context.cast(lower.builder, lower.loadvar(variable.name), kind, wanted)
        for variable, kind, wanted in zip((expression.lhs, expression.rhs), (left, right), asked.args, strict=True)
    ]
    signature = function.get_call_type(context.typing_context, asked.args, {})
    value = context.get_function(function, signature)(lower.builder, arguments)
    return context.cast(lower.builder, value, asked.return_type, result)


_NUMBERS_ONLY = (types.Number, types.Boolean)
_POWERS = (operator.pow, operator.ipow)


_OUR_WAYS: tuple[tuple[Any, str, Any], ...] = (
    (numba.config, "LOOP_VECTORIZE", 0),
    (arrayobj, "fix_integer_index", index_as_it_is),
    (cgutils, "alloca_once", _without_zeros),
    (BaseFunction, "get_call_type", _call_type_once),
    (TargetConfig, "__hash__", _hash_of_names),
    (TargetConfig, "values", _values_of),
    (types.Record, "__repr__", _text_of),
    (event, "broadcast", _tell_nobody),
    (PostProcessor, "run", _post_process),
    (ir.Inst, "_rec_list_vars", _variables_in),
    (TypingContext, "refresh", _refresh),
    (TargetContext, "refresh", _refresh),
    (CPUCodeLibrary, "_optimize_final_module", _optimize_once),
    (TargetContext, "get_function", function_for),
    (TargetContext, "get_getattr", getattr_for),
    (Lower, "lower_binop", _lower_binop),
    (CPUCodeLibrary, "finalize", _link_once),
    (CPUCodeLibrary, "_optimize_functions", _optimize_functions),
)


@contextlib.contextmanager
def our_ways() -> Iterator[None]:
    """Let numba compile as kernels need it, and only then.

    Nor is rubbish looked for meanwhile: millions of objects are made, of which few die (measured: a twelfth of all).
    """
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in _OUR_WAYS]
    collects = gc.isenabled()
    gc.disable()
    for owner, name, ours in _OUR_WAYS:
        setattr(owner, name, ours)
    try:
        yield
    finally:
        if collects:
            gc.enable()
        for owner, name, theirs in before:
            setattr(owner, name, theirs)


_NUMBERS: dict[str, Iterator[int]] = {}


@contextlib.contextmanager
def names_of_its_own(kernels: str) -> Iterator[None]:
    """Let numba number the functions that it compiles from a start that belongs to one module's code for one record.

    A helper's symbol is made of its name, such a number and its types, where a record stands as a number too; both are
    counted from 1 in every process. Kept code for two records, compiled in two processes, would have the same symbols,
    and a process that loads both would run one for the other.
    """
    before = FunctionIdentity._unique_ids
    FunctionIdentity._unique_ids = _NUMBERS.setdefault(kernels, itertools.count(zlib.crc32(kernels.encode()) << 20))
    try:
        yield
    finally:
        FunctionIdentity._unique_ids = before
