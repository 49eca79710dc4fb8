"""Compiled code as files: kept, loaded and called without numba, whose import takes longer than a thousand deals.

A kernel that Python calls is compiled for the types of its arguments; what comes of that is an object file, kept under
a name that tells function, types and processor, in a folder that tells the sources and the compiler
(:mod:`stressim.compiled.caches`). To load it takes some ten milliseconds, to call it no more than ctypes does.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib
import importlib.metadata
import json
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np

from stressim.compiled.beside import wait_for
from stressim.compiled.caches import folder_for

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""False when NUMBA_DISABLE_JIT is set: the kernels then run as plain Python, slowly and with the same results."""

_DECIDES_CODE = ("CPU_NAME", "CPU_FEATURES", "OPT", "SLP_VECTORIZE")  # settings of numba, after NUMBA_
_SUFFIX = ".code"
_NUMBERS = {np.int64: ctypes.c_int64, np.uint64: ctypes.c_uint64}
_ADDRESS, _WORD = ctypes.c_void_p, ctypes.c_int64


class Code:
    """A compiled function.

    It is called as numba calls its own: places for what it returns and raises, of which kernels do neither, then each
    argument; an array as seven or more words, of which its address, shape and strides count.

    Parameters
    ----------
    object_code
        An object file that needs nothing but the C library.
    symbol
        The function's name in it.
    arguments
        Arguments of the types that it was compiled for.
    """

    def __init__(self, object_code: bytes, symbol: str, arguments: tuple[Any, ...]) -> None:
        address = _linked(object_code, symbol)
        kinds = [kind for argument in arguments for kind in _kinds(argument)]
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, _ADDRESS, _ADDRESS, *kinds)(address)

    def __call__(self, *arguments: Any) -> None:
        """Call it; other threads run meanwhile."""
        returned, raised = _ADDRESS(), _ADDRESS()
        words = [word for argument in arguments for word in _words(argument)]
        status = self._call(ctypes.addressof(returned), ctypes.addressof(raised), *words)
        if status != 0:
            raise RuntimeError(f"compiled code ended with status {status}")


def call_kernel(module: str, function: str, *arguments: Any) -> None:
    """Call an entry point; its module is imported, and numba with it, only where there is no compiled code yet.

    Also where it runs as plain Python, which warns where unsigned words wrap around: that is what they are for.

    Parameters
    ----------
    module, function
        Where the entry point stands, and its name.
    arguments
        What it takes.
    """
    code = found(module, function, arguments) if JIT else None
    if code is not None:
        code(*arguments)
        return
    with contextlib.nullcontext() if JIT else np.errstate(over="ignore"):
        getattr(importlib.import_module(module), function)(*arguments)


def found(module: str, function: str, arguments: tuple[Any, ...]) -> Code | None:
    """Return an entry point's code for these arguments, loaded if it is kept; None if it must be compiled."""
    key = module, function, types_of(arguments)
    if key not in _LOADED:
        wait_for(module, function)
        with _LOADING:
            if key not in _LOADED:
                _load(key, arguments)
    return _LOADED.get(key)


def keep(module: str, function: str, arguments: tuple[Any, ...], object_code: bytes, symbol: str) -> Code:
    """Keep an entry point's code on disk, if there is a place for it, and return it, ready to be called."""
    key = module, function, types_of(arguments)
    code = Code(object_code, symbol, arguments)
    folder = folder_for(module, compiler())
    if folder is not None:
        head = {"symbol": symbol, "sha256": hashlib.sha256(object_code).hexdigest()}
        with contextlib.suppress(OSError):  # a full disk: it is compiled again next time
            _write(folder / _file_name(*key[1:]), json.dumps(head).encode() + b"\n" + object_code)
    with _LOADING:
        return _LOADED.setdefault(key, code)


def is_compiled(module: str, function: str) -> bool:
    """Whether an entry point's compiled code lies on disk, so that its first call will be quick."""
    folder = folder_for(module, compiler()) if JIT else None
    return not JIT or (folder is not None and any(folder.glob(f"{function}-*{_SUFFIX}")))


def keeps_code(module: str) -> bool:
    """Whether compiled code of a module is kept on disk, where other processes find it."""
    return JIT and folder_for(module, compiler()) is not None


def codes_in_use(module: str, function: str) -> int:
    """Number of argument types for which this process has an entry point's code."""
    return sum(key[:2] == (module, function) for key in _LOADED)


@functools.cache
def compiler() -> str:
    """What compiles, with its version."""
    return " ".join(f"{name} {_version(name)}" for name in ("numba", "llvmlite"))


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:  # a bundle may leave out what an installation notes of itself
        return str(importlib.import_module(name).__version__)


def types_of(arguments: tuple[Any, ...]) -> str:
    """Return the types of arguments in words; arrays must lie in one piece, numbers be of 64 bits.

    Raises
    ------
    TypeError
        If a kernel is not compiled for such an argument.
    """
    return ", ".join(_type_of(argument) for argument in arguments)


def _type_of(argument: Any) -> str:
    if isinstance(argument, np.ndarray):
        if not (argument.flags.c_contiguous and argument.flags.aligned and argument.flags.writeable):
            raise TypeError("a kernel writes to arrays that lie in one piece")
        return f"{argument.ndim} x {_words_of(argument.dtype)}"
    if type(argument) not in _NUMBERS:
        raise TypeError(f"a kernel takes no {type(argument).__name__}")
    return type(argument).__name__


@functools.cache
def _words_of(dtype: np.dtype[Any]) -> str:
    """A record has some hundred fields: a hash of all that is known of them stands for them."""
    return hashlib.sha256(str(dtype).encode()).hexdigest() if dtype.names else str(dtype)


def _kinds(argument: Any) -> list[Any]:
    if isinstance(argument, np.ndarray):
        return [_ADDRESS, _ADDRESS, _WORD, _WORD, _ADDRESS, *[_WORD] * (2 * argument.ndim)]
    return [_NUMBERS[type(argument)]]


def _words(argument: Any) -> list[Any]:
    if isinstance(argument, np.ndarray):
        place = argument.ctypes.data
        return [None, None, argument.size, argument.itemsize, place, *argument.shape, *argument.strides]
    return [int(argument)]


# --- files ----------------------------------------------------------------------------------------------------------

_LOADED: dict[tuple[str, str, str], Code] = {}
_LOADING = threading.Lock()


def _load(key: tuple[str, str, str], arguments: tuple[Any, ...]) -> None:
    module, function, types = key
    folder = folder_for(module, compiler())
    if folder is None:
        return
    with contextlib.suppress(OSError, ValueError, KeyError):  # not there, or not whole: it is compiled again
        head, _, object_code = (folder / _file_name(function, types)).read_bytes().partition(b"\n")
        known = json.loads(head)
        if hashlib.sha256(object_code).hexdigest() == known["sha256"]:
            _LOADED[key] = Code(object_code, known["symbol"], arguments)


def _file_name(function: str, types: str) -> str:
    return f"{function}-{hashlib.sha256(f'{types} on {_processor()}'.encode()).hexdigest()[:16]}{_SUFFIX}"


@functools.cache
def _processor() -> str:
    """What code is made for: it may run on no other."""
    import llvmlite.binding as llvm

    settings = [os.environ.get(f"NUMBA_{name}", "") for name in _DECIDES_CODE]
    host = llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return " ".join([*host, *settings])


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: other processes may read it at any time."""
    number, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


# --- the linker -----------------------------------------------------------------------------------------------------

_ENGINES: list[Any] = []  # code lives as long as what linked it


def _linked(object_code: bytes, symbol: str) -> int:
    """Return the address of a function, its code linked apart from all other: names may be the same in several."""
    import llvmlite.binding as llvm

    with _LINKING:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        code = llvm.ObjectFileRef.from_data(object_code)
        engine.add_object_file(code)
        engine.finalize_object()
        address = int(engine.get_function_address(symbol))
        _ENGINES.append((engine, code))
    if address == 0:
        raise ValueError(f"there is no {symbol} in this code")
    return address


_LINKING = threading.Lock()
