"""The moves of a shedding game without a clock, each carried out by the referee's table, with hidden stocks.

The referee's table lays, flips and takes; its lists of lawful flips and pickups, its judgement of what fits, what is
equal and what changes nothing say what may happen. What is added here is what the model of uniform timing adds to the
rules: one of all possible plays is made, each as likely; the lot names the loser of a stress; rows are filled up and
equal ranks put together at once; flips come before refills unless the rules say otherwise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from stressim.exact.chains import Chance
from stressim.shedding.choices import (
    BothEmpty,
    JokerMode,
    MergeEqualRanks,
    MultiCardPlay,
    OnePile,
    PilePlay,
    PileView,
    RestartSource,
    StackTarget,
    StressPickup,
    TakenCard,
)
from stressim.shedding.events import JOKER_RANK, Kind, Outcome, Reason
from stressim.shedding.habits import PileChoice
from stressim.shedding.hidden_cards import UNSEEN, Bag, draw, shuffled
from stressim.shedding.referee.table import Event, Table, is_joker, rank_of
from stressim.shedding.rules import SheddingRules

Ending = tuple[Outcome, int]
"""How a deal has ended, and who has won it, -1 for nobody."""


class Dealer(ABC):
    """A table with hidden stocks, and the moves of uniform timing on it.

    Parameters
    ----------
    rules
        The rules of the game.
    chance
        Decides.
    pile_choices
        For each player the pile that he takes where he may choose.
    """

    def __init__(self, rules: SheddingRules, chance: Chance, pile_choices: Sequence[PileChoice]) -> None:
        self.rules = rules
        self.chance = chance
        self.pile_choices = pile_choices
        self.players = range(rules.n_players)
        rows: list[list[list[int]]] = [[[] for _ in range(rules.row_slots)] for _ in self.players]
        self.table = Table(rules=rules, stocks=[[] for _ in self.players], rows=rows)
        self.bags: list[list[Bag]] = [[] for _ in self.players]
        self.side_bags: list[list[Bag]] = [[] for _ in self.table.centre]
        # Cards under the tops of rows, where they are no cards of the stocks' bags.
        self.face_down = [Bag(0) for _ in self.players]
        self.pools: list[Counter[int]] = []
        self.view: int | None = None
        self.from_flip = False
        self.changed_nothing: set[int] = set()  # players whose lost stress led back to the very same stress
        self.counts: Counter[str] = Counter()
        self.flags: set[str] = set()
        self.events: list[Event] = []
        self.time = 0

    def deal(self) -> None:
        """Deal hidden stocks."""
        rules = self.rules
        shares = rules.n_players if rules.own_decks else 1
        pack = Counter(dict.fromkeys(range(rules.n_ranks), rules.n_copies_total // shares))
        if rules.n_jokers:
            pack[JOKER_RANK] = rules.n_jokers // shares
        self.pools = [Counter(pack) for _ in range(shares)]
        n_side = rules.cards_dealt - rules.cards_each
        self.bags = [[Bag(rules.cards_each)] for _ in self.players]
        self.side_bags = [[Bag(n_side)] if n_side else [] for _ in self.table.centre]
        self.table.stocks = [[UNSEEN] * rules.cards_each for _ in self.players]
        self.table.sides = [[UNSEEN] * n_side for _ in self.table.centre]
        self.take_seats()
        if rules.pile_view == PileView.ABSOLUTE:
            self.view = self.chance.pick([1] * rules.n_players)
            self.log(Kind.VIEW, player=self.view)

    @abstractmethod
    def take_seats(self) -> None:
        """See to it that each player has a pile on his right."""

    # hidden cards

    def reveal(self, player: int, depth: int = 0) -> int:
        """Draw which card lies at this depth of a stock, take it out of its bag, and note it on the table."""
        return self.draw_from(self.bags[player], player, depth)

    def draw_from(self, bags: list[Bag], player: int, depth: int = 0) -> int:
        """Draw which card lies at this depth of bags whose unseen cards are of the player's deck."""
        return draw(bags, self.pools[player % len(self.pools)], self.chance, depth)

    def log(self, kind: Kind, **fields: int) -> Event:
        """Note an event and, if it moves cards, let the referee's table carry it out."""
        numbers = {"player": -1, "pile": -1, "slot": -1, "card": -1, "number": -1} | fields
        event = Event(len(self.events), self.time, kind, **numbers)
        self.events.append(event)
        self.table.apply(event)
        return event

    def draw_from_stock(self, kind: Kind, player: int, **fields: int) -> None:
        """Draw or flip the top card of a stock."""
        card = self.reveal(player)
        self.table.stocks[player][0] = card
        self.log(kind, player=player, card=card, **fields)

    def top_unlooked_at(self, player: int) -> int:
        """Take the top card out of its bag, of cards that nobody has seen, without looking at it either."""
        first = self.bags[player][0]
        first.unseen -= 1
        if not len(first):
            self.bags[player].pop(0)
        return UNSEEN

    def hand_over_handicap(self) -> None:
        """Move cards from stocks' tops under others: between player 1 and each of the others (handicap_cards)."""
        wanted = self.rules.handicap_cards
        for other in self.players[1:]:
            giver, receiver = (other, 0) if wanted > 0 else (0, other)
            for _ in range(abs(wanted)):
                card = self.top_unlooked_at(giver) if len(self.pools) == 1 else self.reveal(giver)
                self.table.stocks[giver][0] = card
                self.log(Kind.HANDICAP, player=receiver, pile=-1 if self.table.is_pair else giver, card=card)
                lowest = self.bags[receiver][-1]
                if card == UNSEEN and not lowest.known:
                    lowest.unseen += 1
                else:
                    self.bags[receiver].append(Bag(1) if card == UNSEEN else Bag(0, [card]))

    # rows

    def lay_out(self, player: int) -> None:
        """Lay out a row."""
        self.fill(player, laying_out=True)

    def settle(self, player: int) -> None:
        """Do what is to be done at once after a play."""
        self.fill(player)

    def fill(self, player: int, *, laying_out: bool = False) -> None:
        """Fill a row up and put equal ranks together, at once (B7 to B9, B12)."""
        table, rules = self.table, self.rules
        when = rules.merge_equal_ranks
        merging = when == MergeEqualRanks.ALWAYS or (laying_out and when == MergeEqualRanks.AT_DEAL)
        while True:
            if merging and table.has_equal_slots(player):
                self.merge(player)
            elif table.stocks[player] and table.empty_slots(player) and (laying_out or table.can_refill(player)):
                slot = next(slot for slot, cards in enumerate(table.rows[player]) if not cards)
                self.draw_from_stock(Kind.DRAW, player, slot=slot)
            else:
                return

    def merge(self, player: int) -> None:
        """Put two equal slots together."""
        tops = [slot[-1] if slot and not is_joker(slot[-1]) else None for slot in self.table.rows[player]]
        for slot, top in enumerate(tops):
            for other in range(slot):
                if top is not None and tops[other] is not None and rank_of(top) == rank_of(tops[other] or 0):
                    self.log(Kind.MERGE, player=player, slot=slot, number=other)
                    return

    def fill_all(self) -> None:
        """Fill all rows up."""
        for player in self.players:
            self.fill(player)

    # flips

    def flip(self, reason: Reason, winner: int | None = None) -> None:
        """Bring new cards to the middle (B27, B28, B30, B39, B40, U2, U3).

        Parameters
        ----------
        reason
            Why.
        winner
            The winner of the stress before it; None where anybody without a stock card counts as one who lacks it.
        """
        table = self.table
        source = self.rules.restart_source
        of_stock = source == RestartSource.STOCK or (source == RestartSource.OWN_ROW and reason != Reason.LOCKED)
        without = [player for player in self.players if of_stock and not table.stocks[player]]
        some_lack_cards = 0 < len(without) < len(self.players)
        if some_lack_cards and reason in (Reason.LOCKED, Reason.STRESS):
            self.flags.add("one_stock_empty")
        if some_lack_cards and reason == Reason.STRESS and (winner is None or winner in without):
            self.counts["slap_winner_without_stock"] += 1
        self.log(Kind.RESTART, number=int(reason))
        flipped = self.cards_to_the_middle(reason)
        self.name_jokers(sorted(flipped), flipped)
        self.from_flip = True

    @abstractmethod
    def cards_to_the_middle(self, reason: Reason) -> dict[int, int]:
        """Flip what the rules want flipped; return for each pile that got a card who laid the last one there."""

    def give(self, giver: int, receiver: int, **fields: int) -> None:
        """Let a card change hands (U30)."""
        n_cards = len(self.table.stocks[giver])
        depth = self.chance.pick([1] * n_cards) if self.rules.taken_card == TakenCard.RANDOM else 0
        card = self.reveal(giver, depth)
        self.table.stocks[giver][depth] = card
        self.log(Kind.GIVE, player=giver, card=card, number=depth, **fields)
        self.bags[receiver].insert(0, Bag(0, [card]))

    def flip_from_row(self, player: int, pile: int) -> None:
        """Lay a card of the row, any slot alike, instead of a stock card (U3)."""
        slots = [slot for slot, cards in enumerate(self.table.rows[player]) if cards]
        slot = slots[self.chance.pick([1] * len(slots))]
        self.log(Kind.FLIP_FROM_ROW, player=player, pile=pile, slot=slot, card=self.table.rows[player][slot][-1])

    def name_jokers(self, piles: Sequence[int], player_of: dict[int, int]) -> None:
        """Give jokers that have just landed their ranks (B4, U32)."""
        for pile in piles:
            if is_joker(self.table.piles[pile][-1]) and self.rules.joker_mode == JokerMode.NAMED:
                rank = self.chance.pick([1] * self.rules.n_ranks)
                self.log(Kind.NAME, player=player_of[pile], pile=pile, number=rank)
        self.table.jokers_take_ranks(piles)

    # plays

    def plays(self) -> list[tuple[int, int, int]]:
        """All possible plays: player, slot and pile."""
        return [
            (player, slot, pile)
            for player in self.players
            for slot, cards in enumerate(self.table.rows[player])
            if cards
            for pile in self.table.centre
            if self.table.fits(cards[-1], pile)
        ]

    def play(self, plays: Sequence[tuple[int, int, int]]) -> int:
        """Make one of the possible plays, each as likely; return whose it was."""
        rules, table = self.rules, self.table
        player, slot, pile = plays[self.chance.pick([1] * len(plays))]
        row = table.rows[player]
        card, size = row[slot][-1], len(row[slot])
        whole = rules.pile_play == PilePlay.WHOLE
        if rules.pile_play == PilePlay.EITHER and size > 1:
            whole = bool(self.chance.pick([1, 1]))
        number = size if whole else 1
        others = []
        if rules.multi_card_play == MultiCardPlay.SAME_RANK and number == size and not is_joker(card):
            others = [
                other
                for other, cards in enumerate(row)
                if other != slot and cards and rank_of(cards[-1]) == rank_of(card)
            ]
        target = pile
        if others and rules.stack_target == StackTarget.EITHER:
            round_from_here = [*table.centre[pile + 1 :], *table.centre[:pile]]
            other_pile = next((each for each in round_from_here if (player, slot, each) in plays), pile)
            target = (pile, other_pile)[self.chance.pick([1, int(other_pile != pile)])]
        self.time += 1
        self.log(Kind.PLAY, player=player, pile=pile, slot=slot, card=card, number=number)
        if rules.multi_card_play == MultiCardPlay.RUN and not is_joker(card):
            self.lay_run(player, slot, pile)
        for other in others:
            cards = row[other]
            self.log(Kind.PLAY_ALSO, player=player, pile=target, slot=other, card=cards[-1], number=len(cards))
        piles = sorted({pile, target} if others else {pile})
        self.name_jokers(piles, dict.fromkeys(piles, player))
        self.counts["moves"] += 1
        self.from_flip = False
        self.changed_nothing.clear()
        return player

    def lay_run(self, player: int, first: int, pile: int) -> None:
        """Lay further cards in the same move, any that fits on the one before, each slot once (B11)."""
        row, laid = self.table.rows[player], {first}
        while True:
            slots = [
                slot
                for slot, cards in enumerate(row)
                if slot not in laid and cards and not is_joker(cards[-1]) and self.table.fits(cards[-1], pile)
            ]
            if not slots:
                return
            slot = slots[self.chance.pick([1] * len(slots))]
            number = len(row[slot]) if self.rules.pile_play == PilePlay.WHOLE else 1
            self.log(Kind.PLAY_ALSO, player=player, pile=pile, slot=slot, card=row[slot][-1], number=number)
            laid.add(slot)

    # stress and locks

    def stress(self) -> Ending | None:
        """Let the loser of a stress take what it costs; return how the deal has then ended, if it has."""
        before = self.table.position()
        self.counts["stresses"] += 1
        self.counts["stress_from_flip"] += self.from_flip
        loser, winner = self.lose_stress()
        ending = self.out()
        if ending is not None:
            return ending
        if not self.rules.flip_before_refill:
            self.fill_all()
        self.flip(Reason.STRESS, winner)
        self.fill_all()
        same = self.table.tops_equal() and not any(self.table.stocks) and self.table.position() == before
        if same and not self.comes_back_by_chance():
            self.changed_nothing.add(loser)
        else:
            self.changed_nothing.clear()
        return None

    @abstractmethod
    def lose_stress(self) -> tuple[int, int | None]:
        """Draw who loses a stress, and let him take what it costs.

        Returns
        -------
        tuple
            The loser, and the winner if it matters who that is.
        """

    def out(self) -> Ending | None:
        """Return how the deal has ended if somebody has no cards left; several at once are a draw."""
        out = [player for player in self.players if not self.table.remaining(player)]
        if not out:
            return None
        return (Outcome.WON, out[0]) if len(out) == 1 else (Outcome.DRAWN, -1)

    def comes_back_by_chance(self) -> bool:
        """Whether more than who loses is left to chance in a stress that comes back."""
        jokers = any(is_joker(card) for pile in self.table.piles for card in pile)
        named = self.rules.joker_mode == JokerMode.NAMED and jokers
        return named or (self.chooses_a_pile() and PileChoice.RANDOM in self.pile_choices)

    def chooses_a_pile(self) -> bool:
        """Whether the loser of a stress takes the pile that he likes."""
        return self.rules.stress_pickup == StressPickup.ONE and self.rules.one_pile == OnePile.OWN_CHOICE

    def chosen_of(self, piles: Sequence[int], choice: PileChoice) -> int:
        """Return which of some piles, from right to left, a player takes by his habit."""
        if choice == PileChoice.RANDOM:
            return piles[self.chance.pick([1] * len(piles))]
        if choice == PileChoice.SMALLER:
            return min(piles, key=lambda pile: len(self.table.piles[pile]))
        return piles[-1] if choice == PileChoice.LEFT else piles[0]

    def take(self, player: int, pile: int) -> None:
        """Turn a pile over and put it under a stock."""
        cards = list(self.table.piles[pile])
        self.log(Kind.TAKE, player=player, pile=pile, number=len(cards))
        self.table.joker_rank[pile] = None
        self.bags[player] += [Bag(0, [card]) for card in cards]

    def shuffle(self, player: int) -> None:
        """Shuffle a stock."""
        self.bags[player] = shuffled(self.bags[player])
        self.table.stocks[player] = [UNSEEN] * len(self.table.stocks[player])

    def ends_round(self) -> bool:
        """End the round if a row is empty, and tell whether it was; rows of single cards know no rounds."""
        return False

    def lock(self) -> Ending | None:
        """Nobody can play: restart, or say how the deal ends and who has won (B27, B31)."""
        self.counts["stalls"] += 1
        self.flags.add("stalled")
        if not self.table.can_flip():
            return self.lock_without_cards()
        self.flip(Reason.LOCKED)
        if all(map(self.table.remaining, self.players)):
            self.fill_all()
        return None

    def lock_without_cards(self) -> Ending | None:
        """Nobody can play and there is no card for a restart (B31)."""
        table, rule = self.table, self.rules.restart_both_empty
        self.flags.add("both_stocks_empty")
        if rule == BothEmpty.UNDEFINED:
            return Outcome.DEADLOCKED, -1
        left = [table.remaining(player) for player in self.players]
        if rule == BothEmpty.FEWEST_CARDS_WINS and left.count(min(left)) == 1:
            return Outcome.WON, left.index(min(left))
        if rule != BothEmpty.TAKE_RIGHT_PILE_SHUFFLE or table.piles_change_nothing():
            return Outcome.DRAWN, -1
        for player, pile in self.takers_of_own():
            if table.piles[pile]:
                self.take(player, pile)
        for player in self.players:
            if table.stocks[player]:
                self.shuffle(player)
        if not self.rules.flip_before_refill:
            self.fill_all()
        self.flip(Reason.BOTH_EMPTY)
        self.fill_all()
        return None

    @abstractmethod
    def takers_of_own(self) -> list[tuple[int, int]]:
        """Return who takes which pile where each takes his own; who comes first has a pile that several own."""
