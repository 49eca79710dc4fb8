"""Places, where play goes on after the first has won (A24)."""

from __future__ import annotations

from stressim.exchange.choices import Ranking
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.improving import watch
from stressim.exchange.referee.table import Event


def take_place(deal: Deal, event: Event) -> None:
    """A player calls and has the next place."""
    deal.apply(event)
    deal.score.placed(event.time)


def place_who_is_done(deal: Deal) -> None:
    """Without a clock nobody calls: who has laid open everything has the next place at once.

    Several at once, which only the deal can do, are near-simultaneous calls.
    """
    if not deal.uniform or deal.rules.ranking == Ranking.NONE or any(deal.swaps) or deal.table.to_lay_open():
        return
    done = deal.done()
    if len(done) == 1:
        deal.table.placed.append(done[0])
        deal.score.placed(deal.score.moves)
        if not all_are_ranked(deal):
            watch(deal, deal.score.moves)


def all_are_ranked(deal: Deal) -> bool:
    """Whether the places that are asked for have been taken."""
    most_left = 1 if deal.rules.ranking == Ranking.ALL_BUT_ONE else 0
    return bool(deal.table.placed) and len(deal.table.sides) <= most_left


def place_the_last(deal: Deal) -> None:
    """At the end the one who is left has the next place."""
    if deal.rules.ranking != Ranking.NONE and len(deal.table.sides) == 1:
        deal.table.placed.append(deal.table.sides[0])
