"""One player: times, habits, and the handles that change all times at once."""

from __future__ import annotations

import functools
import math
from typing import Any

from pydantic import SerializeAsAny

from stressim.options import Options, option
from stressim.optiontext import word
from stressim.players.distributions import Distribution, Exponential, Lognormal
from stressim.players.time_options import declared, is_guess
from stressim.players.timing import Timing, is_time, timing_fields

ADULT_AGE = 25.0
"""Age of the default player; slopes of age begin here."""

CHILD_AGE = 15.0
"""Age at which reactions reach their adult level; the child factor applies below."""

CHILD_EXPONENT = 0.815
"""Reaction time falls with this power of age in childhood: 465 ms at 5, 190 ms at 15 (Dev. Med. Child Neurol. 1984)."""

HAZARD_UNIT = 2**24
"""Integer that stands for a hazard of 1: an event happens when as much as an exponential draw has been passed."""

FACTOR_UNIT = 2**16
"""Integer that stands for a factor of 1."""

_LARGEST_PROBABILITY = 0.999999


class Player(Options):
    """A player as the rules of time see him.

    Examples
    --------
    >>> from stressim.options import Options
    >>> quick = Player(habits=Options(), speed=2)
    >>> str(quick.times.countdown), quick.times.abort_window, quick.times.p_miss_stress
    ('fixed(900)', 75.0, 0.05)
    """

    name: str = option("adult", "name in reports", source="", cosmetic=True)
    timing: Timing = option(Timing(), "times and error rates of this kind of player", source="")
    habits: SerializeAsAny[Options] = option(..., "what he does where the rules leave a choice", source="")
    speed: float = option(1.0, "divides all times: 1.1 is ten per cent faster", source="", unit="", ge=0.1, le=10)
    age: float = option(
        ADULT_AGE,
        "age; above 25 times grow by the year, below 15 the child factor applies",
        source="Fozard et al. 1994, Woods et al. 2015",
        unit="years",
        ge=5,
        le=100,
    )
    seat_distance_cm: float = option(
        0.0, "how much further from the piles he sits", source="S0:11, S2:11", unit="cm", ge=0, le=200
    )
    person_sd: bool = option(False, "whether people of this kind differ: each deal draws another one", source="")
    presets: tuple[str, ...] = option((), "names of the presets or files he is made of", source="", cosmetic=True)
    changed: dict[str, str] = option({}, "values given one by one", source="", cosmetic=True)

    @property
    def label(self) -> str:
        """The name with the values given one by one: ``adult speed=1.1``."""
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.changed.items())])

    @property
    def times(self) -> Timing:
        """The timing model with age and speed worked in: slopes first, then the child factor, then speed."""
        return _times_in_force(self.timing, self.age, self.speed)

    @property
    def family(self) -> str:
        """The family of games that he plays: that of his habits, or empty."""
        return str(getattr(self.habits, "family", ""))

    @property
    def guesses(self) -> dict[str, str]:
        """Values of times and habits that are a guess of this package's and that the user has not changed."""
        return {
            name: word(getattr(model, name))
            for model, fields in (
                (self.timing, timing_fields(self.family)),
                (self.habits, type(self.habits).model_fields),
            )
            for name, field in fields.items()
            if is_guess(field) and name not in self.changed
        }

    @property
    def lowered_extra(self) -> dict[str, int]:
        """Integers for a kernel that follow from several values."""
        timing, known = self.times, timing_fields(self.family)
        adjacent = min(_LARGEST_PROBABILITY, timing.p_false_slap * timing.false_slap_adjacent_factor)
        hazards = {
            "p_false_slap": {
                "false_slap_hazard": _hazard(timing.p_false_slap),
                "false_slap_hazard_adjacent": _hazard(adjacent),
            },
            "p_illegal_play": {"illegal_play_hazard": _hazard(timing.p_illegal_play)},
        }
        numbers = {
            "seat_us": round(self.seat_distance_cm * timing.seat_ms_per_cm * 1000),
            "persons_differ": int(self.person_sd),
        }
        for name, rare in hazards.items():
            numbers |= rare if name in known else {}
        return numbers

    @property
    def lowered_tables(self) -> dict[str, tuple[Distribution, int]]:
        """Further distributions for a kernel, each with the integer that stands for 1.

        A person's cognitive factor is the product of the common and the own draw, and so is the motor factor; both
        common draws take the same random number, which makes the factors correlate.
        """
        timing = self.times
        shared, own = timing.person_correlation, 1.0 - timing.person_correlation
        return {
            "hazard": (Exponential(1.0), HAZARD_UNIT),
            "person_common_cognitive": (_person_factor(timing.person_cognitive_sd, shared), FACTOR_UNIT),
            "person_own_cognitive": (_person_factor(timing.person_cognitive_sd, own), FACTOR_UNIT),
            "person_common_motor": (_person_factor(timing.person_motor_sd, shared), FACTOR_UNIT),
            "person_own_motor": (_person_factor(timing.person_motor_sd, own), FACTOR_UNIT),
        }


HANDLES = tuple(name for name, field in Player.model_fields.items() if field.annotation in (float, bool))
"""Names of the values that change all times at once: speed, age …"""


def child_factor(age: float) -> float:
    """Return what a child's times are multiplied by.

    Examples
    --------
    >>> [round(child_factor(age), 2) for age in (5, 8, 12, 15, 40)]
    [2.45, 1.67, 1.2, 1.0, 1.0]
    """
    return (CHILD_AGE / age) ** CHILD_EXPONENT if age < CHILD_AGE else 1.0


# Not a cached property of the player: a changed copy of him would keep it.
@functools.lru_cache(maxsize=256)
def _times_in_force(timing: Timing, age: float, speed: float) -> Timing:
    factor = child_factor(age) / speed
    years = max(0.0, age - ADULT_AGE)
    changes: dict[str, Any] = {}
    for name, field in Timing.model_fields.items():
        value = getattr(timing, name)
        if not is_time(name):
            continue
        if isinstance(value, Distribution):
            slope = declared(field)["ms_per_year"] * years
            shifted = value.shifted(slope) if slope else value
            changes[name] = shifted.scaled(factor) if factor != 1 else shifted
        else:
            changes[name] = value * factor
    return timing.model_copy(update=changes)


def _hazard(probability: float) -> int:
    return round(-math.log1p(-min(probability, _LARGEST_PROBABILITY)) * HAZARD_UNIT)


def _person_factor(sd: float, share: float) -> Lognormal:
    """Return a factor of mean 1 whose logarithm has this share of the whole factor's variance."""
    return Lognormal(1.0, math.sqrt(math.expm1(share * math.log1p(sd * sd))))
