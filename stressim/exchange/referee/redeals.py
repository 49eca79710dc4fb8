"""Cards dealt, at the start and again (A1 to A6, A20, A23)."""

from __future__ import annotations

from collections.abc import Sequence

from stressim.exchange.choices import DeadlockRule, WinTie
from stressim.exchange.events import Kind, Reason
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.improving import is_locked, watch
from stressim.exchange.referee.table import Event, dealing_order, given_bunches, rank_of
from stressim.exchange.referee.timekeeping import end_of_wait
from stressim.exchange.rules import ExchangeRules
from stressim.refereeing import Foul


def check_deal(rules: ExchangeRules, cards: Sequence[int], *, index: int = -1) -> None:
    """Refuse a deal that is not the right cards, each of them once (A1, A4 to A6).

    Parameters
    ----------
    rules
        The rules that were played.
    cards
        The dealt cards: bunches, player by player, then the centre.
    index
        Event at which a foul is noted; -1 for the first deal.
    """
    if len(cards) != len(dealing_order(rules)):
        sentence = f"{rules.n_bunches} bunches of {rules.bunch_size} and {rules.centre_cards} open cards are dealt"
        raise Foul(index, "A5 bunches", sentence)
    if sorted(int(card) for card in cards) != sorted(rules.cards):
        raise Foul(index, "A1 deck", "these are not the cards of the game, each of them once")
    places = dealing_order(rules)
    for given in given_bunches(rules):
        ranks = {rank_of(int(card)) for card, place in zip(cards, places, strict=True) if place == given}
        if len(ranks) > 1:
            raise Foul(index, "A5 handicap_bunches", f"bunch {given[1] + 1} of player {given[0] + 1} is given complete")


def redeal(deal: Deal, event: Event) -> None:
    """All cards are dealt again, for a reason that the rules give."""
    try:
        reason = Reason(event.number)
    except ValueError:
        deal.log.refuse(event, "form of the log", f"{event.number} is no reason to deal again")
    if reason == Reason.WIN_TIE:
        _players_were_done_at_once(deal, event)
    else:
        _nobody_has_swapped(deal, event)
    deal.score.end_stall(event.time)
    deal.score.end_lock(event.time)
    deal.score.numbers["redeals"] += 1
    deal.table.apply(event)
    cards = [_deal_card(deal, event, place) for place in dealing_order(deal.rules)]
    check_deal(deal.rules, cards, index=event.row)
    deal.begin(event.time)
    deal.score.new_deal()
    watch(deal, event.time)


def _deal_card(deal: Deal, redealt: Event, place: tuple[int, int]) -> int:
    if deal.log.next_kind() != Kind.DEAL:
        raise Foul(deal.log.index, "A5 bunches", "all cards are dealt before anything else happens")
    event = deal.log.take()
    in_turn = (event.player, event.bunch) == place
    deal.require(in_turn, event, "A5 bunches", "cards are dealt bunch by bunch, player by player, then to the centre")
    deal.require(event.time == redealt.time, event, "A5 bunches", "all cards are dealt at once")
    deal.table.apply(event)
    return event.card


def _players_were_done_at_once(deal: Deal, event: Event) -> None:
    agreed = deal.rules.win_tie == WinTie.REDEAL
    deal.require(agreed, event, "A23 win_tie", "near-simultaneous calls do not mean a new deal here")
    done = deal.done() if deal.uniform else deal.calls
    deal.require(len(done) > 1, event, "A23 win_tie", "there are no two players who were done at once")
    right = deal.uniform or event.time == deal.last_call_at
    deal.require(right, event, "A23 win_tie", "cards are dealt again at the time of the last call")


def _nobody_has_swapped(deal: Deal, event: Event) -> None:
    agreed = deal.rules.deadlock_rule == DeadlockRule.REDEAL
    deal.require(agreed, event, "A20 deadlock_rule", "cards are not dealt again in a deadlock here")
    deal.require(not deal.table.placed, event, "A24 ranking", "cards are not dealt again once a player has won")
    rule_applies(deal, event)


def rule_applies(deal: Deal, event: Event) -> None:
    """Refuse an agreed way out of a deadlock before its time (A20)."""
    deal.require(not deal.calls, event, "A22 win", "a player has called that he is done")
    deal.require(not any(deal.swaps), event, "A20 deadlock_rule", "a swap is under way")
    if deal.uniform:
        deal.require(is_locked(deal), event, "A20 deadlock_rule", "somebody can improve a bunch")
    else:
        over = event.time == end_of_wait(deal)
        deal.require(over, event, "A20 deadlock_rule", "the agreed wait without a swap is not over")
