"""Who can improve which bunch, and when a deal stalls or locks (A20)."""

from __future__ import annotations

from stressim.exchange.choices import DeadlockRule, SwapOrder
from stressim.exchange.referee.deal import Deal, Swap
from stressim.exchange.referee.table import best_ranks, counted_ranks, rank_of


def can_improve(deal: Deal, player: int, bunch: int) -> bool:
    """Whether the player can improve an unfinished bunch of his.

    A card that he has laid in a swap under way is barred for all his bunches until it is ended.
    """
    swap = deal.swaps[player]
    if swap is not None and swap.bunch == bunch:
        return can_end_higher(deal, player, swap)
    useful = best_ranks(deal.table.bunches[player][bunch])
    return any(rank_of(card) in useful for card in deal.takeable(player, swap))


def can_end_higher(deal: Deal, player: int, swap: Swap) -> bool:
    """Whether the player can still end the swap with the bunch higher than it was before."""
    cards = deal.table.bunches[player][swap.bunch]
    held, there = counted_ranks(cards), counted_ranks(deal.takeable(player, swap))
    for rank in held | there:
        gained = min(swap.to_take, there[rank])
        if deal.rules.grab_equal_only and swap.to_take and not swap.missed:
            # All taken cards must have one rank: that of those taken already, or one of which there are enough.
            fits = rank_of(swap.taken[0]) == rank if swap.taken else there[rank] >= swap.to_take
            gained = gained if fits else 0
        # Cards of other ranks are laid first; where taking comes first, those taken with this rank may be laid too.
        others = len(cards) - held[rank]
        if deal.rules.swap_order == SwapOrder.TAKE_FIRST:
            others += swap.to_take - gained
        if held[rank] + gained - max(0, swap.to_lay - others) > swap.before:
            return True
    return False


def is_locked(deal: Deal) -> bool:
    """Whether there are unfinished bunches and nobody can improve any of them, in hand or on the table."""
    return any(map(deal.table.unfinished, deal.table.players)) and not any_can_improve(deal)


def nobody_comes_to_a_better_card(deal: Deal) -> bool:
    """Whether nobody can improve a bunch to which he may come, although others may lie on the table.

    Who has put an unfinished bunch back may do so again, and under a deadline everybody may have to. Whether anybody
    else ever leaves the bunch in his hand is a matter of habits, unless it is complete.
    """
    table = deal.table
    if deal.rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE or not any(map(table.unfinished, table.players)):
        return False
    for player in table.players:
        hand = table.in_hand[player]
        bunches = set(table.unfinished(player)) - table.held_by_partner(player)
        if hand is not None and deal.rules.side_of(player) not in deal.have_put_back:
            if _holds_complete(deal, player):
                return False
            bunches = {hand}
        if any(can_improve(deal, player, bunch) for bunch in bunches):
            return False
    return True


def hands_are_stuck(deal: Deal) -> bool:
    """Whether all who have unfinished bunches hold one, and none of the bunches in hand is complete or improvable."""
    table = deal.table
    waiting = [player for player in table.players if table.unfinished(player) and _has_a_bunch(deal, player)]
    holding = [player for player in table.players if table.in_hand[player] is not None]
    if not waiting or holding != waiting or any(_holds_complete(deal, player) for player in holding):
        return False
    return not somebody_can_improve_his_hand(deal)


def _has_a_bunch(deal: Deal, player: int) -> bool:
    """Whether the player holds a bunch, or one lies on the table for him that no partner holds."""
    table = deal.table
    left = {bunch for bunch, is_open in enumerate(table.laid_open[player]) if not is_open}
    return table.in_hand[player] is not None or bool(left - table.held_by_partner(player))


def _holds_complete(deal: Deal, player: int) -> bool:
    bunch = deal.table.in_hand[player]
    return bunch is not None and deal.table.is_complete(player, bunch)


def any_can_improve(deal: Deal) -> bool:
    """Whether a player can improve an unfinished bunch of his."""
    return any(
        can_improve(deal, player, bunch)
        for player in deal.table.players
        for bunch in set(deal.table.unfinished(player)) - deal.table.held_by_partner(player)
    )


def somebody_can_improve_his_hand(deal: Deal) -> bool:
    """Whether a player can improve the bunch in his hand; without a clock all unfinished bunches are in hand."""
    if deal.uniform:
        return any_can_improve(deal)
    return any(
        can_improve(deal, player, bunch)
        for player in deal.table.players
        if (bunch := deal.table.in_hand[player]) is not None and not _holds_complete(deal, player)
    )


def watch(deal: Deal, time: int) -> None:
    """Begin or end a lock and a stall after a row.

    Under uniform timing the rows of a swap are one, and a player who has laid open everything has won before anybody
    looks whether the others are stuck.
    """
    if deal.uniform and (any(deal.swaps) or deal.table.to_lay_open() or deal.done()):
        return
    unlocked = any_can_improve(deal)
    locked = not unlocked and any(map(deal.table.unfinished, deal.table.players))
    if somebody_can_improve_his_hand(deal):
        deal.score.end_stall(time)
    elif (locked and not deal.score.in_lock) or hands_are_stuck(deal):
        deal.score.begin_stall(time)
    if locked:
        deal.score.begin_lock(time)
    elif unlocked:
        deal.score.end_lock(time)
