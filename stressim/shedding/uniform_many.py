"""What uniform timing adds to the rules where more than two play or more than two piles lie in the centre.

Hands come down in a stress in any order, each as likely. Where several own a pile, or several lack a stock card and
their neighbours have few, it matters who comes first: the lot says who begins, and the others follow round the table.
Each lays cards on his piles from his right on, those on empty places first.
"""

from __future__ import annotations

from stressim.shedding.choices import (
    OtherPile,
    PickupPlacement,
    PostStressEmptyStock,
    RestartSource,
    StressShare,
    UnderOrder,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.flips_of_many import flips_wanted
from stressim.shedding.referee.lawful_flips import empty_stock_rule
from stressim.shedding.referee.stress_of_many import pickups_of
from stressim.shedding.uniform_moves import Dealer


class ManyDealer(Dealer):
    """A dealer for any number of players and piles.

    The parameters are those of :class:`stressim.shedding.uniform_moves.Dealer`.
    """

    def take_seats(self) -> None:
        """Say which pile is on whose right; the lot turns the ring of piles where they do not come out even (B51)."""
        n_players, n_piles = len(self.players), len(self.table.centre)
        if self.table.right:
            return
        turn = self.chance.pick([1] * (n_players * n_piles))
        for player in self.players:
            pile = (player * n_piles + turn) // n_players % n_piles
            self.log(Kind.SEAT, player=player, pile=pile)

    def in_turn(self, *, matters: bool) -> list[int]:
        """Return the players in turn, from one on whom the lot names where it matters who begins."""
        first = self.chance.pick([1] * len(self.players)) if matters else 0
        return [*self.players[first:], *self.players[:first]]

    def piles_are_shared(self) -> bool:
        """Whether several own a pile."""
        own = [pile for player in self.players for pile in self.table.own_piles(player)]
        return len(set(own)) < len(own)

    # flips

    def cards_to_the_middle(self, reason: Reason) -> dict[int, int]:
        """Each covers his own piles; cards change hands before that, and neighbours fill empty places."""
        if self.rules.restart_source == RestartSource.OWN_ROW and reason == Reason.LOCKED:
            return self.cards_of_rows()
        _, value = empty_stock_rule(self.rules, reason)
        if value in (PostStressEmptyStock.OPPONENT_GIVES, PostStressEmptyStock.TAKE_FROM_OPPONENT):
            self.cards_change_hands()
        fill = not (reason == Reason.STRESS and value == PostStressEmptyStock.ONE_PILE_ONLY)
        turn = self.in_turn(matters=self.piles_are_shared())
        flips = sorted(flips_wanted(self.table, fill=fill), key=lambda flip: turn.index(flip[0]))
        for player, pile in flips:
            self.draw_from_stock(Kind.FLIP, player, pile=pile)
        return {pile: player for player, pile in flips}

    def cards_change_hands(self) -> None:
        """Let each who has no stock card get one from the nearest on his left who has two (B30, B40, U3)."""
        stocks = self.table.stocks
        n_without = sum(not stock for stock in stocks)
        for receiver in self.in_turn(matters=n_without > 1 and any(stocks)):
            giver = self.table.nearest_with_stock(receiver, 2)
            if not stocks[receiver] and giver is not None:
                self.give(giver, receiver, pile=receiver)

    def cards_of_rows(self) -> dict[int, int]:
        """Let each lay cards of his row on his own piles, or of his stock where he has no row (restart_source)."""
        flips = {}
        for player in self.in_turn(matters=self.piles_are_shared()):
            for pile in self.table.own_piles(player):
                if not self.table.remaining(player):
                    continue
                if any(self.table.rows[player]):
                    self.flip_from_row(player, pile)
                else:
                    self.draw_from_stock(Kind.FLIP, player, pile=pile)
                flips[pile] = player
        return flips

    # stress and locks

    def lose_stress(self) -> tuple[int, int | None]:
        """The lot says in which order the hands come down; the slowest takes the piles, or shares them (B36, U42)."""
        table, rules = self.table, self.rules
        equal = table.equal_piles()
        slowest = self.chance.pick([1] * len(self.players))
        piles = self.piles_taken(slowest, equal)
        takers = [slowest]
        n_losers = 1 if rules.stress_share == StressShare.SLOWEST else len(self.players) - 1
        while len(takers) < min(n_losers, len(piles)):
            left = [player for player in self.players if player not in takers]
            takers.append(left[self.chance.pick([1] * len(left))])
        for nth, pile in enumerate(piles):
            self.counts["picked_up"] += len(table.piles[pile])
            self.take(takers[nth % len(takers)], pile)
        if rules.other_pile_after_stress == OtherPile.SET_ASIDE:
            for pile in sorted(equal):
                if table.piles[pile]:
                    self.log(Kind.SET_ASIDE, pile=pile)
        if rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            for player in takers:
                self.shuffle(player)
        return slowest, None

    def piles_taken(self, slowest: int, equal: frozenset[int]) -> list[int]:
        """Return the piles that a stress costs, in the order in which they are taken (B36, U44, U45)."""
        lawful = pickups_of(self.table, slowest, equal, self.view)
        chosen = lawful[0]
        if len(lawful) > 1:
            seen = [pile for piles in lawful for pile in piles]  # one each, from right to left
            chosen = frozenset([self.chosen_of(seen, self.pile_choices[slowest])])
        order = [pile for pile in self.table.seen_by(slowest) if pile in chosen]
        if self.rules.under_order == UnderOrder.RANDOM:
            return [order.pop(self.chance.pick([1] * len(order))) for _ in range(len(order))]
        return order if self.rules.under_order == UnderOrder.OWN_FIRST else order[::-1]

    def comes_back_by_chance(self) -> bool:
        """Whether more than who is the slowest is left to chance in a stress that comes back."""
        shared = self.rules.stress_share != StressShare.SLOWEST
        return shared or self.rules.n_jokers > 0 or super().comes_back_by_chance()

    def takers_of_own(self) -> list[tuple[int, int]]:
        """Each takes the piles that are his own, in turn."""
        turn = self.in_turn(matters=self.piles_are_shared())
        return [(player, pile) for player in turn for pile in self.table.own_piles(player)]
