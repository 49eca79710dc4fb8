"""New cards in the middle: the first flip and every later one (B14, B27 to B30, B40)."""

from __future__ import annotations

from stressim.shedding.choices import (
    JokerMode,
    PileView,
    RestartConsent,
    RestartSource,
    RestartTrigger,
    SidePileReuse,
    StartFlipEqual,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.flips_of_many import jokers_to_name, read_flips
from stressim.shedding.referee.lawful_flips import Flip, lawful_flips
from stressim.shedding.referee.table import Event, is_joker

# How a card is checked, by the place that it comes from.
_IS_ON_TOP = {
    Kind.FLIP: Deal.is_top_of_stock,
    Kind.FLIP_FROM_ROW: Deal.is_top_of_slot,
    Kind.FLIP_SIDE: Deal.is_top_of_side_pile,
}


def first_flip(deal: Deal) -> None:
    """The first two cards, covered again while they are equal if the rules say so (B14, U21)."""
    event = deal.log.expect(Kind.RESTART, "B14 start_flip", "the first cards are flipped once the rows lie")
    deal.require(event.number == Reason.START, event, "B14 start_flip", "the deal begins with the first flip")
    if deal.rules.pile_view == PileView.ABSOLUTE:
        deal.require(deal.view is not None, event, "U6 pile_view", "it must be clear whose left and right are meant")
    deal.require(bool(deal.table.right), event, "B51 centre_piles", "it must be clear which pile is on whose right")
    deal.score.first_flip = event.time
    piles = flips(deal, event)
    deal.score.numbers["stress_at_first_flip"] = int(deal.table.tops_equal())
    while (
        deal.rules.start_flip_equal == StartFlipEqual.REFLIP and deal.table.tops_equal() and deal.table.both_can_flip()
    ):
        event = deal.log.expect(Kind.RESTART, "U21 start_flip_equal", "equal first cards are covered")
        deal.require(event.number == Reason.REFLIP, event, "U21 start_flip_equal", "equal first cards are covered")
        piles = flips(deal, event)
    deal.landed(event.time, piles, from_flip=True)
    if deal.score.stall_counted:
        deal.score.numbers["stalled_at_start"] = 1


def flips(deal: Deal, restart: Event) -> list[int]:
    """Read the flips that follow a restart; return the piles they fell on."""
    if not deal.table.is_pair:
        return flips_of_many(deal, restart)
    rule, plans = lawful_flips(deal.table, Reason(restart.number))
    flips: set[Flip] = set()
    givers: list[int] = []
    unnamed: set[int] = set()
    while deal.log.next_kind() in (Kind.GIVE, Kind.NAME, *_IS_ON_TOP):
        event = deal.log.take()
        deal.require(event.time == restart.time, event, "B27 restart", "the cards of a flip land together")
        if event.kind == Kind.GIVE:
            deal.may_change_hands(event)
            givers.append(event.player)
        elif event.kind == Kind.NAME:
            event = name_joker(deal, event, {pile for who, pile, _ in flips if who == event.player and pile in unnamed})
            unnamed.discard(event.pile)
        else:
            _IS_ON_TOP[event.kind](deal, event, event.player)
            twice = any((event.player, event.pile) == flip[:2] for flip in flips)
            deal.require(not twice, event, rule, f"player {event.player + 1} has laid a card there already")
            flips.add((event.player, event.pile, event.kind))
            if is_joker(event.card) and deal.rules.joker_mode == JokerMode.NAMED:
                unnamed.add(event.pile)
        plans_left = [plan for plan in plans if plan.begins_with(flips, givers)]
        deal.require(bool(plans_left), event, rule, "the rules want other cards flipped")
        deal.apply(event)
    if not any(plan.is_done(flips, givers) for plan in plans):
        deal.log.refuse(deal.log.peek(), rule, "a card that the rules want flipped is missing")
    if unnamed:
        deal.log.refuse(deal.log.peek(), "B4 joker_mode", "the joker must be named")
    deal.stock_may_be_gone()
    for giver in givers:
        if deal.table.stocks[1 - giver]:
            deal.stock_gained(1 - giver)
    piles = sorted({pile for _, pile, _ in flips})
    deal.table.jokers_take_ranks(piles)
    return piles


def flips_of_many(deal: Deal, restart: Event) -> list[int]:
    """:func:`flips` where not two play with two piles."""
    laid = read_flips(deal, restart)
    to_name = jokers_to_name(deal, laid)
    while to_name:
        event = deal.log.expect(Kind.NAME, "B4 joker_mode", "the joker must be named")
        event = name_joker(deal, event, {pile for pile, player in to_name.items() if player == event.player})
        deal.apply(event)
        del to_name[event.pile]
    piles = sorted({pile for _, pile in laid})
    deal.table.jokers_take_ranks(piles)
    return piles


def name_joker(deal: Deal, event: Event, unnamed: set[int]) -> Event:
    """Check the naming of a joker; return the event with its pile filled in."""
    named = deal.rules.joker_mode == JokerMode.NAMED and 0 <= event.number < deal.rules.n_ranks
    deal.require(named, event, "B4 joker_mode", "no joker is named so")
    if event.pile == -1 and len(unnamed) == 1:
        event = event._replace(pile=min(unnamed))
    deal.require(event.pile in unnamed, event, "B4 joker_mode", "there is no joker to be named")
    return event


def restart(deal: Deal, event: Event) -> None:
    """A restart because nobody can play, or because nobody who could wants to (B27, B29)."""
    reason = event.number
    if reason == Reason.LOCKED:
        locked = deal.nobody_can_move()
        deal.require(locked, event, "B27 restart", "somebody has a card to play, a refill or a merge to make")
        deal.require(deal.table.can_flip(), event, "B31 restart_both_empty", "both stocks are empty")
        deal.score.count_stall()
    elif reason == Reason.DECLINED:
        restart_is_wanted(deal, event)
        deal.score.numbers["restarts"] += 1
    else:
        deal.log.refuse(event, "B27 restart", "there is no such reason for new cards")
    flip_and_go_on(deal, event)


def restart_is_wanted(deal: Deal, event: Event) -> None:
    """Refuse a restart that is not wanted by those who must agree (U29)."""
    rules, table = deal.rules, deal.table
    may = rules.restart_trigger == RestartTrigger.LOCKED_OR_DECLINED
    deal.require(may, event, "B29 restart_trigger", "cards are flipped when nobody can play")
    deal.require(table.can_flip(), event, "B29 restart_trigger", "there is no card to flip")
    deal.require(bool(deal.declined), event, "B29 restart_trigger", "nobody has declined")
    if rules.restart_consent == RestartConsent.MUTUAL:
        agreed = all(player in deal.declined for player in table.players if table.can_play(player))
        deal.require(agreed, event, "U29 restart_consent", "somebody who can play has not declined")


def renew(deal: Deal, event: Event) -> None:
    """The side piles are used up: the centre piles take their places, and new cards are flipped."""
    rule, reuse = "B31 side_pile_reuse", deal.rules.side_pile_reuse
    deal.log.put_back(event)
    may = deal.rules.restart_source == RestartSource.SIDE_PILES and reuse != SidePileReuse.NEVER
    deal.require(may, event, rule, "there are no side piles, or they are not used again")
    deal.require(deal.locked_without_card(), event, rule, "somebody can move, or there is a card to flip")
    deal.require(not deal.table.nothing_ever_fits(), event, "U4 side_pile_reuse", "nothing will ever fit: it is drawn")
    deal.score.count_stall()
    deal.score.numbers["side_piles_renewed"] += 1
    for pile in (0, 1):
        event = deal.log.expect(Kind.RENEW, rule, "the centre piles become the side piles")
        size = len(deal.table.piles[pile])
        right = (event.pile, event.number) == (pile, size)
        deal.require(right, event, rule, f"pile {pile + 1} with its {size} cards becomes a side pile now")
        deal.apply(event)
        deal.table.joker_rank[pile] = None
        if reuse == SidePileReuse.SHUFFLED:
            before = sorted(deal.table.sides[pile])
            for depth in range(size):
                event = deal.log.expect(Kind.SIDE, rule, "the side pile is shuffled")
                right = (event.pile, event.number) == (pile, depth)
                deal.require(right, event, rule, f"side pile {pile + 1} is listed from its top")
                deal.apply(event)
            deal.require(sorted(deal.table.sides[pile]) == before, event, rule, "these are not the cards of the pile")
    event = deal.log.expect(Kind.RESTART, rule, "new cards are flipped")
    deal.require(event.number == Reason.RENEWED, event, rule, "cards are flipped because the side piles are full again")
    flip_and_go_on(deal, event)


def flip_and_go_on(deal: Deal, restart: Event, winner: int | None = None) -> None:
    """Count what the flip finds, read it, and judge the new position."""
    reason = restart.number
    table = deal.table
    without = [player for player in table.players if not table.stocks[player]]
    from_stock = deal.rules.restart_source == RestartSource.STOCK or reason == Reason.STRESS
    some_lack_cards = 0 < len(without) < len(table.players)
    if some_lack_cards and from_stock and reason in (Reason.LOCKED, Reason.STRESS):
        deal.score.numbers["one_stock_empty"] = 1
    counts = winner in without if table.is_pair else winner is not None
    if reason == Reason.STRESS and some_lack_cards and counts:
        deal.score.numbers["slap_winner_without_stock"] += 1
    piles = flips(deal, restart)
    deal.landed(restart.time, piles, from_flip=True)
