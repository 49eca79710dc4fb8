"""Reading a whole log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stressim.exchange.events import Kind, Outcome
from stressim.exchange.referee import bunches, calls, swaps
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.ending import end, the_end_is_respected
from stressim.exchange.referee.improving import watch
from stressim.exchange.referee.places import place_who_is_done
from stressim.exchange.referee.redeals import check_deal, redeal
from stressim.exchange.referee.table import Event
from stressim.exchange.referee.timekeeping import nothing_is_overdue
from stressim.exchange.referee.verdict import Verdict
from stressim.exchange.rules import ExchangeRules
from stressim.refereeing import Stopped


def judge(
    rules: ExchangeRules,
    cards: Sequence[int],
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
        The dealt cards: the bunches, player by player, then the centre.
    events
        The log, rows as in :class:`stressim.exchange.events.Field`.
    uniform
        True for a log of the uniform model: no clock, every unfinished bunch can be used at any time.

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
    watch(deal, 0)
    try:
        return _play(deal)
    except Stopped as stopped:
        deal.log.nothing_after(stopped.row, "A22 end")
        return deal.score.verdict(stopped.time, Outcome.UNFINISHED, -1)


_HANDLERS: dict[Kind, Callable[[Deal, Event], None]] = {
    Kind.PICK_UP: bunches.pick_up,
    Kind.PUT_BACK: bunches.put_back,
    Kind.PUT_DOWN: swaps.put_down,
    Kind.TAKE: swaps.take,
    Kind.MISS: swaps.miss,
    Kind.COMPLETE: bunches.complete,
    Kind.DEADLINE: bunches.time_is_up,
    Kind.CALL: calls.call,
    Kind.FALSE_CALL: calls.false_call,
    Kind.REDEAL: redeal,
}


def _play(deal: Deal) -> Verdict:
    """Read events until the deal is over."""
    while True:
        event = deal.log.peek()
        place_who_is_done(deal)
        the_end_is_respected(deal, event)
        nothing_is_overdue(deal, event)
        _time_is_right(deal, event)
        if event.kind == Kind.END:
            return end(deal, deal.log.take())
        deal.require(event.kind in _HANDLERS, event, "order of events", f"{event.kind.name} has no place here")
        _HANDLERS[event.kind](deal, deal.log.take())


def _time_is_right(deal: Deal, event: Event) -> None:
    """Without a clock the rows of a swap bear its number, all others the number of swaps before them."""
    deal.require(event.time >= 0, event, "time", "this happens before the start")
    if deal.uniform:
        expected = deal.score.moves + (event.kind in (Kind.PUT_DOWN, Kind.TAKE))
        deal.require(event.time == expected, event, "time", f"this belongs to move {expected}, not {event.time}")
