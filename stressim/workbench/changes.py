"""Every single change of rules: each option set once to every other value that combines with the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.options import Choice
from stressim.optiontext import read_value, word
from stressim.players.time_options import declared
from stressim.workbench.variants import Variant, make_variant

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

_WHOLE_RANGE = 12  # numbers with no more possible values than this are tried one by one


@dataclass(frozen=True, kw_only=True)
class Changes:
    """All single changes of a variant's rules.

    Parameters
    ----------
    playable
        Those that combine, each with the variant that it makes.
    alike
        Those that no kernel can tell from the rules as they are: words of a replay, or options of no use here.
    impossible
        Those that do not combine with the rest, with the sentence that says why.
    """

    playable: dict[str, Variant]
    alike: tuple[str, ...]
    impossible: dict[str, str]


def all_changes(base: Variant, *, remedies: bool = False) -> Changes:
    """Return every single change of the rules of ``base``, or only those that are meant to mend locked deals.

    Choices and yes-no options take every other value, whole numbers every other one within small limits and otherwise
    the nearest, half and double; other numbers half and double. Options that name the numbers to try take those, and
    none where they say who sits at the table.
    """
    playable: dict[str, Variant] = {}
    alike: list[str] = []
    impossible: dict[str, str] = {}
    for option, info in type(base.rules.options).model_fields.items():
        about = declared(info)
        if about.get("cosmetic") or about.get("match") or (remedies and not about.get("remedy")):
            continue
        for value in other_values(info, getattr(base.rules.options, option)):
            change = f"{option}={value}"
            try:
                variant = make_variant(base.given.changed([change]), change)
            except InputError as error:
                impossible[change] = str(error)
                continue
            if variant.lowered.rules.tobytes() == base.lowered.rules.tobytes():
                alike.append(change)
            else:
                playable[change] = variant
    return Changes(playable=playable, alike=tuple(alike), impossible=impossible)


def other_values(info: FieldInfo, now: Any) -> list[str]:
    """Return the values that an option is tried with, as they are written.

    Examples
    --------
    >>> from stressim.shedding.rules import SheddingRules
    >>> fields = SheddingRules.model_fields
    >>> other_values(fields["ace"], fields["ace"].default), other_values(fields["row_slots"], 7)
    (['wrap', 'low', 'high'], ['1', '2', '3', '4', '5', '6', '8'])
    >>> other_values(fields["tie_window_ms"], 30.0), other_values(fields["n_players"], 2)
    (['15', '60'], [])
    """
    kind = info.annotation
    if isinstance(kind, type) and issubclass(kind, Choice):
        return [member.word for member in kind if member != now]
    if kind is bool:
        return [word(not now)]
    if kind not in (int, float):
        return []
    numbers = declared(info).get("tried")
    if numbers is None:
        numbers = _numbers(info, now, is_whole=kind is int)
    found = dict.fromkeys(word(value) for value in numbers if value != now)
    return [text for text in found if _is_allowed(info, text)]


def _numbers(info: FieldInfo, now: Any, *, is_whole: bool) -> Iterator[int | float]:
    if not is_whole:
        yield from (now / 2, now * 2)
        return
    low = next((item.ge for item in info.metadata if hasattr(item, "ge")), None)
    high = next((item.le for item in info.metadata if hasattr(item, "le")), None)
    if low is not None and high is not None and high - low < _WHOLE_RANGE:
        yield from range(int(low), int(high) + 1)
    else:
        yield from (now // 2, now - 1, now + 1, now * 2)


def _is_allowed(info: FieldInfo, text: str) -> bool:
    try:
        read_value("", info, text, typed=True)
    except InputError:
        return False
    return True
