"""New cards in the middle where not two play with two piles: each covers his own piles (B27, B30, B40, B51, U2)."""

from __future__ import annotations

from stressim.shedding.choices import JokerMode, PostStressEmptyStock, RestartSource
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.lawful_flips import empty_stock_rule
from stressim.shedding.referee.table import Event, Table, is_joker


def cards_change_hands(deal: Deal, reason: Reason) -> list[int]:
    """Read the cards that players without a stock get from their neighbours (B30, B40, U3); return who got one."""
    table = deal.table
    rule, value = empty_stock_rule(deal.rules, reason)
    gives = value in (PostStressEmptyStock.OPPONENT_GIVES, PostStressEmptyStock.TAKE_FROM_OPPONENT)
    receivers: list[int] = []
    while deal.log.next_kind() == Kind.GIVE:
        event = deal.log.take()
        deal.require(gives, event, rule, "no card changes hands in this game")
        receiver = table.other(event)
        deal.require(not table.stocks[receiver], event, rule, f"player {receiver + 1} has a stock card")
        nearest = table.nearest_with_stock(receiver, 2)
        sentence = "the nearest player on the left who has two stock cards gives one"
        deal.require(event.player == nearest, event, rule, sentence)
        deal.may_change_hands(event)
        deal.apply(event)
        receivers.append(receiver)
    short = any(not stock for stock in table.stocks) and any(len(stock) > 1 for stock in table.stocks)
    if gives and short:
        deal.log.refuse(deal.log.peek(), rule, "a player without a stock card gets one first")
    return receivers


def flips_wanted(table: Table, *, fill: bool) -> list[tuple[int, int]]:
    """Return who must lay a stock card on which pile.

    Parameters
    ----------
    table
        The position before the flips.
    fill
        Whether neighbours fill the places that owners leave empty.

    Returns
    -------
    list of (int, int)
        Players and piles. A card on an empty place goes before one on a pile, and an owner's before a neighbour's.
    """
    stock = [len(cards) for cards in table.stocks]
    empty = {pile for pile in table.centre if not table.piles[pile]}
    wanted: list[tuple[int, int]] = []

    def lay(player: int, pile: int) -> None:
        if stock[player]:
            stock[player] -= 1
            wanted.append((player, pile))

    for player in table.players:
        for pile in table.own_piles(player):
            if pile in empty:
                lay(player, pile)
    if fill:
        left_open = [
            (player, pile)
            for player in table.players
            for pile in table.own_piles(player)
            if pile in empty and player == _last_owner(table, pile)
        ]
        for distance in table.players[1:]:
            for owner, pile in left_open:
                if pile not in {filled for _, filled in wanted}:
                    lay((owner + distance) % len(table.players), pile)
    for player in table.players:
        for pile in table.own_piles(player):
            if pile not in empty:
                lay(player, pile)
    return wanted


def _last_owner(table: Table, pile: int) -> int:
    """Of those who have the pile among their own the one whose left neighbour has not."""
    owners = [player for player in table.players if pile in table.own_piles(player)]
    return next(owner for owner in owners if (owner + 1) % len(table.players) not in owners)


def cards_of_stocks(deal: Deal, reason: Reason) -> list[tuple[int, int]]:
    """Read the stock cards of a flip; return who laid one on which pile."""
    rule, value = empty_stock_rule(deal.rules, reason)
    fill = not (reason == Reason.STRESS and value == PostStressEmptyStock.ONE_PILE_ONLY)
    wanted = flips_wanted(deal.table, fill=fill)
    laid: list[tuple[int, int]] = []
    for _ in range(len(wanted)):
        event = deal.log.expect(Kind.FLIP, rule, "a card that the rules want flipped is missing")
        flip = (event.player, event.pile)
        deal.require(flip in wanted, event, rule, "the rules want other cards flipped")
        deal.require(flip not in laid, event, rule, f"player {event.player + 1} has laid a card there already")
        deal.is_top_of_stock(event, event.player)
        deal.apply(event)
        laid.append(flip)
    return laid


def cards_of_rows(deal: Deal) -> list[tuple[int, int]]:
    """Read the cards of the rows, or of stocks where there is no row, that each lays on his own piles."""
    rule, table = "B27 restart_source", deal.table
    open_piles = {player: table.own_piles(player) for player in table.players}
    laid: list[tuple[int, int]] = []
    while any(open_piles[player] and table.remaining(player) for player in table.players):
        event = deal.log.peek()
        kind = Kind.FLIP_FROM_ROW if any(table.rows[max(event.player, 0)]) else Kind.FLIP
        event = deal.log.expect(kind, rule, "a card that the rules want flipped is missing")
        next_pile = open_piles[event.player][:1]
        deal.require([event.pile] == next_pile, event, rule, "the rules want other cards flipped")
        (deal.is_top_of_slot if kind == Kind.FLIP_FROM_ROW else deal.is_top_of_stock)(event, event.player)
        deal.apply(event)
        open_piles[event.player].pop(0)
        laid.append((event.player, event.pile))
    return laid


def read_flips(deal: Deal, restart: Event) -> list[tuple[int, int]]:
    """Read all that is flipped after a restart, all at its time; return who laid a card on which pile, in order."""
    reason = Reason(restart.number)
    first = deal.log.index
    from_rows = deal.rules.restart_source == RestartSource.OWN_ROW and reason in (Reason.LOCKED, Reason.DECLINED)
    receivers = [] if from_rows else cards_change_hands(deal, reason)
    laid = cards_of_rows(deal) if from_rows else cards_of_stocks(deal, reason)
    for row in deal.log.rows[first : deal.log.index]:
        if row[0] != restart.time:
            deal.log.refuse(restart, "B27 restart", "the cards of a flip land together")
    deal.stock_may_be_gone()
    for receiver in receivers:
        if deal.table.stocks[receiver]:
            deal.stock_gained(receiver)
    return laid


def jokers_to_name(deal: Deal, laid: list[tuple[int, int]]) -> dict[int, int]:
    """Piles with a joker on top that has just been flipped and must be named, with the player who does so."""
    if deal.rules.joker_mode != JokerMode.NAMED:
        return {}
    last = {pile: player for player, pile in laid}
    return {pile: player for pile, player in last.items() if is_joker(deal.table.piles[pile][-1])}
