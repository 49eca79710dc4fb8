"""Where hands go in a stress, when two slaps are a tie, and which piles a player takes up (B34 to B37, B41, B42)."""

from __future__ import annotations

from stressim.shedding.choices import (
    FalseCallPenalty,
    OnePile,
    PickupPlacement,
    SignalDecides,
    SlapTarget,
    StressPickup,
    StressSignal,
    UnderOrder,
)
from stressim.shedding.referee.table import Event, Table
from stressim.shedding.rules import SheddingRules


def right_pile(player: int, view: int | None) -> int:
    """Pile on the right of a player: his own, or that of the player whose view holds for both (U6)."""
    return player if view is None else view


def shout_decides(rules: SheddingRules) -> bool:
    """Whether the shout settles who was faster (B33, U19)."""
    both = rules.stress_signal == StressSignal.SHOUT_AND_SLAP
    return rules.stress_signal == StressSignal.SHOUT or (both and rules.signal_decides == SignalDecides.SHOUT)


def slap_piles(rules: SheddingRules, player: int, view: int | None) -> set[int]:
    """Piles that a ``SLAP`` row of the player may name; -1 for both at once or a shout (B34)."""
    if rules.slap_target in (SlapTarget.BOTH_PILES, SlapTarget.BOTH_HANDS, SlapTarget.NONE):
        return {-1}
    piles = {right_pile(player, view)} if rules.slap_target == SlapTarget.RIGHT_PILE else {0, 1}
    return piles | {-1} if shout_decides(rules) else piles


def tie_window_us(rules: SheddingRules, first: Event, second: Event) -> int:
    """Two slaps closer than this many microseconds are undecided (B41, U20, U50)."""
    if shout_decides(rules):
        return round(rules.tie_window_ms * 1000)
    if rules.slap_target == SlapTarget.BOTH_PILES:
        return 0
    return round((rules.tie_window_same_pile_ms if first.pile == second.pile else rules.tie_window_ms) * 1000)


def stress_pickups(table: Table, player: int, view: int | None) -> list[list[int]]:
    """Return the lawful sequences of piles that the loser of a stress takes (B36, B37)."""
    right = right_pile(player, view)
    pickup = table.rules.stress_pickup
    if pickup in (StressPickup.BOTH, StressPickup.ALL):
        return both_piles(table, player)
    if pickup == StressPickup.ONE:
        return _one_pile(table, right)
    return [[right if pickup == StressPickup.RIGHT else 1 - right]]


def false_call_pickups(table: Table, player: int, view: int | None) -> list[list[int]]:
    """Return the lawful sequences of piles that a player takes for a false call (B42)."""
    if table.rules.false_call_penalty == FalseCallPenalty.TAKE_BOTH:
        return both_piles(table, player)
    return _one_pile(table, right_pile(player, view))


def both_piles(table: Table, player: int) -> list[list[int]]:
    """Return the lawful orders of both piles; an empty one is not taken (U44)."""
    orders = [[player, 1 - player], [1 - player, player]]
    if table.rules.pickup_placement == PickupPlacement.UNDER_STOCK:
        if table.rules.under_order == UnderOrder.OWN_FIRST:
            orders = orders[:1]
        elif table.rules.under_order == UnderOrder.OTHER_FIRST:
            orders = orders[1:]
    return [[pile for pile in order if table.piles[pile]] for order in orders]


def _one_pile(table: Table, right: int) -> list[list[int]]:
    """One of the piles, as ``one_pile`` says (U45)."""
    sizes = [len(pile) for pile in table.piles]
    if not all(sizes):
        return [[pile] for pile in (0, 1) if sizes[pile]]
    if table.rules.one_pile == OnePile.OWN_CHOICE:
        return [[0], [1]]
    if table.rules.one_pile == OnePile.SMALLER and sizes[0] != sizes[1]:
        return [[sizes.index(min(sizes))]]
    return [[right]]
