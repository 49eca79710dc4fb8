"""How rules become constants: what a record says is always so is known before types are inferred."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.consts import ConstantInference
from numba.core.ir_utils import get_definition, guard

from stressim.compiled.frozen import FROZEN


@register_pass(mutates_CFG=False, analysis_only=False)
class FreezeRules(FunctionPass):  # type: ignore[misc]
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
            if name in FROZEN:
                return FROZEN[name]
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
