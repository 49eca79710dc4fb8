"""What a shedding player does where the rules leave him a choice. Uniform timing ignores all but ``pile_choice``."""

from __future__ import annotations

from typing import ClassVar

from stressim.options import Choice, Options, option


class CardChoice(Choice):
    """Which of several possible cards a player lays."""

    FIRST_SEEN = 0, "the first one his eye falls on"
    RANDOM = 1, "looks at the whole row and takes any"
    KEEP_FOLLOW_UP = 2, "looks at the whole row and prefers a card on which another of his fits"
    BLOCK_OPPONENT = 3, "looks at the whole row and covers a pile on which the opponent could play"
    HUNT_STRESS = 4, "looks at the whole row and makes the tops equal when he can"
    SHUN_STRESS = 5, "looks at the whole row and makes the tops equal only when he must"


class When(Choice):
    """When something optional is done."""

    AT_ONCE = 0, "as soon as it can be done"
    WHEN_NEEDED = 1, "when nothing can be played without it"


class MergedPlay(Choice):
    """How a merged pile is played where the rules allow both."""

    WHOLE = 0, "all its cards at once"
    SINGLE = 1, "one card"
    RANDOM = 2, "either, by chance"


class PileChoice(Choice):
    """Which of the two piles a player chooses where the rules let him."""

    RIGHT = 0, "the one on his right"
    LEFT = 1, "the one on his left"
    SMALLER = 2, "the one with fewer cards; of equal ones the one on his right"
    RANDOM = 3, "either, by chance"


class SheddingHabits(Options):
    """Habits of a shedding player."""

    family: ClassVar[str] = "shedding"

    card_choice: CardChoice = option("first_seen", "which of several possible cards is laid", source="S2:54, S2:56")
    refill: When = option("at_once", "when the row is filled up where the rules leave it open", source="S2:54, S4:27")
    merge: When = option("at_once", "when equal ranks are put together where they may be", source="S1:7")
    merged_play: MergedPlay = option(
        "whole", "how a merged pile is played where the rules leave it open", source="S1:15"
    )
    equal_together: bool = option(True, "whether equal cards go in one move where they may", source="S4:82")
    equal_spread: bool = option(False, "whether they go on both piles where they may", source="S4:82")
    pile_choice: PileChoice = option("right", "which pile is taken where the rules leave it open", source="S2:38")
    slap_pile: PileChoice = option("right", "which pile is slapped where the rules leave it open", source="S2:38")
    decline: float = option(
        0.0,
        "chance that a possible card is declined for a restart where the rules allow it",
        source="S4:35, guess",
        unit="probability",
        ge=0,
        le=1,
    )
    foresee_stress: float = option(
        1.0,
        "chance that a player who makes the tops equal knows it beforehand",
        source="S2:54, S4:53, guess",
        unit="probability",
        ge=0,
        le=1,
    )
    announce_stop: float = option(
        0.3,
        "chance to point at the other's stress card in time where the rules know stress-stop",
        source="S4:53, guess",
        unit="probability",
        ge=0,
        le=1,
    )
    second_hand: bool = option(
        False, "whether the other hand refills during the next look where it may", source="S2:30"
    )
    grasp_ahead: bool = option(
        False, "whether the next card is taken while one is laid where it may be", source="S2:30"
    )
