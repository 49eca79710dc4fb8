"""The moves of a shedding game without a clock, each carried out by the referee's table, with hidden stocks.

The referee's table lays, flips and takes; its lists of lawful flips and pickups, its judgement of what fits, what is
equal and what changes nothing say what may happen. What is added here is what the model of uniform timing adds to the
rules: one of all possible plays is made, each as likely; a fair coin names the loser of a stress; rows are filled up
and equal ranks put together at once; flips come before refills unless the rules say otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from stressim.exact.chains import Chance
from stressim.shedding.choices import (
    BothEmpty,
    DealMode,
    JokerMode,
    MergeEqualRanks,
    MultiCardPlay,
    OnePile,
    OtherPile,
    PickupPlacement,
    PilePlay,
    PileView,
    RestartSource,
    SidePileReuse,
    StackTarget,
    StressPickup,
    TakenCard,
)
from stressim.shedding.events import JOKER_RANK, Kind, Outcome, Reason
from stressim.shedding.habits import PileChoice
from stressim.shedding.hidden_cards import UNSEEN, Bag, draw, shuffled
from stressim.shedding.referee.lawful_flips import Flip, FlipPlan, lawful_flips
from stressim.shedding.referee.lawful_pickups import right_pile, stress_pickups
from stressim.shedding.referee.table import Event, Position, Table, is_joker, rank_of
from stressim.shedding.rules import SheddingRules


class Dealer:
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
        self.table = Table(rules=rules, stocks=[[], []], rows=[[[] for _ in range(rules.row_slots)] for _ in (0, 1)])
        self.bags: list[list[Bag]] = [[], []]
        self.side_bags: list[list[Bag]] = [[], []]
        self.face_down = [Bag(0), Bag(0)]  # cards under the tops of rows, where they are no cards of the stocks' bags
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
        shares = rules.n_players if rules.deal_mode == DealMode.OWN_DECK_EACH else 1
        pack = Counter(dict.fromkeys(range(rules.n_ranks), rules.n_copies_total // shares))
        if rules.n_jokers:
            pack[JOKER_RANK] = rules.n_jokers // shares
        self.pools = [Counter(pack) for _ in range(shares)]
        n_side = rules.cards_dealt - rules.cards_each
        self.bags = [[Bag(rules.cards_each)] for _ in (0, 1)]
        self.side_bags = [[Bag(n_side)] if n_side else [] for _ in (0, 1)]
        self.table.stocks = [[UNSEEN] * rules.cards_each for _ in (0, 1)]
        self.table.sides = [[UNSEEN] * n_side for _ in (0, 1)]
        if rules.pile_view == PileView.ABSOLUTE:
            self.view = self.chance.pick([1, 1])
            self.log(Kind.VIEW, player=self.view)

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

    def draw_from_side(self, player: int, pile: int) -> None:
        """Flip the top card of the side pile on a player's right."""
        card = self.draw_from(self.side_bags[player], player)
        self.table.sides[player][0] = card
        self.log(Kind.FLIP_SIDE, player=player, pile=pile, card=card)

    def hand_over_handicap(self) -> None:
        """Move the cards of the handicap from the top of one stock under the other (handicap_cards)."""
        receiver = 0 if self.rules.handicap_cards > 0 else 1
        for _ in range(abs(self.rules.handicap_cards)):
            card = self.top_unlooked_at(1 - receiver) if len(self.pools) == 1 else self.reveal(1 - receiver)
            self.table.stocks[1 - receiver][0] = card
            self.log(Kind.HANDICAP, player=receiver, card=card)
            lowest = self.bags[receiver][-1]
            if card == UNSEEN and not lowest.known:
                lowest.unseen += 1
            else:
                self.bags[receiver].append(Bag(1) if card == UNSEEN else Bag(0, [card]))

    def top_unlooked_at(self, player: int) -> int:
        """Take the top card out of its bag, of cards that nobody has seen, without looking at it either."""
        first = self.bags[player][0]
        first.unseen -= 1
        if not len(first):
            self.bags[player].pop(0)
        return UNSEEN

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
        """Fill both rows up."""
        for player in (0, 1):
            self.fill(player)

    # flips

    def flip(self, reason: Reason, winner: int | None = None) -> None:
        """Bring new cards to the middle (B27, B28, B30, B39, B40, U2, U3)."""
        table = self.table
        source = self.rules.restart_source
        of_stock = source == RestartSource.STOCK or (source == RestartSource.OWN_ROW and reason != Reason.LOCKED)
        without = [player for player in (0, 1) if of_stock and not table.stocks[player]]
        if len(without) == 1 and reason in (Reason.LOCKED, Reason.STRESS):
            self.flags.add("one_stock_empty")
        if reason == Reason.STRESS and winner in without:
            self.counts["slap_winner_without_stock"] += 1
        self.log(Kind.RESTART, number=int(reason))
        _, plans = lawful_flips(table, reason)
        plan = self.chosen_plan(plans)
        if plan.giver is not None:
            self.give(plan.giver)
        for player, pile, kind in sorted(plan.flips, key=self.order_of_flips()):
            if kind == Kind.FLIP_FROM_ROW:
                self.flip_from_row(player, pile)
            elif kind == Kind.FLIP_SIDE:
                self.draw_from_side(player, pile)
            else:
                self.draw_from_stock(kind, player, pile=pile)
        piles = sorted(pile for _, pile, _ in plan.flips)
        self.name_jokers(piles, {pile: player for player, pile, _ in plan.flips})
        self.from_flip = True

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

    def give(self, giver: int) -> None:
        """Let a card change hands (U30)."""
        n_cards = len(self.table.stocks[giver])
        depth = self.chance.pick([1] * n_cards) if self.rules.taken_card == TakenCard.RANDOM else 0
        card = self.reveal(giver, depth)
        self.table.stocks[giver][depth] = card
        self.log(Kind.GIVE, player=giver, card=card, number=depth)
        self.bags[1 - giver].insert(0, Bag(0, [card]))

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
            for player in (0, 1)
            for slot, cards in enumerate(self.table.rows[player])
            if cards
            for pile in (0, 1)
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
        if others and rules.stack_target == StackTarget.EITHER and (player, slot, 1 - pile) in plays:
            target = (pile, 1 - pile)[self.chance.pick([1, 1])]
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

    def stress(self) -> int | None:
        """Let the loser of a stress take what it costs; return who has then won, if somebody has."""
        before = self.table.position()
        self.counts["stresses"] += 1
        self.counts["stress_from_flip"] += self.from_flip
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
        if not self.table.remaining(1 - loser):
            return 1 - loser
        if not self.rules.flip_before_refill:
            self.fill_all()
        self.flip(Reason.STRESS, 1 - loser)
        self.fill_all()
        self.see_what_comes_back(before, loser)
        return None

    def see_what_comes_back(self, before: Position, loser: int) -> None:
        """Note whether the stress has led to the very stress that it was, with no chance but who loses it."""
        table = self.table
        by_chance = self.rules.joker_mode == JokerMode.NAMED and any(is_joker(c) for pile in table.piles for c in pile)
        by_chance |= self.chooses_a_pile() and PileChoice.RANDOM in self.pile_choices
        if by_chance or any(table.stocks) or not table.tops_equal() or table.position() != before:
            self.changed_nothing.clear()
        else:
            self.changed_nothing.add(loser)

    def chosen_order(self, orders: Sequence[list[int]], loser: int) -> list[int]:
        """Choose which piles are taken, and in which order, where the rules leave it open."""
        if self.chooses_a_pile() and len(orders) > 1:
            return [self.chosen_pile(loser)]
        if self.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            return orders[0]
        return orders[self.chance.pick([1] * len(orders))]

    def chooses_a_pile(self) -> bool:
        """Whether the loser of a stress takes the pile that he likes."""
        return self.rules.stress_pickup == StressPickup.ONE and self.rules.one_pile == OnePile.OWN_CHOICE

    def chosen_pile(self, player: int) -> int:
        """The pile that a player takes by his habit."""
        right, choice = right_pile(player, self.view), self.pile_choices[player]
        if choice == PileChoice.RANDOM:
            return self.chance.pick([1, 1])
        if choice == PileChoice.SMALLER:
            return min((right, 1 - right), key=lambda pile: len(self.table.piles[pile]))
        return 1 - right if choice == PileChoice.LEFT else right

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

    def ends_round(self) -> bool:
        """End the round if a row is empty, and tell whether it was; rows of single cards know no rounds."""
        return False

    def lock(self) -> tuple[Outcome, int] | None:
        """Nobody can play: restart, or say how the deal ends and who has won (B27, B31)."""
        table, rules = self.table, self.rules
        self.counts["stalls"] += 1
        self.flags.add("stalled")
        if table.can_flip():
            self.flip(Reason.LOCKED)
            if all(map(table.remaining, (0, 1))):
                self.fill_all()
            return None
        if rules.restart_source == RestartSource.SIDE_PILES and rules.side_pile_reuse != SidePileReuse.NEVER:
            if table.nothing_ever_fits():
                return Outcome.DRAWN, -1
            self.renew_side_piles()
            self.flip(Reason.RENEWED)
            self.fill_all()
            return None
        return self.lock_without_cards()

    def lock_without_cards(self) -> tuple[Outcome, int] | None:
        """Nobody can play and there is no card for a restart (B31)."""
        table, rule = self.table, self.rules.restart_both_empty
        self.flags.add("both_stocks_empty")
        if rule == BothEmpty.UNDEFINED:
            return Outcome.DEADLOCKED, -1
        left = [table.remaining(player) for player in (0, 1)]
        if rule == BothEmpty.FEWEST_CARDS_WINS and left[0] != left[1]:
            return Outcome.WON, left.index(min(left))
        if rule != BothEmpty.TAKE_RIGHT_PILE_SHUFFLE or table.piles_change_nothing():
            return Outcome.DRAWN, -1
        for player in (0, 1):
            if table.piles[player]:
                self.take(player, player)
                self.shuffle(player)
        if not self.rules.flip_before_refill:
            self.fill_all()
        self.flip(Reason.BOTH_EMPTY)
        self.fill_all()
        return None
