"""Instructions that numba has no name for, and the same in plain Python for when nothing is compiled."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils, codegen
from numba.core.cgutils import ir
from numba.extending import intrinsic

from stressim.compiled.native import JIT
from stressim.compiled.record_arrays import DATA

BLOCK = 32  # cards that are copied at once
SUIT = 16  # ranks that are laid out at once


def _deposits_bits() -> bool:
    """Whether the processor that is compiled for puts bits into the places of a mask in a few cycles."""
    name = numba.config.CPU_NAME or codegen.ll.get_host_cpu_name()
    features = numba.config.CPU_FEATURES or codegen.get_host_cpu_features()
    has = "+bmi2" in features.split(",")
    return has and name not in ("znver1", "znver2", "bdver4")  # there it takes hundreds of cycles


if JIT:
    _DEPOSITS = _deposits_bits()
    _CARDS = ir.VectorType(ir.IntType(8), BLOCK)
    _RANKS = ir.VectorType(ir.IntType(8), SUIT)

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
    def nth_one(typing_context: Any, word: Any, nth: Any) -> Any:
        """Place of the ``nth`` one, counted from 0, of a uint64 that has more ones, as an int64; without branches."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, nth = arguments
            return (_nth_by_deposit if _DEPOSITS else _nth_by_halves)(builder, word, nth)

        return types.int64(types.uint64, types.int64), generate

    def _nth_by_deposit(builder: Any, word: Any, nth: Any) -> Any:
        kind = word.type
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(kind, [kind, kind]))
        place = builder.call(deposit, [builder.shl(kind(1), nth), word])
        return builder.cttz(place, ir.IntType(1)(0))

    def _nth_by_halves(builder: Any, word: Any, nth: Any) -> Any:
        """Go into the half in which the one lies, six times."""
        kind = word.type
        base = kind(0)
        for width in (32, 16, 8, 4, 2, 1):
            n_below = builder.ctpop(builder.and_(word, kind((1 << width) - 1)))
            above = builder.icmp_signed(">=", nth, n_below)
            step = builder.select(above, kind(width), kind(0))
            nth = builder.sub(nth, builder.select(above, n_below, kind(0)))
            word = builder.lshr(word, step)
            base = builder.add(base, step)
        return base

    @intrinsic
    def unseen(typing_context: Any, number: Any) -> Any:
        """Return an int64 as it is; the compiler then makes no branch of a mask that chance makes all ones or none."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.asm(ir.FunctionType(cgutils.intp_t, [cgutils.intp_t]), "", "=r,0", arguments, False)

        return types.int64(types.int64), generate

    def _cards_at(builder: Any, cards: Any, place: Any, kind: Any) -> Any:
        return builder.bitcast(builder.gep(builder.extract_value(cards, DATA), [place]), kind.as_pointer())

    @intrinsic
    def copy_block(typing_context: Any, cards: Any, to: Any, origin: Any) -> Any:
        """Copy ``BLOCK`` bytes of an array, all read before one is written."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            cards, to, origin = arguments
            block = builder.load(_cards_at(builder, cards, origin, _CARDS), align=1)
            builder.store(block, _cards_at(builder, cards, to, _CARDS), align=1)
            return context.get_dummy_value()

        return types.void(cards, types.int64, types.int64), generate

    @intrinsic
    def lay_out_suit(typing_context: Any, cards: Any, place: Any, copy: Any) -> Any:
        """Write ``SUIT`` cards of ranks 0, 1, 2 … and of one copy of each: bytes ``rank + 16 * copy``."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            cards, place, copy = arguments
            number = builder.shl(builder.trunc(copy, _RANKS.element), _RANKS.element(4))
            one = builder.insert_element(ir.Constant(_RANKS, ir.Undefined), number, ir.IntType(32)(0))
            order = ir.Constant(ir.VectorType(ir.IntType(32), SUIT), [0] * SUIT)
            each = builder.shuffle_vector(one, ir.Constant(_RANKS, ir.Undefined), order)
            ranks = ir.Constant(_RANKS, list(range(SUIT)))
            builder.store(builder.or_(each, ranks), _cards_at(builder, cards, place, _RANKS), align=1)
            return context.get_dummy_value()

        return types.void(cards, types.int64, types.int64), generate

else:

    def count_ones(word: Any) -> Any:
        """Count the ones of a uint64, as an int64."""
        return np.int64(int(word).bit_count())

    def lowest_one(word: Any) -> Any:
        """Place of the lowest one of a uint64, as an int64; 64 if there is none."""
        return np.int64((int(word) & -int(word)).bit_length() - 1 if word else 64)

    def nth_one(word: Any, nth: Any) -> Any:
        """Place of the ``nth`` one, counted from 0, of a uint64 that has more ones, as an int64."""
        ones = int(word)
        for _ in range(int(nth)):
            ones &= ones - 1
        return lowest_one(ones)

    def unseen(number: Any) -> Any:
        """Return a number as it is."""
        return number

    def copy_block(cards: Any, to: Any, origin: Any) -> None:
        """Copy ``BLOCK`` bytes of an array, all read before one is written."""
        for i, card in enumerate([cards[origin + i] for i in range(BLOCK)]):
            cards[to + i] = card

    def lay_out_suit(cards: Any, place: Any, copy: Any) -> None:
        """Write ``SUIT`` cards of ranks 0, 1, 2 … and of one copy of each: bytes ``rank + 16 * copy``."""
        for rank in range(SUIT):
            cards[place + rank] = rank + 16 * copy
