"""The ``kernel`` decorator and entry points from Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba import types

from stressim.compiled import native
from stressim.compiled.compiling import PartOfAnother, names_of_its_own, our_ways
from stressim.compiled.native import JIT

Function = TypeVar("Function", bound=Callable[..., Any])


# ``_nrt=False`` leaves out reference counting, which doubles the speed here. It is a private flag of numba, so numba's
# minor version is pinned; kernels must not create arrays.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


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
        own = numba.njit(forceinline=inline, pipeline_class=PartOfAnother, **_OPTIONS)(function)
        if JIT and beyond:
            _choose_by_room(own, beyond, otherwise)
        return own  # type: ignore[no-any-return]

    return decorate


def _choose_by_room(own: Any, beyond: int, otherwise: Any) -> None:
    """Let numba take another function for ``own`` where the record has no room for more players."""

    def stands_in(*_: Any) -> Any:
        return otherwise

    other = numba.njit(forceinline=True, pipeline_class=PartOfAnother, **_OPTIONS)(stands_in)
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

    It returns nothing: what it finds it writes to its arguments. Loops here run over a handful of slots; vectorised
    with gathers they take twice as long. Only entry points are kept: they contain all that they call, and to keep that
    too would take half as long again to compile.
    """

    def __init__(self, function: Callable[..., Any], module: str | None = None) -> None:
        self.function = function
        self.module = module or function.__module__
        # Called by ctypes (native.py): no wrapper for Python's own calls, which would lean on numba in its turn.
        self.dispatcher = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)

    def kept_by(self, module: str) -> EntryPoint:
        """Return the same function as an entry point of another module, for another record.

        One module's compiled code must be for one record: helpers' symbols tell records apart by a number alone, which
        each process counts anew.
        """
        return EntryPoint(self.function, module)

    def __call__(self, *arguments: Any) -> None:
        """Call the function, compiling it or loading its code if need be."""
        if not JIT:
            self.function(*arguments)
            return
        code = native.found(self.module, self.function.__name__, arguments)
        if code is None:
            with _COMPILING:
                code = native.found(self.module, self.function.__name__, arguments) or self._compile(arguments)
        code(*arguments)

    def _compile(self, arguments: tuple[Any, ...]) -> native.Code:
        signature = tuple(numba.typeof(argument) for argument in arguments)
        with our_ways(), names_of_its_own(f"{self.module} {signature}"):
            self.dispatcher.compile(signature)
        compiled = self.dispatcher.overloads[signature]
        symbol = compiled.fndesc.llvm_func_name
        object_code = bytes(compiled.library._get_compiled_object())
        return native.keep(self.module, self.function.__name__, arguments, object_code, symbol)


_COMPILING = threading.Lock()
