"""The table of the plain model: cards in stocks, rows and piles, and what fits where."""

from __future__ import annotations

import functools
import random

from stressim.shedding.choices import Ace, DealMode, JokerMode, MergeEqualRanks, RefillPolicy
from stressim.shedding.rules import SheddingRules

JOKER = 99


@functools.lru_cache(maxsize=1)
def neighbours_of(rules: SheddingRules) -> tuple[dict[int, frozenset[int]], frozenset[int]]:
    """Return the cards that fit on each rank, and all cards. The ace is rank 0 if the deck has one."""
    n = rules.n_ranks
    # On a line the ranks go from left to right; a high ace stands at the right end.
    line = [*range(1, n), 0] if rules.ace == Ace.HIGH and rules.ranks[0] == "A" else [*range(n)]
    pairs = {(line[i], line[i + 1]) for i in range(n - 1)}
    if rules.ace == Ace.WRAP:
        pairs.add((line[-1], line[0]))
    if rules.equal_rank_playable:
        pairs |= {(rank, rank) for rank in line}
    fitting = {
        rank: frozenset({a for a, b in pairs if b == rank} | {b for a, b in pairs if a == rank} | {JOKER})
        for rank in line
    }
    return fitting, frozenset({*line, JOKER})


class UniformTable:
    """Stocks and piles are lists of ranks with the top at the end; a row is a list of such lists."""

    def __init__(self, rules: SheddingRules, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng
        self.neighbours, self.every_rank = neighbours_of(rules)
        self.stocks = self._dealt()
        # As in a stock the top is at the end; the side pile is what a player's share holds beside his own cards.
        self.sides = [[share.pop() for _ in range(rules.cards_dealt - rules.cards_each)] for share in self.stocks]
        for _ in range(abs(rules.handicap_cards)):
            giver = 1 if rules.handicap_cards > 0 else 0
            self.stocks[1 - giver].insert(0, self.stocks[giver].pop())
        self.rows: list[list[list[int]]] = [[[] for _ in range(rules.row_slots)] for _ in (0, 1)]
        self.piles: list[list[int]] = [[], []]
        self.shown: list[int] = [-1, -1]  # rank that counts for each top; a joker's is the one it stands for

    def _dealt(self) -> list[list[int]]:
        rules = self.rules
        if rules.deal_mode == DealMode.OWN_DECK_EACH:
            deck = [*range(rules.n_ranks)] * rules.n_copies + [JOKER] * (rules.n_jokers // 2)
            decks = [deck.copy(), deck.copy()]
            for own in decks:
                self.rng.shuffle(own)
            return decks
        deck = [*range(rules.n_ranks)] * rules.n_copies_total + [JOKER] * rules.n_jokers
        self.rng.shuffle(deck)
        return [deck[: rules.cards_dealt], deck[rules.cards_dealt :]]

    # ranks

    def accepted(self, pile: int) -> frozenset[int]:
        """Ranks that may be laid on the pile."""
        if not self.piles[pile]:
            return frozenset()
        if self.piles[pile][-1] == JOKER and self.rules.joker_mode != JokerMode.NAMED:
            return self.every_rank
        return self.neighbours[self.shown[pile]]

    def tops_equal(self) -> bool:
        """Whether the tops have the same rank."""
        if not self.piles[0] or not self.piles[1]:
            return False
        if self.rules.joker_mode == JokerMode.ANYTHING and JOKER in (self.piles[0][-1], self.piles[1][-1]):
            return True
        return self.shown[0] == self.shown[1]

    def show(self, *piles: int) -> None:
        """Settle what the new tops of these piles count as; jokers last, for they look at the other pile."""
        for pile in sorted(piles, key=lambda pile: self.piles[pile][-1] == JOKER):
            top = self.piles[pile][-1]
            if top == JOKER and self.rules.joker_mode == JokerMode.NAMED:
                top = self.rng.randrange(self.rules.n_ranks)
            elif top == JOKER:
                top = self.shown[1 - pile]  # two jokers turned together: both still show the same old rank or none
                if self.piles[1 - pile] and self.piles[1 - pile][-1] == JOKER and 1 - pile in piles:
                    self.shown[1 - pile] = top = JOKER
            self.shown[pile] = top

    # the row

    def cards_of(self, player: int) -> int:
        """Stock and row."""
        return len(self.stocks[player]) + sum(map(len, self.rows[player]))

    def fill(self, player: int, *, merge: bool) -> None:
        """Fill empty slots from the stock; with ``merge`` equal ranks go together and their slot is filled again."""
        row, stock = self.rows[player], self.stocks[player]
        for slot in row:
            while not slot and stock:
                card = stock.pop()
                same = next((other for other in row if other and other[-1] == card), None) if merge else None
                (slot if same is None or card == JOKER else same).append(card)

    def refill(self) -> None:
        """What happens after every play and flip."""
        if self.rules.refill_policy != RefillPolicy.NONE:
            for player in (0, 1):
                self.fill(player, merge=self.rules.merge_equal_ranks == MergeEqualRanks.ALWAYS)

    def lay(self, player: int, source: list[int], pile: int, number: int = 1) -> None:
        """Move cards from a slot or stock to a pile."""
        for _ in range(number):
            self.piles[pile].append(source.pop())
