"""Distributions as people write them, the same in files and on the command line.

``exgauss(300,45,70)``, ``lognormal(300,60)``, ``normal(350,60)``, ``exponential(3000)``, ``fixed(1800)`` or a plain
number, ``list(310,295,402)`` or a list in a TOML file, ``csv(times.csv,notice)``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, ValidationInfo, WithJsonSchema

from stressim.errors import did_you_mean, one_of
from stressim.optiontext import quoted
from stressim.players.distributions import Distribution, Empirical, ExGaussian, Exponential, Fixed, Lognormal, Normal
from stressim.players.measured import read_numbers

FORMS = {
    "exgauss": "exgauss(mu,sigma,tau)",
    "lognormal": "lognormal(mean,sd)",
    "normal": "normal(mean,sd)",
    "exponential": "exponential(mean)",
    "fixed": "fixed(value)",
    "list": "list(value,value,...)",
    "csv": "csv(path,column)",
}
"""How each kind of distribution is written."""

_KINDS = {kind.word: kind for kind in (ExGaussian, Lognormal, Normal, Exponential, Fixed)}


def parse_distribution(given: object, folder: Path = Path()) -> Distribution:
    """Return the distribution that a user wrote.

    Parameters
    ----------
    given
        A number, a list of numbers or a text.
    folder
        Where a relative path of ``csv(path,column)`` begins.

    Raises
    ------
    ValueError
        If it cannot be read; the text says what is allowed.

    Examples
    --------
    >>> parse_distribution("lognormal(300, 60)"), parse_distribution(1800)
    (Lognormal(mean_ms=300.0, sd_ms=60.0), Fixed(value=1800.0))
    """
    if isinstance(given, Distribution):
        return given
    if isinstance(given, list | tuple):
        return Empirical(_numbers(given, "a list of times"))
    number = _number(given)
    if number is not None:
        return Fixed(number)
    text = given if isinstance(given, str) else ""
    name, bracket, rest = text.strip().partition("(")
    name = name.strip().lower()
    if not bracket or name not in FORMS:
        raise ValueError(f"must be a number of ms or {one_of(FORMS.values())}{did_you_mean(name, FORMS)}")
    arguments = [argument.strip() for argument in rest.removesuffix(")").split(",")]
    n_asked = FORMS[name].count(",") + 1
    if not rest.endswith(")") or (name == "csv" and len(arguments) < n_asked):
        raise ValueError(f"must be written {FORMS[name]}")
    if name == "csv":
        path = ",".join(arguments[:-1])
        return Empirical(read_numbers(folder / path, arguments[-1], shown=path), f"csv({path},{arguments[-1]})")
    numbers = _numbers(arguments, FORMS[name])
    if name == "list":
        return Empirical(numbers)
    if len(numbers) != n_asked:
        raise ValueError(f"must be written {FORMS[name]}")
    return _KINDS[name](*numbers)


def _numbers(given: list[object] | tuple[object, ...] | list[str], form: str) -> tuple[float, ...]:
    numbers = []
    for item in given:
        number = _number(item)
        if number is None:
            raise ValueError(f"{form} takes numbers, not {quoted(item)}")
        numbers.append(number)
    return tuple(numbers)


def _number(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        return float(given)
    except (ValueError, OverflowError):
        return None


def _validate(given: object, info: ValidationInfo) -> Distribution:
    return parse_distribution(given, (info.context or {}).get("folder", Path()))


WrittenDistribution = Annotated[
    Distribution,
    PlainValidator(_validate),
    PlainSerializer(str),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "description": "always this many ms"},
                {"type": "array", "items": {"type": "number", "minimum": 0}, "description": "measured times in ms"},
                {"type": "string", "description": one_of(FORMS.values())},
            ]
        }
    ),
]
"""Type of a model's field that holds a distribution. A relative path begins at ``folder`` of the validation context."""
