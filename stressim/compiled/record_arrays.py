"""How kernels read and write the arrays of a record: with one instruction to find the place and one for the number.

numba would first make a structure of seven fields of every array at every use, and take it apart again; LLVM throws all
of that away, but only after it was written as text and read (measured: a third of all instructions of a kernel).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.base import BaseContext

DATA = 4  # place of the pointer in the structure by which numba passes arrays on
_GET_FUNCTION = BaseContext.get_function
_GET_GETATTR = BaseContext.get_getattr


def function_for(context: Any, function: Any, signature: Any, _firstcall: bool = True) -> Any:
    """Stand in for what finds how an operation is carried out: reading or writing a number of a record's array."""
    if isinstance(function, types.Function) and function.typing_key in _CARRY_OUT and _is_place(signature.args):
        return _CARRY_OUT[function.typing_key](context, signature)
    return _GET_FUNCTION(context, function, signature, _firstcall)


def _is_place(arguments: Any) -> bool:
    array = arguments[0]
    return (
        isinstance(array, types.NestedArray)
        and array.ndim == 1
        and isinstance(array.dtype, (types.Number, types.Record))
        and isinstance(arguments[1], types.Integer)
    )


def _reading(context: Any, signature: Any) -> Callable[[Any, Any], Any]:
    array, index = signature.args

    def read(builder: Any, arguments: Any) -> Any:
        place = _place_of(context, builder, index, *arguments)
        return context.unpack_value(builder, array.dtype, place, None if array.aligned else 1)

    return read


def _writing(context: Any, signature: Any) -> Callable[[Any, Any], Any]:
    array, index, kind = signature.args

    def write(builder: Any, arguments: Any) -> None:
        place = _place_of(context, builder, index, *arguments[:2])
        value = context.cast(builder, arguments[2], kind, array.dtype)
        context.pack_value(builder, array.dtype, value, place, None if array.aligned else 1)

    return write


_CARRY_OUT = {operator.getitem: _reading, operator.setitem: _writing}


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, _size: Any = None) -> Any:
    """Stand in for what asks whether an index counts from the end: in kernels none does."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def _place_of(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    index = index_as_it_is(context, builder, kind, index)
    is_fresh = isinstance(array, cgutils.ir.instructions.InsertValue) and tuple(array.indices) == (DATA,)
    data = array.value if is_fresh else builder.extract_value(array, DATA)
    return builder.gep(data, [index])


def getattr_for(context: Any, kind: Any, name: str) -> Any:
    """Stand in for what finds how a field is read: an array's shape is known, and only its place is to be found."""
    if isinstance(kind, types.Record) and isinstance(kind.fields[name].type, types.NestedArray):
        return _array_of
    return _GET_GETATTR(context, kind, name)


def _array_of(context: Any, builder: Any, kind: Any, record: Any, name: str) -> Any:
    array = kind.typeof(name)
    data = cgutils.get_record_member(builder, record, kind.offset(name), context.get_data_type(array.dtype))
    structure = context.get_value_type(array)
    owner, parent, _, _, nowhere, shape, strides = structure.elements
    frame = structure(
        [owner(None), parent(None), array.nitems, array.size, nowhere(None), shape(array.shape), strides(array.strides)]
    )
    return builder.insert_value(frame, data, DATA)
