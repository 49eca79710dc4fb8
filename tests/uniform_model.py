"""The shedding game without a clock, once more and by the shortest way: a model to hold the kernel against.

It is written from the rules alone and shares nothing with the kernel but the options. Loop: a player without cards has
won; equal tops are stress, and a coin names the loser; otherwise one of all possible plays is made, every one equally
likely, and the row is filled up and merged at once; nobody can play: restart. Flips come before refills. A deal is a
plain Python object, about a thousand times slower than the kernel.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from uniform_table import JOKER, UniformTable

from stressim.shedding.choices import (
    BothEmpty,
    EmptyStock,
    GiverWithOneCard,
    JokerMode,
    MergeEqualRanks,
    MultiCardPlay,
    OnePile,
    OtherPile,
    PickupPlacement,
    PilePlay,
    PileView,
    PostStressEmptyStock,
    RefillPolicy,
    RestartSource,
    RestartTarget,
    RoundEnd,
    RowPiles,
    SidePileReuse,
    StackTarget,
    StartFlipEqual,
    StressOn,
    StressPickup,
    TakenCard,
    UnderOrder,
)
from stressim.shedding.rules import SheddingRules

MOST_PLAYS = 20_000
MOST_FLIPS = 20_000

Play = tuple[int, int, int]  # player, slot, pile


class UniformDeal(UniformTable):
    """One deal."""

    def __init__(self, rules: SheddingRules, rng: random.Random) -> None:
        super().__init__(rules, rng)
        self.viewer = rng.randrange(2)
        self.leader = -1
        self.moments: list[tuple[int, int]] = []  # moves, and the first player's cards less the second's
        self.from_flip = True
        self.flips = 0
        self.face_down: dict[tuple[int, int], int] = {}  # of each pile of a row
        self.last_equal = [False, False]
        self.came_back: set[int] = set()  # whose lost stress changed nothing
        self.count: dict[str, int] = dict.fromkeys(
            ("won", "drawn", "deadlocked", "livelocked", "unfinished", "win_1", "win_2", "moves", "stalls", "stalled",
             "stalled_at_start", "lead_changes", "comeback", "dead_ppm", "looks", "choices", "stresses",
             "stress_at_first_flip", "stress_from_flip", "picked_up", "loser_cards", "losers", "one_stock_empty",
             "both_stocks_empty", "slap_winner_without_stock", "last_card_equal",
             "side_piles_renewed", "rounds"), 0,
        )  # fmt: skip

    def play(self) -> dict[str, int]:
        """Play the deal to its end and return its columns."""
        rules, count = self.rules, self.count
        for player in (0, 1):
            self.lay_out(player)
        sides = rules.restart_source == RestartSource.SIDE_PILES
        if sides:
            self.turn_sides([(0, 0), (1, 1)])
        elif all(self.stocks):
            self.turn([(0, 0), (1, 1)])
        elif any(self.stocks):  # merging has used up the other stock
            self.turn_short()
        count["stress_at_first_flip"] = int(self.tops_equal())
        covered = rules.start_flip_equal == StartFlipEqual.REFLIP
        while covered and self.tops_equal() and all(self.sides if sides else self.stocks):
            if sides:
                self.turn_sides([(0, 0), (1, 1)])
            else:
                self.turn([(0, 0), (1, 1)])
        started = any(map(self.equal_tops, (0, 1)))
        self.refill()
        while True:
            stress = self.tops_equal() and rules.stress_on == StressOn.TOPS_EQUAL
            out = [player for player in (0, 1) if not self.cards_of(player)]
            if out and (rules.win_check_before_stress or not stress):
                return self.finish("drawn" if len(out) == 2 else "won", out[0])
            if (emptied := self.emptied_row()) is not None:
                self.new_round(emptied)
            elif stress:
                before = self.position()
                winner = self.stress()
                if not self.cards_of(winner):
                    return self.finish("won", winner)
                count["slap_winner_without_stock"] += not self.stocks[winner]
                self.flip_after_stress()
                if self.came_back_for_both(before, 1 - winner):
                    return self.finish("livelocked")
            else:
                self.came_back.clear()
                plays = list(self.plays())
                if plays:
                    if count["moves"] == MOST_PLAYS:
                        return self.finish("unfinished")
                    self.make(self.rng.choice(plays), plays)
                else:
                    count["stalls"] += 1
                    count["stalled"] = 1
                    count["stalled_at_start"] |= int(not started and not self.tops_equal())
                    if ending := self.restart():
                        return self.finish(*ending)
            started = True
            if self.flips == MOST_FLIPS:
                return self.finish("unfinished")

    def plays(self) -> Iterator[Play]:
        """All plays that are possible."""
        accepted = [self.accepted(0), self.accepted(1)]
        for player in (0, 1):
            for slot, cards in enumerate(self.rows[player]):
                for pile in (0, 1):
                    if cards and cards[-1] in accepted[pile]:
                        yield player, slot, pile

    def make(self, chosen: Play, plays: list[Play]) -> None:
        """Make a play and fill the row up. Where it is open how many cards go or where, each way is as likely."""
        player, slot, pile = chosen
        row = self.rows[player]
        rank = row[slot][-1]
        mine = {(row[slot][-1], pile) for who, slot, pile in plays if who == player}
        self.count["looks"] += 1
        self.count["choices"] += len(mine) > 1
        together = [slot]
        how = self.rules.pile_play
        whole = how == PilePlay.WHOLE or (how == PilePlay.EITHER and self.rng.random() < 0.5)
        number = len(row[slot]) if whole else 1
        if self.rules.multi_card_play == MultiCardPlay.SAME_RANK and number == len(row[slot]) and rank != JOKER:
            together += [other for other, cards in enumerate(row) if other != slot and cards and cards[-1] == rank]
        self.lay(player, row[slot], pile, number)
        target = pile
        if self.rules.stack_target == StackTarget.EITHER and (rank, 1 - pile) in mine and self.rng.random() < 0.5:
            target = 1 - pile
        for other in together[1:]:
            self.lay(player, row[other], target, len(row[other]))
        if self.rules.multi_card_play == MultiCardPlay.RUN and rank != JOKER:
            self.run(player, slot, pile)
        self.show(*{pile, target} if together[1:] else {pile})
        self.count["moves"] += 1
        self.from_flip = False
        self.landed(player)
        self.refill()
        self.spread_out(player)

    def run(self, player: int, slot: int, pile: int) -> None:
        """Lay any card that fits on the one before, one slot after the other, until none does."""
        row, free = self.rows[player], [other for other in range(len(self.rows[player])) if other != slot]
        while True:
            fitting = self.neighbours[self.piles[pile][-1]] - {JOKER}
            ways = [other for other in free if row[other] and row[other][-1] in fitting]
            if not ways:
                return
            slot = self.rng.choice(ways)
            free.remove(slot)
            self.lay(player, row[slot], pile, len(row[slot]) if self.rules.pile_play == PilePlay.WHOLE else 1)

    def landed(self, *players: int) -> None:
        """Look at the table after these players' cards have landed."""
        for player in players:
            self.last_equal[player] = self.tops_equal()
        lead = self.cards_of(0) - self.cards_of(1)
        self.moments.append((self.count["moves"], lead))
        leader = -1 if lead == 0 else int(lead > 0)
        if leader >= 0:
            self.count["lead_changes"] += self.leader not in (-1, leader)
            self.leader = leader

    def turn(self, flips: list[tuple[int, int]], row_slot: int | None = None) -> None:
        """Flip: (player, pile) each the top stock card; with ``row_slot`` the last one lays a card of his row."""
        self.flips += 1
        for index, (player, pile) in enumerate(flips):
            from_row = row_slot is not None and index == len(flips) - 1
            self.lay(player, self.rows[player][row_slot or 0] if from_row else self.stocks[player], pile)
        if flips:
            self.show(*{pile for _, pile in flips})
        self.from_flip = True
        self.landed(*{player for player, _ in flips})

    def turn_alone(self, player: int, *, fill: bool = True) -> None:
        """One player flips; with ``fill`` no centre place stays empty while he has cards for it."""
        if not fill or self.piles[1 - player] or self.rules.round_end != RoundEnd.NONE:
            self.turn(self.restart_piles([player]))
            return
        # Empty places come before his own pile.
        flips = [(player, 1 - player), (player, player)]
        if not self.piles[player]:
            flips.reverse()
        self.turn(flips[: len(self.stocks[player])])

    def right_of(self, player: int) -> int:
        """The pile on a player's right."""
        return self.viewer if self.rules.pile_view == PileView.ABSOLUTE else player

    # stress

    def stress(self) -> int:
        """Let the loser take what a stress costs; return the winner."""
        count = self.count
        count["stresses"] += 1
        count["stress_from_flip"] += self.from_flip
        loser = self.rng.randrange(2)
        winner = 1 - loser
        taken = self.piles_for(loser)
        count["picked_up"] += sum(len(self.piles[pile]) for pile in taken)
        self.take(loser, taken)
        if self.rules.other_pile_after_stress == OtherPile.SET_ASIDE:
            self.piles = [[], []]
        return winner

    def position(self) -> object:
        """All that lies on the table. Two piles of one card each are the same the other way round."""
        piles = sorted(self.piles) if max(map(len, self.piles)) == 1 else self.piles
        return [*map(list, piles)], [[*slot] for row in self.rows for slot in row], [*map(list, self.stocks)]

    def came_back_for_both(self, before: object, loser: int) -> bool:
        """Whether the stress comes back for ever: nothing has changed, nor did it when the other player lost it."""
        by_chance = self.rules.joker_mode == JokerMode.NAMED and any(JOKER in pile for pile in self.piles)
        if self.position() == before and not any(self.stocks) and self.tops_equal() and not by_chance:
            self.came_back.add(loser)
        else:
            self.came_back.clear()
        return self.came_back == {0, 1}

    def piles_for(self, loser: int) -> list[int]:
        right = self.right_of(loser)
        pickup = self.rules.stress_pickup
        if pickup == StressPickup.BOTH:
            return [loser, 1 - loser]
        if pickup == StressPickup.LEFT:
            return [1 - right]
        smaller = min((right, 1 - right), key=lambda pile: len(self.piles[pile]))
        if pickup == StressPickup.ONE and self.rules.one_pile == OnePile.SMALLER:
            return [smaller]
        return [right]

    def take(self, player: int, taken: list[int]) -> None:
        """Own pile first, the other beneath it, both turned over; or shuffled in."""
        if self.rules.under_order == UnderOrder.OTHER_FIRST or (
            self.rules.under_order == UnderOrder.RANDOM and self.rng.random() < 0.5
        ):
            taken = taken[::-1]
        self.last_equal[player] = False
        for pile in taken:
            self.stocks[player] = self.piles[pile][::-1] + self.stocks[player]
            self.piles[pile] = []
        if self.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK:
            self.rng.shuffle(self.stocks[player])

    def flip_after_stress(self) -> None:
        """New cards after a stress; the rows are filled up after them or before."""
        if not self.rules.flip_before_refill:
            self.refill()
        if all(self.stocks):
            self.turn(self.restart_piles([0, 1]))
        elif any(self.stocks):
            self.count["one_stock_empty"] = 1
            policy = self.rules.post_stress_empty_stock
            if policy == PostStressEmptyStock.AS_RESTART:
                policy = PostStressEmptyStock[self.rules.restart_empty_stock.name]
            alone = policy in (PostStressEmptyStock.FLIP_ALONE, PostStressEmptyStock.ONE_PILE_ONLY)
            rich = 0 if self.stocks[0] else 1
            if alone or not self.share(rich):
                self.turn_alone(rich, fill=policy != PostStressEmptyStock.ONE_PILE_ONLY)
        self.refill()

    def share(self, giver: int) -> bool:
        """Let the giver hand over a card and both flip; False if he has but one and keeps it."""
        taker = 1 - giver
        stock = self.stocks[giver]
        policy = self.rules.giver_with_one_card
        if len(stock) == 1 and policy == GiverWithOneCard.FLIP_ALONE:
            return False
        alone = len(stock) == 1
        depth = self.rng.randrange(len(stock)) if self.rules.taken_card == TakenCard.RANDOM else len(stock) - 1
        self.stocks[taker].append(stock.pop(depth))
        if not alone:
            self.turn(self.restart_piles([0, 1]))
            return True
        slots = [slot for slot, cards in enumerate(self.rows[giver]) if cards]
        if policy == GiverWithOneCard.FROM_ROW and slots:
            self.turn([(taker, taker), (giver, giver)], row_slot=self.rng.choice(slots))
        else:
            self.turn_alone(taker)
        return True

    # restarts

    def restart(self) -> tuple[str, int] | None:
        """Turn new cards, or say how the deal ends."""
        if self.rules.restart_source == RestartSource.SIDE_PILES:
            return self.restart_from_sides()
        if self.rules.restart_source == RestartSource.OWN_ROW:
            self.turn_rows()
            self.refill()
            return None
        if not any(self.stocks):
            if self.rules.round_end == RoundEnd.NONE:
                return self.both_empty()
            self.count["both_stocks_empty"] = 1
            self.new_round(None)
            return None
        if all(self.stocks):
            self.turn(self.restart_piles([0, 1]))
        else:
            self.count["one_stock_empty"] = 1
            self.turn_short()
        self.refill()
        return None

    # rows of piles and rounds

    def lay_out(self, player: int) -> None:
        """Lay out a row: a card in each place, or piles in layers."""
        if self.rules.row_piles == RowPiles.SINGLE:
            self.fill(player, merge=self.rules.merge_equal_ranks != MergeEqualRanks.OFF)
            return
        for layer in range(self.rules.row_slots):
            for slot in self.rows[player][layer:]:
                if self.stocks[player]:
                    slot.append(self.stocks[player].pop())
        for place, slot in enumerate(self.rows[player]):
            self.face_down[player, place] = len(slot) - 1

    def refill(self) -> None:
        """After a flip cards may have to be put together, too; moves come of plays only, which leave places empty."""
        super().refill()
        if self.rules.row_piles == RowPiles.GROWING and self.rules.merge_equal_ranks == MergeEqualRanks.ALWAYS:
            for player in (0, 1):
                self.spread_out(player)

    def spread_out(self, player: int) -> None:
        """Put equal tops together, any of them on any other, then move cards to empty places, any pile's top alike.

        What lies under a top is turned up at once, and equal cards that were put together stay so.
        """
        row = self.rows[player]
        while pairs := self.equal_tops(player):
            self.lift(player, *self.rng.choice(pairs))
        if self.rules.move_to_empty and [] in row:
            covering = [place for place in range(len(row)) if row[place] and self.hidden_under(player, place)]
            if covering:
                self.lift(player, self.rng.choice(covering), row.index([]))
                self.spread_out(player)

    def equal_tops(self, player: int) -> list[tuple[int, int]]:
        """Pairs of piles, one to go on the other, with equal cards on top."""
        if self.rules.row_piles == RowPiles.SINGLE or self.rules.merge_equal_ranks == MergeEqualRanks.OFF:
            return []
        tops = [(place, slot[-1]) for place, slot in enumerate(self.rows[player]) if slot and slot[-1] != JOKER]
        return [(a, b) for a, rank in tops for b, other in tops if a != b and rank == other]

    def hidden_under(self, player: int, place: int) -> int:
        """Number of a pile's cards that lie face down: at first all but the top, and never the top."""
        return min(self.face_down[player, place], len(self.rows[player][place]) - 1)

    def lift(self, player: int, source: int, target: int) -> None:
        """Take the face-up cards of a pile to another place."""
        n_hidden, row = self.hidden_under(player, source), self.rows[player]
        if not row[target]:
            self.face_down[player, target] = 0
        else:
            self.face_down[player, target] = self.hidden_under(player, target)
        row[target] += row[source][n_hidden:]
        del row[source][n_hidden:]
        self.face_down[player, source] = n_hidden - 1

    def emptied_row(self) -> int | None:
        if self.rules.round_end == RoundEnd.NONE:
            return None
        return next((player for player in (0, 1) if self.stocks[player] and not any(self.rows[player])), None)

    def new_round(self, emptied: int | None) -> None:
        """One takes the smaller pile, the other the other; each lays out what he has, and cards are turned."""
        self.count["rounds"] += 1
        sizes = [len(pile) for pile in self.piles]
        faster = emptied if emptied is not None and 0 in sizes else self.rng.randrange(2)
        # Of equal piles each takes his own.
        smaller = faster if sizes[0] == sizes[1] else sizes.index(min(sizes))
        for player, pile in ((faster, smaller), (1 - faster, 1 - smaller)):
            self.stocks[player] += self.piles[pile] + [card for slot in self.rows[player] for card in slot]
            self.rows[player] = [[] for _ in self.rows[player]]
            self.rng.shuffle(self.stocks[player])
            self.lay_out(player)
            self.last_equal[player] = False
        self.piles = [[], []]
        self.turn([(player, player) for player in (0, 1) if self.stocks[player]])
        self.refill()

    def restart_from_sides(self) -> tuple[str, int] | None:
        """Turn side cards; when there are none the centre piles take their place, if they are of any use."""
        rules = self.rules
        if not any(self.sides):
            if rules.side_pile_reuse == SidePileReuse.NEVER:
                return self.both_empty()
            tops = {cards[-1] for row in self.rows for cards in row if cards}
            loose = set(self.piles[0] + self.piles[1])
            if JOKER not in loose and not any(self.neighbours[rank] & tops for rank in loose):
                return "drawn", -1
            self.sides = [pile[::-1] for pile in self.piles]
            if rules.side_pile_reuse == SidePileReuse.SHUFFLED:
                for side in self.sides:
                    self.rng.shuffle(side)
            self.piles = [[], []]
            self.count["side_piles_renewed"] += 1
        self.turn_sides(self.restart_piles([0, 1]))
        self.refill()
        return None

    def turn_sides(self, flips: list[tuple[int, int]]) -> None:
        """Each side pile that is left gives its top card: (player, pile)."""
        flips = [(player, pile) for player, pile in flips if self.sides[player]]
        for player, pile in flips:
            self.lay(player, self.sides[player], pile)
        self.flips += 1
        self.show(*(pile for _, pile in flips))
        self.from_flip = True
        self.landed()

    def turn_rows(self) -> None:
        """Each lays any card of his row, or one of his stock if the row is empty."""
        flips = self.restart_piles([0, 1])
        for player, pile in flips:
            slots = [slot for slot in self.rows[player] if slot]
            self.lay(player, self.rng.choice(slots) if slots else self.stocks[player], pile)
        self.flips += 1
        self.show(0, 1)
        self.from_flip = True
        self.landed(0, 1)

    def turn_short(self) -> None:
        """Flip when one player has no stock card."""
        rich = 0 if self.stocks[0] else 1
        if self.rules.restart_empty_stock == EmptyStock.FLIP_ALONE or not self.share(rich):
            self.turn_alone(rich)

    def restart_piles(self, players: list[int]) -> list[tuple[int, int]]:
        """Who flips where: each on his own pile, or by a coin on the other's while both piles are there."""
        any_pile = self.rules.restart_target == RestartTarget.ANY_PILE and all(self.piles)
        swapped = any_pile and self.rng.random() < 0.5
        return [(player, 1 - player if swapped else player) for player in players]

    def both_empty(self) -> tuple[str, int] | None:
        self.count["both_stocks_empty"] = 1
        rule = self.rules.restart_both_empty
        if rule == BothEmpty.UNDEFINED:
            return "deadlocked", -1
        cards = [self.cards_of(0), self.cards_of(1)]
        if rule == BothEmpty.DRAW or (rule == BothEmpty.FEWEST_CARDS_WINS and cards[0] == cards[1]):
            return "drawn", -1
        if rule == BothEmpty.FEWEST_CARDS_WINS:
            self.last_equal = [False, False]  # no card has won
            return "won", int(cards[1] < cards[0])
        if self.same_for_ever():
            return "drawn", -1
        for player in (0, 1):
            self.stocks[player] = self.piles[player]
            self.rng.shuffle(self.stocks[player])
        self.piles = [[], []]
        if not self.rules.flip_before_refill:
            self.refill()
        self.turn([(player, player) for player in (0, 1) if self.stocks[player]])
        self.refill()
        return None

    def same_for_ever(self) -> bool:
        """Whether nothing can change when each takes his pile and flips: no play, and no card for a row."""
        rules = self.rules
        loose = self.piles[0] + self.piles[1]
        may_refill = rules.refill_policy != RefillPolicy.NONE and not all(slot for row in self.rows for slot in row)
        # A card that is flipped at once gets into no row.
        if may_refill and (max(map(len, self.piles)) > 1 or (loose and not rules.flip_before_refill)):
            return False
        tops = {cards[-1] for row in self.rows for cards in row if cards}
        return not any(rank == JOKER or self.neighbours[rank] & tops for rank in loose)

    # the end

    def finish(self, outcome: str, winner: int = -1) -> dict[str, int]:
        count = self.count
        count[outcome] = 1
        if outcome != "won":
            return count
        count[f"win_{winner + 1}"] = 1
        count["losers"] = 1
        count["loser_cards"] = self.cards_of(1 - winner)
        count["last_card_equal"] = int(self.last_equal[winner])
        sign = 1 if winner == 0 else -1  # behind is above 0
        behind = [sign * lead for _, lead in self.moments]
        count["comeback"] = int(max(behind) * 2 >= self.rules.cards_each)
        last = max((index for index, lead in enumerate(behind) if lead >= 0), default=-1)
        # He leads for good from the landing after the last one at which he did not.
        since = self.moments[last + 1][0] if last + 1 < len(self.moments) else count["moves"]
        count["dead_ppm"] = round(1_000_000 * (1 - since / count["moves"])) if count["moves"] else 0
        return count
