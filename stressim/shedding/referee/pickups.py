"""Taking piles up, and the new cards that follow (B36, B37, B39, U15)."""

from __future__ import annotations

from stressim.shedding.choices import PickupPlacement
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.restarts import flip_and_go_on
from stressim.shedding.referee.rows import draw, merge
from stressim.shedding.referee.table import Event


def takes(deal: Deal, player: int, orders: list[list[int]], rule: str, *, shuffled: bool | None = None) -> int:
    """Read the piles that a player takes, in one of the lawful orders.

    Parameters
    ----------
    deal
        The deal.
    player
        Who takes.
    orders
        Lawful sequences of piles.
    rule
        The rule that makes him take them.
    shuffled
        Whether the cards are shuffled into the stock; None as ``pickup_placement`` says.

    Returns
    -------
    int
        Number of cards taken. New orders of shuffled stocks may stand after each pile or be left to
        :func:`read_shuffles`.
    """
    if shuffled is None:
        shuffled = deal.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK
    taken: list[int] = []
    n_cards = 0
    take_nothing(deal, player)
    while any(len(order) > len(taken) for order in orders):
        event = deal.log.expect(Kind.TAKE, rule, f"player {player + 1} must take cards")
        deal.require(event.player == player, event, rule, f"player {player + 1} must take the cards")
        size = len(deal.table.piles[event.pile])
        deal.require(event.number == size, event, rule, f"the pile has {size} cards")
        orders = [order for order in orders if order[: len(taken) + 1] == [*taken, event.pile]]
        deal.require(bool(orders), event, rule, "this is not the pile that he must take now")
        taken.append(event.pile)
        n_cards += size
        deal.apply(event)
        deal.table.joker_rank[event.pile] = None
        if shuffled and player not in deal.to_shuffle:
            deal.to_shuffle.append(player)
        more = any(len(order) > len(taken) for order in orders)
        if more and deal.log.next_kind() == Kind.STOCK:
            read_shuffles(deal)
        take_nothing(deal, player)
    deal.stock_gained(player)
    return n_cards


def take_nothing(deal: Deal, player: int) -> None:
    """Read over empty places that a log names among the piles taken."""
    while deal.log.next_kind() == Kind.TAKE:
        event = deal.log.peek()
        if event.player != player or event.number != 0 or deal.table.piles[event.pile]:
            return
        deal.log.take()


def read_shuffles(deal: Deal) -> None:
    """Read the new order of every stock that cards have been shuffled into."""
    rule = "B37 pickup_placement"
    while deal.to_shuffle or deal.log.next_kind() == Kind.STOCK:
        event = deal.log.peek()
        if event.kind == Kind.STOCK and event.player not in deal.to_shuffle:
            deal.log.refuse(event, rule, "the cards go under the stock as they are")
        player = event.player if event.player in deal.to_shuffle else deal.to_shuffle[0]
        deal.to_shuffle.remove(player)
        before = sorted(deal.table.stocks[player])
        for depth in range(len(before)):
            event = deal.log.expect(Kind.STOCK, rule, f"player {player + 1} shuffles the cards into his stock")
            right = event.player == player and event.number == depth
            deal.require(right, event, rule, f"the stock of player {player + 1} is listed from its top")
            deal.apply(event)
        after = sorted(deal.table.stocks[player])
        deal.require(after == before, event, rule, "these are not the cards of the stock")


def each_takes_right(deal: Deal, rule: str, *, shuffled: bool | None = None) -> int:
    """Read how each player takes the pile on his right, which is his own (B31, B41); return the number of cards."""
    if not deal.table.is_pair:
        return owners_take(deal, list(deal.table.players), rule, shuffled=shuffled)
    n_cards = 0
    waiting = [player for player in (0, 1) if deal.table.piles[player]]
    while waiting:
        for player in (0, 1):
            take_nothing(deal, player)
        event = deal.log.peek()
        if event.kind == Kind.STOCK:
            read_shuffles(deal)
        player = event.player if event.player in waiting else waiting[0]
        waiting.remove(player)
        n_cards += takes(deal, player, [[player]], rule, shuffled=shuffled)
    read_shuffles(deal)
    for player in (0, 1):
        take_nothing(deal, player)
    return n_cards


def owners_take(deal: Deal, players: list[int], rule: str, *, shuffled: bool | None = None) -> int:
    """Read how each of these players takes his own piles; of several who share one whoever is named (B31, B41, B51)."""
    if shuffled is None:
        shuffled = deal.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK
    n_cards = 0
    while any(deal.table.piles[pile] for player in players for pile in deal.table.own_piles(player)):
        if deal.log.next_kind() == Kind.STOCK:
            read_shuffles(deal)
            continue
        event = deal.log.expect(Kind.TAKE, rule, "each takes the pile on his right")
        own = event.player in players and event.pile in deal.table.own_piles(event.player)
        deal.require(own, event, rule, f"player {event.player + 1} does not take this pile")
        n_cards += take(deal, event, rule, shuffled=shuffled)
    read_shuffles(deal)
    return n_cards


def take(deal: Deal, event: Event, rule: str, *, shuffled: bool) -> int:
    """Carry out how one pile is taken; return the number of its cards."""
    size = len(deal.table.piles[event.pile])
    deal.require(event.number == size > 0, event, rule, f"the pile has {size} cards")
    deal.apply(event)
    deal.table.joker_rank[event.pile] = None
    if shuffled and event.player not in deal.to_shuffle:
        deal.to_shuffle.append(event.player)
    deal.stock_gained(event.player)
    return size


def after_pickup(deal: Deal, reason: Reason, winner: int | None) -> None:
    """Rows are filled up before the flip if the rules say so; then new cards come (B39, U15)."""
    may_refill = not deal.rules.flip_before_refill
    while (event := deal.log.peek()).kind in (Kind.DRAW, Kind.MERGE):
        deal.require(may_refill, event, "U15 flip_before_refill", "rows are filled up after the flip")
        deal.log.take()
        (draw if event.kind == Kind.DRAW else merge)(deal, event)
    deal.see_who_is_empty()
    if event.kind in (Kind.END, Kind.CALL) and any(emptied is not None for emptied in deal.emptied):
        return
    if may_refill and reason != Reason.BOTH_EMPTY:
        ready = not any(deal.table.can_refill(player) for player in deal.table.players)
        deal.require(ready, event, "U15 flip_before_refill", "rows are filled up before the flip")
    restart = deal.log.expect(Kind.RESTART, "B39 post_stress_flip", "new cards are flipped")
    deal.require(
        restart.number == reason,
        restart,
        "B39 post_stress_flip",
        f"cards are flipped because {reason.meaning}",
    )
    flip_and_go_on(deal, restart, winner)
