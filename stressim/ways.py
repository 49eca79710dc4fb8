"""What a way is in which a deal does not simply go on; each family lists its own in its module ``ways``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Columns = Mapping[str, NDArray[np.int64]]
    SeenInColumns = Callable[[Columns], NDArray[np.bool_]]
    SeenInLog = Callable[[Any, Sequence[Any], Sequence[Sequence[int]]], int | None]


def always(rules: Any) -> bool:
    """Every game has it."""
    return True


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way in which a deal does not simply go on.

    It is seen in the columns of deals, or, where those do not tell it apart, in their logs.

    Parameters
    ----------
    name
        In tables.
    title
        What people call it.
    meaning
        What happens at the table, in a sentence or two.
    columns
        Function of the columns by name that says for each deal whether it is so.
    log
        Function of rules, dealt cards and event log that returns the time at which it is first so, None if it never is.
    possible
        Whether rules can lead to it at all.
    """

    name: str
    title: str
    meaning: str
    columns: SeenInColumns | None = None
    log: SeenInLog | None = None
    possible: Callable[[Any], bool] = always

    def __post_init__(self) -> None:
        if (self.columns is None) == (self.log is None):
            raise ValueError(f"way {self.name} must be seen in columns or in logs, in one of them")
