"""Small shedding games without a clock, as a chain of positions that is solved whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from stressim.exact.chains import Chance, Step
from stressim.exact.quantities import TooCostlyError
from stressim.players.player import Player
from stressim.shedding.choices import Ace, DealMode, RoundEnd, RowPiles, StartFlipEqual, StressOn
from stressim.shedding.events import JOKER_RANK, Outcome, Reason
from stressim.shedding.habits import PileChoice
from stressim.shedding.hidden_cards import UNSEEN, Bag
from stressim.shedding.referee.table import rank_of
from stressim.shedding.rules import SheddingRules
from stressim.shedding.uniform_many import ManyDealer
from stressim.shedding.uniform_moves import Dealer, Ending
from stressim.shedding.uniform_pair import PairDealer
from stressim.shedding.uniform_rounds import RoundsDealer

Bags = tuple[tuple[int, tuple[int, ...]], ...]
"""Bags of one place from its top: cards that nobody has seen, and ranks of the others."""


class Position(NamedTuple):
    """All that matters for how a deal goes on, player by player and pile by pile.

    Parameters
    ----------
    rows
        Rank and number of cards of each slot that is not empty, and of a pile how many lie face up; in any order.
    stocks
        Bags from the top: unseen cards, and ranks of the known ones.
    sides
        The same of the side piles.
    face_down
        The bag of the cards under the tops of each row that are in no bag of a stock.
    piles
        Ranks from the lowest card to the top.
    jokers
        Rank that a joker on top of each pile counts as, -1 for none.
    pools
        Unseen cards of each rank, jokers last; one pool, or one for each player's own deck.
    right
        The pile on each player's right.
    view
        Whose right and left are meant, -1 each player's own.
    from_flip
        Whether the last card was flipped.
    changed_nothing
        Players whose lost stress led back to this very one.
    """

    rows: tuple[tuple[tuple[int, int, int], ...], ...]
    stocks: tuple[Bags, ...]
    sides: tuple[Bags, ...]
    face_down: Bags
    piles: tuple[tuple[int, ...], ...]
    jokers: tuple[int, ...]
    pools: tuple[tuple[int, ...], ...]
    right: tuple[int, ...]
    view: int
    from_flip: bool
    changed_nothing: tuple[int, ...]


class SmallDeck:
    """A shedding game as :func:`stressim.exact.chains.solve` takes it.

    Positions that turn into one another when the table is turned (of two players: when they change seats) or when
    ranks are rotated or mirrored are one position: the rules know only which ranks are neighbours, and nothing hangs on
    a player's or a pile's number. Who has which habit, or a handicap, is remembered, so the table is not turned then.

    Parameters
    ----------
    rules
        The rules of the game.
    players
        The players; uniform timing knows of their habits ``pile_choice`` only.

    Raises
    ------
    TooCostlyError
        If options come together that are not solved.
    """

    def __init__(self, rules: SheddingRules, players: Sequence[Player]) -> None:
        own_decks = rules.deal_mode == DealMode.OWN_DECK_EACH
        if own_decks and rules.handicap_cards and rules.round_end != RoundEnd.NONE:
            raise TooCostlyError(
                "games with handicap_cards, deal_mode=own_deck_each and rounds are not solved: whose deck a card under "
                "a row is of would have to be known of each"
            )
        self.rules = rules
        self.pile_choices = [PileChoice(player.habits.pile_choice) for player in players]  # type: ignore[attr-defined]
        self.rank_maps = _rank_maps(rules)
        self.pool_ranks = (*range(rules.n_ranks), JOKER_RANK)
        self.turns = self._turns()
        self.dealer_class = _dealer_class(rules)
        self._known: dict[Position, Position] = {}

    def begin(self, chance: Chance) -> Step[Position]:
        """Deal, lay out the rows and flip."""
        dealer = self.dealer_class(self.rules, chance, self.pile_choices)
        self.lay_out(dealer)
        return self._step(dealer)

    def lay_out(self, dealer: Dealer) -> None:
        """Deal, lay out the rows and flip."""
        table = dealer.table
        dealer.deal()
        dealer.hand_over_handicap()
        for player in dealer.players:
            dealer.lay_out(player)
        dealer.flip(Reason.START)
        if table.tops_equal():
            dealer.flags.add("stress_at_first_flip")
        while self.rules.start_flip_equal == StartFlipEqual.REFLIP and table.tops_equal() and table.both_can_flip():
            dealer.flip(Reason.REFLIP)
        dealer.fill_all()

    def play_on(self, position: Position, chance: Chance) -> Step[Position]:
        """Make the next play, settle the next stress, or restart."""
        dealer = self.dealer_at(position, chance)
        ending = self.advance(dealer)
        return self._step(dealer) if ending is None else self.end(dealer, *ending)

    def advance(self, dealer: Dealer) -> Ending | None:
        """Play on by one play, stress or restart; return how the deal has ended and who has won, None if it has not."""
        table, rules = dealer.table, self.rules
        stress = rules.stress_on == StressOn.TOPS_EQUAL and table.tops_equal()
        out = dealer.out()
        if out is not None and (rules.win_check_before_stress or not stress):
            return out
        if dealer.ends_round():
            return None
        if stress:
            ending = dealer.stress()
            endless = dealer.changed_nothing == set(dealer.players)
            return (Outcome.LIVELOCKED, -1) if endless and ending is None else ending
        plays = dealer.plays()
        if not plays:
            return dealer.lock()
        dealer.settle(dealer.play(plays))
        return None

    def end(self, dealer: Dealer, outcome: Outcome, winner: int) -> Step[Position]:
        """End the deal; of players who are alike each is expected to have won as often."""
        counts: dict[str, float] = dict(dealer.counts)
        if outcome == Outcome.WON:
            counts["loser_cards"] = sum(dealer.table.remaining(each) for each in dealer.players if each != winner)
            alike = {(winner + step) % len(dealer.players) for step, _ in self.turns}
            counts |= {f"win_{player + 1}": 1 / len(alike) for player in alike}
        return Step(state=None, outcome=outcome.word, counts=counts, flags=frozenset(dealer.flags))

    def _step(self, dealer: Dealer) -> Step[Position]:
        return Step(state=self.state_of(dealer), counts=dealer.counts, flags=frozenset(dealer.flags))

    # positions

    def state_of(self, dealer: Dealer) -> Position:
        """Return the position, the same for all that are alike."""
        table = dealer.table
        raw = Position(
            rows=tuple(
                tuple(
                    sorted(
                        (rank_of(slot[-1]), len(slot), table.face_up(player, place))
                        for place, slot in enumerate(row)
                        if slot
                    )
                )
                for player, row in enumerate(table.rows)
            ),
            stocks=tuple(map(_as_told, dealer.bags)),
            sides=tuple(map(_as_told, dealer.side_bags)),
            face_down=_as_told(dealer.face_down),
            piles=tuple(tuple(map(rank_of, pile)) for pile in table.piles),
            jokers=tuple(-1 if rank is None else rank for rank in table.joker_rank),
            pools=tuple(tuple(pool[rank] for rank in self.pool_ranks) for pool in dealer.pools),
            right=tuple(table.right),
            view=-1 if dealer.view is None else dealer.view,
            from_flip=dealer.from_flip,
            changed_nothing=tuple(sorted(dealer.changed_nothing)),
        )
        if raw not in self._known:
            self._known[raw] = min(self._images(raw))
        return self._known[raw]

    def _images(self, position: Position) -> Iterator[Position]:
        for ranks in self.rank_maps:
            image = _renamed(position, ranks)
            for players, piles in self.turns:
                yield _turned(image, players, piles)

    def _turns(self) -> list[tuple[int, int]]:
        """By how many players and piles the table may be turned: where they come out even, by both together."""
        rules, choices = self.rules, self.pile_choices
        each, odd = divmod(rules.n_piles, rules.n_players)
        alike = [n for n in range(rules.n_players) if choices == [*choices[n:], *choices[:n]]]
        return [
            (players, piles)
            for players in ([0] if rules.handicap_cards else alike)
            for piles in range(rules.n_piles)
            if odd or piles == each * players % rules.n_piles
        ]

    def dealer_at(self, position: Position, chance: Chance) -> Dealer:
        """Set up a position again."""
        dealer = self.dealer_class(self.rules, chance, self.pile_choices)
        table = dealer.table
        for player, row in enumerate(position.rows):
            for slot, (rank, size, face_up) in enumerate(row):
                lower = UNSEEN if self.rules.row_piles == RowPiles.GROWING else rank
                table.rows[player][slot] = [lower] * (size - face_up) + [rank] * face_up
                table.shown_under[player, slot] = face_up - 1
        dealer.bags = [_as_bags(bags) for bags in position.stocks]
        dealer.side_bags = [_as_bags(bags) for bags in position.sides]
        dealer.face_down = _as_bags(position.face_down)
        under_tops = [
            sum(size - face_up for _, size, face_up in row) if self.rules.round_end != RoundEnd.NONE else 0
            for row in position.rows
        ]
        table.stocks = [
            [UNSEEN] * (sum(map(len, bags)) - under) for bags, under in zip(dealer.bags, under_tops, strict=True)
        ]
        table.sides = [[UNSEEN] * sum(map(len, bags)) for bags in dealer.side_bags]
        table.piles = [list(pile) for pile in position.piles]
        table.joker_rank = [None if rank < 0 else rank for rank in position.jokers]
        table.right = list(position.right)
        dealer.pools = [Counter(dict(zip(self.pool_ranks, pool, strict=True))) for pool in position.pools]
        dealer.view = None if position.view == -1 else position.view
        dealer.from_flip = position.from_flip
        dealer.changed_nothing = set(position.changed_nothing)
        return dealer


def _as_told(bags: Sequence[Bag]) -> Bags:
    return tuple((bag.unseen, tuple(sorted(bag.known))) for bag in bags)


def _as_bags(told: Bags) -> list[Bag]:
    return [Bag(unseen, list(known)) for unseen, known in told]


def _renamed_bags(bags: Bags, ranks: dict[int, int]) -> Bags:
    return tuple((unseen, tuple(sorted(ranks[rank] for rank in known))) for unseen, known in bags)


def _renamed(position: Position, ranks: dict[int, int]) -> Position:
    """Give the ranks other names."""
    moved = [0] * (len(ranks) - 1)
    pools = []
    for pool in position.pools:
        for rank, number in enumerate(pool[:-1]):
            moved[ranks[rank]] = number
        pools.append((*moved, pool[-1]))
    return position._replace(
        rows=tuple(tuple(sorted((ranks[rank], size, face_up) for rank, size, face_up in row)) for row in position.rows),
        stocks=tuple(_renamed_bags(bags, ranks) for bags in position.stocks),
        sides=tuple(_renamed_bags(bags, ranks) for bags in position.sides),
        face_down=_renamed_bags(position.face_down, ranks),
        piles=tuple(tuple(ranks[rank] for rank in pile) for pile in position.piles),
        jokers=tuple(rank if rank < 0 else ranks[rank] for rank in position.jokers),
        pools=tuple(pools),
    )


def _turned(position: Position, players: int, piles: int) -> Position:
    """Let each player sit down so many seats further back, and give each pile the number of one so much before it."""
    if not players and not piles:
        return position
    n_players, n_piles = len(position.rows), len(position.piles)
    pools = position.pools if len(position.pools) == 1 else _cut(position.pools, players)
    return position._replace(
        rows=_cut(position.rows, players),
        stocks=_cut(position.stocks, players),
        sides=_cut(position.sides, piles),
        face_down=_cut(position.face_down, players),
        piles=_cut(position.piles, piles),
        jokers=_cut(position.jokers, piles),
        pools=pools,
        right=tuple((pile - piles) % n_piles for pile in _cut(position.right, players)),
        view=position.view if position.view == -1 else (position.view - players) % n_players,
        changed_nothing=tuple(sorted((player - players) % n_players for player in position.changed_nothing)),
    )


T = TypeVar("T")


def _cut(places: tuple[T, ...], first: int) -> tuple[T, ...]:
    return places[first:] + places[:first]


def _dealer_class(rules: SheddingRules) -> type[Dealer]:
    if rules.n_players > 2 or rules.n_piles > 2:
        return ManyDealer
    return RoundsDealer if rules.row_piles == RowPiles.GROWING else PairDealer


def _rank_maps(rules: SheddingRules) -> list[dict[int, int]]:
    """All ways to name the ranks anew under which neighbours stay neighbours; a joker stays one."""
    n = rules.n_ranks
    order = list(range(n))
    if rules.ace == Ace.HIGH and rules.ranks[0] == "A":
        order = [*order[1:], 0]
    shifts = range(n) if rules.ace == Ace.WRAP else range(1)
    found = []
    for shift in shifts:
        for image in ([order[(i + shift) % n] for i in range(n)], [order[(shift - i - 1) % n] for i in range(n)]):
            mapping = dict(zip(order, image, strict=True)) | {JOKER_RANK: JOKER_RANK}
            if mapping not in found:
                found.append(mapping)
    return found
