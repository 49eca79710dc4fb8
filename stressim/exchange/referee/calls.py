"""Calls, true and false (A22, A23, A26, A-U8, A-U9)."""

from __future__ import annotations

from stressim.exchange.choices import Ranking
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.improving import watch
from stressim.exchange.referee.places import take_place
from stressim.exchange.referee.table import Event, height


def call(deal: Deal, event: Event) -> None:
    """A player who has laid open all his bunches calls (A22)."""
    player = event.player
    deal.has_clock(event)
    deal.is_free_to_act(event)
    sentence = f"player {player + 1} has not laid open all his bunches"
    deal.require(deal.rules.side_of(player) in deal.done(), event, "A22 win", sentence)
    if deal.rules.ranking != Ranking.NONE:
        take_place(deal, event)
        return
    deal.require(player not in deal.calls, event, "A22 win", f"player {player + 1} has called already")
    if deal.calls:
        window = round(deal.rules.call_tie_window_ms * 1000)
        near = event.time - deal.called_at < window
        deal.require(near, event, "A23 call_tie_window_ms", "another player has called before and won")
    else:
        deal.called_at = event.time
    deal.calls.append(player)
    deal.last_call_at = event.time


def false_call(deal: Deal, event: Event) -> None:
    """A player calls although his last bunch lacks a card (A26)."""
    player, table = event.player, deal.table
    deal.has_clock(event)
    deal.is_free_to_act(event)
    bunch = table.in_hand[player]
    last = bunch is not None and table.unfinished(player) == [bunch]
    deal.require(last, event, "A26 false call", "only the last unfinished bunch, in hand, is taken for complete")
    short = bunch is not None and height(table.bunches[player][bunch]) == deal.rules.bunch_size - 1
    deal.require(short, event, "A26 false call", "only a bunch that lacks one card is taken for complete")
    deal.score.numbers["false_calls"] += 1
    deal.apply(event)
    watch(deal, event.time)
