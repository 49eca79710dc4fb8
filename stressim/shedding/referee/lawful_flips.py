"""Which cards the rules want to see flipped onto the centre piles, and by whom (B27, B28, B30, B40, U2, U3)."""

from __future__ import annotations

from dataclasses import dataclass

from stressim.shedding.choices import (
    EmptyStock,
    GiverWithOneCard,
    PostStressEmptyStock,
    RestartSource,
    RestartTarget,
    RoundEnd,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.table import Table
from stressim.shedding.rules import SheddingRules

Flip = tuple[int, int, Kind]
"""A card for the centre: the player, the pile, and where it comes from, as the kind of event that lays it there."""


@dataclass(frozen=True, kw_only=True)
class FlipPlan:
    """One lawful way to bring new cards to the middle.

    Parameters
    ----------
    flips
        The flips, one card each.
    giver
        The player who first hands over a card of his stock, or None.
    """

    flips: frozenset[Flip]
    giver: int | None = None

    def begins_with(self, flips: set[Flip], givers: list[int]) -> bool:
        """Whether what has happened so far is part of this plan."""
        return flips <= self.flips and givers in ([], [self.giver])

    def is_done(self, flips: set[Flip], givers: list[int]) -> bool:
        """Whether what has happened is the whole plan."""
        wanted_givers = [] if self.giver is None else [self.giver]
        return flips == self.flips and givers == wanted_givers


def empty_stock_rule(rules: SheddingRules, reason: Reason) -> tuple[str, PostStressEmptyStock]:
    """Return the rule for one empty stock and its value: after a stress B40, otherwise B30."""
    if reason == Reason.STRESS and rules.post_stress_empty_stock != PostStressEmptyStock.AS_RESTART:
        return "B40 post_stress_empty_stock", rules.post_stress_empty_stock
    same = {
        EmptyStock.FLIP_ALONE: PostStressEmptyStock.FLIP_ALONE,
        EmptyStock.OPPONENT_GIVES: PostStressEmptyStock.OPPONENT_GIVES,
        EmptyStock.TAKE_FROM_OPPONENT: PostStressEmptyStock.TAKE_FROM_OPPONENT,
    }
    return "B30 restart_empty_stock", same[rules.restart_empty_stock]


def lawful_flips(table: Table, reason: Reason) -> tuple[str, list[FlipPlan]]:
    """Return the rule that governs the flips and every lawful plan.

    Parameters
    ----------
    table
        The position before the flips.
    reason
        Why cards are flipped.

    Returns
    -------
    tuple
        The rule's name and the plans, at least one; a plan without flips where nobody has a stock card.
    """
    rules = table.rules
    any_pile = rules.restart_target == RestartTarget.ANY_PILE and reason not in (Reason.START, Reason.REFLIP)
    if rules.restart_source == RestartSource.SIDE_PILES:
        return "B27 restart_source", _from_side_piles(table, any_pile)
    if rules.restart_source == RestartSource.OWN_ROW and reason in (Reason.LOCKED, Reason.DECLINED):
        return "B27 restart_source", _from_rows(table, any_pile)
    if reason == Reason.ROUND or rules.round_end != RoundEnd.NONE:
        any_pile = any_pile and all(table.piles)
    with_stock = [player for player in (0, 1) if table.stocks[player]]
    if len(with_stock) == 2:
        return "B28 restart_target", [FlipPlan(flips=flips) for flips in _one_each(any_pile)]
    if not with_stock:
        return "B31 restart_both_empty", [FlipPlan(flips=frozenset())]
    giver = with_stock[0]
    taker = 1 - giver
    name, rule = empty_stock_rule(rules, reason)
    if rule == PostStressEmptyStock.ONE_PILE_ONLY:
        targets = (0, 1) if any_pile else (giver,)
        return name, [FlipPlan(flips=_of_stock({(giver, pile)})) for pile in targets]
    if reason == Reason.ROUND:
        return name, [FlipPlan(flips=_of_stock({(giver, giver)}))]
    alone = [FlipPlan(flips=flips) for flips in _alone(table, giver, len(table.stocks[giver]), any_pile)]
    if rule == PostStressEmptyStock.FLIP_ALONE:
        return name, alone
    if len(table.stocks[giver]) > 1:
        return name, [FlipPlan(flips=flips, giver=giver) for flips in _one_each(any_pile)]
    name = "U3 giver_with_one_card"
    if rules.giver_with_one_card == GiverWithOneCard.FLIP_ALONE:
        return name, alone
    if rules.giver_with_one_card == GiverWithOneCard.FROM_ROW and any(table.rows[giver]):
        from_row = {player: Kind.FLIP_FROM_ROW if player == giver else Kind.FLIP for player in (0, 1)}
        return name, [FlipPlan(flips=flips, giver=giver) for flips in _one_each(any_pile, from_row)]
    return name, [FlipPlan(flips=flips, giver=giver) for flips in _alone(table, taker, 1, any_pile)]


def _of_stock(flips: set[tuple[int, int]]) -> frozenset[Flip]:
    """Flips of stock cards by player and pile."""
    return frozenset((player, pile, Kind.FLIP) for player, pile in flips)


def _from_side_piles(table: Table, any_pile: bool) -> list[FlipPlan]:
    """Each turns the top card of the side pile on his right, where there is one."""
    sources = {player: Kind.FLIP_SIDE for player in (0, 1) if table.sides[player]}
    return [FlipPlan(flips=flips) for flips in _one_each(any_pile, sources)]


def _from_rows(table: Table, any_pile: bool) -> list[FlipPlan]:
    """Each lays a card of his row, or of his stock where he has no row; who has neither lays none."""
    sources = {
        player: Kind.FLIP_FROM_ROW if any(table.rows[player]) else Kind.FLIP
        for player in (0, 1)
        if table.remaining(player)
    }
    return [FlipPlan(flips=flips) for flips in _one_each(any_pile, sources)]


_STOCKS = {0: Kind.FLIP, 1: Kind.FLIP}


def _one_each(any_pile: bool, sources: dict[int, Kind] = _STOCKS) -> list[frozenset[Flip]]:
    """Each player with a source flips, on his own pile, or each on another one than his own."""
    return [
        frozenset((player, 1 - player if crossed else player, kind) for player, kind in sources.items())
        for crossed in ((False, True) if any_pile else (False,))
    ]


def _alone(table: Table, player: int, n_stock: int, any_pile: bool) -> list[frozenset[Flip]]:
    """One player flips alone and leaves no centre place empty that he has a card for (U2)."""
    places = [pile for pile in (0, 1) if not table.piles[pile]]
    if table.rules.round_end != RoundEnd.NONE:
        places = []  # with one pile only it stays the only one
    if len(places) == 2 and n_stock > 1:
        return [_of_stock({(player, 0), (player, 1)})]
    if len(places) == 1:
        filled = _of_stock({(player, places[0])})
        if places[0] != player and n_stock > 1:
            return [filled | _of_stock({(player, player)})]
        return [filled]
    return [_of_stock({(player, pile)}) for pile in ((0, 1) if any_pile else (player,))]
