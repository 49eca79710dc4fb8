"""Bunches picked up, put back and laid open (A9, A10, A17 to A19, A21)."""

from __future__ import annotations

from stressim.exchange.choices import DeadlockRule
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.improving import watch
from stressim.exchange.referee.table import Event
from stressim.exchange.referee.timekeeping import deadline, picked_up, progressed


def pick_up(deal: Deal, event: Event) -> None:
    """A bunch is picked up from the table (A9, A10)."""
    player = event.player
    deal.has_clock(event)
    deal.is_free_to_act(event)
    held = deal.table.in_hand[player]
    deal.require(
        held is None, event, "A9 bunch in hand", f"player {player + 1} holds a bunch, he must put it back first"
    )
    shared = event.bunch in deal.table.held_by_partner(player)
    deal.require(not shared, event, "A9 bunch in hand", f"a partner of player {player + 1} holds this bunch")
    is_open = deal.table.laid_open[player][event.bunch]
    deal.require(not is_open, event, "A19 complete bunch", "this bunch is laid open and not touched again")
    picked_up(deal, event)
    deal.apply(event)
    watch(deal, event.time)


def put_back(deal: Deal, event: Event) -> None:
    """The bunch in hand goes back on the table (A10)."""
    _goes_back(deal, event)
    deal.have_put_back.add(deal.rules.side_of(event.player))
    deal.score.numbers["switches"] += 1
    deal.apply(event)
    watch(deal, event.time)


def time_is_up(deal: Deal, event: Event) -> None:
    """The bunch in hand goes back because no card was swapped in time (A21, A-U6)."""
    asked_for = deal.rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE
    deal.require(asked_for, event, "A20 deadlock_rule", "there is no time limit for a swap in this game")
    _goes_back(deal, event)
    right = event.time == deadline(deal, event.player)
    deal.require(right, event, "A21 swap_deadline_s", f"player {event.player + 1}'s time does not run out now")
    deal.clocks[event.player] = None
    deal.score.numbers["deadlines"] += 1
    deal.apply(event)
    watch(deal, event.time)


def _goes_back(deal: Deal, event: Event) -> None:
    deal.has_clock(event)
    deal.is_free_to_act(event)
    deal.is_in_hand(event)
    complete = deal.table.is_complete(event.player, event.bunch)
    deal.require(not complete, event, "A18 complete bunch", "a complete bunch is laid open, not put back")


def complete(deal: Deal, event: Event) -> None:
    """A complete bunch is laid open (A17, A18)."""
    player, table = event.player, deal.table
    deal.is_free_to_act(event)
    deal.is_in_hand(event)
    is_complete = table.is_complete(player, event.bunch)
    deal.require(is_complete, event, "A17 complete bunch", f"bunch {event.bunch + 1} is not all of one rank")
    if deal.uniform:
        first = min(owner for owner, _ in table.to_lay_open())
        in_turn = deal.rules.side_of(player) == first
        deal.require(in_turn, event, "uniform timing", "bunches are laid open player by player")
    progressed(deal, event)
    deal.done_at[player] = event.time
    deal.apply(event)
    deal.score.judge_lead()
    deal.remember()
    watch(deal, event.time)
