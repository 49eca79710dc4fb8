"""Rows of piles, and rounds that end with a slap for the smaller pile (Spit)."""

from __future__ import annotations

from stressim.shedding.choices import RoundEnd
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.pickups import read_shuffles
from stressim.shedding.referee.restarts import flip_and_go_on
from stressim.shedding.referee.rows import lay_out_piles
from stressim.shedding.referee.table import Event

_ROUND = "U7 round_end"


def move(deal: Deal, event: Event) -> None:
    """A player moves a card of his row to an empty place."""
    rule, row = "B7 move_to_empty", deal.table.rows[event.player]
    deal.require(deal.rules.move_to_empty, event, rule, "cards are not moved within the row in this game")
    deal.is_top_of_slot(event, event.player)
    exists = 0 <= event.number < len(row) and not row[event.number]
    deal.require(exists, event, rule, f"there is no empty slot {event.number + 1}")
    deal.apply(event)


def round_is_over(deal: Deal) -> bool:
    """Whether a row is empty although its player has a stock, or nobody can go on."""
    if deal.rules.round_end == RoundEnd.NONE or any(emptied is not None for emptied in deal.emptied):
        return False
    return deal.table.emptied_row() is not None or deal.locked_without_card()


def end_of_round(deal: Deal) -> None:
    """Both slap the smaller pile; each takes one, shuffles what he holds and lays out a new row."""
    table = deal.table
    emptied = deal.table.emptied_row()
    if emptied is None:
        deal.count_lock()
    sizes = [len(pile) for pile in table.piles]
    smaller = None if sizes[0] == sizes[1] else sizes.index(min(sizes))
    if emptied is not None and min(sizes) == 0:
        faster: int | None = emptied
    else:
        faster = None if deal.uniform else _faster_hand(deal, smaller)
    event = deal.log.expect(Kind.TAKE, _ROUND, "each player takes a pile")
    first = event.player
    deal.require(faster in (None, first), event, _ROUND, f"player {2 - first} chooses first")
    deal.log.put_back(event)
    chosen = first if smaller is None else smaller
    for player, pile in ((first, chosen), (1 - first, 1 - chosen)):
        event = deal.log.expect(Kind.TAKE, _ROUND, f"player {player + 1} takes pile {pile + 1}")
        right = (event.player, event.pile, event.number) == (player, pile, sizes[pile])
        deal.require(right, event, _ROUND, f"player {player + 1} takes pile {pile + 1} with its {sizes[pile]} cards")
        deal.apply(event)
        table.joker_rank[pile] = None
    for player in table.players:
        in_row = sum(map(len, table.rows[player]))
        event = deal.log.expect(Kind.GATHER, _ROUND, f"player {player + 1} takes up his row")
        right = (event.player, event.number) == (player, in_row)
        deal.require(right, event, _ROUND, f"player {player + 1} takes up the {in_row} cards of his row")
        deal.apply(event)
        deal.pairs_seen[player] = 0
        deal.to_shuffle = [player] if table.stocks[player] else []
        read_shuffles(deal)
        lay_out_piles(deal, player)
    deal.score.numbers["rounds"] += 1
    event = deal.log.expect(Kind.RESTART, _ROUND, "a new round begins with new cards")
    deal.require(event.number == Reason.ROUND, event, _ROUND, "a new round begins with new cards")
    flip_and_go_on(deal, event)


def _faster_hand(deal: Deal, smaller: int | None) -> int | None:
    """Read both slaps; None if nobody can tell which was first."""
    slaps = []
    for _ in (0, 1):
        event = deal.log.expect(Kind.SLAP, _ROUND, "both players slap a pile")
        pile = event.player if smaller is None else smaller
        deal.require(event.pile == pile, event, _ROUND, "the hand goes to the smaller pile")
        slaps.append(event)
    first, second = slaps
    deal.require(first.player != second.player, second, _ROUND, "the other player slaps too")
    window = round(deal.rules.tie_window_same_pile_ms * 1000)
    return None if second.time == first.time or second.time - first.time < window else first.player
