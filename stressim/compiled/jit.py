"""The one place that knows numba: the ``kernel`` decorator and how kernels are compiled."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import itertools
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any, TypeVar

import numba
import numpy as np
from numba import _dynfunc, types
from numba.core import cgutils, ir
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.consts import ConstantInference
from numba.core.ir_utils import get_definition, guard
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import IRProcessing
from numba.extending import intrinsic
from numba.np import arrayobj

from stressim.compiled.caches import folder_for
from stressim.compiled.signatures import signature_of

JIT = not numba.config.DISABLE_JIT
"""False when NUMBA_DISABLE_JIT is set: the kernels then run as plain Python, slowly and with the same results."""

_COMPILER = numba.__version__
Function = TypeVar("Function", bound=Callable[..., Any])


# ``_nrt=False`` leaves out reference counting, which doubles the speed here. It is a private flag of numba, so numba's
# minor version is pinned; kernels must not create arrays.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


_FROZEN: dict[str, dict[str, int]] = {}


def frozen_mark(values: Mapping[str, int]) -> str:
    """Return the name of a field by which a record of rules says what some of its fields always are.

    A kernel whose first argument is a record with such a record as ``rules`` is compiled for these values alone: what
    they rule out is cut off before it is translated.

    Parameters
    ----------
    values
        Numbers by the fields' names; after ``players.`` what is the same for all players.

    Examples
    --------
    >>> frozen_mark({"n_jokers": 0}) == frozen_mark({"n_jokers": 0}) != frozen_mark({"n_jokers": 2})
    True
    """
    numbers = {name: int(value) for name, value in values.items()}
    mark = f"frozen_{hashlib.sha256(repr(sorted(numbers.items())).encode()).hexdigest()[:16]}"
    _FROZEN[mark] = numbers
    return mark


@register_pass(mutates_CFG=False, analysis_only=False)
class _FreezeRules(FunctionPass):  # type: ignore[misc]
    """Put constants in place of the frozen rules that a function reads, and of comparisons with them."""

    _name = "freeze_rules"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the function's code; returns whether it has changed."""
        frozen = _frozen_values(state.args)
        if not frozen:
            return False
        code = state.func_ir
        changed = False
        for block in code.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
                    value = _value_of(code, statement.value, frozen)
                    if value is not None:
                        constant = ir.Const(value, statement.loc)
                        definitions = code._definitions[statement.target.name]
                        definitions[definitions.index(statement.value)] = constant
                        statement.value = constant
                        changed = True
        if changed:
            code._consts = ConstantInference(code)
        return changed


def _frozen_values(arguments: Any) -> dict[str, int]:
    if arguments and isinstance(arguments[0], types.Record) and "rules" in arguments[0].fields:
        for name in arguments[0].typeof("rules").fields:
            if name in _FROZEN:
                return _FROZEN[name]
    return {}


def _value_of(code: Any, expression: Any, frozen: dict[str, int]) -> int | bool | None:
    """Return what an expression comes to with frozen rules, or None."""
    if expression.op == "getattr":
        of = guard(get_definition, code, expression.value)
        if isinstance(of, ir.Expr) and "getitem" in of.op:
            of = guard(get_definition, code, of.value)
        if isinstance(of, ir.Expr) and of.op == "getattr" and of.attr in ("rules", "players"):
            return frozen.get(expression.attr if of.attr == "rules" else f"players.{expression.attr}")
    elif expression.op == "binop":
        left, right = (_constant(code, side) for side in (expression.lhs, expression.rhs))
        if left is not None and right is not None:
            return value if isinstance(value := expression.fn(left, right), int) else None
    return None


def _constant(code: Any, variable: Any) -> int | None:
    """Return the number that a variable always has, a choice's member among them, or None."""
    found = guard(get_definition, code, variable)
    if isinstance(found, ir.Const) and isinstance(found.value, int):
        return found.value
    if isinstance(found, ir.Expr) and found.op == "getattr":
        of = guard(get_definition, code, found.value)
        if isinstance(of, ir.Global) and isinstance(of.value, type) and issubclass(of.value, IntEnum):
            return int(of.value[found.attr])
    return None


class _PartOfAnother(Compiler):  # type: ignore[misc]
    """Compile a function for its callers only: no machine code of its own, no way to call it from Python.

    Otherwise every helper is translated twice, once by itself and once in what calls it (measured: a third of the
    time).
    """

    def define_pipelines(self) -> list[Any]:
        """Put frozen rules in before branches that cannot be taken are cut off."""
        pipelines = super().define_pipelines()
        pipelines[0].add_pass_after(_FreezeRules, IRProcessing)
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
        # What calls the function is optimised as a whole, with all that it calls, and only that may be found by the
        # linker: it would take the helper as it is here instead.
        library._optimize_final_module = lambda: None
        library._finalize_final_module = lambda: _finish_for_linking(library)
        return _dynfunc.make_function(
            description.lookup_module(), description.qualname, "", _NO_CODE, environment, (library,)
        )


def _finish_for_linking(library: Any) -> None:
    library._finalize_dynamic_globals()
    library._finalized = True


_NO_CODE = ctypes.cast(ctypes.pythonapi.PyErr_BadInternalCall, ctypes.c_void_p).value


def kernel(*, inline: bool = False, beyond: int = 0, otherwise: Any = None) -> Callable[[Function], Function]:
    """Declare a function that kernels call: compiled, without the interpreter's lock, as part of what calls it.

    Parameters
    ----------
    inline
        True for small helpers, and for large ones with one caller: they are then always built into their callers
        (measured: +8 % deals per second).
    beyond
        For what is only ever called with a record (the first argument) that has room for more players than this: with a
        smaller one nothing of the function is compiled (measured: a quarter of the time for two players).
    otherwise
        What then stands in for the function returns; of the function's own type.
    """

    def decorate(function: Function) -> Function:
        own = numba.njit(forceinline=inline, pipeline_class=_PartOfAnother, **_OPTIONS)(function)
        if JIT and beyond:
            _choose_by_room(own, beyond, otherwise)
        return own  # type: ignore[no-any-return]

    return decorate


def _choose_by_room(own: Any, beyond: int, otherwise: Any) -> None:
    """Let numba take another function for ``own`` where the record has no room for more players."""

    def stands_in(*_: Any) -> Any:
        return otherwise

    other = numba.njit(forceinline=True, pipeline_class=_PartOfAnother, **_OPTIONS)(stands_in)
    template_of, overload_of = own.get_call_template, own.get_overload

    def is_small(arguments: Any) -> bool:
        # The arguments of what stands in are one tuple once they are known.
        game = arguments[0].types[0] if isinstance(arguments[0], types.BaseTuple) else arguments[0]
        return bool(game.typeof("players").shape[0] <= beyond)

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        return (other.get_call_template if is_small(arguments) else template_of)(arguments, keywords)

    def get_overload(arguments: Any) -> Any:
        return (other.get_overload if is_small(arguments) else overload_of)(arguments)

    own.get_call_template, own.get_overload = get_call_template, get_overload


class EntryPoint:
    """A kernel that Python calls: compiled at its first call, for scalar code, and kept on disk.

    Loops here run over a handful of slots; vectorised with gathers they take twice as long. Only entry points are
    kept: they contain all that they call, and to keep that too would take half as long again to compile.
    """

    def __init__(self, function: Callable[..., Any], module: str | None = None) -> None:
        self.function = function
        self.module = module or function.__module__
        with _cache_folder(self.module):
            kept = folder_for(self.module, _COMPILER) is not None
            self.dispatcher = numba.njit(cache=kept, **_OPTIONS)(function)

    def kept_by(self, module: str) -> EntryPoint:
        """Return the same function as an entry point of another module, for another record.

        One module's compiled code must be for one record: helpers' symbols tell records apart by a number alone, which
        each process counts anew.
        """
        return EntryPoint(self.function, module)

    def __call__(self, *arguments: Any) -> Any:
        """Call the function, compiling it or loading its code if need be."""
        if JIT:
            signature = signature_of(arguments, numba.typeof)
            if signature not in self.dispatcher.overloads:
                with _COMPILING, _our_ways(), _names_of_its_own(f"{self.module} {signature}"):
                    self.dispatcher.compile(signature)
        return self.dispatcher(*arguments)


_COMPILING = threading.Lock()


def _index_as_it_is(context: Any, builder: Any, index_type: Any, index: Any, _size: Any) -> Any:
    """Stand in for what asks whether an index counts from the end: in kernels none does."""
    return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)


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
_CALL_TYPE_OF = BaseFunction.get_call_type


def _call_type_once(function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
    """Stand in for what tries all meanings of an operation, strings' and lists' among them: for numbers once is enough.

    Measured: a sixth of the time to compile.
    """
    if keywords or not all(isinstance(argument, (types.Number, types.Boolean)) for argument in arguments):
        return _CALL_TYPE_OF(function, context, arguments, keywords)
    key = (function, arguments)
    if key not in _OPERATIONS:
        _OPERATIONS[key] = _CALL_TYPE_OF(function, context, arguments, keywords)
    return _OPERATIONS[key]


def _hash_of_names(flags: Any) -> int:
    """Stand in for a hash of all options, which is taken at every look at what an overloaded function means."""
    return hash(tuple(sorted(flags._values)))


_OUR_WAYS: tuple[tuple[Any, str, Any], ...] = (
    (numba.config, "LOOP_VECTORIZE", 0),
    (arrayobj, "fix_integer_index", _index_as_it_is),
    (cgutils, "alloca_once", _without_zeros),
    (BaseFunction, "get_call_type", _call_type_once),
    (TargetConfig, "__hash__", _hash_of_names),
)


@contextlib.contextmanager
def _our_ways() -> Iterator[None]:
    """Let numba compile as kernels need it, and only then."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in _OUR_WAYS]
    for owner, name, ours in _OUR_WAYS:
        setattr(owner, name, ours)
    try:
        yield
    finally:
        for owner, name, theirs in before:
            setattr(owner, name, theirs)


_NUMBERS: dict[str, Iterator[int]] = {}


@contextlib.contextmanager
def _names_of_its_own(kernels: str) -> Iterator[None]:
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


if JIT:

    @intrinsic
    def count_ones(typing_context: Any, word: Any) -> Any:
        """Count the ones of a uint64, as an int64; one machine instruction."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def lowest_one(typing_context: Any, word: Any) -> Any:
        """Place of the lowest one of a uint64, as an int64; 64 if there is none."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, 0))

        return types.int64(types.uint64), generate

    @intrinsic
    def unseen(typing_context: Any, number: Any) -> Any:
        """Return an int64 as it is; the compiler then makes no branch of a mask that chance makes all ones or none."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.asm(cgutils.ir.FunctionType(cgutils.intp_t, [cgutils.intp_t]), "", "=r,0", arguments, False)

        return types.int64(types.int64), generate

else:

    def unseen(number: Any) -> Any:
        """Return a number as it is."""
        return number

    def count_ones(word: Any) -> Any:
        """Count the ones of a uint64, as an int64."""
        return np.int64(int(word).bit_count())

    def lowest_one(word: Any) -> Any:
        """Place of the lowest one of a uint64, as an int64; 64 if there is none."""
        return np.int64((int(word) & -int(word)).bit_length() - 1 if word else 64)


def is_compiled(module: str, function: str) -> bool:
    """Whether an entry point's compiled code lies in the cache, so that its first call will be quick."""
    folder = folder_for(module, _COMPILER)
    return not JIT or (folder is not None and any(folder.rglob(f"*{function}-*.nbc")))


@contextlib.contextmanager
def _cache_folder(module: str) -> Iterator[None]:
    """Point numba at our folder while a function is decorated, and only then."""
    folder = folder_for(module, _COMPILER)
    before = numba.config.CACHE_DIR
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
