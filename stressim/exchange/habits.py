"""What an exchange player does where the rules leave him a choice. The defaults are preset ``sensible``.

Uniform timing knows one habit only: whether a player gives way, that is, whether ``churn_weight`` or ``yield_weight``
is above 0.

How the habits fit together: a player looks at the centre and takes a card that improves the bunch in hand, if there is
one. If there is none, he puts the bunch back at once when he remembers another of his that the centre helps, and he
does not stay (``stay_with_bunch``). Otherwise he waits, looking again whenever the centre changes, until his patience
is at an end; then he switches, churns, yields or waits on, by the weights of what is possible. With ``switch_weight=0``
he stays with his bunch until it is complete: he has seen no other that he could remember.
"""

from __future__ import annotations

from typing import ClassVar

from stressim.options import Choice, Options, option


class TargetChoice(Choice):
    """Which rank a bunch goes for when several of its ranks are held as often."""

    CENTRE = 0, "one of which a card lies in the centre, so that any of them will do"
    RANDOM = 1, "one that chance names when the bunch is picked up"


class Concede(Choice):
    """What happens when two of a player's own bunches want the same rank."""

    NEITHER = 0, "both go on collecting it"
    LOWER = 1, "the bunch with fewer of it goes for another rank if it has one as good"


class OwnMemory(Choice):
    """What a player remembers of his own bunches on the table."""

    NONE = 0, "nothing"
    FADING = 1, "what he has seen, until he forgets the bunch (memory_fade_s)"
    PERFECT = 2, "all that he has seen"


class GrabMemory(Choice):
    """What a player remembers of the cards that others took (A30)."""

    NONE = 0, "nothing"
    LAST = 1, "the rank that each other player took last"
    ALL = 2, "every rank that another player has taken and not laid down since"


class NextBunch(Choice):
    """Which bunch a player picks up next."""

    HELPED = 0, "one that the centre helps, as he remembers; then one not seen yet; then any"
    HIGHEST = 1, "the one nearest to complete, as he remembers; unseen ones count as the lowest"
    IN_ORDER = 2, "the next one in the row"
    RANDOM = 3, "any, by chance"


class ChurnTake(Choice):
    """Which card of the centre a player takes when none improves the bunch in hand."""

    RANDOM = 0, "any, by chance"
    OWN_BUNCHES = 1, "one that another of his bunches wants, as he remembers; then any"


class WhenSnatched(Choice):
    """What a player does whose wanted card has gone after he has laid his own, where he may wait."""

    TAKE_ANOTHER = 0, "takes another card at once, the best one there is"
    WAIT = 1, "waits for a card that improves his bunch until his patience is at an end"


class AtDeadline(Choice):
    """What a player does before his time for a swap runs out (deadlock_rule=swap_deadline)."""

    LET_GO = 0, "nothing: the bunch goes back"
    CHURN = 1, "swaps a card that he does not need"


class ExchangeHabits(Options):
    """Habits of an exchange player."""

    family: ClassVar[str] = "exchange"

    # which cards
    target_choice: TargetChoice = option(
        "centre", "which of several equally good ranks a bunch goes for", source="S0:65"
    )
    commit_at: int = option(
        2,
        "equal cards at which a bunch is settled on its rank until his patience is at an end or it has more of another",
        source="S0:57, S0:65",
        unit="cards",
        ge=2,
        le=8,
    )
    concede: Concede = option("lower", "what happens when two own bunches want one rank", source="S0:67, guess")
    keep_for_others: bool = option(
        True, "whether he rather gives cards that none of his other bunches wants", source="S0:67"
    )
    hold_back: bool = option(
        True, "whether he rather gives cards that nobody else was seen to take", source="S0:59, S0:66"
    )
    grab_memory: GrabMemory = option("last", "what he remembers of the others' takes", source="S0:59, S0:66, guess")
    grab_several: bool = option(True, "whether he takes several cards in one grab where he may", source="S0:74")
    churn_take: ChurnTake = option("own_bunches", "which card is taken when none improves the bunch", source="guess")

    # which bunch
    own_memory: OwnMemory = option("fading", "what he remembers of his own bunches", source="guess")
    memory_fade_s: float = option(
        30.0, "mean time until a bunch is forgotten, with fading memory", source="guess", unit="s", ge=0.1, le=1000
    )
    next_bunch: NextBunch = option("helped", "which bunch is picked up next", source="S0:47, S0:61")
    stay_with_bunch: float = option(
        0.5,
        "chance to stay with the bunch in hand although the centre helps another one, as he remembers",
        source="S0:61, S0:68, guess",
        unit="probability",
        ge=0,
        le=1,
    )

    # giving way
    patience_factor: float = option(
        1.0, "how many times longer than usual he waits before he gives way", source="guess", unit="", ge=0.01, le=100
    )
    switch_weight: float = option(
        3.0, "how likely he then tries another bunch", source="S0:47, guess", unit="", ge=0, le=1000
    )
    churn_weight: float = option(
        1.0, "how likely he swaps a card that he does not need", source="S0:47, guess", unit="", ge=0, le=1000
    )
    yield_weight: float = option(
        0.0, "how likely he gives up a card that he hoped for", source="S0:47, guess", unit="", ge=0, le=1000
    )
    wait_weight: float = option(0.0, "how likely he waits once more", source="S0:45, guess", unit="", ge=0, le=1000)
    when_snatched: WhenSnatched = option("take_another", "what he does when his wanted card has gone", source="S0:33")
    at_deadline: AtDeadline = option("churn", "what he does before his time for a swap runs out", source="S0:49, guess")
    deadline_margin_s: float = option(1.5, "how long before that he acts", source="guess", unit="s", ge=0, le=1000)

    @property
    def gives_way(self) -> bool:
        """Whether he ever swaps a card that does not improve a bunch of his own accord."""
        return self.churn_weight > 0 or self.yield_weight > 0

    @property
    def lowered_extra(self) -> dict[str, int]:
        """The one habit that uniform timing knows."""
        return {"gives_way": int(self.gives_way)}
