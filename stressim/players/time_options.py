"""How a time or an error rate of a player is declared: as an option, with how well it is known."""

from __future__ import annotations

from typing import Any, Literal

from pydantic.fields import FieldInfo

from stressim.options import option
from stressim.players.distributions import Distribution

Evidence = Literal["supported", "moderate", "guess"]
Part = Literal["", "cognitive", "motor"]

COGNITIVE: Part = "cognitive"
MOTOR: Part = "motor"

_MOTOR_MS_PER_YEAR = 0.55  # Woods et al. 2015: simple reactions, 18 to 65 years


def time_option(
    default: Any,
    meaning: str,
    *,
    evidence: Evidence,
    source: str,
    unit: str = "ms",
    part: Part = "",
    family: str = "",
    ms_per_year: float | None = None,
    **limits: Any,
) -> Any:
    """Declare a value of the timing model.

    Parameters
    ----------
    default, meaning, source, unit, limits
        As in :func:`stressim.options.option`.
    evidence
        How well the default is known.
    part
        Which person factor applies when people differ.
    family
        The one family of games that knows this value; empty if all do.
    ms_per_year
        What each year above 25 adds; a movement's slope if not given.
    """
    if ms_per_year is None:
        ms_per_year = _MOTOR_MS_PER_YEAR if part == MOTOR and isinstance(default, Distribution) else 0.0
    field = option(default, meaning, source=source, unit=unit, **limits)
    field.json_schema_extra |= {"evidence": evidence, "part": part, "family": family, "ms_per_year": ms_per_year}
    return field


def probability(default: float, meaning: str, *, evidence: Evidence, source: str, family: str = "") -> Any:
    """Declare an error rate."""
    return time_option(
        default, meaning, evidence=evidence, source=source, unit="probability", family=family, ge=0, le=1
    )


def declared(field: FieldInfo) -> dict[str, Any]:
    """Return what a field declares beside its type: unit, source, evidence, part, family, ms_per_year.

    Examples
    --------
    >>> declared(time_option(150.0, "added when busy", evidence="guess", source="guess", part=COGNITIVE))["part"]
    'cognitive'
    """
    extra = field.json_schema_extra
    return extra if isinstance(extra, dict) else {}


def is_guess(field: FieldInfo) -> bool:
    """Say whether a field's default is a guess.

    Examples
    --------
    >>> is_guess(time_option(300.0, "a look", evidence="moderate", source="MTM-1"))
    False
    """
    about = declared(field)
    # Models that mark no evidence name a guess among their sources.
    return bool(about.get("evidence", "guess" if "guess" in about.get("source", "") else "") == "guess")
