"""Which family of games knows a name, for the sentence that refuses it to another family.

Rules, players and numbers of the families have names of their own. Whoever gives one to a game that has none such is
told whose it is, and not which other name is spelt alike.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from stressim.family import FAMILIES, Family, family_named
from stressim.options import Options

Kind = Literal["option", "habit", "metric"]
"""What of a family has a name."""

_SAID: dict[Kind, str] = {"option": "an option", "habit": "a habit of players", "metric": "a metric"}


def family_of(model: type[Options]) -> Family | None:
    """Return the family of which this is the model of rules or habits; None if it is of no family.

    Examples
    --------
    >>> from stressim.shedding.rules import SheddingRules
    >>> family_of(SheddingRules).name, family_of(Options)
    ('shedding', None)
    """
    return next((family for family in _families() if model in (family.rules, family.habits)), None)


def others(family: Family | None) -> list[Family]:
    """Return the families that are not this one; none where it is not known which it is."""
    return [] if family is None else [other for other in _families() if other.name != family.name]


def whose(name: str, family: Family | None, wanted: Kind) -> str:
    """Say whose option, habit or metric a name is, if another family than this has it; empty otherwise.

    Parameters
    ----------
    name
        A name, with underscores.
    family
        The family to which it was given.
    wanted
        What it should have been there.

    Examples
    --------
    >>> shedding = family_named("shedding")
    >>> whose("deadlock_rule", shedding, "option"), whose("churn_weight", shedding, "option")
    ('one of the exchange game', 'a habit of players in the exchange game')
    >>> whose("row_slots", shedding, "option")
    ''
    """
    for other in others(family):
        names: dict[Kind, Collection[str]] = {
            "option": other.rules.model_fields,
            "habit": other.habits.model_fields,
            "metric": {metric.name for metric in other.metrics},
        }
        found = [kind for kind, known in names.items() if name in known]
        if found:
            kind = wanted if wanted in found else found[0]
            return f"{'one' if kind == wanted else _SAID[kind]} {'in' if kind == 'habit' else 'of'} {game(other)}"
    return ""


def game(family: Family) -> str:
    """Name the games of a family in a sentence.

    >>> game(family_named("shedding"))
    'the shedding game'
    """
    return f"the {family.name} game"


def _families() -> list[Family]:
    return [family_named(name) for name in FAMILIES]
