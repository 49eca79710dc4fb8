"""How kernels are put together: each function that is called is linked in once, after all that call it."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from typing import Any

from numba import types
from numba.core.targetconfig import Option, TargetConfig

from stressim.compiled import compiling
from stressim.compiled.compiling import our_ways


@dataclass(eq=False)
class Library:
    name: str
    _linking_libraries: list[Any] = field(default_factory=list)
    is_part: bool = True


def test_callers_first__what_two_call_comes_after_both() -> None:
    shared = Library("shared")
    late = Library("late", [shared])
    early = Library("early", [shared])
    middle = Library("middle", [late])
    order = compiling._callers_first(Library("whole", [early, middle]))

    assert [each.name for each in order].index("shared") == 3
    assert {each.name for each in order} == {"early", "middle", "late", "shared"}
    assert order.index(middle) < order.index(late)


def test_callers_first__what_is_linked_already_is_taken_as_it_is() -> None:
    inner = Library("inner")
    linked = Library("linked", [inner], is_part=False)

    assert compiling._callers_first(Library("whole", [linked])) == [linked]


def test_our_ways__say_the_same_and_only_while_kernels_are_compiled() -> None:
    class Flags(TargetConfig):  # type: ignore[misc]
        fast = Option(type=bool, default=False, doc="")
        level = Option(type=int, default=2, doc="")

    flags = Flags()
    flags.level = 3
    record = types.Record.make_c_struct([("a", types.int64), ("b", types.float64)])
    values, text, method = flags.values(), repr(record), TargetConfig.values

    assert gc.isenabled()
    with our_ways():
        assert not gc.isenabled()
        assert TargetConfig.values is not method
        assert flags.values() == values == {"fast": False, "level": 3}
        assert repr(record) == text
    assert TargetConfig.values is method
    assert gc.isenabled()
