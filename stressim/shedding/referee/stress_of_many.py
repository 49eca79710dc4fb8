"""A stress where not two play with two piles: all slap, the slowest loses, who takes what (B35 to B37, B41, U42)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, permutations, product

from stressim.shedding.choices import (
    FalseCallPenalty,
    OnePile,
    OtherPile,
    PickupPlacement,
    SlapTarget,
    StressPickup,
    StressShare,
    StressTie,
    UnderOrder,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.deal import Deal, Window
from stressim.shedding.referee.lawful_pickups import shout_decides, tie_window_us
from stressim.shedding.referee.pickups import after_pickup, owners_take, read_shuffles, take, take_nothing
from stressim.shedding.referee.table import Event, Table

Ranking = tuple[int, ...]
"""Players from the slowest to the fastest."""


def slap_piles_of_many(deal: Deal, player: int, window: Window | None) -> set[int]:
    """Piles that a ``SLAP`` row may name: of the stress, or any with cards for a false call; -1 as for two (B34)."""
    rules, table = deal.rules, deal.table
    if rules.slap_target in (SlapTarget.BOTH_PILES, SlapTarget.BOTH_HANDS, SlapTarget.NONE):
        return {-1}
    piles = set(window.piles) if window is not None else with_cards(table)
    if rules.slap_target == SlapTarget.RIGHT_PILE:
        piles = set(from_the_right(table, player, piles, deal.view)[:1])
    return piles | {-1} if shout_decides(rules) else piles


def with_cards(table: Table) -> set[int]:
    """Return the piles that are not empty, all if all are."""
    return {pile for pile in table.centre if table.piles[pile]} or set(table.centre)


def from_the_right(table: Table, player: int, piles: Iterable[int], view: int | None) -> list[int]:
    """Return the piles from right to left as the player sees them, or as the one sees them whose view counts (U6)."""
    wanted = set(piles)
    return [pile for pile in table.seen_by(player if view is None else view) if pile in wanted]


def undecided(deal: Deal, slaps: list[Event]) -> set[int]:
    """Players whose slaps cannot be told from the one that decides: the last, or the first where all others lose."""
    decides = slaps[-1 if deal.rules.stress_share == StressShare.SLOWEST else 0]
    close = {slap.player for slap in slaps if abs(slap.time - decides.time) < tie_window_us(deal.rules, slap, decides)}
    return close | {decides.player}


def rankings(deal: Deal, slaps: list[Event], tied: set[int]) -> list[Ranking]:
    """All orders of the players that the slaps leave open: equal times, and a coin among undecided ones (U20)."""
    time = {slap.player: slap.time for slap in slaps}
    found: list[Ranking] = [
        order for order in permutations(time) if all(time[slow] >= time[fast] for slow, fast in pairwise(order))
    ]
    if len(tied) < 2:
        return found
    decides = 0 if deal.rules.stress_share == StressShare.SLOWEST else -1
    drawn = []
    for order, named in product(found, sorted(tied)):
        changed = list(order)
        changed[order.index(named)], changed[decides] = changed[decides], named
        drawn.append(tuple(changed))
    return drawn


def pickups_of(table: Table, slowest: int, equal: frozenset[int], view: int | None) -> list[frozenset[int]]:
    """Return what a stress may cost: sets of piles, of which the rules or the loser choose one (B36, U45).

    Where the loser chooses, they are one pile each, from right to left.
    """
    pickup = table.rules.stress_pickup
    if pickup == StressPickup.ALL:
        return [frozenset(with_cards(table))]
    seen = from_the_right(table, slowest, equal, view)
    if pickup == StressPickup.LEFT:
        return [frozenset(seen[-1:])]
    if pickup == StressPickup.RIGHT:
        return [frozenset(seen[:1])]
    if pickup == StressPickup.ONE:
        return _one_of(table, seen)
    return [equal]


def _one_of(table: Table, seen: list[int]) -> list[frozenset[int]]:
    """One of these piles, seen from right to left, as ``one_pile`` says (U45)."""
    if table.rules.one_pile == OnePile.OWN_CHOICE:
        return [frozenset([pile]) for pile in seen]
    if table.rules.one_pile == OnePile.SMALLER:
        return [frozenset([min(seen, key=lambda pile: len(table.piles[pile]))])]
    return [frozenset(seen[:1])]


def _may_come_next(table: Table, player: int, left: frozenset[int]) -> set[int]:
    """Piles of those left that may be taken next, in the order that counts for the player (U44)."""
    order = [pile for pile in table.seen_by(player) if pile in left]
    shuffled = table.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK
    if shuffled or table.rules.under_order == UnderOrder.RANDOM:
        return set(order)
    return {order[0] if table.rules.under_order == UnderOrder.OWN_FIRST else order[-1]}


def losers_take(deal: Deal, ways: list[tuple[Ranking, frozenset[int]]], n_losers: int, rule: str) -> tuple[int, int]:
    """Read what the losers take, the slowest first and in turn; return the number of cards and the slowest.

    Parameters
    ----------
    deal
        The deal.
    ways
        Lawful pairs of a ranking and the piles that are taken.
    n_losers
        How many share them.
    rule
        The rule that makes them take them.
    """
    shuffled = deal.rules.pickup_placement == PickupPlacement.SHUFFLE_INTO_STOCK
    taken: list[int] = []
    n_cards = 0
    slowest = ways[0][0][0]
    while any(len(piles) > len(taken) for _, piles in ways):
        event = deal.log.expect(Kind.TAKE, rule, "cards must be taken")
        ways = [
            (ranking, piles)
            for ranking, piles in ways
            if ranking[len(taken) % min(n_losers, len(piles))] == event.player
            and event.pile in piles - set(taken)
            and event.pile in _may_come_next(deal.table, ranking[0], piles - set(taken))
        ]
        deal.require(bool(ways), event, rule, f"player {event.player + 1} must not take pile {event.pile + 1} now")
        slowest = ways[0][0][0]
        taken.append(event.pile)
        n_cards += take(deal, event, rule, shuffled=shuffled)
    return n_cards, slowest


def stress_is_lost_by(deal: Deal, equal: frozenset[int], possible: list[Ranking]) -> None:
    """The losers take what the rules say, then new cards are flipped (B36, B39, U8, U42)."""
    if deal.somebody_has_won() and deal.rules.win_check_before_stress:
        return
    before = deal.table.position()
    ways = [(ranking, piles) for ranking in possible for piles in pickups_of(deal.table, ranking[0], equal, deal.view)]
    n_losers = 1 if deal.rules.stress_share == StressShare.SLOWEST else len(deal.table.players) - 1
    n_cards, slowest = losers_take(deal, ways, n_losers, "B36 stress_pickup")
    deal.score.numbers["picked_up"] += n_cards
    left = [pile for pile in sorted(equal) if deal.table.piles[pile]]
    if deal.rules.other_pile_after_stress == OtherPile.SET_ASIDE:
        for _ in left:
            event = deal.log.expect(Kind.SET_ASIDE, "U8 other_pile_after_stress", "the other piles leave the game")
            aside = event.pile in left and bool(deal.table.piles[event.pile])
            deal.require(aside, event, "U8 other_pile_after_stress", "this pile stays")
            deal.apply(event)
    read_shuffles(deal)
    after_pickup(deal, Reason.STRESS, slowest)
    deal.see_what_comes_back(before, slowest)


def any_ranking(deal: Deal) -> list[Ranking]:
    """Every order of the players, for a table without a clock."""
    return list(permutations(deal.table.players))


def ruled_tie(deal: Deal, window: Window, slaps: list[Event], tied: set[int]) -> None:
    """Rule an undecided slap (B41)."""
    deal.score.numbers["stress_ties"] += 1
    ruling = deal.rules.stress_tie
    if ruling == StressTie.NO_PENALTY:
        deal.score.stress_is_off(slaps[0])
        return
    if ruling == StressTie.RANDOM:
        stress_is_lost_by(deal, window.piles, rankings(deal, slaps, tied))
        return
    if deal.somebody_has_won() and deal.rules.win_check_before_stress:
        return
    if ruling == StressTie.EACH_TAKES_RIGHT:
        deal.score.numbers["picked_up"] += owners_take(deal, sorted(tied), "B41 stress_tie")
    if ruling == StressTie.REPLAY_FLIP and not any(deal.table.stocks):
        event = deal.log.peek()
        if event.kind != Kind.RESTART or event.number != Reason.STRESS:
            return
    after_pickup(deal, Reason.STRESS, None)


def false_call_costs(deal: Deal, slap: Event) -> None:
    """Read the piles that a player takes for a false call: all of them or one (B42)."""
    rule, player = "B42 false_call_penalty", slap.player
    seen = from_the_right(deal.table, player, with_cards(deal.table), deal.view)
    ways = [frozenset(seen)]
    if deal.rules.false_call_penalty == FalseCallPenalty.TAKE_ONE:
        ways = _one_of(deal.table, seen)
    if not any(deal.table.piles):
        take_nothing(deal, player)
    else:
        losers_take(deal, [((player,), piles) for piles in ways], 1, rule)
    read_shuffles(deal)
    after_pickup(deal, Reason.FALSE_CALL, None)
