"""How long a player takes: every time and error rate, with where it comes from and how well that is known.

No published timing of cards laid on a table was found. Card movements are sums of industrial motion times (MTM-1)
and Fitts's law at a guessed pace; the two routes agree. Figures called *standard literature* are quoted from memory
of the field and are not checked against the papers. A guess is marked as one, so that a reader can see which
conclusions hang on it.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic.fields import FieldInfo

from stressim.options import Options, option
from stressim.players.distribution_text import WrittenDistribution
from stressim.players.distributions import Distribution, ExGaussian, Fixed, Lognormal, Normal

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
    ms_per_year
        What each year above 25 adds; a movement's slope if not given.
    """
    if ms_per_year is None:
        ms_per_year = _MOTOR_MS_PER_YEAR if part == MOTOR and isinstance(default, Distribution) else 0.0
    field = option(default, meaning, source=source, unit=unit, **limits)
    field.json_schema_extra |= {"evidence": evidence, "part": part, "ms_per_year": ms_per_year}
    return field


def _probability(default: float, meaning: str, *, evidence: Evidence, source: str) -> Any:
    return time_option(default, meaning, evidence=evidence, source=source, unit="probability", ge=0, le=1)


class Timing(Options):
    """Times and error rates of one player. The defaults are an adult of 25 who plays for fun."""

    # looking
    notice_base: WrittenDistribution = time_option(
        ExGaussian(300, 45, 70),
        "from a change on the table to the first card looked at",
        evidence="supported",
        source="recognition 384 ms (Laming 1968, quoted); digits told apart from 230 ms on (Milosavljevic et al. 2011)",
        part=COGNITIVE,
        ms_per_year=2.8,
    )
    scan_per_card: float = time_option(
        45.0,
        "for each card looked at, in random order until one fits",
        evidence="moderate",
        source="inefficient search 25-45 ms an item (Wolfe et al. 2010)",
        part=COGNITIVE,
        ge=0,
        le=100_000,
    )
    scan_absent_factor: float = time_option(
        2.0,
        "how much longer a card takes when none fits",
        evidence="supported",
        source="search without a target takes about twice as long (standard literature)",
        unit="",
        ge=0,
        le=100,
    )
    choice_cost: float = time_option(
        60.0,
        "for each bit of choice when several plays are possible",
        evidence="moderate",
        source="Hick's law, 150 ms a bit, less with practice: 30-60 (standard literature)",
        unit="ms per bit",
        part=COGNITIVE,
        ge=0,
        le=100_000,
    )
    stuck_agreement: WrittenDistribution = time_option(
        Lognormal(500, 150),
        "from finding nothing to being ready for a restart",
        evidence="guess",
        source="guess",
        part=COGNITIVE,
    )

    # cards on their way
    reach_grasp: WrittenDistribution = time_option(
        Lognormal(300, 60),
        "to reach for a card and grasp it",
        evidence="moderate",
        source="MTM-1 and Fitts's law",
        part=MOTOR,
    )
    carry_to_land: WrittenDistribution = time_option(
        Lognormal(340, 60),
        "from the grasp to the landing on a pile",
        evidence="moderate",
        source="MTM-1 and Fitts's law",
        part=MOTOR,
    )
    late_card_return: WrittenDistribution = time_option(
        Lognormal(450, 100),
        "to take back a card that came too late",
        evidence="guess",
        source="guess: one move back",
        part=MOTOR,
    )
    abort_window: float = time_option(
        150.0,
        "a change of the pile earlier than this before the landing is seen",
        evidence="moderate",
        source="corrections of a movement need 110-160 ms (standard literature)",
        ge=0,
        le=100_000,
    )
    abort_return: WrittenDistribution = time_option(
        Lognormal(350, 80),
        "to take back a card that was stopped on its way",
        evidence="guess",
        source="guess: most of one move back",
        part=MOTOR,
    )
    illegal_card_return: WrittenDistribution = time_option(
        Lognormal(600, 150),
        "to see that a card does not fit and take it back",
        evidence="guess",
        source="guess: one move back and a word",
        part=MOTOR,
    )
    refill_from_hand: WrittenDistribution = time_option(
        Lognormal(450, 90),
        "to fill a slot from a stock in the hand",
        evidence="moderate",
        source="MTM-1, 20.7 TMU",
        part=MOTOR,
    )
    refill_from_table: WrittenDistribution = time_option(
        Lognormal(600, 110),
        "to fill a slot from a stock on the table",
        evidence="moderate",
        source="MTM-1, 20.7 TMU and a reach",
        part=MOTOR,
    )
    merge_own_cards: WrittenDistribution = time_option(
        Lognormal(500, 100),
        "to put two equal cards of the row together",
        evidence="guess",
        source="guess: a short play",
        part=MOTOR,
    )
    give_card: WrittenDistribution = time_option(
        Lognormal(900, 200),
        "to hand a card to the other player",
        evidence="guess",
        source="guess: a play and a take",
        part=MOTOR,
    )

    # flips
    countdown: WrittenDistribution = time_option(
        Fixed(1800), "from the agreement to the flip", evidence="guess", source="guess: three beats of 600 ms"
    )
    flip: WrittenDistribution = time_option(Normal(350, 60), "to turn a card over", evidence="guess", source="guess")
    pickup_shuffled: WrittenDistribution = time_option(
        Fixed(6000), "to take piles and shuffle them in while play rests", evidence="guess", source="guess"
    )
    pickup_under: WrittenDistribution = time_option(
        Fixed(3000), "to take piles and put them under the stock while play rests", evidence="guess", source="guess"
    )

    # stress
    stress_notice: WrittenDistribution = time_option(
        ExGaussian(360, 45, 70),
        "from equal tops to seeing them",
        evidence="supported",
        source="recognition 384 ms (Laming 1968, quoted) and matching two cards",
        part=COGNITIVE,
        ms_per_year=1.6,
    )
    busy_penalty: float = time_option(
        150.0,
        "added while a movement or another decision is under way",
        evidence="supported",
        source="dual-task delay 100-200 ms (Pashler 1994, quoted)",
        part=COGNITIVE,
        ge=0,
        le=100_000,
    )
    anticipation_gain: float = time_option(
        80.0,
        "saved by a player who made the tops equal on purpose or foresaw it",
        evidence="moderate",
        source="Haith et al. 2016; S2:54-56",
        ge=0,
        le=100_000,
    )
    slap_move: WrittenDistribution = time_option(
        Lognormal(220, 40),
        "to move the hand to the pile",
        evidence="moderate",
        source="Fitts's law and MTM-1",
        part=MOTOR,
    )
    seat_ms_per_cm: float = time_option(
        7.0,
        "more for each cm that a player sits further away; slaps only",
        evidence="moderate",
        source="MTM-1, 0.7 TMU an inch at pace 1.4",
        unit="ms per cm",
        part=MOTOR,
        ge=0,
        le=1000,
    )
    p_miss_stress: float = _probability(
        0.05, "chance to overlook equal tops", evidence="moderate", source="omissions 5-10 % (Head & Helton 2012)"
    )
    p_false_slap: float = _probability(
        0.002, "chance of a false call at each card that lands", evidence="guess", source="guess: try 0 to 0.02"
    )
    false_slap_adjacent_factor: float = time_option(
        5.0,
        "how many times likelier that is when the tops are neighbours",
        evidence="guess",
        source="guess",
        unit="",
        ge=0,
        le=1000,
    )
    false_call_recovery: WrittenDistribution = time_option(
        Lognormal(1500, 400),
        "until play goes on after a false call",
        evidence="guess",
        source="guess: a laugh and a look",
    )
    p_illegal_play: float = _probability(
        0.01, "chance to lay a card that does not fit", evidence="guess", source="guess: choice errors are 2-5 %"
    )
    call: WrittenDistribution = time_option(
        Lognormal(400, 80), "to call out", evidence="moderate", source="onset of the voice (standard literature)"
    )

    # people
    person_cognitive_sd: float = time_option(
        0.15,
        "how much people differ in noticing and deciding, when person_sd is on",
        evidence="supported",
        source="MRC NSHD 2006-10: 0.24 at 60-64; young adults 0.12-0.15 (standard literature)",
        unit="",
        ge=0,
        le=1,
    )
    person_motor_sd: float = time_option(
        0.12,
        "how much they differ in movements",
        evidence="moderate",
        source="standard literature",
        unit="",
        ge=0,
        le=1,
    )
    person_correlation: float = time_option(
        0.5,
        "how far the two go together",
        evidence="moderate",
        source="0.3-0.5 (standard literature)",
        unit="",
        ge=0,
        le=1,
    )


def declared(field: FieldInfo) -> dict[str, Any]:
    """Return what a field declares beside its type: unit, source, evidence, part, ms_per_year.

    Examples
    --------
    >>> declared(Timing.model_fields["busy_penalty"])["part"]
    'cognitive'
    """
    extra = field.json_schema_extra
    return extra if isinstance(extra, dict) else {}


def is_guess(field: FieldInfo) -> bool:
    """Say whether a field's default is a guess.

    Examples
    --------
    >>> is_guess(Timing.model_fields["countdown"]), is_guess(Timing.model_fields["call"])
    (True, False)
    """
    about = declared(field)
    # Models that mark no evidence name a guess among their sources.
    return bool(about.get("evidence", "guess" if "guess" in about.get("source", "") else "") == "guess")


def is_time(name: str) -> bool:
    """Say whether this value of the timing model is a time, which a player's speed divides.

    Examples
    --------
    >>> is_time("abort_window"), is_time("seat_ms_per_cm"), is_time("p_false_slap")
    (True, True, False)
    """
    return bool(declared(Timing.model_fields[name])["unit"].startswith("ms"))
