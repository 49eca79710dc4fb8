"""What a rule demands by a certain time: bunches put back, the end of a wait, hands that let go (A20, A21, A-U4)."""

from __future__ import annotations

from stressim.exchange.choices import DeadlineReset, DeadlockRule
from stressim.exchange.events import Kind
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.table import Event
from stressim.refereeing import Foul

_SECOND = 1_000_000


def deadline(deal: Deal, player: int) -> int | None:
    """When the player's time for a swap runs out; None if it does not run (A21)."""
    started = deal.clocks[player]
    if deal.rules.deadlock_rule != DeadlockRule.SWAP_DEADLINE or started is None:
        return None
    return started + round(deal.rules.swap_deadline_s * _SECOND)


def end_of_wait(deal: Deal) -> int:
    """When the wait for a swap is over, if nobody makes one (A20)."""
    return deal.quiet_since + round(deal.rules.deadlock_wait_s * _SECOND)


def picked_up(deal: Deal, event: Event) -> None:
    """Start a player's clock at a PICK_UP where the rules say so."""
    runs_until = deadline(deal, event.player)
    has_run_out = runs_until is None or runs_until <= event.time
    if has_run_out or deal.rules.deadline_reset == DeadlineReset.SWAP_OR_SWITCH:
        deal.clocks[event.player] = event.time


def progressed(deal: Deal, event: Event) -> None:
    """Start the player's clock and the wait anew after a swap or a complete bunch."""
    deal.clocks[event.player] = event.time
    deal.quiet_since = event.time


def nothing_is_overdue(deal: Deal, event: Event) -> None:
    """Refuse an event before which a rule demands another one."""
    _hands_let_go_together(deal, event)
    if deal.uniform or deal.calls:
        return
    for player in deal.table.players:
        bunch, until = deal.table.in_hand[player], deadline(deal, player)
        if until is None or bunch is None or deal.swaps[player] or deal.table.is_complete(player, bunch):
            continue
        sentence = f"player {player + 1} had to put his bunch back before: his time for a swap has run out"
        deal.require(event.time <= until, event, "A21 swap_deadline_s", sentence)
    waits = deal.rules.deadlock_rule in (DeadlockRule.REDEAL, DeadlockRule.MOST_COMPLETE_WINS)
    if waits and not any(deal.swaps):
        sentence = "nobody has swapped a card for longer than the agreed wait"
        deal.require(event.time <= end_of_wait(deal), event, "A20 deadlock_rule", sentence)


def _hands_let_go_together(deal: Deal, event: Event) -> None:
    """A card that stays in the centre has been missed by two hands at one time or by none (A-U4)."""
    for card, let_go in list(deal.let_go.items()):
        if event.time == let_go.time and event.kind not in (Kind.REDEAL, Kind.END):
            continue
        if len(let_go.players) < 2:
            sentence = f"{deal.table.name(card)} lies in the centre, and no other hand came for it"
            raise Foul(let_go.row, "A-U4 touch_tie", sentence)
        del deal.let_go[card]
