"""Rows of piles and rounds without a clock (Spit): laid out, turned up, moved, taken up.

Of the cards of a row only the tops are seen, and equal ones that they have been put on. What lies under them came from
the stock without being looked at. Until cards that are known get among them, each is any card of the pool, so they make
a bag of their own; where rounds end with everybody shuffling what he holds, known cards lie among those of the row and
those of the stock alike, and all of a player's face-down cards are one bag, the first of his stock.
"""

from __future__ import annotations

from stressim.shedding.choices import MergeEqualRanks, RoundEnd
from stressim.shedding.events import Kind, Reason
from stressim.shedding.hidden_cards import UNSEEN, Bag
from stressim.shedding.referee.table import is_joker, rank_of
from stressim.shedding.uniform_moves import Ending
from stressim.shedding.uniform_pair import PairDealer


class RoundsDealer(PairDealer):
    """A dealer for rows of piles.

    The parameters are those of :class:`stressim.shedding.uniform_moves.Dealer`.
    """

    def lay_out(self, player: int) -> None:
        """Lay out a row in layers as far as the cards go, and turn its tops up."""
        n_slots = self.rules.row_slots
        for slot in [slot for layer in range(n_slots) for slot in range(layer, n_slots)]:
            if self.table.stocks[player]:
                self.draw_face_down(player, slot)
        self.turn_all_up(player)

    def settle(self, player: int) -> None:
        """Turn up, put on equal tops and move to empty places whatever can be (B7, B8, move_to_empty)."""
        table, row = self.table, self.table.rows[player]
        self.turn_all_up(player)
        while table.can_merge(player) or table.can_move(player):
            if table.can_merge(player):
                self.merge(player)
            else:
                slot = table.movable(player)[self.chance.pick([1] * len(table.movable(player)))]
                place = max(place for place, cards in enumerate(row) if not cards)
                self.log(Kind.MOVE, player=player, slot=slot, card=row[slot][-1], number=place)
            self.turn_all_up(player)

    def merge(self, player: int) -> None:
        """Put the face-up cards of a slot on an equal top, any of all pairs alike (B8)."""
        tops = {slot: cards[-1] for slot, cards in enumerate(self.table.rows[player]) if cards}
        pairs = [
            (slot, target)
            for slot, card in tops.items()
            for target, other in tops.items()
            if slot != target and rank_of(card) == rank_of(other) and not is_joker(card)
        ]
        slot, target = pairs[self.chance.pick([1] * len(pairs))]
        self.log(Kind.MERGE, player=player, slot=slot, number=target)

    def fill_all(self) -> None:
        """Put equal tops together once new cards lie in the middle."""
        if self.rules.merge_equal_ranks == MergeEqualRanks.ALWAYS:
            for player in (0, 1):
                self.settle(player)

    def turn_all_up(self, player: int) -> None:
        """Turn up every top that lies face down."""
        for slot in sorted(place for owner, place in self.table.hidden if owner == player):
            card = self.look_at(player, slot)
            self.table.rows[player][slot][-1] = card
            self.log(Kind.TURN, player=player, slot=slot, card=card)

    def draw_face_down(self, player: int, slot: int) -> None:
        """Lay the top card of the stock face down in a slot; which card it is only shows when it is turned up."""
        if self.rules.round_end == RoundEnd.NONE:
            self.top_unlooked_at(player)
            self.face_down[player].unseen += 1
        self.log(Kind.DRAW, player=player, slot=slot, card=UNSEEN)

    def look_at(self, player: int, slot: int) -> int:
        """Draw which card a face-down top of the row is."""
        if self.rules.round_end == RoundEnd.NONE:
            return self.draw_from([self.face_down[player]], player)
        return self.draw_from(self.bags[player], player)

    def ends_round(self) -> bool:
        """End the round if a row is empty, and tell whether it was."""
        emptied = self.table.emptied_row()
        if emptied is not None:
            self.end_round(emptied)
        return emptied is not None

    def lock_without_cards(self) -> Ending | None:
        """Nobody can play and there is no card for a restart: that ends a round, too."""
        if self.rules.round_end == RoundEnd.NONE:
            return super().lock_without_cards()
        self.flags.add("both_stocks_empty")
        self.end_round(None)
        return None

    def end_round(self, emptied: int | None) -> None:
        """The faster hand takes the smaller pile, the other one the other; each lays out what he holds (round_end).

        Parameters
        ----------
        emptied
            Who has emptied his row; he is the faster one if there is but one pile. None if nobody can go on.
        """
        table = self.table
        faster = emptied if emptied is not None and not all(table.piles) else self.chance.pick([1, 1])
        smaller = min((faster, 1 - faster), key=lambda pile: len(table.piles[pile]))
        self.take(faster, smaller)
        self.take(1 - faster, 1 - smaller)
        for player in (0, 1):
            self.bags[player] += self.gathered(player)
            self.log(Kind.GATHER, player=player, number=sum(map(len, table.rows[player])))
            self.shuffle(player)
            self.lay_out(player)
        self.counts["rounds"] += 1
        self.flip(Reason.ROUND)
        self.fill_all()

    def gathered(self, player: int) -> list[Bag]:
        """Return what a row adds to the bags of its player: what lies face up; all else is among these."""
        row = enumerate(self.table.rows[player])
        return [Bag(0, [rank_of(slot[-1])] * self.table.face_up(player, place)) for place, slot in row if slot]
