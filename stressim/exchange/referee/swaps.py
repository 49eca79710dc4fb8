"""Cards laid in the centre, taken from it, and missed (A11 to A16, A-U2 to A-U5)."""

from __future__ import annotations

from stressim.exchange.choices import SwapOrder, TouchTie
from stressim.exchange.referee.deal import Deal, LetGo, Swap
from stressim.exchange.referee.improving import watch
from stressim.exchange.referee.table import Event, height, rank_of
from stressim.exchange.referee.timekeeping import progressed


def put_down(deal: Deal, event: Event) -> None:
    """A card of the bunch in hand is laid in the centre (A11, A12)."""
    player, order = event.player, deal.rules.swap_order
    swap = deal.swaps[player]
    if swap is None:
        after = order != SwapOrder.TAKE_FIRST
        deal.require(after, event, "A11 swap_order", "a card is taken before one is laid in the centre")
        swap = _begin(deal, event, event.number + 1)
    _goes_on(deal, event, swap)
    if order == SwapOrder.TAKE_FIRST:
        deal.require(not swap.to_take, event, "A11 swap_order", "all cards of a grab are taken before one is laid")
    deal.require(swap.to_lay > 0, event, "A12 swap_max_cards", "as many cards are laid as are taken, not more")
    counted = event.number == swap.to_lay - 1
    deal.require(counted, event, "A12 swap_max_cards", f"{swap.to_lay - 1} more are to be laid, not {event.number}")
    if swap.laid:
        together = event.time == swap.laid_at
        deal.require(together, event, "A12 swap_max_cards", "the cards of a grab are laid at one time")
    held = event.card in deal.table.bunches[player][swap.bunch]
    deal.require(held, event, "A11 swap_order", f"{deal.table.name(event.card)} is not in the bunch in hand")
    swap.to_lay -= 1
    swap.laid.append(event.card)
    swap.laid_at = event.time
    deal.put_down[player].add(event.card)
    _carried_out(deal, event, swap)


def take(deal: Deal, event: Event) -> None:
    """A card of the centre goes into the bunch in hand (A11, A12, A14, A-U3, A-U5)."""
    player, order = event.player, deal.rules.swap_order
    swap = deal.swaps[player]
    if swap is None:
        first = order == SwapOrder.TAKE_FIRST
        deal.require(first, event, "A11 swap_order", "a card is laid in the centre before one is taken")
        odd = event.number % 2 == 1
        deal.require(odd, event, "A12 swap_max_cards", "as many cards are laid as are taken")
        swap = _begin(deal, event, (event.number + 1) // 2)
    _goes_on(deal, event, swap)
    if order != SwapOrder.TAKE_FIRST:
        deal.require(not swap.to_lay, event, "A11 swap_order", "all cards of a grab are laid before one is taken")
    deal.require(swap.to_take > 0, event, "A12 swap_max_cards", "as many cards are taken as are laid, not more")
    left = swap.to_take - 1 + swap.to_lay
    deal.require(event.number == left, event, "A12 swap_max_cards", f"{left} more are left, not {event.number}")
    if order == SwapOrder.TAKE_FIRST or (swap.taken and not swap.missed):
        first_time = swap.time if order == SwapOrder.TAKE_FIRST else swap.taken_at
        together = event.time == first_time
        deal.require(together, event, "A12 swap_max_cards", "the cards of a grab are taken at one time")
    _may_have(deal, event, swap)
    swap.to_take -= 1
    swap.taken.append(event.card)
    swap.taken_at = event.time
    deal.taken_by[event.card] = player
    deal.score.taken[player] += 1
    _carried_out(deal, event, swap)


def _may_have(deal: Deal, event: Event, swap: Swap) -> None:
    """Refuse a card that is not there, or that the player may not take."""
    name = deal.table.name(event.card)
    there = event.card in deal.table.centre
    deal.require(there, event, "A16 contested_card", f"{name} does not lie in the centre")
    barred = deal.is_barred(event.player, event.card, swap)
    deal.require(not barred, event, "A14 take_back_own", f"player {event.player + 1} laid {name} there himself")
    if deal.rules.grab_equal_only and swap.taken and not swap.missed:
        equal = rank_of(event.card) == rank_of(swap.taken[0])
        deal.require(equal, event, "A-U5 grab_equal_only", f"{name} has another rank than the card taken before")


def _begin(deal: Deal, event: Event, size: int) -> Swap:
    """Begin a swap of so many cards."""
    player, table = event.player, deal.table
    deal.may_act(event)
    deal.is_in_hand(event)
    complete = table.is_complete(player, event.bunch)
    deal.require(not complete, event, "A19 complete bunch", "a complete bunch is not swapped with")
    most = 1 if deal.uniform else deal.rules.swap_max_cards
    few = 1 <= size <= most
    deal.require(few, event, "A12 swap_max_cards", f"at most {most} may be swapped in one grab, not {size}")
    swap = Swap(event.bunch, event.time, height(table.bunches[player][event.bunch]), to_lay=size, to_take=size)
    deal.swaps[player] = swap
    return swap


def _goes_on(deal: Deal, event: Event, swap: Swap) -> None:
    """Refuse a row of a swap with another bunch or, where all happens at once, at another time."""
    deal.require(event.bunch == swap.bunch, event, "A9 bunch in hand", "a swap is made with one bunch")
    if deal.uniform or deal.rules.swap_order == SwapOrder.SIMULTANEOUS:
        deal.require(event.time == swap.time, event, "A11 swap_order", "cards are laid and taken at the same moment")
    if deal.uniform:
        alone = sum(other is not None for other in deal.swaps) == 1
        deal.require(alone, event, "uniform timing", "one player swaps after the other")


def _carried_out(deal: Deal, event: Event, swap: Swap) -> None:
    """Move the card, end the swap if it was the last one, and look who can improve."""
    deal.apply(event)
    deal.score.somebody_has_swapped = True
    if not swap.to_lay and not swap.to_take:
        deal.swaps[event.player] = None
        deal.swapped_at[event.player] = event.time
        deal.score.swapped(swap.before, height(deal.table.bunches[event.player][swap.bunch]))
        progressed(deal, event)
        deal.remember()
    watch(deal, event.time)


def miss(deal: Deal, event: Event) -> None:
    """A hand comes for a card in vain (A16, A-U2, A-U4)."""
    player, table = event.player, deal.table
    deal.has_clock(event)
    deal.may_act(event)
    bunch = table.in_hand[player]
    holds = bunch is not None and event.bunch in (-1, bunch)
    deal.require(holds, event, "A9 bunch in hand", f"player {player + 1} holds no bunch to swap with")
    _hand_may_come(deal, event)
    deal.score.numbers["contested_lost"] += 1
    swap = deal.swaps[player]
    if swap is not None:
        swap.missed = True
    name = table.name(event.card)
    if event.card not in table.centre:
        taker = deal.taken_by.get(event.card, player)
        sentence = f"{name} was not taken by another player"
        deal.require(taker != player, event, "A16 contested_card", sentence)
        return
    redo = deal.rules.touch_tie == TouchTie.REDO
    deal.require(redo, event, "A16 contested_card", f"{name} lies in the centre and nobody else has it")
    let_go = deal.let_go.setdefault(event.card, LetGo(event.row, event.time, set()))
    let_go.players.add(player)


def _hand_may_come(deal: Deal, event: Event) -> None:
    """Refuse a hand that has no reason to be in the centre."""
    player, order = event.player, deal.rules.swap_order
    swap, bunch = deal.swaps[player], deal.table.in_hand[player]
    if order == SwapOrder.PUT_DOWN_FIRST:
        laid = swap is not None and not swap.to_lay
        deal.require(laid, event, "A11 swap_order", "a card is laid in the centre before a hand comes for one")
    elif swap is not None:
        deal.require(event.time == swap.time, event, "A12 swap_max_cards", "the cards of a grab are taken at one time")
    elif bunch is not None and deal.swapped_at[player] != event.time:
        complete = deal.table.is_complete(player, bunch)
        deal.require(not complete, event, "A19 complete bunch", "a complete bunch is not swapped with")
