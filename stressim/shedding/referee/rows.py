"""The rows: laid out, filled up, equal ranks put together (B7 to B9, B12)."""

from __future__ import annotations

from itertools import pairwise

from stressim.shedding.choices import MergeEqualRanks, PileView, RefillPolicy, RowPiles
from stressim.shedding.events import Kind
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.table import Event, is_joker, rank_of

# Own plays between a slot falling empty and its refill (B12, U51).
_PLAYS_BEFORE_REFILL = {RefillPolicy.IMMEDIATE: 1, RefillPolicy.AFTER_EACH_PLAY: 0}


def lay_out_rows(deal: Deal) -> None:
    """Both rows are laid out from the stocks until they are complete (B7 to B9), after the handicap."""
    handicap(deal)
    if deal.rules.row_piles == RowPiles.GROWING:
        for player in deal.table.players:
            lay_out_piles(deal, player)
        return
    while True:
        event = deal.log.peek()
        if event.kind == Kind.VIEW:
            view(deal, deal.log.take())
        elif event.kind == Kind.SEAT:
            seats(deal)
        elif event.kind == Kind.DRAW:
            draw(deal, deal.log.take(), laying_out=True)
        elif event.kind == Kind.MERGE:
            merge(deal, deal.log.take(), laying_out=True)
        else:
            break
    for player in deal.table.players:
        full = not deal.table.empty_slots(player) or not deal.table.stocks[player]
        deal.require(full, event, "B7 row_slots", f"player {player + 1}'s row is not complete")
        if deal.rules.merge_mandatory and deal.rules.merge_equal_ranks != MergeEqualRanks.OFF:
            merged = not deal.table.has_equal_slots(player)
            deal.require(merged, event, "B9 merge_mandatory", f"player {player + 1} must put equal ranks together")


def handicap(deal: Deal) -> None:
    """Player 1 gets cards of the stocks of all others beforehand, or they of his (handicap_cards)."""
    rule, wanted = "B2 handicap_cards", deal.rules.handicap_cards
    while deal.log.next_kind() in (Kind.VIEW, Kind.SEAT):
        if deal.log.next_kind() == Kind.VIEW:
            view(deal, deal.log.take())
        else:
            seats(deal)
    due = [other for other in deal.table.players[1:] for _ in range(abs(wanted))]
    for giver, receiver in [(other, 0) if wanted > 0 else (0, other) for other in due]:
        sentence = f"player {receiver + 1} gets a card of player {giver + 1}"
        event = deal.log.expect(Kind.HANDICAP, rule, sentence)
        right = (event.player, deal.table.other(event)) == (receiver, giver)
        deal.require(right, event, rule, sentence)
        deal.is_top_of_stock(event, giver)
        deal.apply(event)


def lay_out_piles(deal: Deal, player: int) -> None:
    """A row is laid out in layers as far as the cards go, and its tops are turned up."""
    rule, n_slots = "B7 row_piles", deal.rules.row_slots
    for slot in [slot for layer in range(n_slots) for slot in range(layer, n_slots)]:
        if deal.table.stocks[player]:
            event = deal.log.expect(Kind.DRAW, rule, f"player {player + 1} lays out his row")
            right = (event.player, event.slot) == (player, slot)
            deal.require(right, event, rule, f"the next card belongs into slot {slot + 1} of player {player + 1}")
            deal.is_top_of_stock(event, player)
            deal.apply(event)
    while deal.table.can_turn(player):
        event = deal.log.expect(Kind.TURN, rule, f"player {player + 1} turns up the tops of his row")
        deal.require(event.player == player, event, rule, f"player {player + 1} turns up the tops of his row")
        turn(deal, event)


def turn(deal: Deal, event: Event) -> None:
    """A player turns up a top card of his row."""
    hidden = (event.player, event.slot) in deal.table.hidden
    deal.require(hidden, event, "B7 row_piles", f"no card lies face down on slot {event.slot + 1}")
    top = deal.table.rows[event.player][event.slot][-1] == event.card
    deal.require(top, event, "B7 row_piles", f"{deal.table.name(event.card)} is not the card there")
    deal.apply(event)


def seats(deal: Deal) -> None:
    """Which pile is on whose right where piles and players do not come out even: it is said of all, once (B51)."""
    table, rule = deal.table, "B51 centre_piles"
    for player in table.players:
        event = deal.log.expect(Kind.SEAT, rule, f"the pile on player {player + 1}'s right is named")
        deal.require(player == event.player, event, rule, f"the pile on player {player + 1}'s right is named")
        deal.require(player > 0 or not table.right, event, rule, "it is clear already which pile is on whose right")
        deal.apply(event)
    each, odd = divmod(len(table.centre), len(table.players))
    steps = [after - before for before, after in pairwise([*table.right, table.right[0]])]
    shares = [step % len(table.centre) for step in steps]
    fair = odd and sum(shares) == len(table.centre) and set(shares) <= {each, each + 1}
    deal.require(bool(fair), event, rule, "the piles are not shared out evenly round the table")


def view(deal: Deal, event: Event) -> None:
    """Whose right and left are meant (U6)."""
    absolute = deal.rules.pile_view == PileView.ABSOLUTE
    deal.require(absolute, event, "U6 pile_view", "left and right are each player's own")
    deal.require(deal.view is None, event, "U6 pile_view", "whose left and right are meant does not change")
    deal.view = event.player


def draw(deal: Deal, event: Event, *, laying_out: bool = False) -> None:
    """A card of the stock fills an empty slot (B12)."""
    player = event.player
    may = laying_out or deal.rules.refill_policy != RefillPolicy.NONE
    deal.require(may, event, "B12 refill_policy", "rows are not filled up in this game")
    deal.require(not deal.table.rows[player][event.slot], event, "B7 row_slots", f"slot {event.slot + 1} is not empty")
    deal.is_top_of_stock(event, player)
    deal.apply(event)
    del deal.owed[player][:1]
    deal.stock_may_be_gone()


def merge(deal: Deal, event: Event, *, laying_out: bool = False) -> None:
    """Cards of one slot, of a pile the face-up ones, go on those of another slot with the same rank (B8)."""
    player, rules = event.player, deal.rules
    when = rules.merge_equal_ranks
    may = when == MergeEqualRanks.ALWAYS or (laying_out and when == MergeEqualRanks.AT_DEAL)
    deal.require(may, event, "B8 merge_equal_ranks", "equal ranks may not be put together now")
    exists = 0 <= event.number < rules.row_slots and event.number != event.slot
    deal.require(exists, event, "B8 merge_equal_ranks", f"there is no other slot {event.number + 1}")
    source, target = deal.table.rows[player][event.slot], deal.table.rows[player][event.number]
    equal = bool(source) and bool(target) and rank_of(source[-1]) == rank_of(target[-1])
    equal = equal and not is_joker(source[-1])
    face_down = {(player, event.slot), (player, event.number)} & deal.table.hidden
    deal.require(not face_down, event, "B7 row_piles", "cards that lie face down are not put together")
    deal.require(equal, event, "B8 merge_equal_ranks", "only equal ranks may be put together")
    deal.apply(event)
    if deal.table.stocks[player]:
        deal.owed[player].append(0)
    if not deal.table.has_equal_slots(player):
        deal.pairs_seen[player] = 0


def nothing_is_owed(deal: Deal, event: Event) -> None:
    """A refill or a compulsory merge must not be put off too long (B12, B9, U51)."""
    player, table, policy = event.player, deal.table, deal.rules.refill_policy
    if deal.uniform:
        ready = not any(table.can_refill(each) for each in table.players)
        deal.require(ready, event, "B12 refill_policy", "in the uniform model rows are filled up at once")
        merged = not any(table.can_merge(each) for each in table.players)
        deal.require(merged, event, "B8 merge_equal_ranks", "in the uniform model equal ranks are put together at once")
    if policy in _PLAYS_BEFORE_REFILL and deal.owed[player]:
        allowed = max(deal.owed[player]) < _PLAYS_BEFORE_REFILL[policy]
        deal.require(allowed, event, "B12 refill_policy", f"player {player + 1} must fill up his row first")
    if deal.rules.merge_mandatory and table.can_merge(player):
        deal.require(deal.pairs_seen[player] < 1, event, "B9 merge_mandatory", "equal ranks must be put together first")
