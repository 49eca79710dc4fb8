"""What a player does with his cards and his voice: plays, cards that go back, calls (B10, B11, B18, B24, B43, B46)."""

from __future__ import annotations

from stressim.shedding.choices import (
    IllegalCard,
    JokerMode,
    LateCard,
    MultiCardPlay,
    PilePlay,
    RestartTrigger,
    StackTarget,
    WinCall,
)
from stressim.shedding.events import Kind
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.restarts import name_joker
from stressim.shedding.referee.rows import nothing_is_owed
from stressim.shedding.referee.table import Event, is_joker, rank_of


def lay(deal: Deal, event: Event) -> None:
    """A play: one card, a merged pile, or equal cards of several slots in one move."""
    player = event.player
    nothing_is_owed(deal, event)
    fits = {pile: deal.table.fits(event.card, pile) for pile in deal.table.centre}
    laid = {(card, event.pile) for card in deal.table.rows[player][event.slot][-event.number :]}
    slots, piles = {event.slot}, [event.pile]
    lay_from_slot(deal, event, fits, several=is_stack(deal))
    while deal.log.next_kind() == Kind.PLAY_ALSO:
        also = deal.log.take()
        same = also.player == player and also.time == event.time
        deal.require(same, also, "B11 multi_card_play", "only one player's cards go in one move")
        deal.require(also.slot not in slots, also, "B11 multi_card_play", "this slot has been played already")
        laid |= {(card, also.pile) for card in deal.table.rows[player][also.slot][-also.number :]}
        lay_also(deal, also, event, fits)
        slots.add(also.slot)
        piles.append(also.pile)
    if is_joker(event.card) and deal.rules.joker_mode == JokerMode.NAMED:
        for pile in sorted(set(piles)):
            named = deal.log.expect(Kind.NAME, "B4 joker_mode", "the joker must be named")
            deal.require(named.player == player, named, "B4 joker_mode", "who lays the joker names it")
            deal.apply(name_joker(deal, named, {pile} if named.pile == -1 else set(piles)))
    deal.table.jokers_take_ranks(sorted(set(piles)))
    deal.score.numbers["moves"] += 1
    deal.owed[player] = [plays + 1 for plays in deal.owed[player]]
    if deal.table.stocks[player]:
        deal.owed[player] += [0 for slot in slots if not deal.table.rows[player][slot]]
    if deal.table.has_equal_slots(player):
        deal.pairs_seen[player] += 1
    barred = any((player, card, pile) in deal.announced for card, pile in laid)
    deal.landed(event.time, sorted(set(piles)), from_flip=False, barred=barred)


def is_stack(deal: Deal) -> bool:
    """Whether the log goes on with equal cards in the same move."""
    return deal.rules.multi_card_play == MultiCardPlay.SAME_RANK and deal.log.next_kind() == Kind.PLAY_ALSO


def lay_also(deal: Deal, also: Event, first: Event, fits: dict[int, bool]) -> None:
    """Lay further cards in the same move: equal ones, or those that fit on the one before (B11, U46)."""
    rule, policy = "B11 multi_card_play", deal.rules.multi_card_play
    deal.require(policy != MultiCardPlay.OFF, also, rule, "cards of several slots may not go in one move")
    if policy == MultiCardPlay.RUN:
        deal.require(also.pile == first.pile, also, rule, "a run goes on one pile")
        joker = is_joker(first.card) or is_joker(also.card)
        deal.require(not joker, also, rule, "a joker is no part of a run")
        lay_from_slot(deal, also, {also.pile: deal.table.fits(also.card, also.pile)}, several=False)
        return
    deal.require(rank_of(also.card) == rank_of(first.card), also, rule, "only cards of one rank go in one move")
    one_pile = deal.rules.stack_target == StackTarget.EITHER or also.pile == first.pile
    deal.require(one_pile, also, "U46 stack_target", "equal cards go on one pile")
    lay_from_slot(deal, also, fits, several=True)


def lay_from_slot(deal: Deal, event: Event, fits: dict[int, bool], *, several: bool) -> None:
    """Lay the cards of one slot: they must fit (B18) and be as many as may go at once (B10).

    In a move of several slots all cards of the rank may go (B11), so also a whole slot.
    """
    slot = deal.table.rows[event.player][event.slot]
    whole = len(slot)
    if not 1 < event.number <= whole or event.card != slot[-event.number]:
        # Several cards laid one by one end with the lowest of them on top; otherwise it is the top of the slot.
        deal.is_top_of_slot(event, event.player)
    if not fits[event.pile]:
        top = deal.table.piles[event.pile][-1:]
        onto = f"on {deal.table.name(top[0])}" if top else "in an empty place"
        deal.log.refuse(event, "B18 rank_step", f"{deal.table.name(event.card)} does not fit {onto}")
    sizes = {PilePlay.SINGLE: {1}, PilePlay.WHOLE: {whole}, PilePlay.EITHER: {1, whole}}[deal.rules.pile_play]
    lawful = event.number in sizes or (several and event.number == whole)
    deal.require(lawful, event, "B10 pile_play", f"{event.number} of {whole} cards of a slot may not be laid")
    deal.apply(event)


def late(deal: Deal, event: Event, *, in_air: bool = False) -> None:
    """A card that came too late and goes back (B24, U24, U25)."""
    deal.is_top_of_slot(event, event.player)
    stopped = in_air or deal.play_is_frozen()
    fits = deal.table.fits(event.card, event.pile)
    goes_back = stopped or not fits or deal.rules.late_card != LateCard.STAYS_IF_LEGAL
    deal.require(goes_back, event, "B24 late_card", f"{deal.table.name(event.card)} fits and stays")
    deal.score.numbers["late_cards"] += 1
    if deal.rules.late_card == LateCard.PENALTY:
        penalty(deal, event, "B24 late_card", due=not stopped)


def illegal(deal: Deal, event: Event) -> None:
    """A card that does not fit and goes back (U26)."""
    deal.is_top_of_slot(event, event.player)
    fits = deal.table.fits(event.card, event.pile)
    deal.require(not fits, event, "U26 illegal_card", f"{deal.table.name(event.card)} fits")
    deal.score.numbers["illegal_cards"] += 1
    if deal.rules.illegal_card == IllegalCard.PENALTY:
        penalty(deal, event, "U26 illegal_card", due=True)


def abort(deal: Deal, event: Event) -> None:
    """A card that its player takes back on its way."""
    if event.slot != -1 and event.card != -1:
        deal.is_top_of_slot(event, event.player)
    deal.score.numbers["aborted_cards"] += 1


def penalty(deal: Deal, cause: Event, rule: str, *, due: bool) -> None:
    """Read the card of the other stock that a player gets as a penalty, if there is one."""
    player = cause.player
    given = deal.log.next_kind() == Kind.PENALTY
    giver = deal.table.nearest_with_stock(player, 1)
    if giver is None or not (due or given):
        return
    event = deal.log.expect(Kind.PENALTY, rule, f"player {player + 1} gets a card of the other stock")
    deal.require(event.player == player, event, rule, f"player {player + 1} gets the card")
    deal.require(deal.table.other(event) == giver, event, rule, f"player {giver + 1} is the one who gives it")
    deal.is_top_of_stock(event, giver)
    had_stock = bool(deal.table.stocks[player])
    deal.apply(event)
    if not had_stock:
        deal.stock_gained(player)
    deal.stock_may_be_gone()


def announce(deal: Deal, event: Event) -> None:
    """A player points at a card of another player (B43, U31)."""
    deal.require(deal.rules.stress_stop, event, "B43 stress_stop", "pointing at a card means nothing in this game")
    owners = [
        player
        for player in deal.table.players
        if player != event.player and any(slot and slot[-1] == event.card for slot in deal.table.rows[player])
    ]
    others = "another player" if len(deal.table.players) > 2 else f"player {2 - event.player}"
    sentence = f"{deal.table.name(event.card)} is no card that {others} could lay"
    deal.require(bool(owners), event, "B43 stress_stop", sentence)
    deal.announced |= {
        (owner, event.card, pile) for owner in owners for pile in deal.table.centre if event.pile in (pile, -1)
    }


def decline(deal: Deal, event: Event) -> None:
    """A player does not want to play a card that he could play (B29)."""
    may = deal.rules.restart_trigger == RestartTrigger.LOCKED_OR_DECLINED
    deal.require(may, event, "B29 restart_trigger", "a possible card may not be declined")
    could = deal.table.can_play(event.player)
    deal.require(could, event, "B29 restart_trigger", f"player {event.player + 1} has nothing to decline")
    deal.declined.add(event.player)


def call(deal: Deal, event: Event) -> None:
    """A player calls that he has won (B46)."""
    required = deal.rules.win_call == WinCall.REQUIRED
    deal.require(required, event, "B46 win_call", "nobody calls that he has won in this game")
    done = not deal.table.remaining(event.player)
    deal.require(done, event, "B46 win_call", f"player {event.player + 1} still has cards")
    deal.called = event.player
