"""How long a player takes: every time and error rate, with where it comes from and how well that is known.

No published timing of cards laid on a table was found. Card movements are sums of industrial motion times (MTM-1)
and Fitts's law at a guessed pace; the two routes agree. Figures called *standard literature* are quoted from memory
of the field and are not checked against the papers. A guess is marked as one, so that a reader can see which
conclusions hang on it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from pydantic.fields import FieldInfo

from stressim.options import Options
from stressim.players.distribution_text import WrittenDistribution
from stressim.players.distributions import ExGaussian, Exponential, Fixed, Lognormal, Normal
from stressim.players.time_options import COGNITIVE, MOTOR, declared, probability, time_option


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
        family="shedding",
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
        family="shedding",
    )
    stuck_agreement: WrittenDistribution = time_option(
        Lognormal(500, 150),
        "from finding nothing to being ready for a restart",
        evidence="guess",
        source="guess",
        part=COGNITIVE,
        family="shedding",
    )

    # cards on their way
    reach_grasp: WrittenDistribution = time_option(
        Lognormal(300, 60),
        "to reach for a card and grasp it",
        evidence="moderate",
        source="MTM-1 and Fitts's law",
        part=MOTOR,
        family="shedding",
    )
    carry_to_land: WrittenDistribution = time_option(
        Lognormal(340, 60),
        "from the grasp to the landing on a pile",
        evidence="moderate",
        source="MTM-1 and Fitts's law",
        part=MOTOR,
        family="shedding",
    )
    late_card_return: WrittenDistribution = time_option(
        Lognormal(450, 100),
        "to take back a card that came too late",
        evidence="guess",
        source="guess: one move back",
        part=MOTOR,
        family="shedding",
    )
    abort_window: float = time_option(
        150.0,
        "a change of the pile earlier than this before the landing is seen",
        evidence="moderate",
        source="corrections of a movement need 110-160 ms (standard literature)",
        ge=0,
        le=100_000,
        family="shedding",
    )
    abort_return: WrittenDistribution = time_option(
        Lognormal(350, 80),
        "to take back a card that was stopped on its way",
        evidence="guess",
        source="guess: most of one move back",
        part=MOTOR,
        family="shedding",
    )
    illegal_card_return: WrittenDistribution = time_option(
        Lognormal(600, 150),
        "to see that a card does not fit and take it back",
        evidence="guess",
        source="guess: one move back and a word",
        part=MOTOR,
        family="shedding",
    )
    refill_from_hand: WrittenDistribution = time_option(
        Lognormal(450, 90),
        "to fill a slot from a stock in the hand",
        evidence="moderate",
        source="MTM-1, 20.7 TMU",
        part=MOTOR,
        family="shedding",
    )
    refill_from_table: WrittenDistribution = time_option(
        Lognormal(600, 110),
        "to fill a slot from a stock on the table",
        evidence="moderate",
        source="MTM-1, 20.7 TMU and a reach",
        part=MOTOR,
        family="shedding",
    )
    merge_own_cards: WrittenDistribution = time_option(
        Lognormal(500, 100),
        "to put two equal cards of the row together",
        evidence="guess",
        source="guess: a short play",
        part=MOTOR,
        family="shedding",
    )
    give_card: WrittenDistribution = time_option(
        Lognormal(900, 200),
        "to hand a card to the other player, or to take one from him",
        evidence="guess",
        source="guess: a play and a take",
        part=MOTOR,
        family="shedding",
    )

    # flips
    countdown: WrittenDistribution = time_option(
        Fixed(1800),
        "from the agreement to the flip",
        evidence="guess",
        source="guess: three beats of 600 ms",
        family="shedding",
    )
    flip: WrittenDistribution = time_option(Normal(350, 60), "to turn a card over", evidence="guess", source="guess")
    pickup_shuffled: WrittenDistribution = time_option(
        Fixed(6000),
        "to take piles and shuffle them in while play rests",
        evidence="guess",
        source="guess",
        family="shedding",
    )
    pickup_under: WrittenDistribution = time_option(
        Fixed(3000),
        "to take piles and put them under the stock while play rests",
        evidence="guess",
        source="guess",
        family="shedding",
    )

    # stress
    stress_notice: WrittenDistribution = time_option(
        ExGaussian(360, 45, 70),
        "from equal tops to seeing them",
        evidence="supported",
        source="recognition 384 ms (Laming 1968, quoted) and matching two cards",
        part=COGNITIVE,
        ms_per_year=1.6,
        family="shedding",
    )
    busy_penalty: float = time_option(
        150.0,
        "added while a movement or another decision is under way",
        evidence="supported",
        source="dual-task delay 100-200 ms (Pashler 1994, quoted)",
        part=COGNITIVE,
        ge=0,
        le=100_000,
        family="shedding",
    )
    anticipation_gain: float = time_option(
        80.0,
        "saved by a player who made the tops equal on purpose or foresaw it",
        evidence="moderate",
        source="Haith et al. 2016; S2:54-56",
        ge=0,
        le=100_000,
        family="shedding",
    )
    slap_move: WrittenDistribution = time_option(
        Lognormal(220, 40),
        "to move the hand to the pile",
        evidence="moderate",
        source="Fitts's law and MTM-1",
        part=MOTOR,
        family="shedding",
    )
    seat_ms_per_cm: float = time_option(
        7.0,
        "more for each cm that a player sits further away; slaps, and hands that go to the centre of the exchange game",
        evidence="moderate",
        source="MTM-1, 0.7 TMU an inch at pace 1.4",
        unit="ms per cm",
        part=MOTOR,
        ge=0,
        le=1000,
    )
    p_miss_stress: float = probability(
        0.05,
        "chance to overlook equal tops",
        evidence="moderate",
        source="omissions 5-10 % (Head & Helton 2012)",
        family="shedding",
    )
    p_false_slap: float = probability(
        0.002,
        "chance of a false call at each card that lands",
        evidence="guess",
        source="guess: try 0 to 0.02",
        family="shedding",
    )
    false_slap_adjacent_factor: float = time_option(
        5.0,
        "how many times likelier that is when the tops are neighbours",
        evidence="guess",
        source="guess",
        unit="",
        ge=0,
        le=1000,
        family="shedding",
    )
    false_call_recovery: WrittenDistribution = time_option(
        Lognormal(1500, 400),
        "until play goes on after a false call",
        evidence="guess",
        source="guess: a laugh and a look",
        family="shedding",
    )
    p_illegal_play: float = probability(
        0.01,
        "chance to lay a card that does not fit",
        evidence="guess",
        source="guess: choice errors are 2-5 %",
        family="shedding",
    )
    call: WrittenDistribution = time_option(
        Lognormal(400, 80), "to call out", evidence="moderate", source="onset of the voice (standard literature)"
    )

    # the exchange game: bunches
    pickup_bunch: WrittenDistribution = time_option(
        Lognormal(1000, 200),
        "to pick up a bunch and fan it out",
        evidence="moderate",
        source="MTM-1, 38 TMU",
        part=MOTOR,
        family="exchange",
    )
    encode_card: float = time_option(
        150.0,
        "to read each card of a bunch just picked up",
        evidence="guess",
        source="guess between naming a letter, 100 ms or more, and focusing the eye, 263 ms",
        part=COGNITIVE,
        family="exchange",
        ge=0,
        le=100_000,
    )
    put_back_bunch: WrittenDistribution = time_option(
        Lognormal(600, 120),
        "to put the bunch in hand back face down",
        evidence="moderate",
        source="MTM-1",
        part=MOTOR,
        family="exchange",
    )
    lay_complete_bunch: WrittenDistribution = time_option(
        Lognormal(600, 120),
        "to lay a complete bunch open",
        evidence="guess",
        source="guess: as putting one back",
        part=MOTOR,
        family="exchange",
    )

    # the exchange game: swaps; looking at the centre takes notice_base and scan_per_card for each open card
    put_down_card: WrittenDistribution = time_option(
        Lognormal(400, 80),
        "to lay a card in the centre, until it is free for all",
        evidence="moderate",
        source="MTM-1, 15.4 TMU at pace 1.4",
        part=MOTOR,
        family="exchange",
    )
    take_card_touch: WrittenDistribution = time_option(
        Lognormal(250, 50),
        "from that landing to the touch of the card wanted",
        evidence="moderate",
        source="MTM-1, 9.9 TMU at pace 1.4",
        part=MOTOR,
        family="exchange",
    )
    take_card_return: WrittenDistribution = time_option(
        Lognormal(350, 70),
        "from the touch to the card in the hand",
        evidence="moderate",
        source="MTM-1, 13.4 TMU at pace 1.4",
        part=MOTOR,
        family="exchange",
    )
    further_card: float = time_option(
        150.0,
        "more for each further card that is laid or taken in one grab",
        evidence="guess",
        source="guess: a grasp and a release",
        part=MOTOR,
        family="exchange",
        ge=0,
        le=100_000,
    )
    decide_no_use: float = time_option(
        300.0,
        "to be sure that no card in the centre is of use",
        evidence="moderate",
        source="Hick's law, two bits at 150 ms (standard literature)",
        part=COGNITIVE,
        family="exchange",
        ge=0,
        le=100_000,
    )
    patience: WrittenDistribution = time_option(
        Exponential(3000),
        "from being sure of that to giving way; habit patience_factor multiplies it",
        evidence="guess",
        source="guess: try 1000 to 10000, it decides how deadlocks end",
        family="exchange",
    )
    p_false_call: float = probability(
        0.01,
        "chance to call too early, each time that the last bunch lacks one card after a swap",
        evidence="guess",
        source="guess; S0:70 warns of it",
        family="exchange",
    )
    false_call_loss: WrittenDistribution = time_option(
        Fixed(2000),
        "to withdraw a false call where it costs time",
        evidence="guess",
        source="guess: a few free seconds for the others (S0:70)",
        family="exchange",
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


@functools.cache
def timing_fields(family: str) -> Mapping[str, FieldInfo]:
    """Return the fields that a family of games knows, by name; all of them for an empty name.

    Examples
    --------
    >>> [name for name in timing_fields("exchange") if name not in timing_fields("shedding")][:2]
    ['pickup_bunch', 'encode_card']
    """
    return {
        name: field
        for name, field in Timing.model_fields.items()
        if not family or declared(field)["family"] in ("", family)
    }


def is_time(name: str) -> bool:
    """Say whether this value of the timing model is a time, which a player's speed divides.

    Examples
    --------
    >>> is_time("abort_window"), is_time("seat_ms_per_cm"), is_time("p_false_slap")
    (True, True, False)
    """
    return bool(declared(Timing.model_fields[name])["unit"].startswith("ms"))
