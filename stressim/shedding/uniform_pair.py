"""What uniform timing adds to the rules where two play with two piles: flips by lawful plans, the coin of a stress."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stressim.shedding.choices import OtherPile, PickupPlacement, RestartSource, SidePileReuse
from stressim.shedding.events import Kind, Outcome, Reason
from stressim.shedding.hidden_cards import UNSEEN, Bag, shuffled
from stressim.shedding.referee.lawful_flips import Flip, FlipPlan, lawful_flips
from stressim.shedding.referee.lawful_pickups import right_pile, stress_pickups
from stressim.shedding.uniform_moves import Dealer, Ending


class PairDealer(Dealer):
    """A dealer for two players with two piles.

    The parameters are those of :class:`stressim.shedding.uniform_moves.Dealer`.
    """

    def take_seats(self) -> None:
        """Each has his own pile on his right."""

    def draw_from_side(self, player: int, pile: int) -> None:
        """Flip the top card of the side pile on a player's right."""
        card = self.draw_from(self.side_bags[player], player)
        self.table.sides[player][0] = card
        self.log(Kind.FLIP_SIDE, player=player, pile=pile, card=card)

    # flips

    def cards_to_the_middle(self, reason: Reason) -> dict[int, int]:
        """Flip what one of the lawful plans wants flipped."""
        _, plans = lawful_flips(self.table, reason)
        plan = self.chosen_plan(plans)
        if plan.giver is not None:
            self.give(plan.giver, 1 - plan.giver)
        for player, pile, kind in sorted(plan.flips, key=self.order_of_flips()):
            if kind == Kind.FLIP_FROM_ROW:
                self.flip_from_row(player, pile)
            elif kind == Kind.FLIP_SIDE:
                self.draw_from_side(player, pile)
            else:
                self.draw_from_stock(kind, player, pile=pile)
        return {pile: player for player, pile, _ in plan.flips}

    def chosen_plan(self, plans: Sequence[FlipPlan]) -> FlipPlan:
        """Choose by a coin where both piles are there; an empty place is filled by the player whose pile it is."""
        if len(plans) == 1:
            return plans[0]
        if all(self.table.piles):
            return plans[self.chance.pick([1] * len(plans))]
        return max(plans, key=lambda plan: sum(player == pile for player, pile, _ in plan.flips))

    def order_of_flips(self) -> Callable[[Flip], tuple[bool, int, bool, bool]]:
        """Return what orders a player's flips: empty places first, his own before the other."""
        empty = [not pile for pile in self.table.piles]
        return lambda flip: (flip[2] == Kind.FLIP_FROM_ROW, flip[0], not empty[flip[1]], flip[0] != flip[1])

    # stress and locks

    def lose_stress(self) -> tuple[int, int | None]:
        """A fair coin names the loser of a stress (B36, B37, U8)."""
        loser = self.chance.pick([1, 1])
        orders = stress_pickups(self.table, loser, self.view)
        for pile in self.chosen_order(orders, loser):
            self.counts["picked_up"] += len(self.table.piles[pile])
            self.take(loser, pile)
        if self.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            self.shuffle(loser)
        if self.rules.other_pile_after_stress == OtherPile.SET_ASIDE:
            for pile in (0, 1):
                if self.table.piles[pile]:
                    self.log(Kind.SET_ASIDE, pile=pile)
        return loser, 1 - loser

    def chosen_order(self, orders: Sequence[list[int]], loser: int) -> list[int]:
        """Choose which piles are taken, and in which order, where the rules leave it open."""
        if self.chooses_a_pile() and len(orders) > 1:
            right = right_pile(loser, self.view)
            return [self.chosen_of([right, 1 - right], self.pile_choices[loser])]
        if self.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            return orders[0]
        return orders[self.chance.pick([1] * len(orders))]

    def lock_without_cards(self) -> Ending | None:
        """Nobody can play: side piles that are used up are made anew, or the deal goes on as the rules say (B31)."""
        rules, table = self.rules, self.table
        if rules.restart_source != RestartSource.SIDE_PILES or rules.side_pile_reuse == SidePileReuse.NEVER:
            return super().lock_without_cards()
        if table.nothing_ever_fits():
            return Outcome.DRAWN, -1
        self.renew_side_piles()
        self.flip(Reason.RENEWED)
        self.fill_all()
        return None

    def takers_of_own(self) -> list[tuple[int, int]]:
        """Each takes the pile on his right."""
        return [(player, player) for player in self.players]

    def renew_side_piles(self) -> None:
        """Make each centre pile, turned over, the side pile next to it (side_pile_reuse)."""
        for pile, cards in enumerate(map(list, self.table.piles)):
            self.log(Kind.RENEW, pile=pile, number=len(cards))
            self.table.joker_rank[pile] = None
            self.side_bags[pile] = [Bag(0, [card]) for card in cards]
            if self.rules.side_pile_reuse == SidePileReuse.SHUFFLED:
                self.shuffle_side_pile(pile)
        self.counts["side_piles_renewed"] += 1

    def shuffle_side_pile(self, pile: int) -> None:
        """Shuffle a side pile."""
        self.side_bags[pile] = shuffled(self.side_bags[pile])
        self.table.sides[pile] = [UNSEEN] * len(self.table.sides[pile])
