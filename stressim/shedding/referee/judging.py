"""Reading a whole log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stressim.refereeing import Foul, Stopped
from stressim.shedding.choices import DealMode
from stressim.shedding.events import Kind, Outcome
from stressim.shedding.referee import plays, restarts, rounds, rows, stress
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.ending import end, the_end_is_respected
from stressim.shedding.referee.table import Event, full_deck, rank_of
from stressim.shedding.referee.verdict import Verdict
from stressim.shedding.rules import SheddingRules


def judge(
    rules: SheddingRules,
    cards: Sequence[Sequence[int]],
    events: Sequence[Sequence[int]],
    *,
    uniform: bool = False,
) -> Verdict:
    """Judge the log of one deal.

    Parameters
    ----------
    rules
        The rules that were played.
    cards
        The dealt cards of each player: his stock, top card first, and the side pile on his right if there is one.
    events
        The log, rows as in :class:`stressim.shedding.events.Field`.
    uniform
        True for a log of the uniform model: no clock, no slaps; equal tops are taken up at once by either player.

    Returns
    -------
    Verdict
        The result that the log implies.

    Raises
    ------
    Foul
        If an event breaks a rule, or one that the rules demand is missing.
    """
    check_deal(rules, cards)
    deal = Deal(rules, cards, events, uniform=uniform)
    try:
        rows.lay_out_rows(deal)
        restarts.first_flip(deal)
        return _play(deal)
    except Stopped as stopped:
        deal.log.nothing_after(stopped.row, "B44 end")
        return deal.score.verdict(stopped.time, Outcome.UNFINISHED, -1, last_card_equal=False)


def check_deal(rules: SheddingRules, cards: Sequence[Sequence[int]]) -> None:
    """Refuse a deal that is not the right deck shared out as the rules say (B1 to B3, U33)."""
    dealt = [int(card) for stock in cards for card in stock]
    if len(cards) != rules.n_players or any(len(share) != rules.cards_dealt for share in cards):
        raise Foul(-1, "B2 deal_mode", f"each of {rules.n_players} players gets {rules.cards_dealt} cards")
    if sorted(dealt) != sorted(full_deck(rules)):
        raise Foul(-1, "B1 deck", "these are not the cards of the deck, each of them once")
    shared = rules.deal_mode == DealMode.SPLIT_COMBINED or (
        rules.deal_mode == DealMode.SPLIT_ONE_DECK and len(cards) == 2
    )
    if not shared:
        shares = [sorted(rank_of(int(card)) for card in stock) for stock in cards]
        if any(share != shares[0] for share in shares):
            raise Foul(-1, "B2 deal_mode", "each player needs a complete deck of his own and as many jokers")


# What each kind of event means while the game goes on; the others have their place within one of these.
_HANDLERS: dict[Kind, Callable[[Deal, Event], None]] = {
    Kind.PLAY: plays.lay,
    Kind.DRAW: rows.draw,
    Kind.MERGE: rows.merge,
    Kind.LATE: plays.late,
    Kind.ILLEGAL: plays.illegal,
    Kind.ABORT: plays.abort,
    Kind.DECLINE: plays.decline,
    Kind.ANNOUNCE: plays.announce,
    Kind.SLAP: stress.slap,
    Kind.TAKE: stress.taken,
    Kind.RESTART: restarts.restart,
    Kind.RENEW: restarts.renew,
    Kind.TURN: rows.turn,
    Kind.MOVE: rounds.move,
    Kind.CALL: plays.call,
}


def _play(deal: Deal) -> Verdict:
    """Read events until the deal is over."""
    while True:
        event = deal.log.peek()
        the_end_is_respected(deal, event)
        if event.kind == Kind.END:
            return end(deal, deal.log.take())
        if rounds.round_is_over(deal):
            rounds.end_of_round(deal)
            continue
        deal.require(event.kind in _HANDLERS, event, "order of events", f"{event.kind.name} has no place here")
        if deal.uniform and deal.window is not None:
            lawful = event.kind in (Kind.DRAW, Kind.MERGE, Kind.TAKE, Kind.CALL)
            deal.require(lawful, event, "B32 stress_on", "the tops are equal: one player has lost the stress")
        _HANDLERS[event.kind](deal, deal.log.take())
        deal.see_who_is_empty()
        deal.watch_stall(event.time)
